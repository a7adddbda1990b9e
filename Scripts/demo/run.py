#!/usr/bin/env python3
"""A server with a small real city, an account that is signed in already, and phones that move through it.

Streets and places are those of OpenStreetMap in the centre of Helsinki; people and zones are made up. Everything lies in
one folder, made anew at each start. Ends with Ctrl-C.
"""
import argparse
import base64
import http.server
import json
import math
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

PATIENCE = 60
# Seconds between two reports of a phone.
EVERY = 2
CITY = "Helsinki"

STATION = (60.17130, 24.94150)
ZONES = [
    {"name": "Central station", "category": "Transit", "size_m": 90, "alert_distance_m": 100, "priority": 1,
     "outline": {"kind": "locations", "places": [STATION]}},
    {"name": "Senate square", "category": "Shopping", "inset_m": -10,
     "outline": {"kind": "locations", "places": [
         (60.16985, 24.95140), (60.16985, 24.95330), (60.16900, 24.95330), (60.16900, 24.95140)]}},
    {"name": "Tracks without a fence", "category": "Hazard", "priority": 3, "assurance": "safety", "size_m": 25,
     "outline": {"kind": "path", "places": [(60.17330, 24.94120), (60.17480, 24.94090), (60.17640, 24.94010)]}},
    {"name": "Esplanadi", "category": "Nature", "size_m": 25, "active": False,
     "outline": {"kind": "path", "places": [(60.16755, 24.94250), (60.16740, 24.95100)]}},
]
# Name, speed in metres per second, and the path along which the person goes to and fro.
PEOPLE = [
    ("Anna", 5.0, [(60.17040, 24.94640), (60.17060, 24.94320), (60.17130, 24.94150), (60.17230, 24.94110)]),
    ("Ben", 1.6, [(60.16755, 24.94250), (60.16745, 24.94700), (60.16750, 24.95090), (60.16890, 24.95180)]),
    ("Chen", 2.5, [(60.17420, 24.94900), (60.17450, 24.94560), (60.17480, 24.94260), (60.17490, 24.94090)]),
]


def metres(a, b):
    """Returns a distance on a plane, accurate enough for a few hundred metres."""
    return math.hypot((b[0] - a[0]) * 111_400, (b[1] - a[1]) * 111_320 * math.cos(math.radians(a[0])))


def along(places, far):
    """Returns the position after a distance in metres, to and fro along the path."""
    lengths = [metres(a, b) for a, b in zip(places, places[1:])]
    whole = sum(lengths)
    left = far % (2 * whole)
    left = 2 * whole - left if left > whole else left
    for (a, b), length in zip(zip(places, places[1:]), lengths):
        if left <= length:
            share = left / length
            return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
        left -= length
    return places[-1]


class Demo:
    def __init__(self, program, page, folder, extract):
        self.program, self.page, self.folder = program, page, folder
        self.password = secrets.token_urlsafe(12)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.data = os.path.join(folder, "data")
        named = os.path.join(folder, f"{CITY}.osm.pbf")
        shutil.copyfile(extract, named)
        subprocess.run([program, "import-region", named, "--data", self.data], check=True)

    def start(self, listen):
        self.process = subprocess.Popen(
            [self.program, "serve", "--listen", listen, "--data", self.data, "--page", self.page, "--log-level", "error"],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.base = token = None
        while not token:
            line = self.process.stderr.readline()
            if not line:
                raise SystemExit(f"the server ended with {self.process.wait()}")
            if found := re.match(r"listening on (\S+),", line):
                self.base = found.group(1)
            if found := re.search(r"#setup=(\S+)", line):
                token = found.group(1)
        # All further output of the server is passed on.
        threading.Thread(target=lambda: shutil.copyfileobj(self.process.stderr, sys.stderr), daemon=True).start()
        answer, head = self.ask("/api/v1/setup", {"token": token, "login": "demo", "password": self.password})
        session = {"Cookie": head["Set-Cookie"].split(";")[0], "X-CSRF-Token": answer["csrf_token"]}
        for zone in ZONES:
            places = [{"latitude": a, "longitude": b} for a, b in zone["outline"]["places"]]
            self.ask("/api/v1/zones", {**zone, "outline": {**zone["outline"], "places": places}}, session)
        made, _ = self.ask("/api/v1/tokens", {"name": "phones of the demonstration"}, session)
        self.token = made["token"]

    def ask(self, path, body, headers=None):
        request = urllib.request.Request(
            self.base + path, data=json.dumps(body).encode(), method="POST",
            headers={"Content-Type": "application/json", **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return json.load(response), response.headers
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{path}: {error.code} {error.read().decode()}") from None

    def report(self, name, place):
        """Reports positions in the same way as OwnTracks."""
        login = base64.b64encode(f"demo:{self.token}".encode()).decode()
        body = {"_type": "location", "lat": place[0], "lon": place[1], "tst": int(time.time()), "acc": 6, "batt": 81,
                "tid": name[:2]}
        self.ask(f"/pub?u=demo&d={name}", body, {"Authorization": f"Basic {login}"})

    def walk(self, stopped):
        begun = time.monotonic()
        while not stopped.is_set():
            for name, speed, places in PEOPLE:
                try:
                    self.report(name, along(places, speed * (time.monotonic() - begun)))
                except OSError as error:
                    # The server is stopping, or busy: the next one is two seconds away.
                    print(f"{name} was not heard: {error}", file=sys.stderr)
            stopped.wait(EVERY)

    def door(self, port):
        """Serves a page that signs every visitor in. This works because cookies are valid for all ports of a host."""
        demo = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path != "/":
                    self.send_error(404)
                    return
                _, head = demo.ask("/api/v1/login", {"login": "demo", "password": demo.password})
                self.send_response(303)
                self.send_header("Set-Cookie", head["Set-Cookie"])
                self.send_header("Location", f"{demo.base}/#/account?then=/map")
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="proximity")
    parser.add_argument("--page", default=".build-page")
    parser.add_argument("--folder", default=".build-demo/run", help="made anew at each start")
    parser.add_argument("--extract", default=".build-demo/city.osm.pbf")
    parser.add_argument("--listen", default="127.0.0.1:8080")
    parser.add_argument("--door", type=int, default=8081, help="the port that signs in; 0 takes any")
    parser.add_argument("--then", nargs=argparse.REMAINDER, help="a command that is run with the door's address, and ends it")
    arguments = parser.parse_args()
    demo = Demo(arguments.program, arguments.page, arguments.folder, arguments.extract)
    stopped = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stopped.set())
    demo.start(arguments.listen)
    status = 0
    try:
        walker = threading.Thread(target=demo.walk, args=(stopped,))
        walker.start()
        door = demo.door(arguments.door)
        print(f"Open {door}\nAnna comes near the central station within a minute. Ctrl-C ends it.", flush=True)
        if arguments.then:
            status = subprocess.run([*arguments.then, door]).returncode
            stopped.set()
        while not stopped.wait(1):
            if demo.process.poll() is not None:
                raise SystemExit(f"the server ended with {demo.process.returncode}")
        walker.join(PATIENCE)
    finally:
        stopped.set()
        demo.process.terminate()
        demo.process.wait(PATIENCE)
    raise SystemExit(status)


main()
