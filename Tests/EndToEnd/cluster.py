"""Two processes on one PostgreSQL database, and the way there from a folder and back."""
import copy
import os
import pathlib
import statistics
import subprocess
import tempfile
import time
import urllib.request
from contextlib import contextmanager

import day
from rig import PATIENCE, PLACE, Person, Server, finish, refused

SCRIPT = str(pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "postgresql")


@contextmanager
def database():
    """Where it lies, or None where PostgreSQL is not installed; with CI set that is a failure."""
    # It runs as another user where this runs as root: in a folder that any may enter.
    with tempfile.TemporaryDirectory(dir="/tmp") as shared:
        os.chmod(shared, 0o711)
        with started(os.path.join(shared, "postgresql")) as url:
            yield url


@contextmanager
def started(data):
    start = subprocess.run([SCRIPT, "start", data], capture_output=True, text=True, timeout=15 * PATIENCE)
    if start.returncode == 77 and not os.environ.get("CI"):
        print("left out: PostgreSQL is not installed")
        yield None
        return
    assert start.returncode == 0, start.stderr
    try:
        yield start.stdout.split()[-1]
    finally:
        subprocess.run([SCRIPT, "remove", data], capture_output=True, timeout=15 * PATIENCE)


def run(program, *arguments):
    ended = finish([program, *arguments], capture_output=True, text=True, seconds=2 * PATIENCE)
    return ended.returncode, ended.stderr


def events_of(person):
    request = urllib.request.Request(f"{person.base}/api/v1/events", headers={
        "Authorization": f"Bearer {person.token}"})
    return urllib.request.urlopen(request, timeout=PATIENCE)


def what_is_posted_to_one_process_is_told_by_the_other(program, folder):
    with database() as url:
        if url is None:
            return
        more = ["--database", url]
        with Server(program, folder, *more) as first, Server(program, folder, *more) as second:
            # The link that was printed last is good.
            there = Person(second)
            anna = copy.copy(there)
            anna.base = first.base
            # Drawn on one, rings on the other, answered on the first.
            there.zone("Bakery")
            far = (PLACE[0] + 0.01, PLACE[1])
            walk = day.Walk(anna)
            walk.to(160)
            with events_of(there) as events:
                waits = []
                for step in range(12):
                    sent = time.monotonic()
                    anna.own_tracks(far, seconds=step - 40)
                    while events.readline() != b"event: device\n":
                        pass
                    waits.append(time.monotonic() - sent)
                print(f"        from a post to the other process's stream: median {statistics.median(waits) * 1000:.0f} ms")
                walk.to(0)
                while events.readline() != b"event: alarm\n":
                    pass
            alarm = there.get("/api/v1/alarms")["items"][0]
            assert alarm["state"] == "ringing", alarm
            anna.post(f"/api/v1/alarms/{alarm['id']}/acknowledge")
            assert there.get(f"/api/v1/alarms/{alarm['id']}")["state"] == "acknowledged", there.get(
                f"/api/v1/alarms/{alarm['id']}")
            # One ends; the other goes on with the same phone.
            first.kill()
            walk.person = there
            walk.to(160)
            assert len(there.get("/api/v1/alarms")["items"]) == 1


def data_moves_to_postgresql_and_back(program, folder):
    with database() as url:
        if url is None:
            return
        with Server(program, folder) as server:
            anna = Person(server)
            anna.zone("Bäckerei \"am Eck\" \\ 北")
            walk = day.Walk(anna)
            walk.to(160)
            walk.to(0)
            # Else silence becomes an alarm of its own where the rest takes minutes.
            anna.arm(False)
            before = anna.get("/api/v1/alarms")["items"], anna.get("/api/v1/zones")["items"]
            assert len(before[0]) == 1
            status, said = run(program, "database", "copy", "--from", f"{folder}/data", "--to", url)
            assert status != 0 and "another server is using" in said, said
        status, said = run(program, "database", "copy", "--from", f"{folder}/data", "--to", url)
        assert status == 0 and "all rows are equal" in said, said
        with Server(program, folder, "--database", url) as server:
            anna.base = server.base
            assert (anna.get("/api/v1/alarms")["items"], anna.get("/api/v1/zones")["items"]) == before
        status, said = run(program, "database", "check", "--database", url)
        assert status == 0 and "no damage: 1 accounts" in said, said
        # Where there is something it is not written over.
        status, said = run(program, "database", "copy", "--from", f"{folder}/data", "--to", url)
        assert status == 2 and "already holds data" in said, said
        status, said = run(program, "database", "copy", "--from", url, "--to", f"{folder}/back")
        assert status == 0, said
        with Server(program, folder, "--data", f"{folder}/back") as server:
            anna.base = server.base
            assert (anna.get("/api/v1/alarms")["items"], anna.get("/api/v1/zones")["items"]) == before
        # A copy for safe keeping is a file in either case.
        status, said = run(program, "backup", "--database", url, f"{folder}/kept/proximity.sqlite")
        assert status != 0, said
        os.mkdir(f"{folder}/kept")
        status, said = run(program, "backup", "--database", url, f"{folder}/kept/proximity.sqlite")
        assert status == 0, said
        status, said = run(program, "database", "check", "--data", f"{folder}/kept")
        assert status == 0 and "1 alarms" in said, said


def a_database_that_will_not_do_is_refused_with_words(program, folder):
    with database() as url:
        if url is None:
            return
        other = url.rsplit("/", 1)[0] + "/others"

        def ask(where, statement):
            done = finish(["psql", "-q", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", where, "-c", statement],
                                  capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            return done.stdout

        ask(url, "CREATE DATABASE others")
        ask(other, "CREATE TABLE customers (id int)")
        ask(url, "CREATE ROLE guest LOGIN PASSWORD 'hush'")
        ask(url, "CREATE DATABASE closed")
        closed = url.rsplit("/", 1)[0] + "/closed"
        ask(closed, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        rest = closed.split("@", 1)[1]
        for given, words in [
            (other, "the database belongs to other software"),
            (f"postgres://guest:hush@{rest}", "refused access"),
            (url.rsplit("/", 1)[0] + "/nowhere", "does not exist"),
            ("postgres://anna:hush@127.0.0.1:1/alarm", "cannot be reached"),
            ("postgres://anna:hush@[/alarm", "address"),
        ]:
            status, said = refused(program, "--data", f"{folder}/data", "--database", given)
            assert status != 0 and words in said and "hush" not in said, (given, status, said)
        assert ask(other, "SELECT count(*) FROM pg_class WHERE relname = 'account'").strip() == "0"
        # Of a later version.
        with Server(program, folder, "--database", url):
            pass
        ask(url, "UPDATE proximity_schema SET version = 4711")
        status, said = refused(program, "--data", f"{folder}/data", "--database", url)
        assert status != 0 and "4711" in said, said


STORIES = [
    what_is_posted_to_one_process_is_told_by_the_other,
    data_moves_to_postgresql_and_back,
    a_database_that_will_not_do_is_refused_with_words,
]
