"""A walk past two zones, with the server killed while it rings and the zones edited on the way."""
import time

from rig import PLACE, Person, Receiver, Server

# Between two positions; fast enough for the distances below.
STEP = 5


def north(metres):
    return (PLACE[0] + metres / 111_195, PLACE[1])


class Walk:
    """Positions as a phone sends them: when they are measured. A server takes others for those of a clock that is wrong."""

    def __init__(self, person):
        self.person = person
        self.at = int(time.time()) - STEP

    def to(self, metres):
        self.at += STEP
        while time.time() < self.at:
            time.sleep(0.1)
        self.person.own_tracks(north(metres), seconds=self.at - int(time.time()))


def edit(person, zone, **changes):
    content, head = person._exchange("GET", f"/api/v1/zones/{zone['id']}")
    kept = {key: value for key, value in content.items() if key not in ("id", "revision", "saved_at", "refused")}
    person.put(f"/api/v1/zones/{zone['id']}", {**kept, **changes}, head["ETag"])


def a_walk_with_a_kill_and_an_edit_rings_once_for_each_visit(program, folder):
    with Receiver() as hook:
        with Server(program, folder) as server:
            anna = Person(server)
            anna.channel("webhook", hook.configuration)
            bakery = anna.zone("Bakery")
            quarry = anna.zone("Quarry", north(1000))
            walk = Walk(anna)
            walk.to(-160)
            walk.to(-20)
            first = hook.next("ring")
            assert first["zone"] == "Bakery", first
            server.kill()
        with Server(program, folder) as server:
            anna.base = server.base
            path = f"/api/v1/alarms/{first['alarm']}"
            assert anna.get(path)["state"] == "ringing"
            anna.post(f"{path}/acknowledge")
            assert hook.next("withdrawn")["alarm"] == first["alarm"]
            # Renamed while she is in it; the other one is moved nearer.
            edit(anna, bakery, name="Bakery by the bridge")
            edit(anna, quarry, name="Old quarry", outline={
                "kind": "locations", "places": [{"latitude": north(320)[0], "longitude": PLACE[1]}]})
            for metres in [160, 310, 160, 0]:
                walk.to(metres)
            # Delivered at least once: what was under way at the kill may come again, with the same alarm and number.
            told = {(first["alarm"], first["sequence"])}
            rung = []
            while len(rung) < 2:
                ring = hook.next("ring")
                key = (ring["alarm"], ring["sequence"])
                if key not in told:
                    rung.append(ring)
                told.add(key)
            assert [ring["zone"] for ring in rung] == ["Old quarry", "Bakery by the bridge"], rung
            assert len({first["alarm"], *(ring["alarm"] for ring in rung)}) == 3, rung
            assert len(anna.get("/api/v1/alarms")["items"]) == 3


STORIES = [a_walk_with_a_kill_and_an_edit_rings_once_for_each_visit]
