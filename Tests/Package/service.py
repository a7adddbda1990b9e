"""The server, started inside a root as systemd or a container's engine would start it."""
import json
import os
import queue
import re
import shutil
import subprocess
import threading
import urllib.error
import urllib.request

from roots import CLEAN

PATIENCE = 120


class Unit:
    """What of a unit's file decides how the server is started."""

    def __init__(self, text):
        self.values = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
        name, self.settings = self.values["LoadCredential"].split(":")
        self.user, self.state = self.values["User"], "/var/lib/" + self.values["StateDirectory"]
        self.credentials = "/run/credentials/proximity.service"
        self.credential = f"{self.credentials}/{name}"

    def start(self, root):
        # The settings and the folder belong to the user, with the modes that LoadCredential and StateDirectory give them.
        made = root.path(self.credentials)
        shutil.rmtree(made, ignore_errors=True)
        os.makedirs(made)
        shutil.copy(root.path(self.settings), root.path(self.credential))
        root.run("chown", "-R", self.user, self.credentials)
        root.run("chmod", "400", self.credential)
        group, mode = self.values["Group"], self.values["StateDirectoryMode"]
        root.run("install", "-d", "-o", self.user, "-g", group, "-m", mode, self.state)
        command = self.values["ExecStart"].replace("${CREDENTIALS_DIRECTORY}", self.credentials).split()
        environment = {"CREDENTIALS_DIRECTORY": self.credentials, "HOME": self.state, "USER": self.user}
        return Service(root, command, self.user, self.values["WorkingDirectory"], self.values["UMask"], environment)


class Service:
    """Until the end of the block. It listens on a free port in place of the one that is set."""

    def __init__(self, root, command, user, folder, umask="022", environment=None):
        words = ["sh", "-c", f'umask {umask} && cd "$0" && exec "$@"', folder, *command, "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(
            root.command(*words, user=user), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
            text=True, env=CLEAN | (environment or {}))
        self.lines, self.said = queue.Queue(), []
        threading.Thread(target=self._read, daemon=True).start()
        self.base = self.line(r"^listening on (\S+),")

    def _read(self):
        for line in self.process.stderr:
            self.lines.put(line)
        self.lines.put(None)

    def line(self, pattern):
        """The first group of the next line that fits."""
        while True:
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, f"the server ended with {self.process.wait()}:\n{''.join(self.said)}"
            self.said.append(line)
            if found := re.search(pattern, line):
                return found.group(1)

    def get(self, path):
        with urllib.request.urlopen(self.base + path, timeout=PATIENCE) as answer:
            assert answer.status == 200, (path, answer.status)
            return answer.read()

    def post(self, path, body):
        """The status."""
        request = urllib.request.Request(
            self.base + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def end(self):
        """As `systemctl stop` does."""
        self.process.terminate()
        status = self.process.wait(PATIENCE)
        assert status == 0, f"told to end, the server ended with {status}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
