#!/usr/bin/env python3
"""Loads all of deploy/ with the programs that it is for, and holds it to the server's flags and figures: `make deploy-check`.

A program that is not installed is told in one line and its part is left out; with CI set it fails.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

import proxies
import sign_in
from tools import ROOT, Missing, run, tool

DEPLOY = os.path.join(ROOT, "deploy")


def text(*path):
    with open(os.path.join(ROOT, *path)) as file:
        return file.read()


def metrics():
    """The server's figures with what each means, and the names that occur where they are counted."""
    helps = text("Sources/AlarmService/Operation/Metrics+Help.swift")
    help = dict(re.findall(r'"(proximity_\w+)":\s*"([^"]*)"', helps))
    counted = set()
    for path in glob.glob(f"{ROOT}/Sources/**/*.swift", recursive=True):
        if path.endswith("Metrics+Help.swift"):
            continue
        with open(path) as file:
            # Names of figures end in what they are, or are set in one place.
            counted.update(re.findall(r'(?:set|count|observe|series)\(\s*"(proximity_\w+)"', source := file.read()))
            counted.update(re.findall(r'"(proximity_\w+_total)"', source))
    return help, counted


def names_in(expression):
    """The figures that an expression reads, without what Prometheus adds to the names of histograms."""
    names = set(re.findall(r"\bproximity_\w+", expression))
    return {re.sub(r"(_seconds)_(bucket|sum|count)$", r"\1", name) for name in names}


def every_figure_has_a_meaning_and_is_counted(_):
    help, counted = metrics()
    assert set(help) == counted, f"told but not counted, or the reverse: {sorted(set(help) ^ counted)}"


def the_guide_names_every_figure(_):
    help, _ = metrics()
    told = set(re.findall(r"`(proximity_\w+)`", text("docs/operation.md")))
    assert told == set(help), f"docs/operation.md and the server differ in {sorted(told ^ set(help))}"


def the_guide_names_every_alert(_):
    guide = text("docs/operation.md")
    missing = [rule["alert"] for rule in rules() if f"`{rule['alert']}`" not in guide]
    assert not missing, f"docs/operation.md does not name {missing}"


def rules():
    groups = yaml.safe_load(text("deploy/prometheus/rules.yml"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def rules_read_figures_that_exist(_):
    help, _ = metrics()
    for rule in rules():
        unknown = names_in(rule["expr"]) - set(help)
        assert not unknown, (rule["alert"], unknown)
        assert rule["labels"]["severity"] in ("page", "ticket"), rule["alert"]


def each_rule_is_tried(folder):
    promtool = tool("promtool", "prometheus")
    cases = yaml.safe_load(text("deploy/prometheus/rules.test.yml"))["tests"]
    tried = {True: set(), False: set()}
    for case in cases:
        for one in case["alert_rule_test"]:
            tried[bool(one["exp_alerts"])].add(one["alertname"])
    names = {rule["alert"] for rule in rules()}
    assert tried[True] == names and tried[False] == names, names ^ (tried[True] & tried[False])
    run(promtool, "check", "config", f"{DEPLOY}/prometheus/prometheus.yml")
    run(promtool, "check", "rules", f"{DEPLOY}/prometheus/rules.yml")
    run(promtool, "test", "rules", f"{DEPLOY}/prometheus/rules.test.yml")


def the_dashboard_asks_for_figures_that_exist(folder):
    dashboard = json.loads(text("deploy/grafana/dashboard.json"))
    help, _ = metrics()
    expressions, ids, taken = [], set(), set()
    for panel in dashboard["panels"]:
        assert panel["id"] not in ids, f"two panels have the id {panel['id']}"
        ids.add(panel["id"])
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert at["x"] + at["w"] <= 24 and not cells & taken, f"{panel['title']} lies over another panel"
        taken |= cells
        expressions += [target["expr"] for target in panel.get("targets", [])]
    for expression in expressions:
        assert names_in(expression) <= set(help), (expression, names_in(expression) - set(help))
    shown = set().union(*map(names_in, expressions))
    assert shown == set(help), f"the dashboard does not show {sorted(set(help) - shown)}"
    # Prometheus' own parser reads them, as rules.
    promtool = tool("promtool", "prometheus")
    path = os.path.join(folder, "dashboard.yml")
    plain = [re.sub(r"\$__\w+", "5m", one).replace("$job", "proximity").replace("$process", ".*") for one in expressions]
    recorded = [{"record": f"panel:{number}", "expr": one} for number, one in enumerate(plain)]
    with open(path, "w") as file:
        yaml.safe_dump({"groups": [{"name": "dashboard", "rules": recorded}]}, file)
    run(promtool, "check", "rules", path)


def settings():
    """The names of the server's settings, as the settings file has them."""
    source = text("Sources/Server/Operation/ServerSettings+Reading.swift")
    keys = source[source.index("enum Key"):source.index("var isSecret")]
    named = set(re.findall(r'case \w+ = "(\w+)"', keys))
    for line in re.findall(r"case ([a-z]\w*(?:, \w+)*)$", keys, re.MULTILINE):
        named.update(line.split(", "))
    assert {"database", "listen", "tls_key", "metrics"} <= named
    return named


def check_flags(words, where):
    flags = {word.split("=")[0][2:] for word in words if word.startswith("--")}
    known = {name.replace("_", "-") for name in settings()} | {"config"}
    assert flags <= known, f"{where}: no flags of `proximity serve`: {sorted(flags - known)}"


def the_guide_has_real_flags(_):
    guide = text("docs/operation.md")
    for line in re.findall(r"proximity serve ([^\n`]*)", guide):
        check_flags(line.split(), "docs/operation.md")
    for name in re.findall(r"PROXIMITY_[A-Z_]+", guide):
        assert name[10:].lower() in settings(), name
    for path in re.findall(r"\]\(\.\./([^)#]+)\)", guide):
        assert os.path.exists(os.path.join(ROOT, path)), path


def units_are_sound(folder):
    analyze = tool("systemd-analyze", "systemd")
    units = []
    for name in ("proximity.service", "proximity@.service"):
        unit = text("deploy/systemd", name)
        command = re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)[1]
        check_flags(command.split(), name)
        program = command.split()[0]
        at = os.path.join(folder, name.replace("@", "@8081"))
        with open(at, "w") as file:
            file.write(unit.replace(program, "/bin/true"))
        units.append(at)
    said = run(analyze, "verify", "--man=no", *units)
    ours = [line for line in said.splitlines() if "proximity" in line]
    assert not ours, ours
    run(analyze, "security", "--offline=true", "--threshold=20", "--no-pager", *units)


def the_debian_package_is_laid_out(folder):
    """As `make package` does it, around fakes of the programs that `make package-test` tries."""
    tool("dh", "debhelper")
    program, out = f"{folder}/proximity", f"{folder}/out"
    for name in ("proximity", "proximity-lab"):
        with open(f"{folder}/{name}", "w") as file:
            file.write(f'#!/bin/sh\nexec {ROOT}/.build/debug/{name} "$@"\n')
        os.chmod(f"{folder}/{name}", 0o755)
    run(f"{ROOT}/Scripts/package/packages", program, out, "deb", seconds=600)
    package, = glob.glob(f"{out}/*.deb")
    inside, control = f"{folder}/inside", f"{folder}/control"
    run("dpkg-deb", "--extract", package, inside)
    run("dpkg-deb", "--control", package, control)
    with open(f"{control}/conffiles") as file:
        assert file.read().split() == ["/etc/proximity/proximity.json"]
    with open(f"{inside}/etc/proximity/proximity.json") as file:
        assert set(json.load(file)) <= settings()
    assert os.stat(file.name).st_mode & 0o777 == 0o600, "others can read the settings"
    assert os.path.exists(f"{inside}/usr/share/proximity/page/index.html")
    version = run(program, "--version").strip()
    assert run("dpkg-deb", "--field", package, "Version").strip() == version
    manual = run("gzip", "--decompress", "--stdout", f"{inside}/usr/share/man/man1/proximity.1.gz")
    assert f"proximity {version}" in manual and "\\-\\-trusted\\-proxy" in manual
    with open(f"{inside}/lib/systemd/system/proximity.service") as file:
        command = re.search(r"^ExecStart=(.*)$", file.read(), re.MULTILINE)[1]
    assert "/usr/local/" not in command and os.path.exists(inside + command.split()[0]), command


def compose_is_sound(_):
    compose = yaml.safe_load(text("deploy/compose/compose.yaml"))
    services = compose["services"]
    named = {"secrets": set(compose["secrets"]), "networks": set(compose["networks"])}
    for name, service in services.items():
        for kind, known in named.items():
            assert set(service.get(kind, [])) <= known, (name, kind)
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            there = os.path.exists(os.path.join(DEPLOY, "compose", source)) if source[0] == "." else source in compose["volumes"]
            assert there, (name, volume)
        waits = service.get("depends_on", [])
        for other in waits:
            assert other in services, (name, other)
            if isinstance(waits, dict) and waits[other].get("condition") == "service_healthy":
                assert "healthcheck" in services[other], other
        assert not service.get("privileged") and service["restart"] == "unless-stopped", name
        for key, value in service.get("environment", {}).items():
            secret = re.search("PASSWORD|TOKEN|SECRET", key)
            assert not secret or key.endswith("_FILE") and value.startswith("/run/secrets/"), f"{name}: {key} is in the open"
            assert value.removeprefix("/run/secrets/") in service["secrets"] if secret else True, key
    servers = {name: one for name, one in services.items() if one.get("image") == "proximity-alarm"}
    assert len(servers) == 2
    assert len({one["environment"]["PROXIMITY_PROCESS_NAME"] for one in servers.values()}) == 2
    for name, one in servers.items():
        check_flags(one["command"], name)
        # Published ports would get around the proxy.
        assert "ports" not in one and one["user" if "user" in one else "cap_drop"], name
        proxy = services["proxy"]["networks"]["outside"]["ipv4_address"]
        assert f"--trusted-proxy={proxy}" in one["command"], "the proxy's address is not the one that is believed"
        assert "/readyz" in " ".join(one["healthcheck"]["test"])
        assert f"{name}:8080" in services["proxy"]["environment"]["PROXIMITY_PROCESSES"].split()
    assert "ports" not in services["database"] and compose["networks"]["inside"]["internal"]
    assert compose["services"]["database"]["networks"] == ["inside"]


def the_small_compose_is_sound(_):
    service, = yaml.safe_load(text("deploy/container/compose.yaml"))["services"].values()
    check_flags(service["command"], "deploy/container/compose.yaml")
    assert service["build"]["dockerfile"] == "deploy/container/Dockerfile"
    # Reached from the machine itself; whoever wants more puts a proxy in front.
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert service["cap_drop"] == ["ALL"] and service["read_only"]
    command = re.search(r"^CMD (.*)$", text("deploy/container/Dockerfile"), re.MULTILINE)[1]
    check_flags(json.loads(command), "deploy/container/Dockerfile")


def compose_reads_it_too(folder):
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "compose", "version"], capture_output=True).returncode != 0:
        raise Missing("docker compose", None)
    for name in ("compose", "container"):
        run(docker, "compose", "--file", f"{DEPLOY}/{name}/compose.yaml", "config", "--quiet",
            environment={"PROXIMITY_SITE": "alarm.example.org"})


def secrets_are_drawn_and_kept(folder):
    at = os.path.join(folder, "compose")
    os.mkdir(at)
    shutil.copy(f"{DEPLOY}/compose/make-secrets", at)
    run(f"{at}/make-secrets")
    found = {name: text(at, "secrets", name) for name in os.listdir(f"{at}/secrets")}
    compose = yaml.safe_load(text("deploy/compose/compose.yaml"))
    assert {f"secrets/{name}" for name in found} >= {one["file"] for one in compose["secrets"].values()}
    words = [found[name] for name in ("postgres-password", "database-password", "metrics-token")]
    assert len(set(words)) == 3 and all(re.fullmatch("[0-9a-f]{64}", word) for word in words), "not drawn at random"
    given = json.loads(found["proximity.json"])
    assert set(given) <= settings()
    assert found["database-password"] in given["database"] and given["metrics"] == "token:" + found["metrics-token"]
    assert os.stat(f"{at}/secrets").st_mode & 0o077 == 0, "others can read the secrets"
    run(f"{at}/make-secrets")
    assert {name: text(at, "secrets", name) for name in found} == found, "a second run changed them"


def the_role_has_its_database_and_no_more(folder):
    """On a real server."""
    ended = subprocess.run(
        [f"{ROOT}/Scripts/postgresql", "run", sys.executable, f"{ROOT}/Tests/Deploy/role.py", f"{DEPLOY}/postgresql/role.sql"],
        capture_output=True, text=True, timeout=60)
    if ended.returncode == 77:
        raise Missing("PostgreSQL", "postgresql")
    assert ended.returncode == 0, ended.stdout + ended.stderr


CHECKS = [
    every_figure_has_a_meaning_and_is_counted, the_guide_names_every_figure, the_guide_names_every_alert,
    the_guide_has_real_flags, rules_read_figures_that_exist, each_rule_is_tried,
    the_dashboard_asks_for_figures_that_exist, units_are_sound, the_debian_package_is_laid_out, compose_is_sound, the_small_compose_is_sound, compose_reads_it_too,
    secrets_are_drawn_and_kept, the_role_has_its_database_and_no_more, proxies.caddy_passes_on, proxies.nginx_passes_on,
    sign_in.nginx_signs_in,
]


def main():
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
                # No package of Debian's has it, so that no machine is asked to.
                failed += 1 if os.environ.get("CI") and missing.package else 0
            except (AssertionError, subprocess.SubprocessError, OSError) as error:
                print(f"FAILED: {name}: {type(error).__name__}: {error}")
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
