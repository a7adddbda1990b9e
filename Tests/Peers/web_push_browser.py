"""A browser's side of Web Push, by other people's code: http_ece and py-vapid.

Reads one JSON object a line and answers each: {"new": true} makes a subscription, {"body", "private", "auth"} decrypts,
{"authorization"} checks a VAPID header.
"""
import base64
import json
import sys

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02


def text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def data(value):
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))


def point(key):
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_bytes(serialization.Encoding.X962, form)


keys = {}


def answer(question):
    if question.get("new"):
        key = ec.generate_private_key(ec.SECP256R1())
        public = text(point(key.public_key()))
        keys[public] = (key, b"0123456789abcdef")
        return {"p256dh": public, "auth": text(keys[public][1])}
    if "body" in question:
        key, secret = keys[question["p256dh"]]
        plain = http_ece.decrypt(
            base64.b64decode(question["body"]), private_key=key, auth_secret=secret, version="aes128gcm"
        )
        return {"plain": base64.b64encode(plain).decode()}
    header = question["authorization"]
    token, public = (part.split("=", 1)[1] for part in header.removeprefix("vapid ").split(","))
    claims = json.loads(data(token.split(".")[1]))
    return {"verified": bool(Vapid02.verify(header)), "claims": claims, "public": public}


for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except Exception as error:
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), flush=True)
