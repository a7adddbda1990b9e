#!/usr/bin/env python3
"""Kills the server again and again while phones report, and checks that nothing it acknowledged is lost or doubled.

    Tests/Soak/kill.py PROXIMITY [--seconds 60] [--phones 8] [--seed 1]

Each phone walks in and out of one zone and posts as OwnTracks does, one fix after the other; what is not acknowledged
it sends again, as a phone does. Every so often the server gets SIGKILL and is started again on the same data. It goes on
for at least `--seconds`, and until each phone has `ENOUGH` fixes acknowledged, which takes longer on a busy machine. At
the end each acknowledged fix has to be there once, and each visit has to have its alarm, once.
"""

import argparse
import base64
import http.client
import http.cookiejar
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

PLACE = (46.051, 14.505)
AWAY = 0.003
# Seconds from fix to fix, by the phones' clocks, which begin some hours ago and run ahead of ours.
STEP = 10
EPOCH = int(time.time()) - 6 * 3600
# Fixes that each phone has acknowledged before anything can be said.
ENOUGH = 10
# Seconds after which a phone gives an answer up and sends again, as one does whose server stands still.
ANSWER = 5
LASTING_PORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "lasting-port")


class Server:
    def __init__(self, program, folder, log="log.txt", more=(), environment=None):
        self.program, self.folder, self.log, self.more = program, folder, log, more
        self.environment = {**os.environ, **(environment or {})}
        self.process, self.link = None, None
        self.port = int(subprocess.run([LASTING_PORT], capture_output=True, text=True, check=True).stdout)
        self.is_known = False

    def start(self):
        errors = open(os.path.join(self.folder, self.log), "ab")
        began = errors.tell()
        self.process = subprocess.Popen(
            [self.program, "serve", "--listen", f"127.0.0.1:{self.port}",
             "--data", os.path.join(self.folder, "data"), "--log-level", "critical", *self.more],
            stderr=errors, stdout=subprocess.DEVNULL, env=self.environment)
        while True:
            with open(os.path.join(self.folder, self.log), "rb") as file:
                file.seek(began)
                text = file.read().decode(errors="replace")
            found = re.search(r"listening on http://127\.0\.0\.1:(\d+)", text)
            if found and (self.is_known or self.more or "setup=" in text):
                self.is_known = True
                link = re.search(r"setup=(\S+)", text)
                self.link = link.group(1) if link else None
                return
            if self.process.poll() is not None:
                raise SystemExit(f"the server ended by itself: {text[-2000:]}")
            time.sleep(0.01)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def call(self, path, value, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("POST", path, json.dumps(value), {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        body = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"{path}: {answer.status} {body!r}")
        return answer, json.loads(body)


class Phone(threading.Thread):
    """Three fixes away, three inside, and so on, until `is_over` is set and the fix under way is acknowledged."""

    def __init__(self, servers, number, token, is_over, seed):
        super().__init__(daemon=True)
        self.servers, self.number, self.is_over = servers, number, is_over
        self.random = random.Random(seed * 1000 + number)
        self.login = base64.b64encode(f"anna:{token}".encode()).decode()
        self.acknowledged = []
        self.refused = 0

    def run(self):
        connection, step = None, 0
        while not self.is_over.is_set():
            inside = step // 3 % 2 == 1
            latitude = PLACE[0] + (0 if inside else AWAY) + self.random.uniform(-1e-5, 1e-5)
            when = EPOCH + step * STEP
            if when > time.time():
                return
            body = json.dumps({"_type": "location", "lat": round(latitude, 7), "lon": PLACE[1], "tst": when,
                               "acc": 10, "tid": "AN"})
            while True:
                try:
                    if connection is None:
                        port = self.random.choice(self.servers).port
                        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER)
                    connection.request("POST", f"/pub?u=anna&d=phone{self.number}", body,
                                       {"Authorization": f"Basic {self.login}"})
                    answer = connection.getresponse()
                    answer.read()
                    if answer.status == 200:
                        self.acknowledged.append((when * 1000, inside))
                        break
                    self.refused += 1
                except (OSError, http.client.HTTPException):
                    pass
                connection = None
                time.sleep(0.02)
            step += 1


class Day:
    """The phones while things go wrong: at least so many seconds, and until each has enough fixes acknowledged."""

    def __init__(self, servers, token, options):
        self.is_over = threading.Event()
        self.end = time.monotonic() + options.seconds
        self.phones = [Phone(servers, number, token, self.is_over, options.seed) for number in range(options.phones)]
        for phone in self.phones:
            phone.start()

    def goes_on(self):
        return time.monotonic() < self.end or any(len(phone.acknowledged) < ENOUGH for phone in self.phones)

    def finish(self):
        """Lets each phone's last fix be acknowledged; the servers are there."""
        self.is_over.set()
        for phone in self.phones:
            phone.join()


def make_account(server):
    """An account with one zone. Gives a token for its phones."""
    answer, account = server.call(
        "/api/v1/setup", {"token": server.link, "login": "anna", "password": "correct horse"}, {})
    signed = {"Cookie": answer.getheader("Set-Cookie").split(";")[0], "X-CSRF-Token": account["csrf_token"]}
    place = {"latitude": PLACE[0], "longitude": PLACE[1]}
    server.call("/api/v1/zones", {"name": "Cliff", "size_m": 100,
                                  "outline": {"kind": "locations", "places": [place]}}, signed)
    return server.call("/api/v1/tokens", {"name": "phones"}, signed)[1]["token"]


def draw_earlier(folder):
    """The zone was there before the phones' day began, or it would not watch over what they send of it."""
    database = sqlite3.connect(os.path.join(folder, "data", "proximity.sqlite"))
    database.execute("UPDATE zone_set SET at = ?", ((EPOCH - 3600) * 1000,))
    database.commit()
    database.close()


def check(file, phones):
    """What was acknowledged against what is stored."""
    database = sqlite3.connect(file)
    problems = []
    integrity = database.execute("PRAGMA integrity_check").fetchone()[0]
    if integrity != "ok":
        problems.append(f"integrity: {integrity}")
    total = alarms = 0
    for phone in phones:
        row = database.execute("SELECT id FROM device WHERE name = ?", (f"phone{phone.number}",)).fetchall()
        if len(row) != 1:
            problems.append(f"phone {phone.number}: {len(row)} devices")
            continue
        device = row[0][0]
        stored = [time for (time,) in database.execute("SELECT measured_at FROM fix WHERE device = ?", (device,))]
        total += len(stored)
        lost = {when for when, _ in phone.acknowledged} - set(stored)
        if lost:
            problems.append(f"phone {phone.number}: {len(lost)} acknowledged fixes are lost")
        if len(stored) != len(set(stored)):
            problems.append(f"phone {phone.number}: fixes are there twice")
        began = sorted(time for (time,) in database.execute(
            "SELECT began FROM alarm WHERE device = ? AND subject = 1 AND state <> 7", (device,)))
        alarms += len(began)
        # Each visit is three fixes; the first of them rings.
        inside = [when for when, is_inside in phone.acknowledged if is_inside]
        visits = [when for when in inside if when - STEP * 1000 not in inside]
        # One whose fix was not acknowledged at the very end may be there or not.
        missed = [v for v in visits if not any(v - STEP * 1000 <= b <= v + 2 * STEP * 1000 for b in began)]
        if missed:
            problems.append(f"phone {phone.number}: {len(missed)} of {len(visits)} visits have no alarm")
        if len(began) > len(visits) + 1:
            problems.append(f"phone {phone.number}: {len(began)} alarms for {len(visits)} visits")
        ids = database.execute("SELECT count(*), count(DISTINCT began) FROM alarm WHERE device = ? AND subject = 1 "
                               "AND state <> 7", (device,)).fetchone()
        if ids[0] != ids[1]:
            problems.append(f"phone {phone.number}: an alarm is there twice")
    return problems, total, alarms


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--phones", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def conclude(problems):
    """Says what is wrong, and ends with a status that says so too."""
    for problem in problems:
        print(f"FAILED: {problem}")
    sys.exit(1 if problems else 0)


def main():
    options = arguments().parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.program, folder)
        server.start()
        token = make_account(server)
        server.stop()
        draw_earlier(folder)
        server.start()
        day = Day([server], token, options)
        kills = 0
        while day.goes_on():
            time.sleep(chance.uniform(0.3, 2.5))
            server.kill()
            kills += 1
            server.start()
        day.finish()
        server.stop()
        problems, total, alarms = check(os.path.join(folder, "data", "proximity.sqlite"), day.phones)
        acknowledged = sum(len(phone.acknowledged) for phone in day.phones)
        print(f"{kills} kills, {acknowledged} fixes acknowledged, {total} stored, {alarms} alarms, seed {options.seed}")
        conclude(problems)


if __name__ == "__main__":
    main()
