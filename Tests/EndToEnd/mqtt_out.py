"""Alarms, presence and Home Assistant's discovery on a real broker, Mosquitto: kills on both sides."""
import contextlib
import json
import pathlib
import queue
import re
import threading
import urllib.request

import cluster
import jinja2
import jsonschema
from mqtt import Broker, connected, needs_the_broker
from rig import PATIENCE, PLACE, Person, Server, until

SCHEMA = json.loads((pathlib.Path(__file__).parent.parent / "Peers" / "home_assistant_mqtt.json").read_text())
# As Home Assistant reads a topic of discovery.
DISCOVERY = re.compile(r"homeassistant/(\w+)/([a-zA-Z0-9_-]+)/([a-zA-Z0-9_-]+)/config")
AWAY = (PLACE[0] + 0.005, PLACE[1])


class Ears:
    """Somebody who is subscribed: what came, and what stands retained now."""

    def __init__(self, broker, topic):
        self.process = broker.listen(topic)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.events, self.last = [], {}

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def hear(self):
        """Takes what has come; answers with the events of alarms so far."""
        while not self.lines.empty():
            topic, _, text = self.lines.get().rstrip("\n").partition(" ")
            self.last[topic] = text
            if topic.endswith("/alarm"):
                self.events.append(json.loads(text))
        return self.events

    def of(self, alarm, kind=None):
        return [event for event in self.hear() if event["alarm"] == alarm and kind in (None, event["event_type"])]

    def state(self, topic):
        self.hear()
        return json.loads(self.last[topic]) if self.last.get(topic) else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)


def retained(broker):
    """What stands on the broker: payloads by topics."""
    # It ends with the first message that is not retained, and retained ones come before any other.
    ears = broker.listen("#", "--retained-only")
    until("the subscription holds", lambda: broker.publish("end", "now", user="server") or ears.poll() is not None)
    lines = ears.communicate(timeout=PATIENCE)[0].splitlines()
    return dict(line.split(" ", 1) for line in lines)


@needs_the_broker
def alarms_are_published_at_least_once_under_one_key_whoever_is_killed(program, folder):
    with Broker(folder) as broker, contextlib.ExitStack() as leftovers:
        # The ears would lose what they have not read with the broker: they are made anew with it, and what they heard stays.
        more, heard, alarms = ["--mqtt", broker.address()], [], []
        server = Server(program, folder, *more)
        leftovers.callback(lambda: server.kill())
        anna = Person(server)
        anna.zone("Bakery")
        # No repeats: each alarm rings once.
        anna.set(alarm_cycle_s=3600)
        anna.channel("mqtt", {})
        ears = Ears(broker, "proximity/#")
        leftovers.callback(lambda: ears.__exit__())
        connected(anna)
        for killed in ["nobody", "server", "broker", "both"]:
            if killed in ("broker", "both"):
                heard += ears.hear()
                ears.__exit__()
                broker.stop()
                until("the server knows", lambda: anna.get("/api/v1/mqtt")["state"] == "away")
            # Each time another phone comes in.
            anna.own_tracks(PLACE, device=f"phone-{killed}")
            alarm = until("an alarm rings", lambda: [
                one["id"] for one in anna.get("/api/v1/alarms")["items"] if one["id"] not in alarms])[0]
            alarms.append(alarm)
            if killed in ("server", "both"):
                server.kill()
            if killed in ("broker", "both"):
                broker.start()
                ears = Ears(broker, "proximity/#")
                until("the ears hear", lambda: broker.publish("proximity/ears", "now", user="server")
                      or ears.hear() is not None and "proximity/ears" in ears.last)
            if killed in ("server", "both"):
                server = Server(program, folder, *more)
                anna.base = server.base
            until(f"{alarm} is published after {killed} died", lambda: [
                event for event in heard + ears.hear() if event["alarm"] == alarm and event["event_type"] == "ring"])
            keys = {event["key"] for event in heard + ears.hear()
                    if event["alarm"] == alarm and event["event_type"] == "ring"}
            assert len(keys) == 1, keys
            anna.post(f"/api/v1/alarms/{alarm}/close")
            until(f"{alarm} is told to be closed", lambda: ears.of(alarm, "closed"))
        rings = [event for event in heard + ears.hear() if event["event_type"] == "ring"]
        assert {event["alarm"] for event in rings} == set(alarms) and len(set(alarms)) == 4
        # Whoever answers alarms does it here: what is on the broker neither answers nor says where.
        assert not any(name in event for event in heard + ears.hear() for name in ("links", "latitude", "distance_m"))


@needs_the_broker
def retained_states_are_right_after_kills_and_gone_with_what_they_stand_for(program, folder):
    with Broker(folder) as broker, contextlib.ExitStack() as leftovers:
        more = ["--mqtt", broker.address()]
        server = Server(program, folder, *more)
        leftovers.callback(lambda: server.kill())
        anna = Person(server)
        bakery, office = anna.zone("Bakery"), anna.zone("Office", place=AWAY)
        anna.own_tracks(PLACE, seconds=-600)
        device = anna.get("/api/v1/devices")["items"][0]["id"]
        base = f"proximity/anna/{device}"
        connected(anna)
        # Off until somebody asks for it.
        until("the status alone is published", lambda: set(retained(broker)) == {"proximity/status"})
        channel = anna.channel("mqtt", {"shares_position": True})

        def presence():
            there = retained(broker)
            zones = {zone: json.loads(there[topic])["state"] for zone, name in
                     ((bakery["id"], "Bakery"), (office["id"], "Office")) if (topic := f"{base}/zone/{zone}") in there}
            state = json.loads(there[f"{base}/state"]) if f"{base}/state" in there else {}
            return zones, state.get("in_zones"), state.get("latitude")

        until("states are published", lambda: presence() == (
            {bakery["id"]: "inside", office["id"]: "outside"}, ["Bakery"], PLACE[0]))
        announced = discovered(retained(broker))
        assert announced == {"device_tracker": 1, "binary_sensor": 2, "event": 1}, announced

        # The server is killed, the broker forgets all, and the phone has moved meanwhile.
        anna.own_tracks(AWAY, seconds=-300)
        server.kill()
        until("the broker says that the server is gone", lambda: retained(broker)["proximity/status"] == "offline")
        broker.stop()
        pathlib.Path(broker.folder, "mosquitto.db").unlink()
        broker.start()
        server = Server(program, folder, *more)
        anna.base = server.base
        until("states are right again", lambda: presence() == (
            {bakery["id"]: "outside", office["id"]: "inside"}, ["Office"], AWAY[0]))
        until("the status is online", lambda: retained(broker)["proximity/status"] == "online")

        # What was deleted while the server was away is removed, and what is not ours stays.
        broker.publish("homeassistant/sensor/proximity_other/x/config", '{"availability_topic":"other/status"}',
                       user="server", retain=True)
        broker.publish(f"homeassistant/binary_sensor/proximity_{'0' * 16}/zone_1/config",
                       '{"availability_topic":"proximity/status"}', user="server", retain=True)
        broker.publish(f"proximity/anna/{'0' * 16}/state", "{}", user="server", retain=True)
        server.kill()
        server = Server(program, folder, *more)
        anna.base = server.base
        until("only what there is stands there", lambda: discovered(there := retained(broker)) == announced
              and f"proximity/anna/{'0' * 16}/state" not in there)
        assert "homeassistant/sensor/proximity_other/x/config" in retained(broker)

        # A zone that goes, a phone's name, and what is shared.
        anna._exchange("DELETE", f"/api/v1/zones/{office['id']}")
        until("the zone is gone", lambda: presence()[0] == {bakery["id"]: "outside"}
              and discovered(retained(broker)) == {"device_tracker": 1, "binary_sensor": 1, "event": 1})
        _, head = anna._exchange("GET", f"/api/v1/channels/{channel['id']}")
        anna.put(f"/api/v1/channels/{channel['id']}", {"name": "MQTT", "configuration": {"discovery": False}},
                 head["ETag"])
        until("positions and discovery are gone", lambda: presence()[2] is None
              and not discovered(retained(broker)))
        until("both that are left are counted", lambda: "proximity_mqtt_retained 2" in figures(server))
        assert "proximity_mqtt_states_total" in figures(server)
        anna._exchange("DELETE", f"/api/v1/devices/{device}")
        until("the phone is gone", lambda: set(retained(broker)) == {
            "proximity/status", "homeassistant/sensor/proximity_other/x/config"})


@needs_the_broker
def of_two_processes_one_publishes_and_the_other_takes_it_over(program, folder):
    with cluster.database() as url:
        if url is None:
            return
        with Broker(folder) as broker, contextlib.ExitStack() as leftovers:
            more = ["--database", url, "--mqtt", broker.address()]
            first = Server(program, folder, *more, "--process-name", "first")
            leftovers.callback(lambda: first.kill())
            anna = Person(first)
            bakery = anna.zone("Bakery")
            anna.set(alarm_cycle_s=3600)
            channel = anna.channel("mqtt", {})
            connected(anna)
            second = leftovers.enter_context(Server(program, folder, *more, "--process-name", "second"))
            anna.base = second.base
            until("the other stands by", lambda: anna.get("/api/v1/mqtt")["state"] == "standby")
            ears = leftovers.enter_context(Ears(broker, "proximity/#"))

            def rings(name, seen):
                """Somebody comes in, as the second process is told."""
                anna.own_tracks(PLACE, device=name)
                return until("an alarm rings", lambda: [
                    one["id"] for one in anna.get("/api/v1/alarms")["items"] if one["id"] not in seen])[0]

            early = rings("one", [])
            until("the first publishes what the second decided", lambda: ears.of(early, "ring"))
            # It says who could do it, in place of trying.
            assert "process" in anna.post(f"/api/v1/channels/{channel['id']}/test")["detail"]

            first.kill()
            # While nobody has the connection: one that rings still, and one that is slept before anybody was told.
            late = rings("two", [early])
            slept = rings("three", [early, late])
            anna.post(f"/api/v1/alarms/{slept}/sleep", {"minutes": 5})
            anna.post(f"/api/v1/alarms/{early}/close")
            until("the second has the connection", lambda: anna.get("/api/v1/mqtt")["state"] == "connected")
            until("the alarm is published", lambda: ears.of(late, "ring"))
            until("the answers are", lambda: ears.of(early, "closed") and ears.of(slept, "slept"))
            until("the status stands again", lambda: retained(broker)["proximity/status"] == "online")
            until("so do the states", lambda: sum(
                topic.endswith(f"/zone/{bakery['id']}") for topic in retained(broker)) == 3)
            assert anna.post(f"/api/v1/channels/{channel['id']}/test")["outcome"] == "delivered"
            # Each event has one key, in the order in which they happened.
            for alarm, kinds in ((early, ["ring", "closed"]), (late, ["ring"]), (slept, ["slept"])):
                told = {event["key"]: event["event_type"] for event in ears.of(alarm)}
                assert list(told.values()) == kinds or list(told.values()) == ["ring", *kinds], told


def figures(server):
    return urllib.request.urlopen(f"{server.base}/metrics", timeout=PATIENCE).read().decode()


def discovered(there):
    """How many of each component are announced by this server, after each was held against Home Assistant's schema."""
    counts = {}
    environment = jinja2.Environment()
    for topic, text in there.items():
        found = DISCOVERY.fullmatch(topic)
        if not found or json.loads(text).get("availability_topic") != "proximity/status":
            continue
        component, config = found.group(1), json.loads(text)
        if found.group(2) == f"proximity_{'0' * 16}":
            # What a story has left there.
            counts["left over"] = counts.get("left over", 0) + 1
            continue
        jsonschema.validate(config, {**SCHEMA, "$ref": f"#/$defs/{component}"})
        assert there[config["availability_topic"]] in ("online", "offline")
        if component == "binary_sensor":
            state = json.loads(there[config["state_topic"]])
            template = environment.from_string(config["value_template"])
            read = {word: template.render(value_json={**state, "state": word})
                    for word in ("inside", "outside", "unknown")}
            assert read == {"inside": config["payload_on"], "outside": config["payload_off"], "unknown": "None"}, read
        if component == "device_tracker":
            attributes = json.loads(there[config["json_attributes_topic"]])
            assert all(isinstance(name, str) for name in attributes["in_zones"])
            if "latitude" in attributes:
                assert isinstance(attributes["longitude"], float) and isinstance(attributes["gps_accuracy"], (int, float))
        counts[component] = counts.get(component, 0) + 1
    return counts


STORIES = [
    alarms_are_published_at_least_once_under_one_key_whoever_is_killed,
    retained_states_are_right_after_kills_and_gone_with_what_they_stand_for,
    of_two_processes_one_publishes_and_the_other_takes_it_over,
]
