"""An HTTP/2 server over TLS, by hypercorn: http2_endpoint.py FOLDER, in which cert.pem and key.pem lie.

Prints one JSON object a line: {"port": n} when it listens, then one for each request. Reads the answer to each as a line:
{"status": n, "headers": [[name, value], ...], "body": text}. Ends with its standard input.
"""
import asyncio
import base64
import json
import os
import signal
import socket
import sys
import threading

from hypercorn.asyncio import serve
from hypercorn.config import Config

answers = asyncio.Queue()
# One request is told and answered at a time.
turn = asyncio.Lock()


def say(value):
    print(json.dumps(value), flush=True)


async def answer(scope, receive, send):
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        part = await receive()
        body += part.get("body", b"")
        more = part.get("more_body", False)
    async with turn:
        say({
            "method": scope["method"], "path": scope["path"], "version": scope["http_version"],
            "headers": [[name.decode(), value.decode()] for name, value in scope["headers"]],
            "body": base64.b64encode(body).decode(),
        })
        told = json.loads(await answers.get())
    headers = [(name.lower().encode(), value.encode()) for name, value in told["headers"]]
    await send({"type": "http.response.start", "status": told["status"], "headers": headers})
    await send({"type": "http.response.body", "body": told["body"].encode()})


def read(loop):
    for line in sys.stdin:
        loop.call_soon_threadsafe(answers.put_nowait, line)
    os._exit(0)


async def main(folder):
    listening = socket.create_server(("127.0.0.1", 0))
    config = Config()
    port = listening.getsockname()[1]
    # Listens already: nobody has to wait until it does.
    config.bind = [f"fd://{listening.detach()}"]
    config.certfile, config.keyfile = f"{folder}/cert.pem", f"{folder}/key.pem"
    config.errorlog = None
    threading.Thread(target=read, args=[asyncio.get_running_loop()], daemon=True).start()
    say({"port": port})
    await serve(answer, config, mode="asgi", shutdown_trigger=asyncio.Event().wait)


signal.signal(signal.SIGTERM, signal.SIG_DFL)
asyncio.run(main(sys.argv[1]))
