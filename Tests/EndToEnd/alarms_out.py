"""From a phone's post to a person: mail, webhook, links, steps, notices."""
import re
import time

from apple import PushService
from rig import PLACE, MailServer, Person, Receiver, Server, certificate, finish, follow



def an_alarm_arrives_as_mail_with_its_zone_and_sleeps_by_its_link(program, folder):
    certificate(folder)
    with MailServer(folder) as mail, Receiver() as hook, Server(program, folder, *mail.arguments(folder)) as server:
        anna = Person(server)
        pad = b"AlertZoneStart,,,\nAlertZoneName,Cliff edge \xc5\xa1\nAlertZoneSize,100\nLocation,1,46.051,14.505\nAlertZoneEnd,,,\n"
        imported = anna.post("/api/v1/zones/import?name=cliff.pad", pad, {"Content-Type": "application/octet-stream"})
        assert imported["new_count"] == 1, imported
        channel = anna.channel("mail", {"address": "bob@example.net"})
        assert channel["awaits_confirmation"], channel
        envelope, message = mail.next()
        assert envelope.rcpt_tos == ["bob@example.net"] and message["Subject"] == "Confirm this mail address"
        link = re.search(r"(http://\S+/c/\S+)", message.get_content()).group(1)
        assert "bob@example.net is confirmed." in follow(link)
        assert not anna.get(f"/api/v1/channels/{channel['id']}")["awaits_confirmation"]
        anna.channel("webhook", hook.configuration)
        reply = anna.own_tracks()
        told = [item for item in reply if item["_type"] == "transition"]
        assert [item["acc"] for item in told] == [12], reply
        envelope, message = mail.next()
        assert envelope.rcpt_tos == ["bob@example.net"] and envelope.mail_from == "alarm@example.org"
        assert message["Subject"] == "Alarm: Cliff edge š" and message["Importance"] == "high"
        attached = [part for part in message.iter_attachments()]
        assert [part.get_filename() for part in attached] == ["Cliff edge š.pad"]
        # The type that the manifest of the Android app and the property list of the iOS app name.
        assert attached[0].get_content_type() == "application/vnd.proximity.pad"
        assert b"AlertZoneName,Cliff edge \xc5\xa1" in attached[0].get_payload(decode=True)
        ring = hook.next("ring")
        assert ring["zone"] == "Cliff edge š" and ring["accuracy_m"] == 12, ring

        text = message.get_body(("plain",)).get_content()
        sleep = re.search(r"^Sleep: (\S+)\s*$", text, re.MULTILINE).group(1)
        assert sleep.startswith(server.base + "/l/"), text
        assert "Sleep: done." in follow(sleep)
        assert hook.next("withdrawn")["reason"] == "slept"
        alarm = anna.get(f"/api/v1/alarms/{ring['alarm']}")
        assert alarm["state"] == "sleeping" and alarm["answered_by"].startswith("channel "), alarm
        # Twice does no harm.
        assert "Sleep: done." in follow(sleep)

        # What was sent can be taken in again, as another person's mail server would.
        raw = envelope.original_content or envelope.content
        received = finish([program, "zones", "receive"], input=raw, capture_output=True, check=True)
        assert "Cliff edge š" in received.stdout.decode(), received


def a_zone_is_sent_by_mail(program, folder):
    certificate(folder)
    with MailServer(folder) as mail, Server(program, folder, *mail.arguments(folder)) as server:
        anna = Person(server)
        zone = anna.zone("Blasting area")
        sent = anna.post(f"/api/v1/zones/{zone['id']}/mail", {
            "to": "crew@example.net", "message": "From Monday on.\nKeep out."})
        assert sent["outcome"] == "delivered", sent
        envelope, message = mail.next()
        assert envelope.rcpt_tos == ["crew@example.net"]
        assert message["Subject"] == "Zone: Blasting area" and message["Importance"] is None
        text = message.get_body(("plain",)).get_content()
        assert "anna sends you the zone Blasting area." in text and "Keep out." in text, text
        back = finish(
            [program, "zones", "receive"], input=envelope.content, capture_output=True, check=True)
        exported = anna.get(f"/api/v1/zones/export/pad?zone={zone['id']}")
        assert back.stdout == exported, (back.stdout, exported)


def an_alarm_reaches_an_apple_device_and_is_taken_away_again(program, folder):
    certificate(folder)
    # Apple's keys are of the same form: PKCS 8, P-256.
    with PushService(folder) as apple, Server(
            program, folder, "--trust-roots", f"{folder}/cert.pem", "--apns-key-file", f"{folder}/key.pem",
            "--apns-key-id", "ABC123DEFG", "--apns-topic", "org.example.alarm",
            "--apns-host", f"https://127.0.0.1:{apple.port}",
            environment={"PROXIMITY_APNS_TEAM_ID": "TEAM567890"}) as server:
        anna = Person(server)
        anna.zone("Cliff edge")
        anna.channel("apns", {"token": "00ff" * 8})
        anna.own_tracks()
        version, path, headers, content = apple.next()
        assert version == "2" and path == "/3/device/" + "00ff" * 8, (version, path)
        assert headers["apns-topic"] == "org.example.alarm" and headers["apns-push-type"] == "alert", headers
        assert headers["authorization"].startswith("bearer ey"), headers
        assert content["aps"]["alert"]["title"] == "Cliff edge", content
        alarm = anna.get("/api/v1/alarms")["items"][0]["id"]
        assert headers["apns-collapse-id"] == alarm
        anna.post(f"/api/v1/alarms/{alarm}/acknowledge")
        while headers["apns-push-type"] == "alert":
            _, _, headers, content = apple.next()
        assert headers["apns-push-type"] == "background" and content["withdrawn"]["alarm"] == alarm, content


def nobody_answers_and_the_next_is_told_also_after_a_kill(program, folder):
    with Receiver() as first, Receiver() as second, Receiver() as third:
        with Server(program, folder) as server:
            anna = Person(server)
            # The second delay is longer than a busy machine may take to deliver a message.
            anna.set(escalation_delays_s=[1, 10])
            anna.zone("Cliff edge")
            for step, receiver in enumerate([first, second, third]):
                anna.channel("webhook", receiver.configuration, escalation_step=step)
            # Killed with the second's message, ten seconds before the third is due.
            second.once = server.kill
            anna.own_tracks()
            ring = first.next("ring")
            assert second.next("ring")["alarm"] == ring["alarm"]
            assert third.got.empty()
        with Server(program, folder) as server:
            anna.base = server.base
            assert third.next("ring")["alarm"] == ring["alarm"]
            assert anna.get(f"/api/v1/alarms/{ring['alarm']}")["escalation_step"] == 2
            anna.post(f"/api/v1/alarms/{ring['alarm']}/acknowledge")
            for receiver in [first, second, third]:
                assert receiver.next("withdrawn")["reason"] == "acknowledged"


def a_step_that_cannot_be_reached_is_passed_over_at_once(program, folder):
    with Receiver(status=400) as broken, Receiver() as second, Server(program, folder) as server:
        anna = Person(server)
        # By its time the second would be told tomorrow.
        anna.set(escalation_delays_s=[86400])
        anna.zone("Cliff edge")
        anna.channel("webhook", broken.configuration)
        anna.channel("webhook", second.configuration, escalation_step=1)
        anna.own_tracks()
        ring = broken.next("ring")
        assert second.next("ring")["alarm"] == ring["alarm"]


def a_notice_is_shown_on_entry_once_in_its_time_and_counted(program, folder):
    with Receiver() as hook, Server(program, folder) as server:
        anna = Person(server)
        zone = anna.zone("Bakery", notice={
            "title": "Fresh <bread>", "text": "Until noon.", "link": "https://bakery.example/a?b=1&c=2",
            "image": "https://bakery.example/bread.jpg", "cap_s": 7200})
        anna.channel("webhook", hook.configuration)
        anna.own_tracks()
        first = hook.next("ring")["alarm"]
        notice = hook.next("notice")
        assert notice["title"] == "Fresh <bread>" and notice["text"] == "Until noon.", notice
        assert notice["link"] == "https://bakery.example/a?b=1&c=2" and notice["image"].endswith(".jpg")
        assert "alarm" not in notice and notice["zone_id"] == zone["id"]
        count = anna.get("/api/v1/notices")["items"]
        assert [(item["shown"], item["opened"]) for item in count] == [(1, 0)], count
        page = follow(notice["links"]["open"])
        assert "Fresh &lt;bread&gt;" in page and "url=https://bakery.example/a?b=1&amp;c=2" in page, page
        count = anna.get("/api/v1/notices")["items"]
        assert [(item["shown"], item["opened"]) for item in count] == [(1, 1)], count

        # Switched off and on again: the alarm rings anew, the notice is not due for two hours.
        anna.arm(False)
        anna.arm(True)
        while hook.next("ring")["alarm"] == first:
            pass  # It may have rung again before it was switched off.
        assert [item["shown"] for item in anna.get("/api/v1/notices")["items"]] == [1]
        assert "notice" not in [value["kind"] for value in hook.kept + list(hook.got.queue)]


def a_reminder_is_told_at_the_shop_snoozed_told_again_and_done(program, folder):
    away = (PLACE[0] + 0.02, PLACE[1])
    with Receiver() as hook, Server(program, folder) as server:
        anna = Person(server)
        anna.channel("webhook", hook.configuration)
        made = anna.post("/api/v1/reminders", {
            "title": "Groceries", "items": [{"text": "milk"}, {"text": "bread"}, {"text": "eggs", "done": True}],
            "places": [{"name": "Corner shop", "latitude": PLACE[0], "longitude": PLACE[1]}]})
        anna.own_tracks(away, seconds=-400)
        anna.own_tracks(seconds=-100)
        anna.own_tracks(seconds=-90)
        told = hook.next("reminder")
        assert told["reminder"] == made["id"] and told["messages"] == ["milk", "bread"], told
        assert told["text"] == "Corner shop, 0 m away\nmilk\nbread", told

        # Snoozed by the API, for longer than a busy machine may take to send this; the time alone brings it back.
        path = f"/api/v1/reminders/{made['id']}"
        end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 10))
        assert anna.post(path + "/snooze", {"until": end})["state"]["kind"] == "snoozed"
        assert hook.next("withdrawn")["reason"] == "slept"
        again = hook.next("reminder")
        assert again["sequence"] > told["sequence"], again

    # Started anew, it has not forgotten that it told, and its link still acts.
    with Server(program, folder) as server:
        anna.base = server.base
        anna.own_tracks(seconds=-80)
        token = again["links"]["done"].rsplit("/", 1)[1]
        assert "Done." in follow(f"{server.base}/r/{token}")
        assert anna.get(path)["state"]["kind"] == "completed"
        assert [telling["place"] for telling in anna.get(path)["told"]] == ["Corner shop"]

    # Done, it is told no more; whatever is told after it shows that.
    with Receiver() as later, Server(program, folder) as server:
        anna.base = server.base
        anna.channel("webhook", later.configuration)
        anna.own_tracks(seconds=-60)
        other = anna.post("/api/v1/reminders", {
            "title": "Letters", "places": [{"name": "", "latitude": PLACE[0], "longitude": PLACE[1]}]})
        assert later.next("reminder")["reminder"] == other["id"]
        assert not [value for value in later.kept if value["kind"] == "reminder"]


def links_for_phones_open_their_apps(program, folder):
    with Server(program, folder, "--public-url", "https://alarm.example.org") as server:
        anna = Person(server)
        device = anna.post("/api/v1/devices", {"name": "Anna's phone"})
        schemes = {"owntracks": "owntracks:///config?inline=", "overland": "overland://setup?",
                   "traccar": "https://alarm.example.org/traccar?id="}
        for app, beginning in schemes.items():
            answer = anna.post(f"/api/v1/devices/{device['id']}/setup/{app}")
            assert answer["link"].startswith(beginning), answer


STORIES = [
    an_alarm_arrives_as_mail_with_its_zone_and_sleeps_by_its_link,
    a_zone_is_sent_by_mail,
    an_alarm_reaches_an_apple_device_and_is_taken_away_again,
    nobody_answers_and_the_next_is_told_also_after_a_kill,
    a_step_that_cannot_be_reached_is_passed_over_at_once,
    a_notice_is_shown_on_entry_once_in_its_time_and_counted,
    a_reminder_is_told_at_the_shop_snoozed_told_again_and_done,
    links_for_phones_open_their_apps,
]
