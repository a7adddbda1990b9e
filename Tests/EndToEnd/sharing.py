"""Where a phone is, shown to others: to somebody with an account, and by a link; through restarts."""
import datetime
import json
import os
import subprocess
import urllib.error
import urllib.request

from rig import PATIENCE, PLACE, Person, Server

# A degree of latitude.
DEGREE = 111_195


def time_from_now(hours):
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
    return end.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def another(server, program, folder, login):
    """Somebody else, invited by the command."""
    link = subprocess.run(
        [program, "user", "invite", "--public-url", server.base, "--data", os.path.join(folder, "data")],
        capture_output=True, text=True, timeout=PATIENCE, check=True).stdout.strip()
    server.lines.put(f"#setup={link.rsplit('=', 1)[1]}")
    return Person(server, login)


def change(person, method, path, body=None):
    return person._exchange(method, path, body)[0]


def seen(server, link):
    with urllib.request.urlopen(f"{server.base}/api/v1/shared-links/{link}", timeout=PATIENCE) as response:
        return json.load(response)


def is_over(server, link):
    try:
        seen(server, link)
    except urllib.error.HTTPError as error:
        return error.code == 404
    return False


def a_phone_is_shown_to_who_agrees_and_by_a_link_until_it_arrives(program, folder):
    with Server(program, folder) as server:
        anna = Person(server)
        ben = another(server, program, folder, "ben")
        home = anna.zone("Home")
        anna.own_tracks((PLACE[0] + 9000 / DEGREE, PLACE[1]), seconds=-1800)
        device = anna.get("/api/v1/devices")["items"][0]["id"]
        offered = anna.post("/api/v1/shares", {"device_id": device, "login": "ben", "precision": "zones"})
        link = anna.post("/api/v1/shares", {
            "device_id": device, "precision": "place", "ends_at": time_from_now(8),
            "ends_in_zone_id": home["id"]})["link"]
        assert abs(seen(server, link)["fix"]["latitude"] - PLACE[0] - 9000 / DEGREE) < 1e-6
        assert ben.get("/api/v1/shared")["items"][0]["heard_at"] is None
        change(ben, "PUT", f"/api/v1/shares/{offered['id']}/accept")
        assert ben.get("/api/v1/shared")["items"][0]["zones"] == []
        server.kill()
    with Server(program, folder) as server:
        anna.base = ben.base = server.base
        assert seen(server, link)["device_name"] == "phone"
        anna.own_tracks(PLACE, seconds=1)
        [item] = ben.get("/api/v1/shared")["items"]
        assert item["zones"] == ["Home"] and item["fix"] is None, item
        # Gone on before anybody looked: it had arrived all the same.
        anna.own_tracks((PLACE[0] + 3000 / DEGREE, PLACE[1]), seconds=3)
        assert is_over(server, link)
        assert [share["login"] for share in anna.get("/api/v1/shares")["items"]] == ["ben"]
        change(ben, "DELETE", f"/api/v1/shares/{offered['id']}")
        assert anna.get("/api/v1/shares")["items"] == []


STORIES = [a_phone_is_shown_to_who_agrees_and_by_a_link_until_it_arrives]
