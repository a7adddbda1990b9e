"""Messaging services, against their own programs."""
import contextlib
import hashlib
import hmac
import json
import os
import pathlib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from rig import PATIENCE, PLACE, Person, Server, finish, lasting_port, until

SECRET = "made for this test"


class Homeserver:
    """Synapse, Matrix's own homeserver, with its data in a folder; it says by itself when it is ready."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / "matrix"
        self.folder.mkdir()
        self.port = lasting_port()
        self.base = f"http://127.0.0.1:{self.port}"
        settings = {
            "server_name": "localhost", "report_stats": False, "pid_file": str(self.folder / "pid"),
            "signing_key_path": str(self.folder / "signing.key"), "media_store_path": str(self.folder / "media"),
            "macaroon_secret_key": SECRET, "registration_shared_secret": SECRET, "trusted_key_servers": [],
            "database": {"name": "sqlite3", "args": {"database": str(self.folder / "homeserver.db")}},
            "listeners": [{"port": self.port, "type": "http", "bind_addresses": ["127.0.0.1"],
                           "resources": [{"names": ["client"]}]}],
        }
        # JSON is YAML.
        (self.folder / "homeserver.yaml").write_text(json.dumps(settings))
        command = [sys.executable, "-m", "synapse.app.homeserver", "-c", str(self.folder / "homeserver.yaml")]
        finish([*command, "--generate-keys"], check=True, capture_output=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told, open(self.folder / "log", "wb") as log:
            told.bind(str(self.folder / "told"))
            told.settimeout(PATIENCE)
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder,
                                            env={**os.environ, "NOTIFY_SOCKET": str(self.folder / "told")})
            try:
                while b"READY=1" not in told.recv(4096):
                    pass
            except TimeoutError:
                self.process.kill()
                raise AssertionError(f"Synapse does not start: {(self.folder / 'log').read_text()[-2000:]}") from None

    def ask(self, method, path, body=None, token=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(
            self.base + path, method=method, headers={**headers, "Content-Type": "application/json"},
            data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return json.load(response)

    def user(self, name):
        """A new one; their access token."""
        nonce = self.ask("GET", "/_synapse/admin/v1/register")["nonce"]
        said = "\0".join([nonce, name, "correct horse", "notadmin"]).encode()
        return self.ask("POST", "/_synapse/admin/v1/register", {
            "nonce": nonce, "username": name, "password": "correct horse", "admin": False,
            "mac": hmac.new(SECRET.encode(), said, hashlib.sha1).hexdigest()})["access_token"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)


class Listener:
    """Somebody in a room: what was written there."""

    def __init__(self, homeserver, token, room):
        self.homeserver, self.token, self.room = homeserver, token, room
        self.kept = []
        self.since = self._sync(None)["next_batch"]
        self.kept.clear()

    def _sync(self, since):
        words = {"timeout": "20000", **({"since": since} if since else {"timeout": "0"})}
        answer = self.homeserver.ask("GET", f"/_matrix/client/v3/sync?{urllib.parse.urlencode(words)}", token=self.token)
        events = answer.get("rooms", {}).get("join", {}).get(self.room, {}).get("timeline", {}).get("events", [])
        self.kept += [event["content"] for event in events if event["type"] == "m.room.message"]
        return answer

    def next(self):
        deadline = time.monotonic() + PATIENCE
        while not self.kept:
            assert time.monotonic() < deadline, "nobody writes into the room"
            self.since = self._sync(self.since)["next_batch"]
        return self.kept.pop(0)


@contextlib.contextmanager
def room(folder):
    """A homeserver, the token of a user who writes, and somebody who listens."""
    with Homeserver(folder) as homeserver:
        writer, reader = homeserver.user("alarm"), homeserver.user("ben")
        made = homeserver.ask("POST", "/_matrix/client/v3/createRoom", {"invite": ["@ben:localhost"]}, writer)["room_id"]
        homeserver.ask("POST", f"/_matrix/client/v3/rooms/{urllib.parse.quote(made)}/join", {}, reader)
        yield homeserver, writer, made, Listener(homeserver, reader, made)


def an_alarm_is_a_message_in_a_matrix_room(program, folder):
    with room(folder) as (homeserver, token, made, ben), Server(program, folder) as server:
        anna = Person(server)
        anna.zone("Cliff edge")
        where = {"server": homeserver.base, "token": token, "room": made}
        channel = anna.channel("matrix", where)
        assert token not in json.dumps(channel)
        assert anna.post(f"/api/v1/channels/{channel['id']}/test")["outcome"] == "delivered"
        test = ben.next()
        assert test["msgtype"] == "m.text" and test["body"].startswith("Test"), test
        stranger = anna.channel("matrix", {**where, "token": "syt_nobody"})
        refused = anna.post(f"/api/v1/channels/{stranger['id']}/test")
        assert refused["outcome"] != "delivered" and "401" in refused["detail"], refused
        assert anna.get(f"/api/v1/channels/{stranger['id']}")["last_test"]["failure"] == refused["detail"]

        anna.own_tracks(PLACE)
        ring = ben.next()
        assert ring["msgtype"] == "m.text" and ring["body"].startswith("Cliff edge\nphone is inside."), ring
        alarm = anna.get("/api/v1/alarms")["items"][0]

        def outcomes():
            attempts = anna.get(f"/api/v1/alarms/{alarm['id']}")["deliveries"]
            return [attempt["outcome"] for attempt in attempts if attempt["channel_id"] == channel["id"]]

        # It is written down once the homeserver has answered, which may be after the message is read in the room.
        assert until("the delivery is written down", outcomes)[0] == "delivered", outcomes()


STORIES = [an_alarm_is_a_message_in_a_matrix_room]
