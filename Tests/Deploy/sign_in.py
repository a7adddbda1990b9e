"""nginx with the example that signs people in, before a real server."""
import base64
import json
import os
import re
import ssl
import subprocess

from proxies import PATIENCE, Proxy, free_port, nginx_command
from tools import ROOT, run


def basic(login, password):
    return "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()


def serving(folder):
    """A server that believes this machine's proxy, and its port."""
    server = subprocess.Popen(
        [f"{ROOT}/.build/debug/proximity", "serve", "--listen", "127.0.0.1:0", "--data", f"{folder}/data", "--log-level", "critical",
         "--public-url", "https://alarm.example.org", "--trusted-proxy", "127.0.0.1", "--login-header", "Remote-User",
         "--proxy-accounts", "new"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    for line in server.stderr:
        if found := re.search(r"listening on http://127\.0\.0\.1:(\d+)", line):
            return server, int(found.group(1))
    raise AssertionError("the server does not start")


def nginx_signs_in(folder):
    server, inner = serving(folder)
    try:
        port = free_port()
        with open(f"{folder}/passwords", "w") as file:
            for login, password in [("anna", "one"), ("ben", "two")]:
                file.write(f"{login}:{run('openssl', 'passwd', '-apr1', password).strip()}\n")
        with open(os.path.join(ROOT, "deploy/nginx/sign-in.conf")) as file:
            example = file.read()
        assert example.count("127.0.0.1:8080") == 2
        example = example.replace("127.0.0.1:8080", f"127.0.0.1:{inner}")
        command = nginx_command(folder, port, example, [("/etc/nginx/proximity.passwords", f"{folder}/passwords")])
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with Proxy(command, folder, port, context, ready=401) as proxy:
            signs_in(proxy)
    finally:
        server.terminate()
        server.wait(PATIENCE)


def signs_in(proxy):
    anna, ben = basic("anna", "one"), basic("ben", "two")
    assert proxy.ask("/api/v1/session", Authorization=basic("anna", "two")).status == 401
    known = json.loads(proxy.ask("/api/v1/session", Authorization=anna).said)
    assert known["type"] == "/problems/vouched-for", known

    begun = proxy.ask("/api/v1/login/proxy", "POST", Authorization=anna, Content_Type="application/json", Remote_User="ben")
    assert begun.status == 200, begun.said
    signed = json.loads(begun.said)
    assert signed["account"]["login"] == "anna", signed
    cookie = begun.getheader("Set-Cookie")
    assert "Secure" in cookie and "HttpOnly" in cookie, cookie
    cookie = cookie.split(";")[0]
    session = json.loads(proxy.ask("/api/v1/session", Authorization=anna, Cookie=cookie).said)
    assert session["account"] == signed["account"], session
    # Another person at the same browser.
    other = json.loads(proxy.ask("/api/v1/session", Authorization=ben, Cookie=cookie).said)
    assert other["type"] == "/problems/vouched-for", other

    made = proxy.ask(
        "/api/v1/tokens", "POST", Authorization=anna, Cookie=cookie, X_CSRF_Token=signed["csrf_token"], Content_Type="application/json")
    assert made.status == 201, made.said
    token = json.loads(made.said)["token"]
    # A program shows its token and is not asked for a password; a phone neither.
    program = json.loads(proxy.ask("/api/v1/session", Authorization=f"Bearer {token}", Remote_User="ben").said)
    assert program["account"]["login"] == "anna", program
    report = b'{"_type": "location", "lat": 46.05, "lon": 14.5, "acc": 10, "tst": 1790000000}'
    taken = proxy.ask("/pub?u=anna&d=phone", "POST", report, Authorization=basic("anna", token), Content_Type="application/json")
    assert taken.status == 200, (taken.status, taken.said)
    forged = proxy.ask("/l/nothing", Remote_User="anna")
    assert forged.status not in (200, 401), forged.status
    assert proxy.ask("/api/v1/session", Remote_User="anna").status == 401
    assert proxy.ask("/metrics", Authorization=anna).status == 404
