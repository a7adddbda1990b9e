"""Private mode: a phone decides, alarms go sealed to a friend, and what the server stored and sent tells no place of the day.

The phone's side is our engine on the command line; both keys are PyNaCl's, which is libsodium and knows nothing of us.
"""
import base64
import glob
import http.server
import json
import os
import random
import sqlite3
import struct
import threading
import time
import urllib.error
import urllib.request

import nacl.public
import nacl.utils

from place_search import Search, forms, short_forms
from rig import PATIENCE, Person, Server, finish
from sharing import another, change

# Digits that nothing else has.
HOME = (47.318281828, 13.271413562)
ZONE = (47.331732050, 13.287264575)
DEGREE = 111_195


def letters(bytes_):
    return base64.urlsafe_b64encode(bytes_).decode().rstrip("=")


def bytes_of(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def the_day():
    """From home into the zone and back, a position each ten seconds: (seconds, latitude, longitude)."""
    way = [step / 120 for step in range(121)]
    way += way[::-1]
    return [(10 * at, HOME[0] + part * (ZONE[0] - HOME[0]), HOME[1] + part * (ZONE[1] - HOME[1]))
            for at, part in enumerate(way)]


def places_of(day):
    """The zone, home and each twentieth position."""
    return [HOME, ZONE] + [(latitude, longitude) for _, latitude, longitude in day[::20]]


class Capture:
    """A service that takes whatever is sent to it, and keeps the bytes."""

    def __init__(self):
        self.bytes = bytearray()
        self.came = threading.Event()
        capture = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def take(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                capture.bytes += f"{self.command} {self.path}\n{self.headers}".encode() + body
                capture.came.set()
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            do_POST = do_PUT = do_GET = take

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Stream:
    """A person's event stream, all of its bytes."""

    def __init__(self, person):
        request = urllib.request.Request(
            f"{person.base}/api/v1/events", headers={"Authorization": f"Bearer {person.token}"})
        self.response = urllib.request.urlopen(request, timeout=PATIENCE)
        self.bytes = bytearray()
        self.more = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for line in self.response:
                with self.more:
                    self.bytes += line
                    self.more.notify_all()
        except (OSError, ValueError, AttributeError):
            # Closed while it read: http.client then finds nothing to read from.
            pass

    def wait_for(self, word):
        with self.more:
            assert self.more.wait_for(lambda: word in self.bytes, PATIENCE), bytes(self.bytes[-500:])


def refused(person, method, path, body=None, content_type="application/json", token=True, status=(403,)):
    """Sends what the server must not take. The answer's words."""
    data = body.encode() if isinstance(body, str) else body if body is None else json.dumps(body).encode()
    headers = {"Content-Type": content_type}
    if token:
        headers["Authorization"] = f"Bearer {person.token}"
    request = urllib.request.Request(person.base + path, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            raise AssertionError(f"{method} {path} was taken: {response.status} {response.read()[:200]}")
    except urllib.error.HTTPError as error:
        words = error.read().decode()
        assert error.code in status, (method, path, error.code, words)
        return words


def decided(program, folder, day):
    """The alarms that the phone's engine rings on that day."""
    track, zones = os.path.join(folder, "day.csv"), os.path.join(folder, "zones.geojson")
    begin = int(time.time()) - 10 * len(day)
    with open(track, "w", encoding="utf-8") as file:
        file.write("time,lat,lon,accuracy\n")
        file.writelines(f"{begin + seconds},{latitude:.9f},{longitude:.9f},5\n" for seconds, latitude, longitude in day)
    with open(zones, "w", encoding="utf-8") as file:
        json.dump({"type": "FeatureCollection", "features": [{
            "type": "Feature", "properties": {"name": "Quarry", "alarm_size_m": 150},
            "geometry": {"type": "Point", "coordinates": [ZONE[1], ZONE[0]]}}]}, file)
    ran = finish([program, "replay", track, "--zones", zones, "--json"], capture_output=True, text=True)
    assert ran.returncode in (0, 1), ran.stderr
    events = [json.loads(line) for line in ran.stdout.splitlines()]
    return [event for event in events if event["event"] == "alarm"]


def sealed(message, receiver, own):
    """As docs/private.md has it: a box by which the sender is known, in one that tells nobody."""
    said = json.dumps(message).encode()
    said += b" " * (-len(said) % 512)
    inside = nacl.public.Box(own, receiver).encrypt(said, nacl.utils.random(nacl.public.Box.NONCE_SIZE))
    return nacl.public.SealedBox(receiver).encrypt(b"\x01" + bytes(own.public_key) + bytes(inside))


def opened(sealed_bytes, own):
    """What was said, and the key that said it."""
    outer = nacl.public.SealedBox(own).decrypt(sealed_bytes)
    assert outer[0] == 1
    sender = nacl.public.PublicKey(outer[1:33])
    return json.loads(nacl.public.Box(own, sender).decrypt(outer[33:])), sender


def everything_stored(folder):
    """Each file of the data as it lies there, its log too, and the tables dumped whole."""
    files = {path: open(path, "rb").read()
             for path in glob.glob(os.path.join(folder, "data", "**"), recursive=True) if os.path.isfile(path)}
    assert any(path.endswith("-wal") for path in files), list(files)
    database = sqlite3.connect(f"file:{folder}/data/proximity.sqlite?mode=ro", uri=True)
    database.text_factory = bytes
    dump = bytearray()
    tables = database.execute("SELECT CAST(name AS TEXT) FROM sqlite_schema WHERE type = 'table'").fetchall()
    for (name,) in tables:
        for row in database.execute(f'SELECT * FROM "{name.decode()}"'):
            for value in row:
                dump += value if isinstance(value, bytes) else repr(value).encode()
                dump += b"\n"
    database.close()
    files["dump"] = bytes(dump)
    return files


def log_of(server):
    lines = []
    while not server.lines.empty():
        lines.append(server.lines.get() or "")
    return "".join(lines).encode()


def listens(person, capture):
    person.channel("webhook", {"url": capture.url + "hook", "secret": "0123456789abcdef" * 2})
    person.channel("ntfy", {"server": capture.url, "topic": "topic"})


def contact_of(person):
    return person.get("/api/v1/sealed-contacts")["items"][0]


def a_private_day_leaves_no_place_on_the_server(program, folder):
    day = the_day()
    search = Search(places_of(day))
    with Capture() as capture, Server(program, folder, "--log-level", "debug") as server:
        anna = Person(server)
        ben = another(server, program, folder, "ben")
        # By the command, as the operator does; there is nothing to erase.
        ran = finish([program, "user", "private", "anna", "on", "--data", os.path.join(folder, "data")],
                             capture_output=True, text=True, check=True)
        assert "is private; erased: nothing" in ran.stdout, ran.stdout
        assert anna.get("/api/v1/session")["account"]["is_private"]
        for person in (anna, ben):
            listens(person, capture)
        streams = [Stream(anna), Stream(ben)]

        # Whatever tries to tell the server a place is refused in words.
        circle = {"name": "Quarry", "size_m": 150, "outline": {
            "kind": "locations", "places": [{"latitude": ZONE[0], "longitude": ZONE[1]}]}}
        location = {"_type": "location", "lat": HOME[0], "lon": HOME[1], "tst": int(time.time()), "acc": 5, "tid": "AN"}
        overland = {"locations": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": HOME[::-1]},
                                   "properties": {"timestamp": "2026-11-18T10:00:00Z", "device_id": "phone"}}]}
        words = [
            refused(anna, "POST", "/api/v1/zones", circle),
            refused(anna, "POST", "/api/v1/reminders", {"title": "Bread", "places": [
                {"name": "Shop", "latitude": HOME[0], "longitude": HOME[1]}]}),
            refused(anna, "POST", "/api/v1/fixes?name=page", {
                "latitude": HOME[0], "longitude": HOME[1], "measured_at": "2026-11-18T10:00:00Z"}),
            refused(anna, "POST", "/owntracks", location),
            refused(anna, "POST", "/overland", overland),
            refused(anna, "GET", f"/osmand/{anna.token}/phone?lat={HOME[0]}&lon={HOME[1]}", token=False),
            refused(anna, "GET", f"/api/v1/places?q=bakery&near={HOME[0]},{HOME[1]}")]
        assert all("private" in each for each in words), words
        # The same phone without its token: its name is the account's.
        refused(anna, "POST", "/pub?u=anna&d=phone", location, token=False, status=(401, 403))

        # The two agree, and see each other's keys.
        keys = {"anna": nacl.public.PrivateKey.generate(), "ben": nacl.public.PrivateKey.generate()}
        own = {person: person.post("/api/v1/sealed-keys", {"public_key": letters(bytes(keys[name].public_key)), "name": name})
               for person, name in ((anna, "anna"), (ben, "ben"))}
        asked = anna.post("/api/v1/sealed-contacts", {"login": "ben"})
        change(ben, "PUT", f"/api/v1/sealed-contacts/{asked['id']}/agree")
        receiver = contact_of(anna)["keys"][0]
        assert bytes_of(receiver["public_key"]) == bytes(keys["ben"].public_key)

        # The phone decides; each alarm goes to Ben, with the place.
        alarms = decided(program, folder, day)
        assert alarms and alarms[0]["zone"] == "Quarry", alarms
        for alarm in alarms:
            message = {"kind": "alarm", "id": alarm["alarm"], "zone": alarm["zone"], "cause": alarm["cause"],
                       "time_ms": int(time.time() * 1000), "place": [alarm["latitude"], alarm["longitude"]],
                       "distance_m": round(alarm["distance_m"])}
            bytes_ = sealed(message, nacl.public.PublicKey(bytes_of(receiver["public_key"])), keys["anna"])
            anna.post("/api/v1/sealed", {"key_id": receiver["id"], "message": letters(bytes_)})
        streams[1].wait_for(b"event: sealed")
        assert capture.came.wait(PATIENCE)
        waiting = ben.get(f"/api/v1/sealed-keys/{own[ben]['id']}/messages")["items"]
        assert len(waiting) == len(alarms) and waiting[0]["login"] == "anna"
        message, sender = opened(bytes_of(waiting[0]["message"]), keys["ben"])
        assert bytes(sender) == bytes(keys["anna"].public_key)
        assert abs(message["place"][0] - ZONE[0]) < 0.01 and message["zone"] == "Quarry"

        # Before anything is dropped: the sealed bytes are among what is searched.
        def check():
            for name, content in everything_stored(folder).items():
                assert not search.found(content), (name, search.found(content))
                assert b"Quarry" not in content, name
        check()
        # Ben has seen it; Anna hears so.
        answer = {"kind": "answer", "id": message["id"], "command": "close", "time_ms": int(time.time() * 1000)}
        back = contact_of(ben)["keys"][0]
        bytes_ = sealed(answer, nacl.public.PublicKey(bytes_of(back["public_key"])), keys["ben"])
        ben.post("/api/v1/sealed", {"key_id": back["id"], "message": letters(bytes_)})
        streams[0].wait_for(b"event: sealed")
        heard = anna.get(f"/api/v1/sealed-keys/{own[anna]['id']}/messages")["items"]
        assert opened(bytes_of(heard[0]["message"]), keys["anna"])[0]["command"] == "close"
        change(ben, "POST", "/api/v1/sealed/drop", {"ids": [each["id"] for each in waiting]})
        assert not ben.get(f"/api/v1/sealed-keys/{own[ben]['id']}/messages")["items"]
        check()
        for name, content in (("channels", bytes(capture.bytes)), ("anna's stream", bytes(streams[0].bytes)),
                              ("ben's stream", bytes(streams[1].bytes)), ("log", log_of(server)),
                              ("export", anna.get("/api/v1/account/export"))):
            assert content, name
            assert not search.found(content), (name, search.found(content))
        assert b"sealed message" in capture.bytes


def the_same_day_of_an_open_account_is_found_and_then_erased(program, folder):
    """What shows that the search would have found it."""
    day = the_day()
    search = Search(places_of(day))
    with Capture() as capture, Server(program, folder) as server:
        anna = Person(server)
        listens(anna, capture)
        stream = Stream(anna)
        anna.zone("Quarry", ZONE)
        # The way there; it ends in the zone, when that is there.
        there = day[:len(day) // 2]
        begin = int(time.time()) + 1 - there[-1][0]
        anna.post("/api/v1/fixes?name=phone", {"fixes": [
            {"latitude": latitude, "longitude": longitude, "accuracy_m": 5,
             "measured_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(begin + seconds))}
            for seconds, latitude, longitude in there]})
        stream.wait_for(b"event: alarm")
        assert capture.came.wait(PATIENCE)
        stored = everything_stored(folder)
        found = {name: search.found(content) for name, content in stored.items()}
        assert any("double, degrees, big endian" in each for names in found.values() for each in names), found
        assert any("text, degrees" in each for each in found["dump"]), found["dump"]
        assert search.found(anna.get("/api/v1/account/export"))
        asked = refused(anna, "PUT", "/api/v1/account/private", {"is_private": True}, status=(409,))
        assert "places-stored" in asked and "zone" in asked, asked
        stream.response.close()
        told = change(anna, "PUT", "/api/v1/account/private", {"is_private": True, "erase": True})
        assert told["erased"]["positions"] > len(there) and told["erased"]["zones"] == 1, told
        assert not any(told["stored"].values()), told
        # Pages that were freed are overwritten, and the log is empty.
        for name, content in everything_stored(folder).items():
            assert not search.found(content), (name, search.found(content))
            assert b"Quarry" not in content, name


def the_search_finds_each_form_of_a_place(program, folder):
    noise = random.Random(19).randbytes(1 << 18)
    search = Search([HOME, ZONE, (-33.856784123, -151.215296456)])
    assert not search.found(b'"measured_at":"2026-11-18T10:13:47.318Z"')
    assert not search.found(noise), search.found(noise)
    noise = noise[:4096]
    for place in search.places:
        for name, bytes_ in forms(*place):
            assert search.found(noise[:1001] + bytes_ + noise[1001:]), name
        for name, latitude, longitude in short_forms(*place):
            assert search.found(noise[:99] + latitude + b"1234" + longitude + noise[99:]), name
            assert not search.found(noise[:99] + latitude + noise[99:]), name
        pair = struct.pack("<d2xd", place[0] + 0.0004, place[1] - 0.0003)
        assert search.found(noise[:777] + pair + noise[777:]) == ["a pair of doubles near one of them"]
        longer = f'{{"latitude":{place[0]:.7f},"longitude":{place[1]:.7f}}}'.encode()
        assert search.found(noise + longer)


STORIES = [the_search_finds_each_form_of_a_place, a_private_day_leaves_no_place_on_the_server,
           the_same_day_of_an_open_account_is_found_and_then_erased]
