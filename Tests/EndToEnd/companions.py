"""Two people's phones: who comes near whom, through a server that is killed in between."""
import datetime
import json
import os
import time
import urllib.request

from rig import PATIENCE, PLACE, Person, Receiver, Server, finish
from sharing import DEGREE, another, change


def overland(person, metres, seconds=0):
    """Reports as Overland does, so many metres north."""
    at = datetime.datetime.fromtimestamp(int(time.time()) + seconds, datetime.timezone.utc)
    body = {"locations": [{
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": [PLACE[1], PLACE[0] + metres / DEGREE]},
        "properties": {
            "timestamp": at.isoformat().replace("+00:00", "Z"), "horizontal_accuracy": 8, "device_id": "bens"}}]}
    request = urllib.request.Request(
        person.base + "/overland", data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {person.token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        assert json.load(response)["result"] == "ok"


def command(program, *arguments):
    return finish(
        [program, *arguments], capture_output=True, text=True, check=True).stdout


def awaited(ask, wanted):
    """What is asked for, as soon as it is as wanted."""
    deadline = time.monotonic() + PATIENCE
    while True:
        found = ask()
        if wanted(found):
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


def a_person_comes_near_through_a_killed_server_and_refuses(program, folder):
    data = os.path.join(folder, "data")
    with Receiver() as receiver:
        with Server(program, folder) as server:
            anna = Person(server)
            ben = another(server, program, folder, "ben")
            anna.channel("webhook", receiver.configuration)
            anna.own_tracks(PLACE, seconds=-900)
            overland(ben, 9000, seconds=-890)
            phone = anna.get("/api/v1/devices")["items"][0]["id"]
            bens = ben.get("/api/v1/devices")["items"][0]["id"]
            share = ben.post("/api/v1/shares", {"device_id": bens, "login": "anna", "precision": "place"})
            change(anna, "PUT", f"/api/v1/shares/{share['id']}/accept")
            made = anna.post("/api/v1/companions", {
                "device_id": phone, "target_share_id": share["id"], "when": "within", "distance_m": 500})
            assert made["name"] == "ben" and made["state"] == "watching", made
            # Changed beside the running server, and back.
            for metres in ("700", "500"):
                command(program, "companion", "edit", made["id"], "--user", "anna", "--distance", metres, "--data", data)
                [changed] = anna.get("/api/v1/companions")["items"]
                assert changed["distance_m"] == int(metres), changed
            [about] = ben.get("/api/v1/companions-about")["items"]
            assert about["watcher_login"] == "anna" and about["distance_m"] == 500, about
            anna.own_tracks(PLACE, seconds=-2)
            # Stored, answered, and the server is gone before it may have looked.
            overland(ben, 200, seconds=-1)
            server.kill()
        with Server(program, folder) as server:
            anna.base = ben.base = server.base
            rung = receiver.next("companion_near")
            assert rung["zone"] == "ben" and abs(rung["distance_m"] - 200) < 20, rung
            [alarm] = anna.get("/api/v1/alarms")["items"]
            assert alarm["subject"] == "companion_near" and alarm["name"] == "ben", alarm
            assert ben.get("/api/v1/alarms")["items"] == []
            why = anna.get(f"/api/v1/companions/{made['id']}/explain?at={alarm['began_at']}")
            assert why["rings"] and why["sentence"].startswith("It rang because you and ben were"), why
            said = command(program, "companion", "explain", made["id"], "--user", "anna", "--at", alarm["began_at"],
                           "--data", data)
            assert said.startswith(why["sentence"]), (said, why)
            change(ben, "DELETE", f"/api/v1/companions/{made['id']}")
            assert receiver.next("companion_ended")["zone"] == "ben"
            [ended] = awaited(
                lambda: anna.get("/api/v1/companions")["items"], lambda found: found[0]["state"] == "refused")
            change(anna, "DELETE", f"/api/v1/companions/{ended['id']}")
            assert anna.get("/api/v1/companions")["items"] == []


STORIES = [a_person_comes_near_through_a_killed_server_and_refuses]
