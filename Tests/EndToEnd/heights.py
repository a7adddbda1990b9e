"""An airspace file, a phone over it and in it: by server and by command."""
import base64
import json
import os
import time
import urllib.parse
import urllib.request

from rig import PATIENCE, PLACE, Person, Receiver, Server, finish

# A glider area up to 5,000 ft over the sea, 1,524 m, in a circle of half a nautical mile.
AIRSPACE = "\r\n".join([
    "* Airspace", "AC Q", "AN Glider area", "AL GND", "AH 5000 ft MSL",
    f"V X={PLACE[0]:.6f} N {PLACE[1]:.6f} E", "DC 0.5", ""])


def report(anna, metres, error, seconds):
    """OwnTracks, in the middle of the area."""
    login = base64.b64encode(f"anna:{anna.token}".encode()).decode()
    body = {"_type": "location", "lat": PLACE[0], "lon": PLACE[1], "tst": int(time.time()) + seconds, "acc": 12,
            "tid": "AN", "alt": metres, "vac": error}
    request = urllib.request.Request(
        f"{anna.base}/pub?u=anna&d=glider", data=json.dumps(body).encode(),
        headers={"Authorization": f"Basic {login}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return json.load(response), body["tst"]


def explained(anna, device, zone, second):
    at = urllib.parse.quote(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second)))
    return anna.get(f"/api/v1/devices/{device}/explain?zone={zone}&at={at}")


def a_phone_over_an_airspace_keeps_silent_and_one_in_it_rings(program, folder):
    with Receiver() as hook, Server(program, folder) as server:
        anna = Person(server)
        anna.channel("webhook", hook.configuration)
        anna.post("/api/v1/zones/import?format=openair", AIRSPACE.encode(), {"Content-Type": "text/plain"})
        zone = anna.get("/api/v1/zones")["items"][0]
        assert zone["floor_m"] is None and abs(zone["ceiling_m"] - 1524) < 1e-6, zone
        _, over = report(anna, 2300, 10, 1)
        device = anna.get("/api/v1/devices")["items"][0]["id"]
        # Phones do not say what they measure from: 30 m for the error, 110 m for the ellipsoid.
        why = explained(anna, device, zone["id"], over)
        assert why["verdict"] == "over_or_under" and not why["rings"], why
        assert why["sentence"].endswith("; it was at 2300 m (±140 m), and Glider area ends at 1524 m."), why
        assert (why["altitude_m"], why["altitude_error_m"], why["floor_m"]) == (2300, 140, None), why
        report(anna, 1700, 10, 2)
        assert anna.get("/api/v1/alarms")["items"] == []
        # It may be in it now.
        _, inside = report(anna, 1650, 10, 3)
        assert hook.next("ring")["zone"] == "Glider area" and not hook.kept, hook.kept
        why = explained(anna, device, zone["id"], inside)
        assert why["rings"] and why["altitude_m"] == 1650, why
        ahead = urllib.parse.quote(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(inside + 1)))
        fixes = anna.get(f"/api/v1/devices/{device}/fixes?to={ahead}")["items"]
        assert [(fix["altitude_m"], fix["vertical_accuracy_m"], fix["altitude_reference"]) for fix in fixes] == [
            (2300, 10, "unknown"), (1700, 10, "unknown"), (1650, 10, "unknown")], fixes
        # And so does a phone that states no height.
        anna.own_tracks(device="car")
        assert hook.next("ring")["zone"] == "Glider area"


def a_flight_is_replayed_with_its_heights(program, folder):
    def run(*arguments):
        ended = finish([program, *arguments], capture_output=True, text=True)
        return ended.returncode, ended.stdout, ended.stderr

    zones, track = os.path.join(folder, "airspace.txt"), os.path.join(folder, "flight.gpx")
    with open(zones, "w", encoding="utf-8") as file:
        file.write(AIRSPACE)
    points = [
        f'<trkpt lat="{PLACE[0]}" lon="{PLACE[1]}"><ele>{metres}</ele><time>2026-06-01T10:0{minute}:00Z</time>'
        "<extensions><hAcc>8</hAcc><vAcc>10</vAcc></extensions></trkpt>"
        for minute, metres in enumerate([2300, 2300, 1650])]
    with open(track, "w", encoding="utf-8") as file:
        file.write(f"<gpx><trk><trkseg>{''.join(points)}</trkseg></trk></gpx>")
    code, printed, said = run("replay", track, "--zones", zones, "--json")
    lines = [json.loads(line) for line in printed.splitlines()]
    rung = [line for line in lines if line.get("event") == "alarm"]
    assert code == 0 and len(rung) == 1 and rung[0]["time"] == "2026-06-01T10:02:00.000Z", (code, printed, said)
    arguments = ["explain", track, "--zones", zones, "--zone", "Glider area", "--at", "2026-06-01T10:01:00Z"]
    code, printed, said = run(*arguments)
    assert code == 0, said
    assert "2300.00 m, certain to ±140.00 m; the zone ends at 1524.00 m: surely above" in printed, printed
    code, printed, said = run(*arguments, "--json")
    told = json.loads(printed.splitlines()[0])
    assert told["verdict"] == told["replayed_verdict"] == "over_or_under", told
    assert told["altitude_m"] == 2300 and told["ceiling_m"] == 1524, told
    # Written and read back, in every form that has it.
    for form in ["pad", "geojson", "kml"]:
        code, printed, said = run("zones", "convert", zones, "--to", form)
        assert code == 0, said
        other = os.path.join(folder, f"zones.{form}")
        with open(other, "w", encoding="utf-8") as file:
            file.write(printed)
        code, again, said = run("replay", track, "--zones", other, "--json")
        assert code == 0 and len([line for line in again.splitlines() if '"alarm"' in line]) == 1, (form, again)


STORIES = [a_phone_over_an_airspace_keeps_silent_and_one_in_it_rings, a_flight_is_replayed_with_its_heights]
