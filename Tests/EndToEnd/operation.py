"""Starting with wrong settings, and the commands beside a running server."""
import contextlib
import fcntl
import http.client
import io
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import termios
import urllib.error
import urllib.request

from rig import PATIENCE, Person, Server, certificate, finish, needs_tls, refused, until


def wrong_settings_are_named_at_the_start(program, folder):
    certificate(folder)
    key, chain = f"{folder}/key.pem", f"{folder}/cert.pem"
    mail = ["--smtp-host", "mail.example.org", "--smtp-sender", "alarm@example.org"]
    apns = ["--apns-key-file", key, "--apns-key-id", "ABC123DEFG"]
    cases = [
        (["--smtp-port", "25"], {}, "--smtp-port is set and smtp_host is not"),
        (["--smtp-host", "mail.example.org"], {}, "smtp_sender: nothing found"),
        (mail + ["--smtp-port", "70000"], {}, "--smtp-port: 70000 found, a whole number from 1 to 65535 allowed"),
        (mail + ["--smtp-security", "ssl"], {}, "--smtp-security: ssl found, implicit, starttls, none allowed"),
        (mail + ["--smtp-user", "alarm"], {}, "smtp_password: only one of user and password found"),
        (mail + ["--smtp-user", "alarm", "--smtp-password-file", f"{folder}/nothing"], {}, "--smtp-password-file"),
        (mail, {"PROXIMITY_SMTP_PASSWORD": "hush"}, "only one of user and password"),
        (["--apns-topic", "org.example.app"], {}, "--apns-topic is set and apns_key_file is not"),
        (apns, {}, "apns_team_id: nothing found, 10 of A-Z and 0-9 allowed"),
        (["--apns-key-file", chain, "--apns-key-id", "ABC123DEFG"], {}, "the PEM text of a .p8 file allowed"),
        (apns + ["--apns-team-id", "TEAM567890", "--apns-host", "api.push.apple.com"], {}, "--apns-host"),
        (["--trust-roots", key], {}, "a PEM file of certificates allowed"),
        (["--database", "mysql://anna:hush@db.example/alarm"], {}, "postgres://user:password@host/name allowed"),
    ]
    for arguments, environment, words in cases:
        status, said = refused(program, "--data", f"{folder}/data", *arguments, environment=environment)
        assert status == 2 and words in said, (arguments, status, said)
        assert "hush" not in said, said
    assert not os.path.exists(f"{folder}/data")


@needs_tls
def wrong_tls_files_are_named_at_the_start(program, folder):
    certificate(folder)
    key, chain = f"{folder}/key.pem", f"{folder}/cert.pem"
    other = os.path.join(folder, "other")
    os.mkdir(other)
    certificate(other)
    cases = [
        (["--tls-certificate", chain], "tls_key: nothing found"),
        (["--tls-certificate", key, "--tls-key", key], "--tls-certificate"),
        (["--tls-certificate", chain, "--tls-key", chain], "--tls-key"),
        (["--tls-certificate", chain, "--tls-key", f"{other}/key.pem"], "the private key of the certificate in"),
    ]
    for arguments, words in cases:
        status, said = refused(program, "--data", f"{folder}/data", *arguments)
        assert status == 2 and words in said, (arguments, status, said)
    assert not os.path.exists(f"{folder}/data")


def an_openssl_that_lacks_something_is_named(program, folder):
    """As on a system set to FIPS 140 alone: nothing may begin that would end in the middle."""
    setting = os.path.join(folder, "openssl.cnf")
    with open(setting, "w") as file:
        file.write("openssl_conf = all\n[all]\nalg_section = algorithms\n[algorithms]\ndefault_properties = fips=yes\n")
    environment = {"OPENSSL_CONF": setting}
    status, said = refused(program, "--data", f"{folder}/data", environment=environment)
    assert status == 3 and "OpenSSL does not offer" in said and "ChaCha20-Poly1305" in said, (status, said)
    assert not os.path.exists(f"{folder}/data")


def commands_work_beside_a_running_server(program, folder):
    data = os.path.join(folder, "data")

    def run(*arguments, status=0):
        ended = finish(
            [program, *arguments, "--data", data], capture_output=True, text=True)
        assert ended.returncode == status, (arguments, ended)
        return ended.stdout if status == 0 else ended.stderr

    assert "proximity serve" in run("user", "list", status=3)
    with Server(program, folder) as server:
        anna = Person(server)
        assert [json.loads(line)["login"] for line in run("user", "list", "--json").splitlines()] == ["anna"]
        link = run("user", "invite", "--public-url", server.base).strip()
        assert link.startswith(server.base + "/#setup=")
        made = post(server, "/api/v1/setup", {
            "token": link.split("=")[1], "login": "bob", "password": "battery staple"})
        assert made["account"]["login"] == "bob"
        token = run("token", "create", "--user", "bob", "--name", "phone").strip()
        assert get(server, "/api/v1/session", token)["account"]["login"] == "bob"
        listed = run("token", "list", "--user", "bob")
        assert "phone" in listed and token not in listed
        run("token", "revoke", listed.split()[0], "--user", "bob")
        assert status_of(server, "/api/v1/session", token) == 401

        look = run("token", "create", "--user", "bob", "--scope", "read").strip()
        assert get(server, "/api/v1/zones", look)["items"] == []
        assert status_of(server, "/api/v1/account/export", look) == 200
        try:
            request(server, "/api/v1/zones/import", look, body={})
            raise AssertionError("a token for reading wrote")
        except urllib.error.HTTPError as error:
            assert error.code == 403, error
        assert "report allowed for one device" in run(
            "token", "create", "--user", "bob", "--device", "0" * 16, "--scope", "write", status=2)
        assert run("user", "sign-ins", "bob", "--end", "codes", status=3)

        # A phone that nobody knows reports, and is given to somebody.
        post(server, "/pub?u=carol&d=phone", {
            "_type": "location", "lat": 46.051, "lon": 14.505, "tst": 1790000000, "acc": 12, "tid": "CA"})
        stranger = json.loads(run("device", "list", "--json"))
        run("device", "claim", stranger["id"], "--user", "anna")
        assert [item["id"] for item in anna.get("/api/v1/devices")["items"]] == [stranger["id"]]
        assert run("device", "list", "--user", "anna").split()[0] == stranger["id"]

        # Anna lets Bob see it; who runs the server ends that, and the log says who did what.
        anna.post("/api/v1/shares", {"device_id": stranger["id"], "login": "bob", "precision": "zones"})
        listed = run("share", "list", "--user", "anna")
        assert "bob" in listed and "zones" in listed and "offered" in listed, listed
        share = json.loads(run("share", "list", "--user", "anna", "--json"))
        assert (share["login"], share["is_accepted"], share["ends_at"]) == ("bob", False, None), share
        assert "`proximity share list` shows" in run("share", "end", "bob", "--user", "anna", status=2)
        assert run("share", "end", "0" * 16, "--user", "anna", status=3)
        run("share", "end", share["id"], "--user", "anna")
        assert run("share", "list", "--user", "anna") == ""
        log = [json.loads(line) for line in run("user", "log", "anna", "--json").splitlines()]
        done = [(entry["action"], entry["by"]) for entry in log[:3]]
        assert done == [("endShare", "command_line"), ("createShare", "token"), ("claimDevice", "command_line")], done
        assert len(run("user", "log", "anna", "--limit", "2").splitlines()) == 2
        assert "1 to 10000 allowed" in run("user", "log", "anna", "--limit", "0", status=2)
        assert run("user", "log", "nobody", status=3)

        copy = os.path.join(folder, "copy.sqlite")
        run("backup", copy)
        with sqlite3.connect(f"file:{copy}?mode=ro", uri=True) as database:
            assert database.execute("SELECT count(*) FROM account").fetchone() == (2,)
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert oct(os.stat(copy).st_mode & 0o777) == "0o600"
        assert "already exists" in run("backup", copy, status=2)

        run("user", "disable", "bob")
        assert [json.loads(line)["is_disabled"] for line in run("user", "list", "--json").splitlines()].count(True) == 1
        run("user", "enable", "bob")
        run("user", "erase", "bob", "--confirm", "bop", status=2)
        run("user", "erase", "bob", "--confirm", "bob")
        assert run("user", "list").split()[0] == "anna"


def one_server_at_a_time_has_a_folder(program, folder):
    data = os.path.join(folder, "data")
    with Server(program, folder) as server:
        Person(server)
        status, said = refused(program, "--data", data)
        assert status == 3 and "another server is using" in said, (status, said)
        # Commands are no second server.
        listed = finish([program, "user", "list", "--data", data], capture_output=True, text=True)
        assert listed.returncode == 0 and "anna" in listed.stdout, listed
        server.kill()
    # Whoever was killed leaves no lock behind.
    with Server(program, folder) as server:
        server.ready()


def an_emptied_database_is_no_new_one(program, folder):
    data = os.path.join(folder, "data")
    with Server(program, folder) as server:
        Person(server)
        server.kill()
    database, log = os.path.join(data, "proximity.sqlite"), os.path.join(data, "proximity.sqlite-wal")
    with open(log, "rb") as file:
        kept = file.read()
    assert kept
    open(database, "w").close()
    status, said = refused(program, "--data", data)
    assert status == 3 and "is empty" in said and "proximity backup" in said, (status, said)
    with open(log, "rb") as file:
        assert file.read() == kept
    # Without a log the lock file alone tells of a server.
    for name in os.listdir(data):
        if name.startswith("proximity.sqlite-"):
            os.remove(os.path.join(data, name))
    status, said = refused(program, "--data", data)
    assert status == 3 and "server.lock" in said, (status, said)
    # To begin anew, as it says.
    os.remove(database)
    with Server(program, folder) as server:
        server.ready()


def a_server_ends_in_good_order_when_its_terminal_goes(program, folder):
    # Under nohup it is ignored, also by what is started.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    with Server(program, folder) as server:
        server.ready()
        server.process.send_signal(signal.SIGHUP)
        assert server.process.wait(PATIENCE) == 0


def many_connections_leave_descriptors_for_the_rest(program, folder):
    limit = 256
    limited = os.path.join(folder, "limited")
    with open(limited, "w") as file:
        file.write(f'#!/bin/sh\nulimit -n {limit}\nexec "{program}" "$@"\n')
    os.chmod(limited, 0o755)
    with Server(limited, folder) as server, contextlib.ExitStack() as stack:
        server.ready()
        # Accepted before, and kept: it is served while nobody else gets in.
        asking = stack.enter_context(contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)))

        def ask(path):
            asking.request("GET", path)
            answer = asking.getresponse()
            text = answer.read()
            assert answer.status == 200, text[:200]
            return text

        def refusals():
            found = re.search(rb"^proximity_accept_failures_total (\d+)", ask("/metrics"), re.MULTILINE)
            return int(found.group(1)) if found else 0

        def files():
            return len(os.listdir(f"/proc/{server.process.pid}/fd"))

        before = files()
        assert refusals() == 0
        # The kernel answers those that the server does not accept.
        waiting = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
                   for _ in range(limit + 30)]
        until("no further connection is accepted", refusals)
        assert before + 20 < files() < limit - 64, (before, files())
        assert json.loads(ask("/readyz"))
        # Those that wait are accepted once others close, the last of them included.
        waiting[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        for plain in waiting[:-1]:
            plain.close()
        assert waiting[-1].recv(65536).startswith(b"HTTP/1.1 200 ")
        told = [line for line in list(server.lines.queue) if line and "no further connection is accepted" in line]
        assert len(told) == 1, told


def a_forgotten_password_is_replaced(program, folder):
    data = os.path.join(folder, "data")

    def command(*arguments, given="", status=0):
        ended = finish([program, "user", "password", *arguments, "--data", data], input=given,
                               capture_output=True, text=True)
        assert ended.returncode == status, (arguments, ended)
        return ended.stdout if status == 0 else ended.stderr

    def login(server, password):
        try:
            return post(server, "/api/v1/login", {"login": "anna", "password": password})["account"]["login"]
        except urllib.error.HTTPError as error:
            return error.code

    with Server(program, folder) as server:
        anna = Person(server)
        assert "not found" in command("nobody", given="battery staple\n", status=3)
        assert "5 characters found, 8 to 200 allowed" in command("anna", given="short\n", status=2)
        assert "no password found" in command("anna", status=2)
        assert command("anna", given="battery staple\n") == ""
        assert login(server, "correct horse") == 401 and login(server, "battery staple") == "anna"
        # A phone that reports with a token goes on.
        assert anna.get("/api/v1/session")["account"]["login"] == "anna"
        link = command("anna", "--link", "--public-url", server.base).strip()
        assert link.startswith(server.base + "/#reset="), link
        assert login(server, "battery staple") == "anna"
        body = {"token": link.split("=")[1], "password": "third password", "revoke_tokens": True}
        with request(server, "/api/v1/password-resets/use", body=body) as response:
            assert response.status == 204
        assert login(server, "third password") == "anna"
        assert status_of(server, "/api/v1/session", anna.token) == 401

    # On a terminal nothing of what is typed is shown.
    terminal, side = os.openpty()
    child = subprocess.Popen([program, "user", "password", "anna", "--data", data], stdin=side, stdout=side, stderr=side,
                             start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(side)
    shown = b""
    for word in [b"new password of anna: ", b"once more: "]:
        while word not in shown:
            shown += os.read(terminal, 1024)
        os.write(terminal, b"typed on a terminal\n")
    assert child.wait(PATIENCE) == 0, shown
    assert b"typed on" not in shown, shown
    with Server(program, folder) as server:
        assert login(server, "typed on a terminal") == "anna"


def a_backup_that_was_put_back_starts_readers_anew(program, folder):
    data, copy = os.path.join(folder, "data"), os.path.join(folder, "copy.sqlite")
    with Server(program, folder) as server:
        anna = Person(server)
        anna.zone("before")
        page = anna.get("/api/v1/sync")
        early = f"/api/v1/sync?after={page['next']}&epoch={page['epoch']}"
        finish([program, "backup", copy, "--data", data], check=True)
        for name in "abc":
            anna.zone(name)
        page = anna.get(early)
        late = f"/api/v1/sync?after={page['next']}&epoch={page['epoch']}"
    for name in os.listdir(data):
        if name.startswith("proximity.sqlite"):
            os.remove(os.path.join(data, name))
    os.rename(copy, os.path.join(data, "proximity.sqlite"))
    with Server(program, folder) as server:
        anna.base = server.base
        # As many edits again, so that the numbers are those of before.
        for name in "xyz":
            anna.zone(name)
        assert status_of(server, late, anna.token) == 410
        assert len(anna.get(early)["changes"]) == 3
        stream = urllib.request.Request(f"{server.base}/api/v1/events", headers={
            "Authorization": f"Bearer {anna.token}", "Last-Event-ID": f"{page['epoch']}-{page['next']}"})
        with urllib.request.urlopen(stream, timeout=PATIENCE) as events:
            lines = [events.readline() for _ in range(6)]
            assert b"event: reset\n" in lines, lines
            anna.zone("and on")
            while events.readline() != b"event: zone\n":
                pass


def readiness_writes_nothing(program, folder):
    with Server(program, folder) as server:
        path = os.path.join(folder, "data", "proximity.sqlite-wal")
        server.ready()
        before = os.stat(path)
        for _ in range(5):
            assert get(server, "/readyz")["status"] == "ok"
        after = os.stat(path)
        assert (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)


def request(server, path, token=None, body=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None
    if body is not None:
        data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    try:
        return urllib.request.urlopen(
            urllib.request.Request(server.base + path, data=data, headers=headers), timeout=PATIENCE)
    except urllib.error.HTTPError as error:
        body = error.read()
        error.add_note(body.decode(errors="replace"))
        error.fp = io.BytesIO(body)
        raise


def get(server, path, token=None):
    with request(server, path, token) as response:
        return json.load(response)


def post(server, path, body):
    with request(server, path, body=body) as response:
        return json.load(response)


def status_of(server, path, token):
    try:
        with request(server, path, token) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


STORIES = [
    wrong_settings_are_named_at_the_start, wrong_tls_files_are_named_at_the_start, an_openssl_that_lacks_something_is_named,
    commands_work_beside_a_running_server, readiness_writes_nothing, one_server_at_a_time_has_a_folder,
    an_emptied_database_is_no_new_one, a_server_ends_in_good_order_when_its_terminal_goes,
    many_connections_leave_descriptors_for_the_rest, a_forgotten_password_is_replaced, a_backup_that_was_put_back_starts_readers_anew,
]
