"""Years from elsewhere become history beside a running server: nothing rings, nothing is there twice."""
import json
import os
import signal
import subprocess
import time
import urllib.parse

from rig import PATIENCE, PLACE, Person, Receiver, Server, finish

# At the equator's scale a degree of latitude; good enough for walks.
DEGREE = 111_195


def command(program, folder, *arguments):
    return [program, *arguments, "--data", os.path.join(folder, "data"), "--user", "anna"]


def run(program, folder, *arguments):
    """Answers with the exit status, what was printed and what was complained of."""
    ended = finish(
        command(program, folder, *arguments), capture_output=True, text=True, seconds=10 * PATIENCE)
    return ended.returncode, ended.stdout, ended.stderr


def records(path, count, until, step):
    """Takeout's Records.json: to and fro through a zone, the last position at a time."""
    with open(path, "w", encoding="utf-8") as file:
        file.write('{\n  "locations": [')
        for index in range(count):
            # Two hours inside, two hours on the way and back.
            phase = index * step % 14_400
            metres = 0 if phase < 7200 else min(phase - 7200, 14_400 - phase)
            item = {"latitudeE7": round((PLACE[0] + metres / DEGREE) * 1e7), "longitudeE7": round(PLACE[1] * 1e7),
                    "accuracy": 12, "source": "WIFI", "timestampMs": str((until - (count - 1 - index) * step) * 1000)}
            file.write(("," if index else "") + json.dumps(item, indent=4))
        file.write("]\n}\n")


def imports(anna, device):
    return anna.get(f"/api/v1/devices/{device}/imports")["items"]


def a_past_is_imported_while_the_server_runs_and_rings_nothing(program, folder):
    now = int(time.time())
    with Receiver() as hook, Server(program, folder) as server:
        anna = Person(server)
        anna.channel("webhook", hook.configuration)
        anna.zone("Cliff")
        # The phone was far away an hour ago, between two positions of the file.
        far = now - 3630 - int(time.time())
        assert anna.own_tracks((PLACE[0] + 0.2, PLACE[1]), seconds=far) is not None
        device = anna.get("/api/v1/devices")["items"][0]
        path = os.path.join(folder, "Records.json")
        # Up to a minute ago, and so into the time that the phone's alarms still judge.
        records(path, 5000, now - 60, 60)
        code, printed, said = run(program, folder, "import", path, "--device", device["name"])
        assert code == 0 and "5000 positions read, 5000 new" in printed, (code, printed, said)
        code, printed, said = run(program, folder, "import", path, path, "--device", device["id"], "--json")
        lines = [json.loads(line) for line in printed.splitlines()]
        assert code == 0 and [(line["fixes_read"], line["fixes_added"]) for line in lines] == [(5000, 0)] * 2, printed
        # What a phone keeps for itself overlaps, by other numbers after the point.
        recording = os.path.join(folder, "2026-11.rec")
        with open(recording, "w", encoding="utf-8") as file:
            for index, second in enumerate([now - 120, now - 90, now - 60]):
                message = {"_type": "location", "lat": PLACE[0], "lon": PLACE[1], "tst": second, "acc": 9 + index}
                file.write(f"2026-11-25T10:00:00Z\t*                 \t{json.dumps(message)}\n")
            file.write("2026-11-25T10:00:00Z\t*                 \t{broken\n")
        code, printed, said = run(program, folder, "import", recording, "--device", device["name"])
        assert code == 1 and "3 positions read, 1 new" in printed and "not JSON" in said, (code, printed, said)
        after = anna.get("/api/v1/devices")["items"][0]
        assert after == device, (device, after)
        assert anna.get("/api/v1/alarms")["items"] == []
        # The next thing that rings is what happens now.
        anna.own_tracks()
        assert hook.next("ring")["zone"] == "Cliff" and not hook.kept, hook.kept
        assert len(anna.get("/api/v1/alarms")["items"]) == 1


def an_import_that_is_stopped_or_killed_goes_on(program, folder):
    now = int(time.time())
    count = 120_000
    with Server(program, folder) as server:
        anna = Person(server)
        path = os.path.join(folder, "Records.json")
        records(path, count, now - 86_400, 30)
        arguments = command(program, folder, "import", path, "--device", "Old phone", "--create")
        for stop, status in [(signal.SIGINT, 130), (signal.SIGKILL, -9)]:
            process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            known = sum(item["fixes_added"] for item in added(anna))
            while process.poll() is None and sum(item["fixes_added"] for item in added(anna)) == known:
                pass
            process.send_signal(stop)
            printed, said = process.communicate(timeout=PATIENCE)
            assert process.returncode == status, (process.returncode, printed, said)
            # The server took reports all the while.
            assert anna.own_tracks(device="other") is not None
        parts = [item["fixes_added"] for item in added(anna)]
        assert len(parts) == 2 and all(0 < part < count for part in parts), parts
        code, printed, said = run(program, folder, "import", path, "--device", "Old phone")
        assert code == 0 and f"{count} positions read, {count - sum(parts)} new" in printed, (code, printed, said)
        assert sum(item["fixes_added"] for item in added(anna)) == count


def added(anna):
    devices = [item["id"] for item in anna.get("/api/v1/devices")["items"] if item["name"] == "Old phone"]
    return imports(anna, devices[0]) if devices else []


def days_are_the_same_by_command_and_by_address(program, folder):
    now = int(time.time())
    with Server(program, folder) as server:
        anna = Person(server)
        anna.set(time_zone="Europe/Berlin")
        anna.zone("Cliff")
        path = os.path.join(folder, "Records.json")
        records(path, 2000, now - 3600, 60)
        code, printed, said = run(program, folder, "import", path, "--device", "phone", "--create")
        assert code == 0, (code, printed, said)
        device = anna.get("/api/v1/devices")["items"][0]["id"]
        today = time.strftime("%Y-%m-%d", time.gmtime(now - 43_200))
        query = urllib.parse.urlencode({"to": today})
        table = anna.get(f"/api/v1/devices/{device}/days.csv?{query}").decode()
        code, printed, said = run(program, folder, "days", "--device", "phone", "--to", today, "--csv")
        assert code == 0 and printed.replace("\r\n", "\n").strip() == table.replace("\r\n", "\n").strip(), (printed, table)
        kinds = {line.split(",")[1] for line in table.splitlines()[1:]}
        assert {"stay", "trip", "zone"} <= kinds, table
        code, printed, said = run(program, folder, "days", "--device", "phone", "--to", today)
        assert code == 0 and "Cliff" in printed, printed
        code, printed, said = run(program, folder, "days", "--device", "fone")
        assert code == 2 and "the account has phone" in said, (code, said)


STORIES = [
    a_past_is_imported_while_the_server_runs_and_rings_nothing,
    an_import_that_is_stopped_or_killed_goes_on,
    days_are_the_same_by_command_and_by_address,
]
