"""A fake of Apple's push service: HTTP/2 over TLS, by hypercorn."""
import asyncio
import json
import queue
import socket
import threading

from hypercorn.asyncio import serve
from hypercorn.config import Config

from rig import PATIENCE


class PushService:
    """Takes every notification; path, headers and content stand in a queue."""

    def __init__(self, folder):
        self.got = queue.Queue()
        self.loop = asyncio.new_event_loop()
        self.ended = asyncio.Event()
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        config = Config()
        # Listens already: nobody has to wait until it does.
        config.bind = [f"fd://{listening.detach()}"]
        config.certfile, config.keyfile = f"{folder}/cert.pem", f"{folder}/key.pem"
        config.errorlog = None
        self.thread = threading.Thread(target=self._run, args=[config], daemon=True)
        self.thread.start()

    def _run(self, config):
        self.loop.run_until_complete(
            serve(self._answer, config, mode="asgi", shutdown_trigger=self.ended.wait))

    async def _answer(self, scope, receive, send):
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            part = await receive()
            body += part.get("body", b"")
            more = part.get("more_body", False)
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.got.put((scope["http_version"], scope["path"], headers, json.loads(body)))
        await send({"type": "http.response.start", "status": 200, "headers": [(b"apns-id", b"4711")]})
        await send({"type": "http.response.body", "body": b""})

    def next(self):
        return self.got.get(timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.ended.set)
        self.thread.join(PATIENCE)
