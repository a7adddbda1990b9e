"""What the server's benchmarks share: a server with an account, its zones and devices, and what wrk posts to it."""

import base64
import http.client
import json
import os
import re
import signal
import sqlite3
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class Process:
    def __init__(self, command, pattern, folder, name):
        self.log = open(os.path.join(folder, name), "ab+")
        began = self.log.seek(0, os.SEEK_END)
        started = time.monotonic()
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        deadline = started + 60
        while time.monotonic() < deadline:
            self.log.seek(began)
            self.text = self.log.read().decode(errors="replace")
            found = re.search(pattern, self.text)
            if found:
                self.port = int(found.group(1))
                self.ready_s = time.monotonic() - started
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.005)
        raise SystemExit(f"{command[0]} does not start: {self.text[-2000:]}")

    def processor_s(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self, key):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(rf"{key}:\s+(\d+) kB", file.read()).group(1)) / 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


class Server(Process):
    def __init__(self, program, data, folder, name="server.log", more=()):
        super().__init__([program, "serve", "--listen", "127.0.0.1:0", "--data", data, "--log-level", "warning", *more],
                         r"listening on http://127\.0\.0\.1:(\d+)", folder, name)

    def link(self):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            self.log.seek(0)
            found = re.search(rb"setup=(\S+)", self.log.read())
            if found:
                return found.group(1).decode()
            time.sleep(0.005)
        raise SystemExit("the server prints no link")


class Load:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.data = os.path.join(folder, "data")
        # Posts so far: the next run goes on where the last one ended.
        self.sent = {"one": 0, "batch": 0}
        # What phones without network since yesterday have kept. What is older than a day is judged in another way.
        self.epoch = int(time.time() - 22 * 3600) // 1000 * 1000

    def serve(self, name="server.log", more=()):
        return Server(self.options.proximity, self.data, self.folder, name, more)

    def prepare(self):
        """An account with its zones, and its devices, which are written straight into the tables."""
        server = self.serve()
        answer, account = self.call(server, "/api/v1/setup", json.dumps(
            {"token": server.link(), "login": "bench", "password": "correct horse"}), {})
        signed = {"Cookie": answer.getheader("Set-Cookie").split(";")[0], "X-CSRF-Token": account["csrf_token"]}
        side = round(self.options.zones ** 0.5)
        rows = []
        for number in range(self.options.zones):
            latitude = 46 + 0.9 * (number // side) / side
            longitude = 14 + 1.3 * (number % side) / side
            rows.append(f"AlertZoneStart\nAlertZoneName,Zone {number}\nAlertZoneActive,1\nAlertZoneSize,100\n"
                        f"Location,1,{latitude:.6f},{longitude:.6f}\nAlertZoneEnd\n")
        self.call(server, "/api/v1/zones/import?name=zones.pad", "".join(rows),
                  {**signed, "Content-Type": "application/octet-stream"})
        _, token = self.call(server, "/api/v1/tokens", json.dumps({"name": "bench"}), signed)
        self.token = token["token"]
        # Phones that went into a zone ring on while the next thing is measured: once an hour, not every ten seconds.
        self.call(server, "/api/v1/settings", json.dumps({"alarm_cycle_s": 3600}), {**signed, "If-Match": '"0"'}, "PUT")
        server.stop()
        database = sqlite3.connect(os.path.join(self.data, "proximity.sqlite"))
        (account,) = database.execute("SELECT id FROM account").fetchone()
        # Ids stand in columns with their highest bit turned over.
        ids = [(4096 + number) - (1 << 63) for number in range(self.options.devices)]
        database.executemany(
            "INSERT INTO device (id, account, name, tracker_id, is_armed, settings, created_at, revision) "
            "VALUES (?, ?, ?, ?, 1, '{}', 0, 1)",
            ((i, account, f"phone {n}", "BE" if n < 4 else "") for n, i in enumerate(ids)))
        database.executemany(
            "INSERT INTO device_identity (scheme, value, account, device) VALUES ('owntracks', ?, ?, ?)",
            ((f"bench/{n}", account, i) for n, i in enumerate(ids)))
        database.executemany("INSERT INTO engine_version (device, version) VALUES (?, 0)", ((i,) for i in ids))
        # The zones are older than what the phones have kept: fixes from before an edit are judged by the zones of then,
        # which is another matter.
        database.execute("UPDATE zone_set SET at = at - 7 * 86400000")
        database.commit()
        database.close()

    @staticmethod
    def call(server, path, body, headers, method="POST"):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        connection.request(method, path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"{path}: {answer.status} {text[:500]!r}")
        return answer, json.loads(text)

    def wrk(self, server, connections, seconds, mode="one", devices=20_000, pace=0.0):
        # Those who send batches live in the past, and are others.
        first = 0 if mode == "one" else self.options.devices - devices
        step, begin = divmod(self.sent[mode], devices)
        before = server.processor_s()
        result = self.result(self.start_wrk(server.port, connections, seconds, mode, (first, devices, begin, step), pace),
                             seconds)
        result["cpu_us"] = (server.processor_s() - before) / max(1, result["posts"]) * 1e6
        # Some more were sent than answered.
        if isinstance(server, Server):
            self.sent[mode] += result["posts"] + connections
        return result

    def start_wrk(self, port, connections, seconds, mode, devices, pace=0.0):
        """`devices` are the first, how many, at which to begin and the step of their walk."""
        basic = base64.b64encode(f"bench:{self.token}".encode()).decode()
        return subprocess.Popen(
            ["wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", "10s", "-s",
             os.path.join(HERE, "post.lua"), f"http://127.0.0.1:{port}", "--", mode, *map(str, devices),
             str(self.epoch), str(pace), basic, self.token, str(self.options.zones)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    @staticmethod
    def result(wrk, seconds):
        said, _ = wrk.communicate(timeout=seconds + 60)
        found = re.search(r"RESULT (.*)", said)
        if not found:
            raise SystemExit(f"wrk: {said}")
        result = json.loads(found.group(1))
        if result["bad"]:
            raise SystemExit(f"{result['bad']} posts were not taken: {said}")
        result["rate"] = result["posts"] / result["seconds"]
        return result
