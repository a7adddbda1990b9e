"""What docs/operation.md says about backups, going back, failover and renewal, done as it stands there on real servers.

Commands and settings are read from the guide; only folders, names and addresses are replaced by those of the test.
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time

from cluster import SCRIPT, started
from operation import status_of
from rig import PATIENCE, PLACE, Person, Server, lasting_port, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "operation.md").read_text()


def lines(beginning):
    """The block of the guide with a line that begins so, from that line to the block's end."""
    blocks = re.findall(r"(?m)(?:^ {4,}\S.*\n)+", GUIDE)
    for block in blocks:
        found = [line.strip() for line in block.splitlines()]
        for place, line in enumerate(found):
            if line.startswith(beginning):
                return found[place:]
    raise AssertionError(f"docs/operation.md has no line that begins with {beginning!r}")


def command(beginning):
    return lines(beginning)[0]


def settings(beginning):
    """Settings of postgresql.conf that stand together."""
    return [line for line in lines(beginning) if re.match(r"\w+ = ", line)]


def replaced(line, **words):
    """A line of the guide with other words in it, each of which stands there."""
    for name, word in words.items():
        old = name.replace("_", "/") if name.startswith("_") else name
        assert old in line, (old, line)
        line = line.replace(old, word)
    return line


class Shell:
    """Runs the guide's commands as a person would: `proximity` and PostgreSQL's programs are on the path."""

    def __init__(self, program, folder):
        self.folder = folder
        programs = os.path.join(folder, "bin")
        os.mkdir(programs)
        os.symlink(program, os.path.join(programs, "proximity"))
        self.postgresql = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True).stdout.strip()
        self.path = f"{programs}:{self.postgresql}:{os.environ['PATH']}"

    def run(self, line, as_owner=False, **environment):
        words = ["bash", "-c", line]
        # PostgreSQL's own programs refuse to work as root.
        if as_owner and os.geteuid() == 0:
            words = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *words]
        done = subprocess.run(words, capture_output=True, text=True, timeout=15 * PATIENCE, cwd=self.folder,
                              env={**os.environ, "PATH": self.path, "LC_ALL": "C.UTF-8", **environment})
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        return done.stdout.strip()


class Database:
    """A PostgreSQL server in a folder, whose settings are written by the test."""

    def __init__(self, shell, folder):
        self.shell, self.folder = shell, folder

    def script(self, *arguments):
        done = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, timeout=15 * PATIENCE)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout.strip()

    def start(self):
        self.url = self.script("start", self.folder)
        return self

    def stop(self, how="fast"):
        self.script("stop", self.folder, how)

    def configure(self, settings, file="postgresql.conf"):
        with open(os.path.join(self.folder, "data", file), "a") as conf:
            conf.write("\n".join(["", *settings, ""]))

    def ask(self, statement, database="postgres"):
        url = self.url.rsplit("/", 1)[0] + "/" + database
        return self.shell.run(f'psql -XqAt -v ON_ERROR_STOP=1 -d "{url}" -c "{statement}"')

    @property
    def place(self):
        return self.url.split("@")[1].split("/")[0]

    def make_role(self):
        """As the guide says; the URL is that of the server's own user."""
        with open(os.path.join(self.shell.folder, "database-password"), "w") as file:
            file.write("0123456789abcdef")
        host, port = self.place.split(":")
        line = replaced(command("psql --username postgres"), **{"deploy/": f"{ROOT}/deploy/"})
        self.shell.run(line, PGHOST=host, PGPORT=port)
        return f"postgres://proximity:0123456789abcdef@{self.place}/proximity"


@contextlib.contextmanager
def databases(program, *names):
    """Folders for servers, beside each other where the servers' user can enter; None where there is no PostgreSQL."""
    with tempfile.TemporaryDirectory(dir="/tmp") as shared:
        os.chmod(shared, 0o755)
        with started(os.path.join(shared, "found")) as url:
            if url is None:
                yield None
                return
        shell = Shell(program, shared)
        all = [Database(shell, os.path.join(shared, name)) for name in names]
        try:
            yield all
        finally:
            for one in all:
                if os.path.exists(one.folder):
                    one.script("remove", one.folder)


def owned(path):
    os.mkdir(path)
    os.chmod(path, 0o700)
    if os.geteuid() == 0:
        shutil.chown(path, "postgres", "postgres")
    return path


def seen(person):
    return (sorted(zone["name"] for zone in person.get("/api/v1/zones")["items"]),
            [alarm["id"] for alarm in person.get("/api/v1/alarms")["items"]])


def backups_are_put_back_as_the_guide_says(program, folder):
    with databases(program, "postgresql") as found:
        if found is None:
            return
        [database] = found
        shell = database.start().shell
        url = database.make_role()
        backup = os.path.join(shell.folder, "backup")
        os.mkdir(backup)
        with open(os.path.join(shell.folder, "url"), "w") as file:
            file.write(url)
        with Server(program, folder, "--database", url) as server:
            anna = Person(server)
            anna.zone("Bakery")
            anna.own_tracks(PLACE)
            before = seen(anna)
            assert len(before[1]) == 1
            for beginning in ("PROXIMITY_DATABASE=$(cat url) proximity backup", "pg_dump"):
                shell.run(command(beginning).replace("/backup", backup))
            anna.zone("after the backup")
            page = anna.get("/api/v1/sync")
            late = f"/api/v1/sync?after={page['next']}&epoch={page['epoch']}"
        [file] = pathlib.Path(backup).glob("*.sqlite")
        [dump] = pathlib.Path(backup).glob("*.dump")
        kept = os.path.join(backup, "folder-with-proximity.sqlite")
        os.mkdir(kept)
        shutil.copy(file, os.path.join(kept, "proximity.sqlite"))

        def back(name, put_back):
            database.ask(f"CREATE DATABASE {name} OWNER proximity TEMPLATE template0 ENCODING 'UTF8'")
            where = url.rsplit("/", 1)[0] + "/" + name
            with open(os.path.join(shell.folder, "url"), "w") as file:
                file.write(where)
            put_back(where)
            shell.run(f'proximity database check --database "{where}"')
            with Server(program, folder, "--database", where) as server:
                anna.base = server.base
                assert seen(anna) == before, (name, seen(anna), before)
                # Whoever had read more than the backup knows is told so.
                anna.zone("other")
                assert status_of(server, late, anna.token) == 410

        copy = command("proximity database copy --from /backup")
        back("copied", lambda where: shell.run(copy.replace("/backup", backup).replace("postgres://...", where)))
        restore = command("pg_restore")
        back("restored", lambda where: shell.run(re.sub(r"/backup/\S+\.dump", str(dump), restore)))


def a_mistake_is_undone_by_going_back_to_a_moment(program, folder):
    with databases(program, "postgresql") as found:
        if found is None:
            return
        [database] = found
        shell = database.start().shell
        archive, backup = owned(os.path.join(shell.folder, "archive")), owned(os.path.join(shell.folder, "backup"))
        database.stop()
        database.configure([line.replace("/archive", archive) for line in settings("archive_mode")])
        database.start()
        url = database.make_role()
        host, port = database.place.split(":")
        shell.run(command("pg_basebackup --pgdata").replace("/backup", backup), as_owner=True,
                  PGHOST=host, PGPORT=port, PGUSER="postgres")
        [base] = pathlib.Path(backup).iterdir()
        with Server(program, folder, "--database", url) as server:
            anna = Person(server)
            bakery = anna.zone("Bakery")
            anna.own_tracks(PLACE)
            before = seen(anna)
            moment = database.ask("SELECT clock_timestamp()")
            # Of this the moment knows nothing.
            database.ask("SELECT pg_sleep(0.01)")
            anna.zone("mistake")
            _, head = anna._exchange("GET", f"/api/v1/zones/{bakery['id']}")
            anna._exchange("DELETE", f"/api/v1/zones/{bakery['id']}", headers={"If-Match": head["ETag"]})
            last = database.ask("SELECT pg_walfile_name(pg_current_wal_lsn())")
            database.ask("SELECT pg_switch_wal()")
            until("the log is in the archive", lambda: os.path.exists(os.path.join(archive, last)))
        database.stop("immediate")
        data = os.path.join(database.folder, "data")
        shutil.move(data, data + "-lost")
        shutil.move(str(base), data)
        restore = settings("restore_command")
        assert [line.split()[0] for line in restore] == [
            "restore_command", "recovery_target_time", "recovery_target_action"]
        database.configure([
            re.sub(r"'\d{4}-.*'", f"'{moment}'", line.replace("/archive", archive)) for line in restore])
        open(os.path.join(data, "recovery.signal"), "w").close()
        database.start()
        until("the server has gone back", lambda: database.ask("SELECT pg_is_in_recovery()") == "f")
        with Server(program, folder, "--database", url) as server:
            anna.base = server.base
            assert seen(anna) == before, (seen(anna), before)
            anna.zone("and on")


def standby(first, second, name):
    """As the guide says how one is made. It names itself."""
    host, port = first.place.split(":")
    os.mkdir(second.folder)
    os.chmod(second.folder, 0o700)
    if os.geteuid() == 0:
        shutil.chown(second.folder, "postgres", "postgres")
    flags = re.search(r"`(pg_basebackup --write-recovery-conf [^`]*)`", GUIDE)[1].replace("=b", f"={name}")
    first.shell.run(
        f'{flags} --checkpoint=fast --pgdata="{second.folder}/data" '
        f'--dbname="host={host} port={port} user=postgres application_name={name}"', as_owner=True)
    second.start()


class Reporter(threading.Thread):
    """A phone that reports as fast as it is answered, and knows what was acknowledged; it goes from process to process."""

    def __init__(self, person, bases):
        super().__init__(daemon=True)
        self.person, self.bases = person, bases
        self.acknowledged, self.is_over = [], False
        # Of the past, one a second, so that each is one of its own.
        self.at = int(time.time()) - 20_000

    def run(self):
        number = 0
        while not self.is_over:
            number += 1
            self.at += 1
            self.person.base = self.bases[number % len(self.bases)]
            try:
                self.person.own_tracks((PLACE[0] + 0.05, PLACE[1]), seconds=self.at - int(time.time()), device="reporter")
                self.acknowledged.append(self.at)
            except OSError:
                # It is kept, and told again at another process: here it is simply not counted.
                time.sleep(0.02)

    def wait_for_more(self, count=5):
        goal = len(self.acknowledged) + count
        until("the phone is answered", lambda: len(self.acknowledged) >= goal)

    def end(self):
        self.is_over = True
        self.join(PATIENCE)


def stored(database):
    found = database.ask("SELECT measured_at / 1000, count(*) FROM fix GROUP BY 1", "proximity")
    return {int(line.split("|")[0]): int(line.split("|")[1]) for line in found.splitlines()}


def the_loss_of_the_primary_costs_nothing_that_was_acknowledged(program, folder):
    with databases(program, "a", "b", "c") as found:
        if found is None:
            return
        a, b, c = found
        a.start()
        a.make_role()
        standby(a, b, "b")
        standby(a, c, "c")
        a.configure(settings("synchronous_standby_names"))
        a.ask("SELECT pg_reload_conf()")
        until("both standbys are taken into account", lambda: a.ask(
            "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'") == "2")
        given = command("postgres://proximity:PASSWORD@a.example.org,")
        url = (given.replace("PASSWORD", "0123456789abcdef").replace("a.example.org", a.place)
               .replace("b.example.org", b.place).replace("c.example.org", c.place)
               # The tests' server has no certificate.
               .replace("&sslmode=verify-full", ""))
        with Server(program, folder, "--database", url, "--process-name", "one") as one, \
                Server(program, folder, "--database", url, "--process-name", "two") as two:
            anna = Person(one)
            anna.zone("Bakery")
            phone = Reporter(anna, [one.base, two.base])
            phone.start()
            phone.wait_for_more(20)
            # 1: it stays lost.
            a.stop("immediate")
            # 2: the one that has more.
            newest = max((b, c), key=lambda one: int(one.ask("SELECT pg_last_wal_receive_lsn() - '0/0'")))
            other = c if newest is b else b
            name = "c" if newest is b else "b"
            # 3: promoted; the other one follows it, and is waited for.
            newest.shell.run(f'pg_ctl -D "{newest.folder}/data" promote', as_owner=True)
            until("it takes writes", lambda: newest.ask("SELECT pg_is_in_recovery()") == "f")
            newest.ask(f"SELECT pg_create_physical_replication_slot('{name}')")
            host, port = newest.place.split(":")
            other.configure([f"primary_conninfo = 'host={host} port={port} user=postgres application_name={name}'"],
                            file="postgresql.auto.conf")
            other.ask("SELECT pg_reload_conf()")
            until("the other standby follows", lambda: newest.ask(
                f"SELECT count(*) FROM pg_stat_replication WHERE application_name = '{name}' AND state = 'streaming'") == "1")
            newest.configure([f"synchronous_standby_names = 'ANY 1 ({name})'"], file="postgresql.auto.conf")
            newest.ask("SELECT pg_reload_conf()")
            # 4: nothing is restarted.
            phone.wait_for_more(20)
            assert one.process.poll() is None and two.process.poll() is None
            # 5: the one that was lost comes back as a standby.
            shutil.rmtree(a.folder)
            standby(newest, a, "a")
            phone.wait_for_more(5)
            phone.end()
            there = stored(newest)
            missing = [at for at in phone.acknowledged if there.get(at) != 1]
            assert not missing, f"{len(missing)} of {len(phone.acknowledged)} acknowledged positions are lost or doubled"


def processes_are_renewed_one_after_the_other(program, folder):
    with databases(program, "postgresql") as found:
        if found is None:
            return
        [database] = found
        database.start()
        url = database.make_role()
        renewal = "\n".join(lines("for port in"))
        with contextlib.ExitStack() as stack:
            servers = [stack.enter_context(Server(
                program, folder, "--database", url, "--process-name", str(number), "--listen",
                f"127.0.0.1:{lasting_port()}")) for number in range(2)]
            anna = Person(servers[0])
            phone = Reporter(anna, [server.base for server in servers])
            phone.start()
            phone.wait_for_more()
            ports = [server.port for server in servers]
            for place, port in enumerate(ports):
                phone.wait_for_more()
                # In place of systemctl: it ends by SIGTERM, and is started at the same address.
                servers[place].process.terminate()
                assert servers[place].process.wait(PATIENCE) == 0
                servers[place] = stack.enter_context(Server(
                    program, folder, "--database", url, "--process-name", str(place), "--listen", f"127.0.0.1:{port}"))
                one = renewal.replace("8081 8082", str(port)).replace("systemctl restart proximity@$port", ":")
                assert ":" in one and f"for port in {port};" in one, one
                database.shell.run(one)
            phone.wait_for_more()
            phone.end()
            there = stored(database)
            assert all(there.get(at) == 1 for at in phone.acknowledged)


STORIES = [
    backups_are_put_back_as_the_guide_says,
    a_mistake_is_undone_by_going_back_to_a_moment,
    the_loss_of_the_primary_costs_nothing_that_was_acknowledged,
    processes_are_renewed_one_after_the_other,
]
