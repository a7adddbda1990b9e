"""TLS by certificate files, HTTP/2, and connections that are slow on purpose."""
import os
import re
import socket
import ssl

from rig import PATIENCE, Person, Server, certificate, finish, needs_tls

# A client that drips: a byte each so many seconds, more often than the server's time-out.
DRIP = 0.2
MOST_DRIPS = int(PATIENCE / DRIP)


@needs_tls
def https_by_certificate_files_speaks_http_2(program, folder):
    certificate(folder)
    files = ["--tls-certificate", f"{folder}/cert.pem", "--tls-key", f"{folder}/key.pem"]
    with Server(program, folder, *files) as server:
        assert server.base.startswith("https://"), server.base
        for version in ["2", "1.1"]:
            told = curl(server, "--cacert", f"{folder}/cert.pem", f"--http{version}", "-o", "/dev/null",
                        "-w", "%{http_code} %{http_version}")
            assert told.stdout == f"200 {version}", told
        hardened = curl(server, "--cacert", f"{folder}/cert.pem", "-D", "-", "-o", "/dev/null").stdout.lower()
        assert "strict-transport-security: max-age=" in hardened, hardened
        # Whoever does not know the certificate gets nothing.
        assert curl(server).returncode == 60
        # Older TLS is not spoken.
        assert curl(server, "--cacert", f"{folder}/cert.pem", "--tls-max", "1.1").returncode != 0
        # Nor is TLS 1.2 without authenticated encryption or forward secrecy.
        for ciphers, status in {"ECDHE-ECDSA-AES256-GCM-SHA384": 0, "ECDHE-ECDSA-AES128-SHA": 35,
                                "ECDHE-ECDSA-AES256-SHA": 35}.items():
            told = curl(server, "--cacert", f"{folder}/cert.pem", "--tls-max", "1.2", "--ciphers", ciphers)
            assert told.returncode == status, (ciphers, told)
        # A request without TLS is no request.
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as plain:
            plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert not read_all(plain).startswith(b"HTTP/1.1 200")


def curl(server, *arguments):
    return finish(
        ["curl", "-sS", "--max-time", str(PATIENCE), *arguments, f"{server.base}/healthz"], capture_output=True,
        text=True, seconds=PATIENCE + 10)


def slow_requests_end(program, folder):
    with Server(program, folder, "--idle-timeout-s", "1") as server:
        anna = Person(server)
        head = f"Host: x\r\nAuthorization: Bearer {anna.token}\r\nContent-Type: application/json\r\n"
        # Silent; half a header; one that drips.
        assert drip(server, b"") == b""
        assert drip(server, b"GET /healthz HTTP/1.1\r\nHost:") == b""
        assert drip(server, b"GET /healthz HTTP/1.1\r\nX-A: ", b"a" * MOST_DRIPS) == b""
        # After a whole request too.
        whole = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        answered = drip(server, whole + b"GET /healthz HTTP/1.1\r\nX-A: ", b"a" * MOST_DRIPS)
        assert answered.count(b"HTTP/1.1 200") == 1, answered
        # A body that drips: refused in words, and closed. To a phone it is no refusal: that would cost it its data.
        body = f"POST /api/v1/zones HTTP/1.1\r\n{head}Content-Length: 100000\r\n\r\n{{".encode()
        assert drip(server, body, b" " * MOST_DRIPS).startswith(b"HTTP/1.1 408 "), "no 408"
        body = f"POST /pub?u=anna&d=p HTTP/1.1\r\n{head}Content-Length: 100000\r\n\r\n{{".encode()
        assert drip(server, body, b" " * MOST_DRIPS).startswith(b"HTTP/1.1 503 "), "no 503"
        assert anna.get("/healthz")["status"] == "ok"


@needs_tls
def slow_handshakes_end(program, folder):
    certificate(folder)
    files = ["--tls-certificate", f"{folder}/cert.pem", "--tls-key", f"{folder}/key.pem", "--idle-timeout-s", "1"]
    with Server(program, folder, *files) as server:
        assert drip(server, b"") == b""
        # The beginning of a TLS record of 16 KiB, and then byte by byte.
        assert drip(server, b"\x16\x03\x01\x40\x00", b"\x00" * MOST_DRIPS) in [b"", None]
        # One that stands is closed when nothing comes.
        trusting = ssl.create_default_context(cafile=f"{folder}/cert.pem")
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as plain:
            with trusting.wrap_socket(plain, server_hostname="localhost") as secure:
                assert secure.recv(1) == b""


def large_requests_are_refused(program, folder):
    with Server(program, folder) as server:
        anna = Person(server)
        head = f"Host: x\r\nAuthorization: Bearer {anna.token}\r\nConnection: close\r\n"
        json_head = head + "Content-Type: application/json\r\n"
        cases = {
            f"GET /{'a' * 9000} HTTP/1.1\r\n{head}\r\n": 414,
            f"GET /healthz HTTP/1.1\r\n{head}X-A: {'a' * 17000}\r\n\r\n": 431,
            f"POST /api/v1/zones HTTP/1.1\r\n{json_head}Content-Length: 1048577\r\n\r\n{{": 413,
            f"POST /api/v1/zones HTTP/1.1\r\n{json_head}Transfer-Encoding: chunked\r\n\r\n"
            + f"10000\r\n{'a' * 65536}\r\n" * 17: 413,
        }
        for request, status in cases.items():
            with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as plain:
                try:
                    plain.sendall(request.encode())
                except OSError:
                    pass  # It may answer, and close, before it has heard all.
                answer = read_all(plain)
                assert answer.startswith(f"HTTP/1.1 {status} ".encode()), (request[:60], answer[:200])
        assert anna.get("/healthz")["status"] == "ok"


def manners_of_http_1_1(program, folder):
    with Server(program, folder) as server:
        anna = Person(server)
        head = f"Host: x\r\nAuthorization: Bearer {anna.token}\r\nContent-Type: application/json\r\n"
        body = b'{"name":"phone"}'
        # Whoever waits for leave to send a body gets it before the body is there.
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as plain:
            plain.sendall(f"POST /api/v1/devices HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n"
                          "Expect: 100-continue\r\nConnection: close\r\n\r\n".encode())
            leave = b""
            while not leave.endswith(b"\r\n\r\n"):
                piece = plain.recv(4096)
                assert piece, leave
                leave += piece
            assert leave.startswith(b"HTTP/1.1 100 "), leave
            plain.sendall(body)
            assert read_all(plain).startswith(b"HTTP/1.1 201 ")
        cases = {
            b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n": 400,
            b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n": 400,
            # Old trackers speak HTTP/1.0, which knows no Host.
            b"GET /healthz HTTP/1.0\r\n\r\n": 200,
            b"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n": 200,
            b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n": 200,
            f"POST /api/v1/devices HTTP/1.1\r\n{head}Transfer-Encoding: xchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n".encode(): 501,
            f"POST /api/v1/devices HTTP/1.1\r\n{head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n".encode(): 501,
            # Our own field is nobody else's.
            f"GET /healthz HTTP/1.1\r\n{head}Proximity-Refusal: x\r\nConnection: close\r\n\r\n".encode(): 200,
        }
        for request, status in cases.items():
            with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as plain:
                plain.sendall(request)
                answer = read_one(plain) if b"keep-alive" in request else read_all(plain)
                assert answer.startswith(f"HTTP/1.1 {status} ".encode()) or answer.startswith(f"HTTP/1.0 {status} ".encode()), (request, answer[:300])
                assert len(re.findall(rb"HTTP/1\.[01] \d{3} ", answer)) == 1, answer
        # In its turn, behind what was asked before on the same connection.
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as plain:
            plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
                          b"POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n")
            answers = read_all(plain)
            assert answers.startswith(b"HTTP/1.1 200 ") and b"HTTP/1.1 501 " in answers, answers


@needs_tls
def a_new_certificate_needs_no_restart(program, folder):
    certificate(folder)
    files = ["--tls-certificate", f"{folder}/cert.pem", "--tls-key", f"{folder}/key.pem"]
    with Server(program, folder, *files, "--log-level", "notice") as server:
        first = presented(server)
        assert curl(server, "--cacert", f"{folder}/cert.pem").returncode == 0
        # A key that does not fit yet, as in the middle of a renewal, changes nothing.
        other = f"{folder}/other"
        os.mkdir(other)
        certificate(other)
        os.replace(f"{other}/key.pem", f"{folder}/key.pem")
        while True:
            line = server.lines.get(timeout=PATIENCE)
            if "the new TLS certificate cannot be used" in line:
                break
        assert presented(server) == first
        os.replace(f"{other}/cert.pem", f"{folder}/cert.pem")
        while "the new TLS certificate is in use" not in server.lines.get(timeout=PATIENCE):
            pass
        assert presented(server) != first
        assert curl(server, "--cacert", f"{folder}/cert.pem").returncode == 0


def presented(server):
    return ssl.get_server_certificate(("127.0.0.1", server.port), timeout=PATIENCE)


def drip(server, beginning, rest=b""):
    """Sends the beginning, then the rest byte by byte until the server closes; what it answered. None: it did not close."""
    got = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as plain:
        plain.sendall(beginning)
        plain.settimeout(DRIP if rest else PATIENCE)
        for index in range(len(rest) + 1):
            try:
                piece = plain.recv(65536)
            except TimeoutError:
                if index == len(rest):
                    raise AssertionError(f"still open after {index} drips, {got!r}") from None
                try:
                    plain.sendall(rest[index:index + 1])
                except OSError:
                    return got
                continue
            except ConnectionError:
                return got
            if not piece:
                return got
            got += piece
    raise AssertionError(f"still open after {len(rest)} drips, {got!r}")


def read_one(plain):
    """An answer with a Content-Length, after which the connection may stay open."""
    got = b""
    while not (found := re.search(rb"(?i)content-length: (\d+)\r\n(?s:.*?)\r\n\r\n", got)) \
            or len(got) < found.end() + int(found.group(1)):
        piece = plain.recv(65536)
        if not piece:
            break
        got += piece
    return got


def read_all(plain):
    got = b""
    while True:
        try:
            piece = plain.recv(65536)
        except ConnectionError:
            return got
        if not piece:
            return got
        got += piece


STORIES = [
    https_by_certificate_files_speaks_http_2, slow_requests_end, slow_handshakes_end, large_requests_are_refused,
    manners_of_http_1_1, a_new_certificate_needs_no_restart,
]
