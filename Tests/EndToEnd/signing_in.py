"""Signing in without a password: by an OpenID Connect provider, which is somebody else's program, by a passkey, by a code."""
import concurrent.futures
import hashlib
import json
import os
import sqlite3
import urllib.error
import urllib.parse
import urllib.request

import oidc_provider_mock
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

import cluster
from rig import PATIENCE, Server, finish, refused


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Browser:
    """Keeps cookies and goes nowhere by itself."""

    def __init__(self):
        self.cookies = {}
        self.token = None
        self.opener = urllib.request.build_opener(NoRedirect)

    def ask(self, method, url, body=None, form=None):
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        data = None
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
        elif body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        elif method != "GET":
            data = b""
        if self.token:
            headers["X-CSRF-Token"] = self.token
        request = urllib.request.Request(url, data=data, method=method, headers=headers)
        try:
            answer = self.opener.open(request, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            for cookie in answer.headers.get_all("Set-Cookie") or []:
                name, value = cookie.split(";")[0].split("=", 1)
                if "Max-Age=0" in cookie:
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = value
            text = answer.read().decode()
            is_json = "json" in (answer.headers.get_content_type() or "")
            return answer.status, json.loads(text) if is_json and text else text, answer.headers

    def session(self, base):
        status, answer, _ = self.ask("GET", f"{base}/api/v1/session")
        if status != 200:
            return None
        self.token = answer["csrf_token"]
        return answer["account"]["login"]


def sent_back(url, subject):
    """What a person does at the provider: says who they are, and yes or no. Where they are sent back to."""
    form = {"sub": subject} if subject else {"action": "deny"}
    status, said, headers = Browser().ask("POST", url, form=form)
    assert status == 302, (status, said)
    back = headers["Location"]
    if "state=" not in back:
        # This one leaves it out of a refusal, where RFC 6749, section 4.1.2.1, wants it.
        back += "&" + urllib.parse.urlencode({"state": urllib.parse.parse_qs(url.split("?")[1])["state"][0]})
    return back


def sign_in(browser, base, subject, there=None):
    """There and back. `there`: the process that the answer comes to, if it is another."""
    status, begun, _ = browser.ask("POST", f"{base}/api/v1/login/oidc")
    assert status == 200, begun
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(begun["url"]).query)
    assert query["code_challenge_method"] == ["S256"] and len(query["nonce"][0]) == 43, query
    back = urllib.parse.urlsplit(sent_back(begun["url"], subject))
    assert back.path == "/oidc/callback", back
    return browser.ask("GET", f"{there or base}{back.path}?{back.query}")


def people_sign_in_by_a_provider(program, folder):
    secret = os.path.join(folder, "secret")
    with open(secret, "w", encoding="utf-8") as file:
        file.write("open sesame\n")
    claims = {"preferred_username": "anna", "name": "Anna"}
    with oidc_provider_mock.run_server_in_thread(
            user_claims=[oidc_provider_mock.User(sub="7", claims=claims)]) as provider:
        issuer = f"http://localhost:{provider.server_port}"
        more = ["--oidc-issuer", issuer, "--oidc-client", "alarm", "--oidc-secret-file", secret, "--oidc-name", "The club"]
        with Server(program, folder, *more) as server:
            anna = Browser()
            assert anna.ask("GET", f"{server.base}/api/v1/login")[1]["oidc"] == {"name": "The club"}
            made = anna.ask("POST", f"{server.base}/api/v1/setup", {
                "token": server.setup_token(), "login": "anna", "password": "correct horse"})
            assert made[0] == 201, made
            assert anna.session(server.base) == "anna"
            # Nobody is let in by a name alone.
            status, page, _ = sign_in(Browser(), server.base, "7")
            assert status == 403 and "no account here is linked" in page.lower(), (status, page)
            status, page, _ = sign_in(Browser(), server.base, None)
            assert status == 403 and "The club says: access_denied" in page, (status, page)
            # Its owner links the account.
            begun = anna.ask("POST", f"{server.base}/api/v1/account/login-identities", {"password": "correct horse"})
            assert begun[0] == 200, begun
            status, page, headers = anna.ask("GET", sent_back(begun[1]["url"], "7"))
            assert status == 303 and headers["Location"] == "/#/account", (status, page)
            other = Browser()
            status, page, headers = sign_in(other, server.base, "7")
            assert status == 303, (status, page)
            assert other.session(server.base) == "anna"
            assert other.ask("POST", f"{server.base}/api/v1/logout")[0] == 204
            assert other.session(server.base) is None
            log = finish([program, "user", "log", "anna", "--json", "--data", os.path.join(folder, "data")],
                                 capture_output=True, text=True, check=True).stdout
            done = [json.loads(line)["action"] for line in log.splitlines()]
            assert done[:4] == ["logOut", "logInByOIDC", "bindLoginIdentity", "setUp"], done


def one_process_sends_somebody_off_and_another_takes_them_in(program, folder):
    with cluster.database() as url:
        if url is None:
            return
        secret = os.path.join(folder, "secret")
        with open(secret, "w", encoding="utf-8") as file:
            file.write("open sesame\n")
        with oidc_provider_mock.run_server_in_thread() as provider:
            more = ["--oidc-secret-file", secret, "--database", url, "--public-url", "http://alarm.example", "--oidc-issuer",
                    f"http://localhost:{provider.server_port}", "--oidc-client", "alarm", "--oidc-accounts", "all"]
            with Server(program, folder, *more, "--process-name", "a") as first, \
                    Server(program, folder, *more, "--process-name", "b") as second:
                ben = Browser()
                status, page, _ = sign_in(ben, first.base, "ben", there=second.base)
                assert status == 303, (status, page)
                assert ben.session(first.base) == ben.session(second.base) == "ben"
                again = Browser()
                assert sign_in(again, second.base, "ben", there=first.base)[0] == 303
                assert again.session(second.base) == "ben"


def a_provider_without_tls_is_refused_at_the_start(program, folder):
    cases = [
        (["--oidc-issuer", "http://login.example.org", "--oidc-client", "alarm"],
         "--oidc-issuer: http://login.example.org found, https:// and a host, or http:// on this machine allowed"),
        (["--oidc-issuer", "https://login.example.org"], "oidc_client: nothing found"),
        (["--oidc-client", "alarm"], "--oidc-client is set and oidc_issuer is not"),
        (["--oidc-issuer", "https://login.example.org", "--oidc-client", "alarm", "--oidc-accounts", "new"],
         "--oidc-accounts: new found, existing, all allowed"),
        (["--oidc-issuer", "https://login.example.org", "--oidc-client", "alarm", "--oidc-secret-file",
          f"{folder}/nothing"], "--oidc-secret-file"),
    ]
    for arguments, words in cases:
        status, said = refused(program, "--data", f"{folder}/data", *arguments)
        assert status == 2 and words in said, (arguments, status, said)


class SecurityKey:
    """An authenticator, by what python-fido2 knows of its bytes."""

    def __init__(self, host):
        self.host = hashlib.sha256(host.encode()).digest()
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.credential = os.urandom(32)
        self.count = 0

    @staticmethod
    def _client(kind, challenge, origin):
        return CollectedClientData.create(kind, challenge, origin)

    def made(self, asked, origin):
        """What the browser posts to add it."""
        self.user = asked["user"]["id"]
        key = ES256.from_cryptography_key(self.key.public_key())
        data = AuthenticatorData.create(
            self.host, 0x45, self.count, bytes(AttestedCredentialData.create(bytes(16), self.credential, key)))
        client = self._client("webauthn.create", asked["challenge"], origin)
        return {"name": "Stick", "client_data": websafe_encode(client),
                "attestation": websafe_encode(AttestationObject.create("none", data, {}))}

    def signed(self, asked, origin):
        """What the browser posts to sign in."""
        self.count += 1
        data = AuthenticatorData.create(self.host, 0x05, self.count)
        client = self._client("webauthn.get", asked["challenge"], origin)
        signature = self.key.sign(bytes(data) + client.hash, ec.ECDSA(hashes.SHA256()))
        return {"credential": websafe_encode(self.credential), "client_data": websafe_encode(client),
                "authenticator_data": websafe_encode(data), "signature": websafe_encode(signature), "user": self.user}


def a_passkey_signs_in_until_the_operator_removes_it(program, folder):
    data = os.path.join(folder, "data")

    def no_passkeys():
        return finish([program, "user", "sign-ins", "anna", "--end", "passkeys", "--data", data], capture_output=True,
                              text=True)

    stick = SecurityKey("localhost")
    with Server(program, folder) as server:
        # Browsers give passkeys to names, and to this one without TLS.
        base = server.base.replace("127.0.0.1", "localhost")
        anna = Browser()
        assert anna.ask("POST", f"{base}/api/v1/setup", {
            "token": server.setup_token(), "login": "anna", "password": "correct horse"})[0] == 201
        anna.session(base)
        assert no_passkeys().returncode == 3
        status, asked, _ = anna.ask("POST", f"{base}/api/v1/account/passkeys/begin", {"password": "correct horse"})
        assert status == 200, asked
        status, made, _ = anna.ask("POST", f"{base}/api/v1/account/passkeys", stick.made(asked, base))
        assert status == 201, made

    def sign_in(base):
        browser = Browser()
        _, asked, _ = browser.ask("POST", f"{base}/api/v1/login/passkey/begin")
        assert asked["host"] == "localhost", asked
        body = stick.signed(asked, base)
        status, answer, _ = browser.ask("POST", f"{base}/api/v1/login/passkey", body)
        again = Browser().ask("POST", f"{base}/api/v1/login/passkey", body)
        return status, answer, again[0]

    with Server(program, folder) as server:
        base = server.base.replace("127.0.0.1", "localhost")
        status, answer, again = sign_in(base)
        assert (status, again) == (200, 410), (status, answer, again)
        assert answer["account"]["login"] == "anna"
        removed = no_passkeys()
        assert removed.returncode == 0, removed
        assert sign_in(base)[0] == 401
    log = finish([program, "user", "log", "anna", "--json", "--data", data], capture_output=True, text=True, check=True).stdout
    assert [json.loads(line)["action"] for line in log.splitlines()[:3]] == [
        "endPasskeys", "logInByPasskey", "createPasskey"], log


def code_of(browser, base, **given):
    """A code that the browser shows for another device; the status otherwise."""
    status, answer, _ = browser.ask("POST", f"{base}/api/v1/account/sign-in-codes", given)
    return answer["link"].split("/#phone=")[1] if status == 201 else status


def enters(base, code):
    """A device that uses a code: the status, and the device."""
    device = Browser()
    status, answer, _ = device.ask("POST", f"{base}/api/v1/login/device-code", {"code": code})
    if status == 200:
        device.token = answer["csrf_token"]
    return status, device


def set_up(server, base):
    anna = Browser()
    status, answer, _ = anna.ask("POST", f"{base}/api/v1/setup", {
        "token": server.setup_token(), "login": "anna", "password": "correct horse"})
    assert status == 201, answer
    anna.token = answer["csrf_token"]
    return anna


def a_code_signs_another_device_in_once_until_its_session_ends(program, folder):
    with Server(program, folder) as server:
        base = server.base
        anna = set_up(server, base)
        code = code_of(anna, base)
        for wrong in [code + "A", code[:-1], "", None, 7, {"a": 1}, "x" * 201]:
            assert enters(base, wrong)[0] in (410, 422), wrong
        status, phone = enters(base, code)
        assert status == 200 and phone.session(base) == "anna"
        assert enters(base, code)[0] == 410
        # The oldest of four ends.
        codes = [code_of(anna, base) for _ in range(4)]
        assert [enters(base, each)[0] for each in codes] == [410, 200, 200, 200]
        # A new password ends a code, and so does the end of the session that showed it.
        code = code_of(anna, base)
        status, said, _ = anna.ask("PUT", f"{base}/api/v1/account/password", {
            "current": "correct horse", "new": "battery staple"})
        assert status == 204, said
        assert enters(base, code)[0] == 410
        code = code_of(anna, base)
        assert anna.ask("POST", f"{base}/api/v1/logout")[0] == 204
        assert enters(base, code)[0] == 410
        with sqlite3.connect(f"{folder}/data/proximity.sqlite") as store:
            kept = store.execute("SELECT hash FROM sign_in_code").fetchall()
        store.close()
        assert kept == [], kept


def of_two_processes_one_takes_a_code(program, folder):
    with cluster.database() as url:
        if not url:
            return
        with Server(program, f"{folder}/a", "--database", url) as first, \
                Server(program, f"{folder}/b", "--database", url) as second:
            anna = set_up(first, first.base)
            for _ in range(3):
                code = code_of(anna, first.base)
                with concurrent.futures.ThreadPoolExecutor() as pool:
                    tries = [pool.submit(enters, base, code) for base in [first.base, second.base] * 3]
                assert sorted(each.result()[0] for each in tries) == [200] + [410] * 5
            code = code_of(anna, first.base)
            assert enters(second.base, code)[0] == 200
            assert enters(first.base, code)[0] == 410


STORIES = [
    a_code_signs_another_device_in_once_until_its_session_ends, of_two_processes_one_takes_a_code,
    a_passkey_signs_in_until_the_operator_removes_it,
    people_sign_in_by_a_provider, one_process_sends_somebody_off_and_another_takes_them_in,
    a_provider_without_tls_is_refused_at_the_start,
]
