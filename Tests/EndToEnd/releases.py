"""The database of each release opens with this program, and nothing in it is lost.

    Tests/EndToEnd/releases.py PROXIMITY FOLDER      makes the files of this version (Scripts/release-data)

Tests/Releases/VERSION has `proximity.sqlite.gz`, and `database.json`: what that version's API said of what is in it.
"""
import gzip
import json
import os
import pathlib
import shutil
import sqlite3
import sys
import tempfile
import urllib.parse

from rig import PLACE, Person, Receiver, Server, finish, until

RELEASES = pathlib.Path(__file__).resolve().parents[1] / "Releases"
HORN = b"OggS" + bytes(60)
# By kind, the members that a later version states in the same way, also of alarms that go on.
SAME = {
    "zones": ["id", "name", "size_m", "alert_distance_m", "trigger", "outline"],
    "devices": ["id", "name", "is_armed", "report_interval_s"],
    "alarms": ["id", "name", "zone_id", "device_id", "began_at"],
    "reminders": ["id", "title", "items", "places", "state"],
    "messages": ["id", "your_moniker", "to_moniker", "contact_number", "supplement"],
    "channels": ["id", "kind", "name"],
    "collections": ["id", "name"],
    "sounds": ["name"],
}


def contents(anna):
    """What the account has, by kind: the members that every version states in the same way."""
    found = {}
    for kind, members in SAME.items():
        items = anna.get(f"/api/v1/{kind}")["items"]
        found[kind] = sorted(
            ({name: item[name] for name in members if name in item} for item in items), key=json.dumps)
    found["settings"] = anna.get("/api/v1/settings")
    device = found["devices"][0]["id"]
    always = urllib.parse.urlencode({"from": "2026-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z", "limit": 1000})
    fixes = anna.get(f"/api/v1/devices/{device}/fixes?{always}")["items"]
    found["fixes"] = [[fix["measured_at"], fix["latitude"], fix["longitude"], fix["accuracy_m"]] for fix in fixes]
    return found


def at(metres):
    """A place so far east of the zone's middle."""
    return (PLACE[0], PLACE[1] + metres / 77_300)


def make(program, out):
    """A server's life in a few positions: an alarm that rang, was answered and ended, and one that was acknowledged inside."""
    with tempfile.TemporaryDirectory(prefix="proximity-") as folder:
        with Receiver() as hook, Server(program, folder) as server:
            anna = Person(server)
            anna.channel("webhook", hook.configuration)
            anna.zone("Cliff", alert_distance_m=20)
            anna.zone("Quarry", at(2000))
            anna.post("/api/v1/messages", {"supplement": "I am at the quarry", "to_moniker": "Ben",
                                           "your_moniker": "Anna", "contact_number": "+4412345"})
            anna.post("/api/v1/collections", {"name": "Cliffs", "is_public": False})
            anna.post("/api/v1/reminders", {"title": "Bread", "items": [{"text": "Rye", "done": False}], "places": [
                {"name": "Bakery", "latitude": PLACE[0], "longitude": PLACE[1] + 1}]})
            anna.put_bytes("/api/v1/sounds/horn", HORN, "audio/ogg")
            anna.set(bypass_to_map=True, time_zone="Europe/Ljubljana")
            for step, metres in enumerate([-900, -450, -60, 0, 700, 1400, 1950]):
                anna.own_tracks(at(metres), seconds=60 * step - 600)
            alarms = until("two alarms", lambda: len(anna.get("/api/v1/alarms")["items"]) >= 2
                           and anna.get("/api/v1/alarms")["items"])
            for alarm in alarms:
                if alarm["state"] == "ringing":
                    anna.post(f"/api/v1/alarms/{alarm['id']}/acknowledge")
            found = contents(anna)
        finish([program, "backup", os.path.join(folder, "copy.sqlite"), "--data", os.path.join(folder, "data")], check=True)
        copy = os.path.join(folder, "copy.sqlite")
        # A signed-in browser's agent and address say nothing; free pages would only take room.
        with sqlite3.connect(copy) as database:
            database.execute("VACUUM")
        database.close()
        with open(copy, "rb") as file, open(os.path.join(out, "proximity.sqlite.gz"), "wb") as packed:
            packed.write(gzip.compress(file.read(), mtime=0))
        with open(os.path.join(out, "database.json"), "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1, ensure_ascii=False, sort_keys=True)
            file.write("\n")


def the_database_of_each_release_opens_with_all_that_is_in_it(program, folder):
    releases = sorted(path.parent for path in RELEASES.glob("*/proximity.sqlite.gz"))
    assert [path.name for path in releases][:1] == ["0.2.0"], releases
    for release in releases:
        place = os.path.join(folder, release.name)
        os.makedirs(os.path.join(place, "data"))
        path = os.path.join(place, "data", "proximity.sqlite")
        with gzip.open(release / "proximity.sqlite.gz") as packed, open(path, "wb") as file:
            shutil.copyfileobj(packed, file)
        expected = json.loads((release / "database.json").read_text())
        with Server(program, place, "--retention-days", "all") as server:
            anna = Person(server, is_known=True)
            found = contents(anna)
            for kind, items in expected.items():
                assert found[kind] == items, (release.name, kind, found[kind], items)
            assert anna.get("/api/v1/sounds/horn") == HORN
            assert len(expected["zones"]) == 2 and len(expected["fixes"]) == 7, expected
            # The phone goes on: out of the quarry, and to the cliff, which rings again. Its old alarms have ended.
            for step, metres in enumerate([1400, 1400, 700, 0]):
                anna.own_tracks(at(metres), seconds=15 * step - 45)
            until("the cliff rings", lambda: any(
                alarm["state"] == "ringing" and alarm["name"] == "Cliff" for alarm in anna.get("/api/v1/alarms")["items"]))
        with sqlite3.connect(path) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        database.close()


STORIES = [the_database_of_each_release_opens_with_all_that_is_in_it]

if __name__ == "__main__":
    make(*sys.argv[1:3])
