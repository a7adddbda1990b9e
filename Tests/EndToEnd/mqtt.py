"""OwnTracks phones on a real broker, Mosquitto: kills on both sides, what is malformed, and two server processes."""
import json
import os
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

import cluster
from rig import PATIENCE, PLACE, Person, Server, certificate, finish, lasting_port, needs_tls, refused, until

BROKER = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")


def needs_the_broker(story):
    """Left out where Mosquitto is not installed; with CI set that is a failure."""
    def run(program, folder):
        if BROKER is None or shutil.which("mosquitto_pub") is None:
            assert not os.environ.get("CI"), "Mosquitto is not installed"
            print("left out: Mosquitto is not installed")
            return
        story(program, folder)
    run.__name__ = story.__name__
    return run


class Broker:
    """Mosquitto with users and passwords, which keeps what it has to send in a file."""

    def __init__(self, folder, tls=False):
        self.folder = os.path.join(folder, "broker")
        # It lets go of root's rights, where it has them.
        os.makedirs(self.folder)
        os.chmod(folder, 0o755)
        self.port = lasting_port()
        self.tls = folder if tls else None
        lines = [f"listener {self.port} 127.0.0.1", "allow_anonymous false", f"password_file {self.folder}/passwords",
                 f"acl_file {self.folder}/rights", "persistence true", f"persistence_location {self.folder}/",
                 "autosave_interval 1", "autosave_on_changes true", "max_queued_messages 100000", "log_type error",
                 f"user {os.environ.get('USER') or 'root'}"]
        if tls:
            lines += [f"certfile {folder}/cert.pem", f"keyfile {folder}/key.pem"]
        self._write("settings", "\n".join(lines) + "\n")
        self._write("rights", "user server\ntopic readwrite #\nuser anna\ntopic readwrite owntracks/anna/#\n"
                    "user eve\ntopic readwrite owntracks/eve/#\n")
        for user in ["server", "anna", "eve"]:
            finish(["mosquitto_passwd", "-b", *([] if user != "server" else ["-c"]), f"{self.folder}/passwords",
                            user, f"{user}-secret"], check=True, capture_output=True)
        self.process = None
        self.start()

    def _write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def start(self):
        self.process = subprocess.Popen([BROKER, "-c", f"{self.folder}/settings"], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert time.monotonic() < deadline and self.process.poll() is None, "the broker does not start"
                time.sleep(0.05)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)

    def address(self, user="server", password=None):
        scheme = "mqtts" if self.tls else "mqtt"
        return f"{scheme}://{user}:{password or user + '-secret'}@127.0.0.1:{self.port}"

    def _client(self, name, user):
        trust = ["--cafile", f"{self.tls}/cert.pem"] if self.tls else []
        return [name, "-h", "127.0.0.1", "-p", str(self.port), "-u", user, "-P", f"{user}-secret", "-q", "1", *trust]

    def publish(self, topic, *messages, user="anna", retain=False):
        lines = "".join((m if isinstance(m, str) else json.dumps(m)) + "\n" for m in messages)
        finish([*self._client("mosquitto_pub", user), "-t", topic, "-l", *(["-r"] if retain else [])],
                       input=lines, text=True, check=True)

    def publish_file(self, topic, path, user="anna"):
        finish([*self._client("mosquitto_pub", user), "-t", topic, "-f", path], check=True)

    def listen(self, topic, *options, user="server"):
        """What comes under the topic, a line each: `TOPIC MESSAGE`."""
        return subprocess.Popen([*self._client("mosquitto_sub", user), "-t", topic, "-v", *options],
                                stdout=subprocess.PIPE, text=True, errors="replace")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def location(number, start, accuracy=12):
    """Positions of a phone that walks, a second apart."""
    return {"_type": "location", "lat": PLACE[0] + 0.02 + number * 1e-5, "lon": PLACE[1], "tst": start + number,
            "acc": accuracy, "tid": "AN"}


def fixes(person, device, start):
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(start - 10))
    return person.get(f"/api/v1/devices/{device}/fixes?limit=10000&from={since}")["items"]


def connected(person):
    until("the server connects to the broker", lambda: person.get("/api/v1/mqtt")["state"] == "connected")


def is_ready(server):
    try:
        with urllib.request.urlopen(f"{server.base}/readyz", timeout=PATIENCE) as answer:
            return answer.status == 200
    except urllib.error.HTTPError as refusal:
        # A busy machine's disk may take longer than the check of it waits; nothing else is an excuse.
        said = json.load(refusal)
        assert refusal.status == 503 and said["detail"] == "the store does not answer", said
        return False


def all_there(person, device, start, count):
    until(f"{count} positions arrive", lambda: len(fixes(person, device, start)) >= count)
    found = fixes(person, device, start)
    assert len(found) == count, f"{len(found)} positions, {count} were published"
    assert len({fix["measured_at"] for fix in found}) == count


@needs_tls
@needs_the_broker
def a_phone_on_a_broker_with_TLS_rings_and_is_sent_its_fences(program, folder):
    certificate(folder)
    with Broker(folder, tls=True) as broker:
        secret = os.path.join(folder, "secret")
        with open(secret, "w") as file:
            file.write("server-secret\n")
        address = f"mqtts://server@127.0.0.1:{broker.port}"
        more = ["--mqtt", address, "--mqtt-password-file", secret, "--trust-roots", f"{folder}/cert.pem"]
        with Server(program, folder, *more) as server:
            anna = Person(server)
            anna.zone("Bakery")
            anna.post("/api/v1/devices", {"name": "phone"})
            connected(anna)
            commands = broker.listen("owntracks/anna/phone/cmd", user="anna")
            now = int(time.time())
            broker.publish("owntracks/anna/phone", {**location(0, now - 5), "lat": PLACE[0]})
            alarm = until("the bakery rings", lambda: anna.get("/api/v1/alarms")["items"])[0]
            assert alarm["zone_name"] == "Bakery" if "zone_name" in alarm else "Bakery" in json.dumps(alarm)
            topic, command = commands.stdout.readline().split(" ", 1)
            commands.terminate()
            assert topic == "owntracks/anna/phone/cmd"
            assert json.loads(command)["action"] == "setWaypoints" and "Bakery" in command
        # A certificate that nobody vouches for: the server runs, and says why there is no connection.
        with Server(program, os.path.join(folder, "other"), "--mqtt", address, "--mqtt-password-file", secret) as server:
            person = Person(server)
            state = until("it says why", lambda: (s := person.get("/api/v1/mqtt"))["state"] == "away" and s)
            assert "secure" in state["reason"], state


@needs_the_broker
def nothing_is_lost_when_the_server_or_the_broker_is_killed(program, folder):
    with Broker(folder) as broker:
        start, count = int(time.time()) - 2000, 0
        more = ["--mqtt", broker.address()]
        server = Server(program, folder, *more)
        anna = Person(server)
        device = anna.post("/api/v1/devices", {"name": "phone"})["id"]
        connected(anna)
        for round in range(4):
            # Some arrive before the kill, some are under way, and some come while nobody is there.
            burst = [location(number, start) for number in range(count, count + 120)]
            publisher = threading.Thread(target=broker.publish, args=("owntracks/anna/phone", *burst))
            publisher.start()
            until("the first arrive", lambda: len(fixes(anna, device, start)) > count)
            server.kill()
            publisher.join()
            count += len(burst)
            if round == 2:
                # The broker keeps the session in its file.
                broker.stop()
                broker.start()
            server = Server(program, folder, *more)
            anna.base = server.base
            all_there(anna, device, start, count)
        # The broker dies under a server that runs: the server is well, says so, and comes back by itself.
        broker.stop()
        until("it says that the broker is away", lambda: anna.get("/api/v1/mqtt")["state"] == "away")
        until("the server is ready", lambda: is_ready(server))
        broker.start()
        connected(anna)
        broker.publish("owntracks/anna/phone", location(count, start))
        all_there(anna, device, start, count + 1)
        server.kill()


@needs_the_broker
def malformed_oversize_and_foreign_messages_hurt_nobody(program, folder):
    with Broker(folder) as broker:
        start = int(time.time()) - 2000
        # Published while there was no server: the broker has kept it.
        broker.publish("owntracks/anna/phone", location(0, start), retain=True)
        with Server(program, folder, "--mqtt", broker.address()) as server:
            anna = Person(server)
            device = anna.post("/api/v1/devices", {"name": "phone"})["id"]
            connected(anna)
            broker.publish("owntracks/anna/phone", "{", "[]", "null", '{"_type":"location","lat":"x"}', "{}{}", "\x01")
            broker.publish("owntracks/anna/phone/event", '{"_type":"transition"}')
            broker.publish("owntracks/anna/phone/cmd", '{"_type":"cmd","action":"dump"}')
            large = os.path.join(folder, "large")
            with open(large, "w") as file:
                file.write(json.dumps({**location(1, start), "image": "x" * (2 << 20)}))
            broker.publish_file("owntracks/anna/phone", large)
            broker.publish("owntracks/eve/phone", location(2, start), user="eve")
            # The broker drops what a user may not publish.
            broker.publish("owntracks/anna/phone", location(3, start), user="eve")
            broker.publish("owntracks/anna/phone", location(4, start))
            until("the good one arrives", lambda: any(
                fix["latitude"] > PLACE[0] + 0.02003 for fix in fixes(anna, device, start)))
            told = anna.get("/api/v1/mqtt")
            assert [(one["user"], one["device"]) for one in told["unknown"]][:1] == [("eve", "phone")], told
            found = [round((fix["latitude"] - PLACE[0] - 0.02) * 1e5) for fix in fixes(anna, device, start)]
            assert found in ([4], [0, 4]), found
            figures = urllib.request.urlopen(f"{server.base}/metrics", timeout=PATIENCE).read().decode()
            assert 'proximity_mqtt_refused_total{reason="oversize"} 1' in figures
            assert "proximity_mqtt_connected 1" in figures
            # Set up by its name on the page, the stranger is taken from then on.
            anna.post(f"/api/v1/devices/{device}/identities", {"scheme": "mqtt", "value": "eve/phone"})
            broker.publish("owntracks/eve/phone", location(5, start), user="eve")
            until("eve's phone is taken", lambda: any(
                fix["latitude"] > PLACE[0] + 0.020045 for fix in fixes(anna, device, start)))


@needs_the_broker
def of_two_processes_one_has_the_connection_and_the_other_takes_it_over(program, folder):
    with cluster.database() as url:
        if url is None:
            return
        with Broker(folder) as broker:
            more = ["--database", url, "--mqtt", broker.address()]
            first = Server(program, folder, *more, "--process-name", "first")
            anna = Person(first)
            device = anna.post("/api/v1/devices", {"name": "phone"})["id"]
            connected(anna)
            with Server(program, folder, *more, "--process-name", "second") as second:
                start = int(time.time()) - 2000
                broker.publish("owntracks/anna/phone", *[location(number, start) for number in range(50)])
                all_there(anna, device, start, 50)
                anna.base = second.base
                until("the other stands by", lambda: anna.get("/api/v1/mqtt")["state"] == "standby")
                first.kill()
                # While nobody has the connection.
                broker.publish("owntracks/anna/phone", *[location(number, start) for number in range(50, 100)])
                connected(anna)
                all_there(anna, device, start, 100)


def an_address_that_is_none_is_refused_at_the_start(program, folder):
    data = ["--data", os.path.join(folder, "data")]
    status, said = refused(program, *data, "--mqtt", "http://anna:secret@broker")
    assert status == 2 and "mqtt" in said and "secret" not in said, (status, said)
    status, said = refused(program, *data, "--mqtt-topic", "alarms")
    assert status == 2 and "mqtt is not" in said, (status, said)


STORIES = [
    a_phone_on_a_broker_with_TLS_rings_and_is_sent_its_fences,
    nothing_is_lost_when_the_server_or_the_broker_is_killed,
    malformed_oversize_and_foreign_messages_hurt_nobody,
    of_two_processes_one_has_the_connection_and_the_other_takes_it_over,
    an_address_that_is_none_is_refused_at_the_start,
]
