"""The program as people start it, and what it speaks to: a mail server, a webhook's receiver, a phone, a person."""
import base64
import contextlib
import email
import email.policy
import http.server
import json
import logging
import os
import pathlib
import queue
import re
import shutil
import signal
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

logging.disable(logging.CRITICAL)

# How long anything may take to happen. Nothing waits so long unless it is broken.
PATIENCE = 60
# By its path, since some programs are run without one.
PRLIMIT = shutil.which("prlimit")
PLACE = (46.051, 14.505)
LASTING_PORT = pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "lasting-port"


def lasting_port():
    """A free port that a process may leave and take again."""
    return int(finish([LASTING_PORT], capture_output=True, text=True, check=True).stdout)


def finish(command, seconds=PATIENCE, **options):
    """Runs a program that ends by itself. Its processor time is bounded, and that of each of its children, so that it may take
    long on a busy machine; one that hangs is ended after fifteen times as long."""
    return subprocess.run([PRLIMIT, f"--cpu={seconds}", "--", *command], timeout=15 * seconds, **options)


def until(what, question):
    """Asks again and again until the answer is true; the answer."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := question()):
        assert time.monotonic() < deadline, f"not after {PATIENCE} s: {what}"
        time.sleep(0.1)
    return answer


def needs_tls(story):
    """The server itself speaks TLS: such a story runs against a program that is built with the trait, `run.py --tls`."""
    story.needs_tls = True
    return story


class Server:
    """`proximity serve` on a port of its own, listening."""

    def __init__(self, program, folder, *arguments, environment=None):
        self.program, self.folder = program, folder
        self.lines = queue.Queue()
        self.process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--data", os.path.join(folder, "data"),
             "--log-level", "error", "--private-targets", "allow", *arguments],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
            env={**os.environ, **(environment or {})})
        threading.Thread(target=self._read, daemon=True).start()
        self.base = self.setup = None
        while self.base is None:
            # Without a limit: it listens or ends, however busy the machine is.
            line = self.lines.get()
            assert line is not None, f"the server ended by itself with {self.process.wait()}"
            if found := re.match(r"listening on (\S+),", line):
                self.base = found.group(1)
        self.port = int(self.base.rsplit(":", 1)[1])

    def _read(self):
        for line in self.process.stderr:
            self.lines.put(line)
        self.lines.put(None)

    def ready(self):
        """Waits until it says that it takes positions; what it said last, if it never does."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(self.base + "/readyz", timeout=PATIENCE) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                assert error.code == 503 and time.monotonic() < deadline, (error.code, error.read())
            time.sleep(0.1)

    def setup_token(self):
        while True:
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, "the server ended by itself"
            if found := re.search(r"#setup=(\S+)", line):
                return found.group(1)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)


def refused(program, *arguments, environment=None):
    """Starts what must not start. Answers with the exit status and what it said."""
    ended = finish(
        [program, "serve", "--listen", "127.0.0.1:0", *arguments], capture_output=True, text=True,
        env={**os.environ, **(environment or {})})
    return ended.returncode, ended.stderr


class Person:
    """Somebody with an account, by a token. `is_known`: the account is there already, and the password opens it."""

    def __init__(self, server, login="anna", is_known=False):
        self.base = server.base
        self.token = None
        given = {"login": login, "password": "correct horse"}
        if not is_known:
            given["token"] = server.setup_token()
        answer, headers = self._exchange("POST", "/api/v1/login" if is_known else "/api/v1/setup", given)
        cookie = headers["Set-Cookie"].split(";")[0]
        made, _ = self._exchange("POST", "/api/v1/tokens", {"name": "test"}, {
            "Cookie": cookie, "X-CSRF-Token": answer["csrf_token"]})
        self.token = made["token"]

    def _exchange(self, method, path, body=None, headers=None):
        data, headers = body, dict(headers or {})
        if isinstance(body, (dict, list)):
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.base + path, data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                content, head = response.read(), response.headers
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from None
        if head.get_content_type() == "application/json":
            content = json.loads(content)
        return content, head

    def get(self, path):
        return self._exchange("GET", path)[0]

    def post(self, path, body=None, headers=None):
        return self._exchange("POST", path, b"" if body is None else body, headers)[0]

    def put(self, path, body, tag):
        return self._exchange("PUT", path, body, {"If-Match": tag})[0]

    def put_bytes(self, path, content, media_type):
        return self._exchange("PUT", path, content, {"Content-Type": media_type})[0]

    def set(self, **settings):
        _, head = self._exchange("GET", "/api/v1/settings")
        self.put("/api/v1/settings", settings, head["ETag"])

    def arm(self, is_armed):
        """Switches the alarms of the first device on or off."""
        device = self.get("/api/v1/devices")["items"][0]
        _, head = self._exchange("GET", f"/api/v1/devices/{device['id']}")
        self.put(f"/api/v1/devices/{device['id']}", {"name": device["name"], "is_armed": is_armed}, head["ETag"])

    def zone(self, name, place=PLACE, **more):
        places = [{"latitude": place[0], "longitude": place[1]}]
        outline = {"kind": "locations", "places": places}
        return self.post("/api/v1/zones", {"name": name, "size_m": 100, "outline": outline, **more})

    def channel(self, kind, configuration, **more):
        return self.post("/api/v1/channels", {
            "kind": kind, "name": kind, "configuration": configuration, **more})

    def own_tracks(self, place=PLACE, seconds=0, device="phone"):
        """Reports as OwnTracks does; what it answers."""
        login = base64.b64encode(f"anna:{self.token}".encode()).decode()
        body = {"_type": "location", "lat": place[0], "lon": place[1], "tst": int(time.time()) + seconds,
                "acc": 12, "tid": "AN"}
        request = urllib.request.Request(
            f"{self.base}/pub?u=anna&d={device}", data=json.dumps(body).encode(),
            headers={"Authorization": f"Basic {login}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return json.load(response)


def follow(link):
    """Presses the button behind a link of a message; the page."""
    with urllib.request.urlopen(link, data=b"", timeout=PATIENCE) as response:
        return response.read().decode()


class Receiver:
    """A webhook's receiver: what it got stands in a queue, parsed. `once` is called with the next post, before it is answered."""

    def __init__(self, status=200):
        self.got = queue.Queue()
        self.kept = []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                once, receiver.once = receiver.once, None
                if once:
                    once()
                receiver.got.put(json.loads(body))
                with contextlib.suppress(OSError):  # Whoever posted may be gone.
                    self.send_response(receiver.status)
                    self.send_header("Content-Length", "0")
                    self.end_headers()

            def log_message(self, *_):
                pass

        self.status, self.once = status, None
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def configuration(self):
        return {"url": f"http://127.0.0.1:{self.server.server_port}/hook", "secret": "0123456789abcdef" * 2}

    def next(self, kind):
        """The next of that kind; the others stay, for messages of different kinds may come in any order."""
        for index, value in enumerate(self.kept):
            if value["kind"] == kind:
                return self.kept.pop(index)
        # Repeats may go on for ever.
        deadline = time.monotonic() + PATIENCE
        while (left := deadline - time.monotonic()) > 0:
            try:
                value = self.got.get(timeout=left)
            except queue.Empty:
                break
            if value["kind"] == kind:
                return value
            self.kept.append(value)
        raise AssertionError(f"no {kind}, but {[value['kind'] for value in self.kept]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class MailServer:
    """aiosmtpd: wants TLS and the password, and keeps what it gets in a queue, parsed and as it came."""

    PASSWORD = "Schlüssel"

    def __init__(self, folder):
        self.got = queue.Queue()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
        got = self.got

        class Handler:
            async def handle_DATA(self, server, session, envelope):
                message = email.message_from_bytes(envelope.content, policy=email.policy.default)
                got.put((envelope, message))
                return "250 2.0.0 kept"

        def authenticate(server, session, envelope, mechanism, data):
            is_right = data.login == b"alarm" and data.password == self.PASSWORD.encode()
            return AuthResult(success=is_right, handled=False)

        class LocalController(Controller):
            def factory(self):
                return SMTP(self.handler, tls_context=context, require_starttls=True, authenticator=authenticate,
                            auth_required=True)

            def _trigger_server(self):
                self.port = self.server.sockets[0].getsockname()[1]
                super()._trigger_server()

        self.controller = LocalController(Handler(), hostname="127.0.0.1", port=0)
        self.controller.start()

    def arguments(self, folder):
        """How the server is told of it; the password stands in a file."""
        path = os.path.join(folder, "password")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.PASSWORD + "\n")
        return ["--smtp-host", "127.0.0.1", "--smtp-port", str(self.controller.port), "--smtp-user", "alarm",
                "--smtp-password-file", path, "--smtp-sender", "alarm@example.org",
                "--trust-roots", f"{folder}/cert.pem"]

    def next(self):
        return self.got.get(timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.controller.stop()


def certificate(folder):
    """A self-signed certificate for this machine, by OpenSSL: cert.pem and key.pem."""
    finish(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True)
