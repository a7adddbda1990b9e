"""Where a phone is, shown to others: to somebody with an account, and by a link; through restarts."""
import datetime
import json
import os
import re
import signal
import subprocess
import urllib.error
import urllib.request

from rig import PATIENCE, PLACE, MailServer, Person, Server, certificate, finish

# A degree of latitude.
DEGREE = 111_195


def time_from_now(hours):
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
    return end.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def another(server, program, folder, login):
    """Somebody else, invited by the command."""
    link = finish(
        [program, "user", "invite", "--public-url", server.base, "--data", os.path.join(folder, "data")],
        capture_output=True, text=True, check=True).stdout.strip()
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


def a_manager_sees_who_would_be_warned_and_answers_for_who_lets_them(program, folder):
    data = os.path.join(folder, "data")

    def command(*arguments, status):
        ended = finish(
            [program, *arguments, "--data", data], capture_output=True, text=True)
        assert ended.returncode == status, (arguments, ended)
        return ended.stdout

    with Server(program, folder) as server:
        anna = Person(server)
        boss = another(server, program, folder, "boss")
        blasting = boss.post("/api/v1/collections", {"name": "Blasting"})["id"]
        boss.zone("Quarry", collection_id=blasting)
        group = boss.post("/api/v1/groups", {"name": "Crew"})["id"]
        change(boss, "PUT", f"/api/v1/groups/{group}/collections/{blasting}")
        printed = command("group", "invite", group, "--user", "boss", "--people", "300", status=0)
        link = printed.strip().rsplit("/", 1)[1]
        assert anna.get(f"/api/v1/group-links/{link}")["group_name"] == "Crew"
        anna.post(f"/api/v1/group-links/{link}/join")
        assert "1 of 300 joined" in command("group", "links", group, "--user", "boss", status=0)
        assert "Blasting" in command("group", "list", "--user", "boss", status=0)
        command("group", "members", "crew", "--user", "boss", status=2)
        command("group", "members", group, "--user", "anna", status=3)
        said = command("group", "members", group, "--user", "boss", status=1)
        assert "no phone" in said and "follows none" in said, said
        change(anna, "PUT", f"/api/v1/collections/{blasting}/follow")
        anna.own_tracks((PLACE[0] + 9000 / DEGREE, PLACE[1]), seconds=-1800)
        [member] = boss.get(f"/api/v1/groups/{group}/members")["items"]
        assert [phone["name"] for phone in member["phones"]] == ["phone"] and member["phones"][0]["is_armed"]
        assert [follow["collection_id"] for follow in member["follows"]] == [blasting]
        assert str(PLACE[1]) not in json.dumps(member), member
        assert "joined" in command("group", "members", group, "--user", "boss", status=0)
        # The organisation's zone rings, and nobody but Anna sees it until she says so.
        anna.own_tracks(PLACE, seconds=1)
        [alarm] = anna.get("/api/v1/alarms")["items"]
        assert (alarm["name"], alarm["state"]) == ("Quarry", "ringing"), alarm
        assert boss.get("/api/v1/others-alarms")["items"] == []
        place = anna.get("/api/v1/memberships")["items"][0]["id"]
        change(anna, "PUT", f"/api/v1/memberships/{place}/manager-answers")
        server.kill()
    with Server(program, folder) as server:
        anna.base = boss.base = server.base
        [seen] = boss.get("/api/v1/others-alarms")["items"]
        assert seen["id"] == alarm["id"] and "latitude" not in seen, seen
        assert "as the manager of Crew" in command("deputy", "list", "--user", "anna", status=0)
        assert boss.post(f"/api/v1/others-alarms/{alarm['id']}/sleep")["state"] == "sleeping"
        answered = anna.get(f"/api/v1/alarms/{alarm['id']}")
        assert answered["answered_by"] == "account boss", answered
        # By command, then by Anna herself: at once, for both.
        command("deputy", "end", place, "--user", "anna", status=0)
        assert boss.get("/api/v1/others-alarms")["items"] == []
        change(anna, "DELETE", f"/api/v1/memberships/{place}")
        [member] = boss.get(f"/api/v1/groups/{group}/members")["items"]
        assert (member["state"], member["ended_by"], member["phones"]) == ("ended", "member", []), member
        assert anna.get("/api/v1/collections")["items"] == []
        log = [json.loads(line) for line in command("user", "log", "anna", "--json", status=0).splitlines()]
        done = [(entry["action"], entry["by"]) for entry in log[:3]]
        assert done == [
            ("endMembership", "token"), ("endDeputy", "command_line"), ("sleepOthersAlarm", "person")], done


def people_of_a_table_are_mailed_their_links_once_and_make_accounts(program, folder):
    certificate(folder)
    data = os.path.join(folder, "data")
    people = [f"person{number}@example.org" for number in range(1, 5)]
    table = os.path.join(folder, "people.csv")
    with open(table, "w", encoding="utf-8", newline="") as file:
        file.write("mail,name\r\n" + "".join(f"{mail},Person {mail[6]}\r\n" for mail in people))
    with Server(program, folder) as server, MailServer(folder) as mail:
        boss = Person(server, "boss")
        group = boss.post("/api/v1/groups", {"name": "Crew"})["id"]
        flags = iter(mail.arguments(folder))
        config = os.path.join(folder, "server.json")
        with open(config, "w", encoding="utf-8") as file:
            json.dump({flag.removeprefix("--").replace("-", "_"): value for flag, value in zip(flags, flags)}
                      | {"public_url": server.base}, file)
        command = [program, "group", "invite", group, "--user", "boss", "--csv", table, "--config", config,
                   "--new-accounts", "--data", data]
        # Stopped by Control-C once the first mail has arrived; then it goes on.
        running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        got = [mail.next()[1]]
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=PATIENCE)
        assert running.returncode in (0, 130), said
        for _ in range(2):
            ended = finish(command, capture_output=True, text=True)
            assert ended.returncode == 0, ended
        while len(got) < len(people):
            got.append(mail.next()[1])
        assert mail.got.empty()
        assert sorted(message["To"].strip("<>") for message in got) == people, got
        bodies = [message.get_content() for message in got]
        links = [re.search(r"#/join/([\w-]{43})", body).group(1) for body in bodies]
        assert len(set(links)) == len(people) and all("invites you to the group Crew" in body for body in bodies)
        path = f"{server.base}/api/v1/group-links/{links[0]}/account"
        body = json.dumps({"login": "newcomer", "password": "correct horse"}).encode()
        headers = {"Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(path, body, headers), timeout=PATIENCE) as response:
            made = json.load(response)["account"]
        assert made["name"].startswith("Person "), made
        [member] = boss.get(f"/api/v1/groups/{group}/members")["items"]
        assert (member["login"], member["state"]) == ("newcomer", "joined"), member


STORIES = [a_manager_sees_who_would_be_warned_and_answers_for_who_lets_them,
           a_phone_is_shown_to_who_agrees_and_by_a_link_until_it_arrives,
           people_of_a_table_are_mailed_their_links_once_and_make_accounts]
