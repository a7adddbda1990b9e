#!/usr/bin/env python3
"""Installs what `make package` made, in small Debian installations of its own: `make package-test`.

    Tests/Package/check.py [WORD...]    only the checks whose names have one of these words

What needs root, or a program that is not here, is told in one line and left out; with CI set it fails.
"""
import contextlib
import glob
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time

import image
from roots import Missing, Root, own_release
from service import Service, Unit

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PASSWORD = "correct horse battery"
SETTINGS = "/etc/proximity/proximity.json"
# Where the tar is tried, by where it was built: an older and a newer C library.
OTHERS = {"bookworm": ["trixie"], "trixie": ["bookworm"]}


def run(*command):
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert ended.returncode == 0, f"{' '.join(command)} ended with {ended.returncode}:\n{ended.stdout[-3000:]}"
    return ended.stdout


def made(pattern):
    """The newest of the packages of this form."""
    found = sorted(glob.glob(f".build-packages/{pattern}"), key=os.path.getmtime)
    assert found, f"there is no .build-packages/{pattern}: make package"
    return os.path.abspath(found[-1])


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def debian_finds_nothing_to_complain_of(_):
    if not shutil.which("lintian"):
        raise Missing("no lintian; Debian: lintian")
    said = run("lintian", "--allow-root", "--fail-on", "error,warning", made("proximity_*.deb"))
    assert not said.strip(), said


def it_can_be_made_again_byte_for_byte(folder):
    deb, tar = made("proximity_*.deb"), made("proximity-*-linux-*.tar.gz")
    before = [digest(deb), digest(tar)]
    for name in ("proximity-lab", "proximity"):
        program = os.path.join(folder, name)
        with open(program, "wb") as file:
            file.write(subprocess.run(
                ["tar", "--extract", "--gzip", "--to-stdout", "--wildcards", "--file", tar, f"*/bin/{name}"],
                check=True, capture_output=True).stdout)
        os.chmod(program, 0o755)
    # The libraries that the program in the tar finds beside it are those of this machine, too.
    again = os.path.join(folder, "again")
    run("Scripts/package/packages", program, again)
    assert [digest(f"{again}/{os.path.basename(one)}") for one in (deb, tar)] == before


def install(root, package):
    shutil.copy(package, root.path("/tmp/proximity.deb"))
    # What a first installation has to ask nobody: settings that were changed stay as they are.
    return root.run("apt-get", "install", "--yes", "--no-install-recommends", "/tmp/proximity.deb")


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def raised(folder, package):
    """The same package as of a later version."""
    parts, later = os.path.join(folder, "parts"), os.path.join(folder, "later.deb")
    run("dpkg-deb", "--raw-extract", package, parts)
    with open(f"{parts}/DEBIAN/control") as file:
        lines = file.read().splitlines()
    with open(f"{parts}/DEBIAN/control", "w") as file:
        file.writelines((line + "+later" if line.startswith("Version: ") else line) + "\n" for line in lines)
    run("dpkg-deb", "-Znone", "--root-owner-group", "--build", parts, later)
    return later


def the_service_is_installed_upgraded_removed_and_purged(folder):
    package = made("proximity_*.deb")
    root = Root(folder, own_release(), ["systemd"])
    root.run("apt-get", "update")
    began = time.monotonic()
    install(root, package)
    installed_s = time.monotonic() - began
    with open(root.path("/lib/systemd/system/proximity.service")) as file:
        unit = Unit(file.read())
    units = [f"/lib/systemd/system/{name}" for name in ("proximity.service", "proximity@.service")]

    # Installed: enabled, sound, its settings for root alone, its data not yet there.
    assert os.path.islink(root.path("/etc/systemd/system/multi-user.target.wants/proximity.service"))
    said = root.run("systemd-analyze", "verify", "--man=no", *units)
    assert "proximity" not in said, said
    for one in units:
        root.run("systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", one)
    assert mode(root.path(unit.settings)) == 0o600 and unit.settings == SETTINGS
    root.run("cat", unit.settings, user=unit.user, status=1)
    data = root.path(unit.state)
    assert not os.path.exists(data)
    assert root.run("proximity", "--version").strip() in os.path.basename(package)

    # Started: the page, an account, files for the service's user alone.
    began = time.monotonic()
    with unit.start(root) as service:
        setup = service.line(r"#setup=(\S+)")
        service.get("/healthz")
        assert b"<title>" in service.get("/"), "the page is not the built one"
        # For the reader: on a busy machine it takes longer, which is no fault of the package.
        print(f"from the file to the page: {installed_s:.0f} s for apt, {time.monotonic() - began:.1f} s for the server")
        with open(root.path("/usr/share/proximity/page/index.html"), "rb") as file:
            assert service.get("/index.html") == file.read()
        status = service.post("/api/v1/setup", {"token": setup, "login": "anna", "password": PASSWORD})
        assert status < 300, status
        service.end()
    owner = os.stat(data).st_uid
    assert owner != 0 and mode(data) == 0o700
    files = [os.path.join(at, name) for at, _, names in os.walk(data) for name in names]
    assert files and all(os.stat(one).st_uid == owner and mode(one) == 0o600 for one in files), files

    # Upgraded: data and changed settings are kept.
    changed = json.dumps({"listen": "127.0.0.1:8080", "public_url": "https://alarm.example.org"})
    with open(root.path(unit.settings), "w") as file:
        file.write(changed)
    install(root, raised(folder, package))
    assert root.run("dpkg-query", "--show", "--showformat=${Version}", "proximity").endswith("+later")
    assert mode(root.path(unit.settings)) == 0o600
    with unit.start(root) as service:
        status = service.post("/api/v1/login", {"login": "anna", "password": PASSWORD})
        assert status < 300, f"the account is gone: {status}"
        service.end()

    # Removed: no program, no user's data lost, settings kept. Installed again, all is as it was.
    root.run("apt-get", "remove", "--yes", "proximity")
    assert not os.path.exists(root.path("/usr/bin/proximity"))
    assert all(os.path.exists(one) for one in files if not one.endswith(("-wal", "-shm")))
    with open(root.path(unit.settings)) as file:
        assert file.read() == changed
    install(root, package)
    with unit.start(root) as service:
        status = service.post("/api/v1/login", {"login": "anna", "password": PASSWORD})
        assert status < 300, f"the account is gone: {status}"
        service.end()

    # Purged: nothing is left.
    root.run("apt-get", "purge", "--yes", "proximity")
    left = [one for one in (data, root.path("/etc/proximity"), root.path("/usr/share/proximity"), root.path("/usr/share/doc/proximity"))
            if os.path.exists(one)]
    assert not left, left


def the_tar_runs_on_other_releases(folder):
    tar = made("proximity-*-linux-*.tar.gz")
    releases = OTHERS.get(own_release(), [])
    if not releases:
        raise Missing(f"another release than {own_release()!r} to try it on")
    for release in releases:
        # The program that makes a user is no longer in the smallest system of every release.
        root = Root(folder, release, ("passwd",))
        shutil.copy(tar, root.path("/tmp/proximity.tar.gz"))
        root.run("tar", "-xzf", "/tmp/proximity.tar.gz", "-C", "/usr/local", "--strip-components=1", "--no-same-owner")
        for name in ("walk.gpx", "zones.pad"):
            shutil.copy(f"Scenarios/{name}", root.path("/tmp"))
        words = ["replay", "/tmp/walk.gpx", "--zones", "/tmp/zones.pad", "--json"]
        there = root.run("proximity", *words)
        with contextlib.chdir("Scenarios"):
            here = run(program_of(tar, folder), "replay", "walk.gpx", "--zones", "zones.pad", "--json")
        assert there.replace("/tmp/", "") == here and there.count("\n") > 5, (there, here)
        # The units in deploy/ are written for this place; nothing else is installed.
        root.run("useradd", "--system", "--no-create-home", "--home-dir", "/var/lib/proximity", "proximity")
        with open(root.path("/usr/local/share/doc/proximity/proximity.service")) as file:
            unit = Unit(file.read())
        os.makedirs(root.path(os.path.dirname(SETTINGS)))
        shutil.copy("deploy/debian/proximity.json", root.path(SETTINGS))
        with unit.start(root) as service:
            service.get("/healthz")
            assert b"<title>" in service.get("/")
            service.end()
        # Nothing was found outside of the tar but the C library.
        outside = [line for line in root.run("ldd", "/usr/local/bin/proximity").splitlines()
                   if "=> /" in line and "/usr/local/" not in line]
        assert all(line.split()[0].split(".")[0] in ("libc", "libm", "libdl", "libpthread", "librt", "libresolv") for line in outside), outside
        print(f"the tar runs on {release} ({root.run('ldd', '--version').splitlines()[0].split()[-1]})")


def the_image_can_be_built_and_started(folder):
    hadolint = ".venv-tests/bin/hadolint"
    if os.path.exists(hadolint):
        run(hadolint, image.DOCKERFILE)
    else:
        print("left out: hadolint, which is not here")
    base, before = image.stages()[0]
    release = image.stages()[1][0].split(":")[1].split("-")[0]
    if release != own_release():
        raise Missing(f"packages of the image's release {release}: this machine builds for {own_release()}")
    root = Root(folder, release)
    # The packages of the stage that builds are named as in its release, too.
    root.run("sh", "-c", before[0][1])
    command, user, at = image.build_last(root, made("proximity-*-linux-*.tar.gz"))
    with Service(root, command, user, at) as service:
        service.get("/readyz")
        assert b"<title>" in service.get("/")
        # As the health check of the compose files asks.
        root.run("curl", "--fail", "--silent", "--show-error", "--output", "/dev/null", f"{service.base}/readyz")
        service.end()
    assert base.startswith("swift:") and release in base, "built with a newer C library than it has"


def program_of(tar, folder):
    """The same program, unpacked on this machine."""
    at = os.path.join(folder, "here")
    if not os.path.isdir(at):
        os.mkdir(at)
        run("tar", "-xzf", tar, "-C", at, "--strip-components=1")
    return f"{at}/bin/proximity"


CHECKS = [
    debian_finds_nothing_to_complain_of, the_service_is_installed_upgraded_removed_and_purged, the_tar_runs_on_other_releases,
    the_image_can_be_built_and_started, it_can_be_made_again_byte_for_byte,
]


def main():
    os.chdir(ROOT)
    asked = sys.argv[1:]
    failed = passed = 0
    for check in CHECKS:
        name = check.__name__.replace("_", " ")
        if asked and not any(word in name for word in asked):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(folder)
                passed += 1
            except Missing as missing:
                print(f"left out: {name} ({missing})")
                failed += 1 if os.environ.get("CI") else 0
            except (AssertionError, subprocess.SubprocessError, OSError) as error:
                print(f"FAILED: {name}: {type(error).__name__}: {error}")
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
