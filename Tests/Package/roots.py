"""Small installations of Debian's releases in folders, in which programs run as if nothing else were on the machine."""
import os
import shutil
import subprocess

PATIENCE = 600
# What a fresh release is made of is fetched once, and kept here.
KEPT = ".build-packages/roots"
MOUNTS = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$@"'
CLEAN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive"}


class Missing(Exception):
    """Something that the tests need is not on this machine."""


def own_release():
    with open("/etc/os-release") as file:
        words = dict(line.rstrip().split("=", 1) for line in file if "=" in line)
    return words.get("VERSION_CODENAME", "").strip('"')


def mirror():
    """The one that this machine takes its own packages from."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(ORIGIN) $(COMPONENT) $(REPO_URI)", "Created-By: Packages"],
        capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        origin, component, address = line.split()
        if (origin, component) == ("Debian", "main"):
            return address
    raise Missing("no mirror of Debian's packages among those of this machine")


class Root:
    """An installation in `folder`, of a release such as bookworm; without what is not essential, except `packages`."""

    def __init__(self, folder, release, packages=()):
        if os.geteuid() != 0:
            raise Missing("only root may make a root")
        if not shutil.which("mmdebstrap"):
            raise Missing("no mmdebstrap; Debian: mmdebstrap")
        self.folder = os.path.join(folder, release)
        kept = os.path.join(KEPT, "-".join([release, *packages]) + ".tar")
        if not os.path.exists(kept):
            os.makedirs(KEPT, exist_ok=True)
            made = subprocess.run(
                ["mmdebstrap", "--variant=apt", "--format=tar", *(f"--include={one}" for one in packages), release, kept + ".part", mirror()],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            assert made.returncode == 0, f"mmdebstrap {release}:\n{made.stdout[-2000:]}"
            os.rename(kept + ".part", kept)
        os.mkdir(self.folder)
        subprocess.run(["tar", "--extract", "--file", kept, "--directory", self.folder, "--exclude=./dev/*"], check=True)
        shutil.copy("/etc/resolv.conf", self.path("etc/resolv.conf"))

    def path(self, inside):
        return os.path.join(self.folder, inside.lstrip("/"))

    def command(self, *words, user=None):
        """A command line that does this inside; its process is that of the program itself. Its mounts end with it."""
        as_user = [f"--userspec={user}"] if user else []
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", MOUNTS, self.folder, *as_user, self.folder, *words]

    def run(self, *words, user=None, status=0):
        """What it says, on both outputs."""
        ended = subprocess.run(
            self.command(*words, user=user), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            text=True, timeout=PATIENCE, env=CLEAN)
        assert ended.returncode == status, f"{' '.join(words)} ended with {ended.returncode}:\n{ended.stdout[-3000:]}"
        return ended.stdout
