"""Zones given out as a signed pack, and followed without an account: changes, 304, another key, a cut file, a restart."""
import json
import os
import urllib.error
import urllib.request

from rig import PATIENCE, PLACE, Person, Server, finish


def fetch(server, path, tag=None):
    """Status, headers and bytes, as a page of another server gets them: no token, no cookie."""
    headers = {"Origin": "https://elsewhere.example"}
    if tag:
        headers["If-None-Match"] = tag
    request = urllib.request.Request(server.base + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def put(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


def check(program, *arguments):
    """Exit status, what it says of the pack, and its complaints."""
    ended = finish(
        [program, "pack", "check", "--json", *arguments], capture_output=True, text=True)
    return ended.returncode, json.loads(ended.stdout) if ended.stdout else None, ended.stderr


def place(folder, name):
    path = os.path.join(folder, name)
    os.mkdir(path)
    return path


def publish(person, name, *zones):
    collection = person.post("/api/v1/collections", {"name": name, "about": "Keep out"})["id"]
    made = [person.zone(zone, (PLACE[0] + number / 100, PLACE[1]), collection_id=collection)
            for number, zone in enumerate(zones)]
    pack, _ = person._exchange("PUT", f"/api/v1/collections/{collection}/pack")
    return collection, made, pack


def rename(person, zone, name, collection):
    content, head = person._exchange("GET", f"/api/v1/zones/{zone}")
    kept = {key: value for key, value in content.items() if key not in ("id", "revision", "saved_at", "refused")}
    person.put(f"/api/v1/zones/{zone}", {**kept, "name": name, "collection_id": collection}, head["ETag"])


def a_pack_is_followed_without_an_account_and_only_its_changes_are_fetched(program, folder):
    home = place(folder, "publisher")
    with Server(program, home) as server:
        anna = Person(server)
        collection, zones, pack = publish(anna, "Quarry", *[f"Pit {number}" for number in range(40)])
        status, head, whole = fetch(server, pack["path"])
        assert status == 200 and head["Access-Control-Allow-Origin"] == "*", head
        first = put(folder, "first.zonepack", whole)
        status, said, complaints = check(program, first, "--key", pack["public_key"])
        assert (status, said["zones"], said["name"]) == (0, 40, "Quarry"), (said, complaints)
        since = f"{pack['path']}?since={said['version']}"
        assert fetch(server, since, head["ETag"])[0] == 304
        assert fetch(server, pack["path"], head["ETag"])[0] == 304

        rename(anna, zones[3]["id"], "Pit 3, blasting", collection)
        status, head, step = fetch(server, since, head["ETag"])
        assert status == 200 and len(step) < len(whole) / 10, (status, len(step), len(whole))
        second = put(folder, "step.zonepack", step)
        out = os.path.join(folder, "zones.pad")
        status, later, complaints = check(
            program, second, "--after", first, "--key", pack["public_key"], "-o", out)
        assert status == 0 and later["zones"] == 40 and later["version"] > said["version"], (later, complaints)
        with open(out) as file:
            text = file.read()
        assert "Pit 3; blasting" in text and "Pit 4" in text, text[:500]

        # Back to an earlier version, a cut file, a changed byte, and the changes alone.
        third = put(folder, "third.zonepack", fetch(server, pack["path"])[2])
        status, _, complaints = check(program, first, "--after", third)
        assert status == 3 and "older than" in complaints, complaints
        status, _, complaints = check(program, put(folder, "cut.zonepack", whole[:-200]))
        assert status == 3 and "cut off" in complaints, complaints
        bad = bytearray(whole)
        bad[len(bad) // 2] ^= 1
        status, _, complaints = check(program, put(folder, "bad.zonepack", bad))
        assert status == 3 and "signature is wrong" in complaints, complaints
        status, _, complaints = check(program, second)
        assert status == 3 and "nothing held here" in complaints, complaints
        server.kill()

    # The key outlives the process; whoever followed goes on.
    with Server(program, home) as server:
        anna.base = server.base
        status, head, again = fetch(server, pack["path"])
        status, said, complaints = check(
            program, put(folder, "again.zonepack", again), "--after", third, "--key", pack["public_key"])
        assert (status, said["zones"]) == (0, 40), complaints
        anna._exchange("DELETE", f"/api/v1/collections/{collection}/pack")
        status, head, body = fetch(server, pack["path"])
        assert status == 404 and head["Access-Control-Allow-Origin"] == "*", (status, body)


def a_pack_of_another_publisher_is_taken_for_none_of_the_first(program, folder):
    packs = []
    for name in ("one", "other"):
        with Server(program, place(folder, name)) as server:
            _, _, pack = publish(Person(server), "Quarry", "Pit")
            packs.append((pack["public_key"], put(folder, f"{name}.zonepack", fetch(server, pack["path"])[2])))
    (key, mine), (other, theirs) = packs
    assert key != other
    assert check(program, mine, "--key", key)[0] == 0
    status, _, complaints = check(program, theirs, "--key", key)
    assert status == 3 and "the key that is followed is" in complaints, complaints
    status, _, complaints = check(program, theirs, "--after", mine)
    assert status == 3 and "the key that is followed is" in complaints, complaints


def a_change_of_key_is_followed_and_nobody_else_can_make_one(program, folder):
    home = place(folder, "publisher")
    with Server(program, home) as server:
        anna = Person(server)
        collection, _, pack = publish(anna, "Quarry", "Pit")
        first = put(folder, "first.zonepack", fetch(server, pack["path"])[2])
        changed = anna.post("/api/v1/account/pack-key/change", {"key_id": pack["key_id"]})
        assert changed["key_id"] != pack["key_id"], changed
        assert anna.post("/api/v1/account/pack-key/change", {"key_id": pack["key_id"]}) == changed
        second = put(folder, "second.zonepack", fetch(server, pack["path"])[2])
        server.kill()
    status, said, complaints = check(program, second, "--after", first, "--key", pack["public_key"])
    assert status == 0 and said["key"] == changed["public_key"], (said, complaints)
    assert said["earlier_keys"] == [pack["public_key"]], said

    # By those who run the server, while it runs again: the new key outlives the process.
    with Server(program, home) as server:
        ended = finish(
            [program, "pack", "publish", "Quarry", "--user", "anna", "--new-key", "--data",
             os.path.join(home, "data")],
            capture_output=True, text=True, check=True)
        path, third_key = ended.stdout.split()
        assert path == pack["path"] and third_key not in (pack["public_key"], changed["public_key"]), ended
        third = put(folder, "third.zonepack", fetch(server, path)[2])
    status, said, complaints = check(program, third, "--after", first, "--key", pack["public_key"])
    assert status == 0 and said["key"] == third_key and len(said["earlier_keys"]) == 2, (said, complaints)
    # Who went on follows the former key no more, and a statement that was changed on its way names nobody.
    status, _, complaints = check(program, second, "--after", third)
    assert status == 3 and "the key that is followed is" in complaints, complaints
    with open(second, "rb") as file:
        bad = bytearray(file.read())
    bad[bad.index(b"PRXKEYC") + 50] ^= 1
    assert check(program, put(folder, "bad.zonepack", bad))[0] == 3


STORIES = [a_change_of_key_is_followed_and_nobody_else_can_make_one,
           a_pack_is_followed_without_an_account_and_only_its_changes_are_fetched,
           a_pack_of_another_publisher_is_taken_for_none_of_the_first]
