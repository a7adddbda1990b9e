"""Caddy and nginx, with the examples of deploy/, before two servers that only look like ours."""
import contextlib
import http.client
import http.server
import json
import os
import re
import select
import signal
import socket
import ssl
import subprocess
import threading
import time

from tools import ROOT, run, tool

PATIENCE = 20


class Process:
    """Answers with what it was asked, and its own name."""

    def __init__(self, name):
        self.name = name
        self.is_ready = True
        # Set when an event stream may end.
        self.is_over = threading.Event()
        process = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if self.path == "/healthz":
                    return self.answer({}, 200)
                if self.path == "/readyz":
                    return self.answer({}, 200 if process.is_ready else 503)
                if self.path == "/api/v1/events":
                    return self.stream()
                self.answer({"process": process.name, "headers": dict(self.headers)}, 200 if process.is_ready else 503)

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def answer(self, members, status):
                body = json.dumps(members).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                if status == 503:
                    self.send_header("Retry-After", "77")
                self.end_headers()
                self.wfile.write(body)

            def stream(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for event in (b"data: first\n\n", b"data: last\n\n"):
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
                    self.wfile.flush()
                    process.is_over.wait(PATIENCE)
                self.wfile.write(b"0\r\n\r\n")

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def process_request(self, request, address):
                process.connections.append(request)
                super().process_request(request, address)

            def handle_error(self, *_):
                pass  # What was cut.

        self.connections = []
        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=[0.05], daemon=True).start()

    def end(self):
        """As kill -9 does: nothing listens, and what was open is cut."""
        self.is_over.set()
        self.server.shutdown()
        self.server.server_close()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def free_port():
    return int(subprocess.run([f"{ROOT}/Scripts/lasting-port"], capture_output=True, text=True, check=True).stdout)


class Proxy:
    def __init__(self, command, folder, port, context=None, environment=None, ready=200):
        self.port, self.context, self.ready = port, context, ready
        self.log = open(os.path.join(folder, "log"), "w+")
        self.process = subprocess.Popen(
            command, stdout=self.log, stderr=self.log, cwd=folder, env=os.environ | (environment or {}))

    def __enter__(self):
        self.until(lambda: self.ask("/").status == self.ready, "the proxy passes something on")
        return self

    def __exit__(self, kind, error, _):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if isinstance(error, AssertionError):
            self.log.seek(0)
            print(self.log.read()[-2000:])
        self.log.close()

    def until(self, holds, what):
        last = None
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                if holds():
                    return
            except (OSError, http.client.HTTPException) as error:
                last = error
            assert self.process.poll() is None, "the proxy has ended"
            select.select([], [], [], 0.05)
        raise AssertionError(f"never: {what} ({last})")

    def open(self):
        if self.context:
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=self.context)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(self, path, method="GET", body=b"{}", **headers):
        connection = self.open()
        body = body if method == "POST" else None
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Host": "alarm.example.org"} | named)
        answer = connection.getresponse()
        answer.said = answer.read()
        connection.close()
        return answer

    def takers(self):
        """Which process takes the report of each of some phones; the status where none does."""
        answers = {token: self.ask("/pub", "POST", Authorization=f"Bearer {token}") for token in range(24)}
        return {
            token: json.loads(answer.said)["process"] if answer.status == 200 else answer.status
            for token, answer in answers.items()}


def behaves(proxy, one, two, scheme, wait):
    """wait: Retry-After where no process is ready."""
    answer = proxy.ask("/", X_Forwarded_For="203.0.113.9", X_Forwarded_Proto="gopher", X_Forwarded_Host="evil.example")
    seen = {name.lower(): value for name, value in json.loads(answer.said)["headers"].items()}
    assert seen["x-forwarded-for"] == "127.0.0.1", seen
    assert seen["x-forwarded-proto"] == scheme, seen
    assert seen["x-forwarded-host"] == "alarm.example.org", seen

    assert proxy.ask("/metrics").status == 404, "the world reads the figures"

    taken = proxy.takers()
    assert set(taken.values()) == {"one", "two"}, taken
    assert proxy.takers() == taken, "a phone changes the process"

    # The first event comes while the stream is open.
    connection = proxy.open()
    connection.request("GET", "/api/v1/events", headers={"Host": "alarm.example.org"})
    stream = connection.getresponse()
    assert stream.status == 200 and stream.readline() == b"data: first\n"
    one.is_over.set()
    two.is_over.set()
    assert b"last" in stream.read()
    connection.close()

    # A process dies. A report that it was reading is not sent again by the proxy: the phone does that.
    two.end()
    proxy.until(lambda: set(proxy.takers().values()) == {"one"}, "all goes to the process that lives")
    assert set(proxy.takers().values()) == {"one"}

    one.is_ready = False
    proxy.until(lambda: proxy.ask("/pub", "POST").getheader("Retry-After") == wait, "it is told when to come again")
    answer = proxy.ask("/pub", "POST")
    assert (answer.status, answer.getheader("Retry-After")) == (503, wait), (answer.status, answer.getheaders())

    one.end()
    for method in ("GET", "POST"):
        answer = proxy.ask("/pub", method)
        assert answer.status == 503 and answer.getheader("Retry-After") == "5", (answer.status, answer.getheaders())


def caddy_passes_on(folder):
    caddy = tool("caddy", "caddy")
    one, two = Process("one"), Process("two")
    port = free_port()
    source = os.path.join(ROOT, "deploy/caddy/Caddyfile")
    home = {"HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
    run(caddy, "validate", "--adapter", "caddyfile", "--config", source, environment=home)
    with open(source) as file:
        example = file.read()
    # It looks more often than in life and gives up sooner, and has no other door.
    for name, value in [("health_interval", "100ms"), ("lb_try_duration", "300ms")]:
        example, count = re.subn(rf"{name} \d+s", f"{name} {value}", example)
        assert count == 1, name
    path = os.path.join(folder, "Caddyfile")
    with open(path, "w") as file:
        file.write("{\n\tadmin off\n}\n" + example)
    environment = home | {
        "PROXIMITY_SITE": f"http://alarm.example.org:{port}",
        "PROXIMITY_PROCESSES": f"127.0.0.1:{one.port} 127.0.0.1:{two.port}"}
    with Proxy([caddy, "run", "--adapter", "caddyfile", "--config", path], folder, port, environment=environment) as proxy:
        # One that is not ready gets nothing new.
        one.is_ready = False
        proxy.until(lambda: set(proxy.takers().values()) == {"two"}, "all goes to the process that is ready")
        one.is_ready = True
        proxy.until(lambda: set(proxy.takers().values()) == {"one", "two"}, "both are used again")
        # Caddy knows by /readyz, and answers itself.
        behaves(proxy, one, two, "http", "5")


def nginx_command(folder, port, example, further):
    """Starts nginx with an example of deploy/ that stands in the folder, with these files in place of others."""
    nginx = tool("nginx", "nginx-light")
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
        "/CN=alarm.example.org", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem")
    for old, new in [
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"), ("listen [::]:443 ssl http2;", ""),
        ("/etc/letsencrypt/live/alarm.example.org/fullchain.pem", f"{folder}/cert.pem"),
        ("/etc/letsencrypt/live/alarm.example.org/privkey.pem", f"{folder}/key.pem"), *further,
    ]:
        assert example.count(old) == 1, f"{old} stands {example.count(old)} times"
        example = example.replace(old, new)
    path = os.path.join(folder, "nginx.conf")
    kinds = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    # Started as root, its workers would be somebody who may not enter the folder, or one above it.
    user = "user root; " if os.geteuid() == 0 else ""
    with open(path, "w") as file:
        file.write(
            f"{user}daemon off; worker_processes 1; pid {folder}/pid; error_log stderr; "
            f"events {{}}\nhttp {{ access_log off;\n{kinds}\n{example}\n}}\n")
    said = run(nginx, "-t", "-p", folder, "-e", "stderr", "-c", path)
    assert "[warn]" not in said, said
    return [nginx, "-p", folder, "-e", "stderr", "-c", path]


def nginx_passes_on(folder):
    one, two = Process("one"), Process("two")
    port, plain = free_port(), free_port()
    with open(os.path.join(ROOT, "deploy/nginx/proximity.conf")) as file:
        example = file.read()
    command = nginx_command(folder, port, example, [
        ("127.0.0.1:8081", f"127.0.0.1:{one.port}"), ("127.0.0.1:8082", f"127.0.0.1:{two.port}"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"), ("listen [::]:80;", ""),
    ])
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with Proxy(command, folder, port, context) as proxy:
        redirected = http.client.HTTPConnection("127.0.0.1", plain, timeout=PATIENCE)
        redirected.request("POST", "/pub?u=anna", b"{}", {"Host": "alarm.example.org"})
        answer = redirected.getresponse()
        assert (answer.status, answer.getheader("Location")) == (308, "https://alarm.example.org/pub?u=anna")
        redirected.close()
        # What the process says is passed on.
        behaves(proxy, one, two, "https", "77")
