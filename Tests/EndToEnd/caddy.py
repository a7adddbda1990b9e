"""HTTPS by a Caddy that the server starts (`--domain`), with certificates of Caddy's own authority."""
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys

from rig import PATIENCE, Person, Server, finish, lasting_port, refused, until

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Scripts/install-needs unpacks it there: an installed Caddy would start as a service.
CADDY = shutil.which("caddy") or os.path.join(ROOT, ".build-vendor/deploy/usr/bin/caddy")
NAME = "alarm.internal"


class Domain(Server):
    """A server behind its own Caddy, on free ports."""

    def __init__(self, program, folder, *arguments, ports=None):
        self.http, self.https = ports or (lasting_port(), lasting_port())
        self.root = f"{folder}/data/caddy/pki/authorities/local/root.crt"
        super().__init__(
            program, folder, "--domain", NAME, "--http-port", str(self.http), "--https-port", str(self.https), *arguments,
            environment={"PATH": os.path.dirname(CADDY) + os.pathsep + os.environ["PATH"]})

    def connect(self):
        context = ssl.create_default_context(cafile=self.root)
        plain = socket.create_connection(("127.0.0.1", self.https), timeout=PATIENCE)
        return context.wrap_socket(plain, server_hostname=NAME)

    def curl(self, path, *arguments, scheme="https"):
        port = self.https if scheme == "https" else self.http
        return finish(
            ["curl", "-sS", "--max-time", str(PATIENCE), "--resolve", f"{NAME}:{port}:127.0.0.1", "--cacert", self.root,
             *arguments, f"{scheme}://{NAME}:{port}{path}"], capture_output=True, text=True, seconds=PATIENCE + 10)

    def caddy(self):
        """The process ids of its Caddy."""
        found = []
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    with open(f"/proc/{entry}/cmdline", "rb") as file:
                        words = file.read().split(b"\0")
                except OSError:
                    continue
                if words[0].endswith(b"caddy") and os.path.dirname(self.root).split("/pki/")[0].encode() in b" ".join(words):
                    found.append(int(entry))
        return found


def is_free(port):
    with socket.socket() as taker:
        taker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taker.bind(("0.0.0.0", port))
            return True
        except OSError:
            return False


def a_domain_has_https_by_caddy(program, folder):
    with Domain(program, folder) as server:
        anna = Person(server)
        server.ready()
        told = server.curl("/healthz", "--http2", "-o", "/dev/null", "-w", "%{http_code} %{http_version} %{ssl_verify_result}")
        assert told.stdout == "200 2 0", told
        hardened = server.curl("/healthz", "-D", "-", "-o", "/dev/null").stdout.lower()
        assert "strict-transport-security: max-age=" in hardened and 'alt-svc: h3=":' in hardened, hardened
        with server.connect() as secure:
            names = [value for _, value in secure.getpeercert()["subjectAltName"]]
            assert names == [NAME], names
        moved = server.curl("/a?b=c", "-o", "/dev/null", "-w", "%{http_code} %{redirect_url}", scheme="http")
        assert moved.stdout == f"308 https://{NAME}:{server.https}/a?b=c", moved
        # It holds keys, which others must not read.
        for path, mode in [(f"{folder}/data/caddy", 0o700), (server.root.replace(".crt", ".key"), 0o600)]:
            assert os.stat(path).st_mode & 0o777 == mode, path
        # The administration's port is closed.
        config = finish([CADDY, "adapt", "--config", f"{folder}/data/caddy/Caddyfile.{server.https}", "--adapter",
                                 "caddyfile"], capture_output=True, text=True)
        assert json.loads(config.stdout)["admin"]["disabled"] is True, config
        streams(server, anna)


def streams(server, anna):
    """Each event comes while the stream is open."""
    with server.connect() as secure:
        secure.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: {NAME}:{server.https}\r\n"
                       f"Authorization: Bearer {anna.token}\r\nAccept: text/event-stream\r\n\r\n".encode())
        got = b""

        def read_until(word):
            nonlocal got
            while word not in got:
                piece = secure.recv(65536)
                assert piece, got
                got += piece
        read_until(b"\r\n\r\n")
        assert got.startswith(b"HTTP/1.1 200 "), got
        read_until(b"data:")
        got = b""
        anna.zone("Home")
        read_until(b"data:")


def the_page_is_a_secure_context_behind_caddy(program, folder):
    page = os.path.join(folder, "page")
    os.makedirs(page)
    with open(f"{page}/index.html", "w") as file:
        file.write("<!doctype html><link rel=icon href=data:,><h1>waiting</h1><script src=index.js></script>")
    with open(f"{page}/index.js", "w") as file:
        file.write("navigator.serviceWorker.register('worker.js').then(() => navigator.serviceWorker.ready)"
                   ".then(() => 'secure: ' + isSecureContext, error => 'error: ' + error)"
                   ".then(text => { document.querySelector('h1').textContent = text })")
    with open(f"{page}/worker.js", "w") as file:
        file.write("self.addEventListener('fetch', () => {})")
    with Domain(program, folder, "--page", page) as server:
        server.ready()
        script = os.path.join(ROOT, "Tests/EndToEnd/secure-context.mjs")
        said = finish(
            ["node", script, f"https://{NAME}:{server.https}/", key_hash(server)], capture_output=True, text=True, cwd=ROOT,
            seconds=PATIENCE * 2)
        assert said.stdout.strip() == "secure: true", (said.stdout, said.stderr)


def key_hash(server):
    """SHA-256 of the certificate's key, in base64: Chromium is told to trust it."""
    with server.connect() as secure:
        certificate = ssl.DER_cert_to_PEM_cert(secure.getpeercert(binary_form=True))
    key = subprocess.run(["openssl", "x509", "-pubkey", "-noout"], input=certificate.encode(), capture_output=True, check=True)
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=key.stdout, capture_output=True, check=True)
    digest = subprocess.run(["openssl", "dgst", "-sha256", "-binary"], input=der.stdout, capture_output=True, check=True)
    return subprocess.run(["openssl", "base64"], input=digest.stdout, capture_output=True, check=True).stdout.decode().strip()


def a_caddy_that_dies_is_started_again(program, folder):
    with Domain(program, folder) as server:
        server.ready()
        first, = server.caddy()
        os.kill(first, signal.SIGKILL)
        until("the end is logged", lambda: any("Caddy has ended and is started again" in line for line in drained(server)))
        until("another Caddy runs", lambda: server.caddy() not in ([], [first]))
        server.ready()
        assert server.curl("/healthz", "-o", "/dev/null", "-w", "%{http_code}").stdout == "200"
        # The death of the shell that started it changes nothing.
        second, = server.caddy()
        with open(f"/proc/{second}/stat") as file:
            shell = int(file.read().rsplit(")", 1)[1].split()[1])
        os.kill(shell, signal.SIGKILL)
        assert server.curl("/healthz", "-o", "/dev/null", "-w", "%{http_code}").stdout == "200"
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 0
        assert server.caddy() == []


def drained(server):
    lines = []
    while not server.lines.empty():
        lines.append(server.lines.get() or "")
    return lines


def caddy_ends_with_the_server(program, folder):
    with Domain(program, folder) as server:
        server.ready()
        assert len(server.caddy()) == 1
        with server.connect() as open_connection:
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(PATIENCE) == 0
            del open_connection
        assert server.caddy() == []
        assert is_free(server.https)
    ports = (server.http, server.https)
    with Domain(program, folder, ports=ports) as server:
        server.ready()
        server.kill()
        # At once, on the same ports.
        with Domain(program, folder, ports=ports) as next_server:
            next_server.ready()
            assert len(next_server.caddy()) == 1
            next_server.kill()
            until("Caddy ends after its server was killed", lambda: next_server.caddy() == [])
            until("its port is free", lambda: is_free(next_server.https))


def a_domain_that_cannot_be_is_refused_at_the_start(program, folder):
    data = ["--data", f"{folder}/data"]
    empty = {"PATH": folder}
    status, said = refused(program, *data, "--domain", NAME, environment=empty)
    assert status == 2 and "install it (Debian and Ubuntu: apt install caddy" in said, (status, said)
    assert not os.path.exists(f"{folder}/data")
    path = {"PATH": os.path.dirname(CADDY) + os.pathsep + os.environ["PATH"]}
    for arguments, words in [
        (["--domain", "https://alarm.example.org"], "--domain: https://alarm.example.org found"),
        (["--domain", NAME, "--tls-key", "key.pem"], "--tls-key and --domain are both set"),
        (["--domain", NAME, "--login-header", "Remote-User"], "--login-header and --domain are both set"),
        (["--https-port", "8443"], "--https-port is set and domain is not"),
    ]:
        status, said = refused(program, *data, *arguments, environment=path)
        assert status == 2 and words in said, (arguments, status, said)
    assert not os.path.exists(f"{folder}/data")


def two_servers_do_not_share_a_port(program, folder):
    one, two = os.path.join(folder, "one"), os.path.join(folder, "two")
    os.mkdir(one)
    os.mkdir(two)
    with Domain(program, one) as server:
        server.ready()
        status, said = refused(
            program, "--data", f"{two}/data", "--domain", "other.internal", "--http-port", str(lasting_port()), "--https-port",
            str(server.https), environment={"PATH": os.path.dirname(CADDY) + os.pathsep + os.environ["PATH"]})
        assert status == 2 and f"Caddy cannot listen on port {server.https} (TCP), which another program has" in said, said
        assert server.curl("/healthz", "-o", "/dev/null", "-w", "%{http_code}").stdout == "200"
        with Domain(program, two) as other:
            other.ready()
            server.ready()


STORIES = [
    a_domain_has_https_by_caddy, the_page_is_a_secure_context_behind_caddy, a_caddy_that_dies_is_started_again,
    caddy_ends_with_the_server, a_domain_that_cannot_be_is_refused_at_the_start, two_servers_do_not_share_a_port,
]
if not os.access(CADDY, os.X_OK):
    print("There is no caddy (Scripts/install-needs test unpacks it): its stories are skipped.", file=sys.stderr)
    STORIES = []
