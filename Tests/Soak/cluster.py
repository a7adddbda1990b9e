#!/usr/bin/env python3
"""Several server processes on one PostgreSQL, and everything that may go wrong with them; nothing acknowledged is lost.

    Tests/Soak/cluster.py PROXIMITY [--seconds 60] [--phones 8] [--processes 3] [--seed 1] [--only TROUBLE...]
                          [--before OLDER-PROXIMITY]

As kill.py, but each phone reports to whichever process it meets. Processes get SIGKILL, or stand still for some seconds
and go on; their connections to the database are cut; the database crashes and is started again, or is lost for ever, and
its synchronous standby takes its place. The database's disk is slow to say that it has written, and the clock of the last
process is an hour ahead. At the end everything is copied into a file by `proximity database copy`, where each acknowledged
fix has to be once, and each visit has its alarm. With `--before` all processes begin as that older program, and each is
replaced by the new one, the first with one third of the time gone and the last with two thirds, while the others go on.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kill  # noqa: E402

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "postgresql")


TROUBLES = {"kill": 12, "stand": 6, "cut": 6, "crash": 2, "promote": 1}


def left_out(why):
    """What is missing here must not be missing in CI."""
    if os.environ.get("CI"):
        raise SystemExit(f"FAILED: {why}")
    print(f"left out: {why}")


class PostgreSQL:
    """Two servers, of which one has what the other has committed; both on a slow disk."""

    def __init__(self, folder):
        self.folders = [os.path.join(folder, name) for name in ("first", "second")]
        self.urls = []
        self.environment = {**os.environ, **preloaded("slow-disk", folder)}

    def run(self, *arguments):
        done = subprocess.run([SCRIPT, "--durable", *arguments], capture_output=True, text=True, env=self.environment)
        if done.returncode == 77:
            left_out(done.stderr.strip())
            sys.exit(0)
        if done.returncode:
            raise SystemExit(f"FAILED: {' '.join(arguments)}: {done.stderr}")
        return done.stdout.strip().splitlines()[-1:]

    def start(self):
        first, second = self.folders
        self.urls = [*self.run("start", first), *self.run("standby", second, "of", first)]

    @property
    def url(self):
        """Of the one that takes writes, whichever it is."""
        hosts = ",".join(url.split("@")[1].split("/")[0] for url in self.urls)
        return f"postgres://postgres@{hosts}/postgres?target_session_attrs=read-write"

    def crash(self):
        self.run("stop", self.folders[0], "immediate")

    def restart(self):
        self.run("start", self.folders[0])

    def promote(self):
        """What is lost is made anew, as the other's standby, where it was."""
        self.crash()
        self.folders.reverse()
        self.run("promote", self.folders[0])
        shutil.rmtree(os.path.join(self.folders[1], "data"))
        self.run("standby", self.folders[1], "of", self.folders[0])

    def ask(self, statement):
        subprocess.run(["psql", "-q", "-X", "-d", self.url, "-c", statement], capture_output=True, timeout=20)

    def remove(self):
        for folder in self.folders:
            if os.path.exists(folder):
                self.run("remove", folder)


def preloaded(name, folder):
    """An environment in which the functions of a C file beside this one stand before the system's."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".c")
    library = os.path.join(folder, name + ".so")
    for compiler in ("cc", "clang", "gcc"):
        if shutil.which(compiler):
            subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
            os.chmod(library, 0o755)
            return {"LD_PRELOAD": library}
    left_out(f"{name}, which needs a C compiler")
    return {}


def draw_earlier(database):
    """The zone was there before the phones' day began."""
    done = subprocess.run(["psql", "-q", "-X", "-v", "ON_ERROR_STOP=1", "-d", database.url, "-c",
                           f"UPDATE zone_set SET at = {(kill.EPOCH - 3600) * 1000}"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"FAILED: {done.stderr}")


def upgrade(servers, program, counts):
    """The next process that is of the older program ends, and starts as the new one; the others go on."""
    server = next(server for server in servers if server.program != program)
    server.stop()
    server.program = program
    server.start()
    counts["upgrade"] = counts.get("upgrade", 0) + 1


def trouble(what, chance, servers, database, counts):
    """One thing goes wrong, and is over when this returns."""
    server = chance.choice(servers)
    if what == "kill" and len({server.program for server in servers}) > 1:
        # An older program does not start on what a newer one has made of the database.
        what = "cut"
    counts[what] = counts.get(what, 0) + 1
    if what == "kill":
        server.kill()
        server.start()
    elif what == "stand":
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(chance.uniform(0.5, 3))
        server.process.send_signal(signal.SIGCONT)
    elif what == "cut":
        database.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                     "WHERE application_name = 'proximity' AND pid <> pg_backend_pid()")
    elif what == "crash":
        database.crash()
        time.sleep(chance.uniform(0, 1))
        database.restart()
    else:
        database.promote()


def main():
    parser = kill.arguments()
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=TROUBLES, help="these alone go wrong, or nothing")
    parser.add_argument("--before", metavar="PROGRAM", help="what all processes begin as, to be upgraded one by one")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    # The database runs as another user where this runs as root: in a folder that any may enter.
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory(dir="/tmp") as shared:
        os.chmod(shared, 0o711)
        database = PostgreSQL(shared)
        servers = []
        try:
            database.start()
            servers = [
                kill.Server(options.before or options.program, folder, f"log{number}.txt",
                            ["--database", database.url, "--process-name", f"process {number}"],
                            preloaded("wrong-clock", folder) if number > 0 and number == options.processes - 1 else {})
                for number in range(options.processes)
            ]
            servers[0].start()
            token = kill.make_account(servers[0])
            servers[0].stop()
            draw_earlier(database)
            for server in servers:
                server.start()
            day = kill.Day(servers, token, options)
            end = day.end
            counts = {}
            weights = {what: TROUBLES[what] for what in (TROUBLES if options.only is None else options.only)}
            # A short run has each once.
            rare = [what for what in ("crash", "promote") if what in weights]
            # When each process is replaced.
            upgrades = [end - options.seconds * (2 - number / max(1, options.processes - 1)) / 3
                        for number in range(options.processes)] if options.before else []
            while day.goes_on() or rare or upgrades:
                time.sleep(chance.uniform(0.3, 2.5))
                if upgrades and time.monotonic() >= upgrades[0]:
                    upgrades.pop(0)
                    upgrade(servers, options.program, counts)
                if weights:
                    what = rare.pop() if rare and time.monotonic() > end - options.seconds / 2 \
                        else chance.choices([*weights], [*weights.values()])[0]
                    trouble(what, chance, servers, database, counts)
            day.finish()
            for server in servers:
                server.stop()
            copy = os.path.join(folder, "copy")
            moved = subprocess.run([options.program, "database", "copy", "--from", database.url, "--to", copy],
                                   capture_output=True, text=True)
            if moved.returncode:
                raise SystemExit(f"FAILED: {moved.stderr}")
            problems, total, alarms = kill.check(os.path.join(copy, "proximity.sqlite"), day.phones)
        finally:
            for server in servers:
                if server.process and server.process.poll() is None:
                    server.kill()
            database.remove()
        acknowledged = sum(len(phone.acknowledged) for phone in day.phones)
        happened = ", ".join(f"{count} {what}" for what, count in sorted(counts.items())) or "no trouble"
        print(f"{options.processes} processes, {happened}: {acknowledged} fixes acknowledged, {total} stored, {alarms} "
              f"alarms, seed {options.seed}")
        kill.conclude(problems)


if __name__ == "__main__":
    main()
