"""A real mail server that writes what it got: smtp_receiver.py FOLDER starttls|implicit ADDRESS [MECHANISM...]
without the mechanisms named.

Prints one JSON object a line: {"port": n} when it listens, then one for each mail. Wants TLS and the password; ends with
its standard input. Recipients busy@ and unknown@ are answered 451 and 550.
"""
import base64
import email
import email.policy
import json
import logging
import ssl
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

logging.disable(logging.CRITICAL)


def say(value):
    print(json.dumps(value), flush=True)


def authenticate(server, session, envelope, mechanism, data):
    is_right = data.login == b"alarm" and data.password == "Schlüssel".encode()
    return AuthResult(success=is_right, handled=False)


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("busy@"):
            return "451 4.2.1 come back later"
        if address.startswith("unknown@"):
            return "550 5.1.1 no such person"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        # As the standard library reads it, and as it came.
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        body = message.get_body(("plain",))
        say(
            {
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "tls": session.ssl is not None,
                "headers": {name: str(value) for name, value in message.items()},
                "defects": [type(defect).__name__ for part in message.walk() for defect in part.defects],
                "text": body.get_content() if body else None,
                "attachments": [
                    {
                        "name": part.get_filename(),
                        "type": part.get_content_type(),
                        "bytes": base64.b64encode(part.get_payload(decode=True)).decode(),
                    }
                    for part in message.iter_attachments()
                ],
                "raw": base64.b64encode(envelope.original_content).decode(),
            }
        )
        return "250 2.0.0 kept as 4711"


def main():
    folder, security, address = sys.argv[1:4]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
    options = dict(
        authenticator=authenticate,
        auth_required=True,
        auth_exclude_mechanism=sys.argv[4:],
        data_size_limit=1 << 20,
        hostname="receiver.test",
    )

    class TestController(Controller):
        def factory(self):
            if security == "starttls":
                return SMTP(self.handler, tls_context=context, require_starttls=True, **options)
            return SMTP(self.handler, auth_require_tls=False, **options)

        def _trigger_server(self):
            # The port is only known now; the base class asks the one it was given.
            self.port = self.server.sockets[0].getsockname()[1]
            super()._trigger_server()

    controller = TestController(
        Handler(), hostname=address, port=0, ssl_context=context if security == "implicit" else None
    )
    controller.start()
    say({"port": controller.port})
    sys.stdin.read()
    controller.stop()


main()
