"""The demonstration: streets, somebody signed in by a link, phones that move, an alarm that rings; and its end."""
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request

from rig import PATIENCE
from street_map import EXTRACT, write

SCRIPT = os.path.join("Scripts", "demo", "run.py")


class KeepsAddress(urllib.request.HTTPRedirectHandler):
    """The door leads to a page; here it is enough where."""

    def redirect_request(self, *_):
        return None


def phones_move_and_ring_for_whoever_opens_the_door(program, folder):
    extract = os.path.join(folder, "city.osm.pbf")
    subprocess.run(["osmium", "cat", write(folder, "city.osm", EXTRACT), "--output", extract], check=True)
    demo = subprocess.Popen(
        [sys.executable, SCRIPT, program, "--folder", os.path.join(folder, "demo"), "--extract", extract,
         "--listen", "127.0.0.1:0", "--door", "0", "--page", folder],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        door = None
        while door is None:
            line = demo.stdout.readline()
            assert line, demo.stderr.read()
            if found := re.match(r"Open (\S+)", line):
                door = found.group(1)
        try:
            urllib.request.build_opener(KeepsAddress).open(door, timeout=PATIENCE)
            raise AssertionError("the door leads nowhere")
        except urllib.error.HTTPError as answer:
            assert answer.code == 303, answer.code
            where, cookie = answer.headers["Location"], answer.headers["Set-Cookie"].split(";")[0]
        base, then = where.split("/#")
        assert then == "/account?then=/map", then

        def get(path):
            request = urllib.request.Request(base + path, headers={"Cookie": cookie})
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return json.load(response)

        assert get("/api/v1/session")["account"]["login"] == "demo"
        assert len(get("/api/v1/zones")["items"]) == 4
        assert get("/streets/map.json")["regions"]
        events = urllib.request.Request(base + "/api/v1/events", headers={"Cookie": cookie})
        with urllib.request.urlopen(events, timeout=PATIENCE) as stream:
            # A comment comes every few seconds, so it is the end of all patience that is awaited here.
            deadline = time.monotonic() + 2 * PATIENCE
            while not stream.readline().startswith(b"event: alarm"):
                assert time.monotonic() < deadline, "no alarm"
        alarm = get("/api/v1/alarms")["items"][0]
        assert alarm["name"] in {"Central station", "Senate square", "Tracks without a fence"}, alarm
        phones = {each["name"]: each["last_fix"] for each in get("/api/v1/devices")["items"]}
        assert sorted(phones) == ["Anna", "Ben", "Chen"], phones
        for name, begins in {"Anna": 24.94640, "Ben": 24.94250, "Chen": 24.94900}.items():
            assert abs(phones[name]["longitude"] - begins) > 1e-5, f"{name} stands still"
    finally:
        demo.send_signal(signal.SIGINT)
        _, said = demo.communicate(timeout=PATIENCE)
    assert demo.returncode == 0, said


STORIES = [phones_move_and_ring_for_whoever_opens_the_door]
