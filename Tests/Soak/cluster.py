#!/usr/bin/env python3
"""Several server processes on one PostgreSQL, and everything that may go wrong with them; nothing acknowledged is lost.

    Tests/Soak/cluster.py PROXIMITY [--seconds 60] [--phones 8] [--processes 3] [--seed 1] [--steady]

As kill.py, but each phone reports to whichever process it meets. Processes get SIGKILL, or stand still for some seconds
and go on; their connections to the database are cut; the database crashes and is started again. At the end everything is
copied into a file by `proximity database copy`, where each acknowledged fix has to be once, and each visit has its alarm.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kill  # noqa: E402

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "postgresql")


class PostgreSQL:
    def __init__(self, folder):
        self.folder = folder
        self.url = None

    def run(self, *arguments):
        done = subprocess.run([SCRIPT, "--durable", *arguments], capture_output=True, text=True)
        if done.returncode == 77:
            if os.environ.get("CI"):
                raise SystemExit(f"FAILED: {done.stderr.strip()}")
            print(f"left out: {done.stderr.strip()}")
            sys.exit(0)
        if done.returncode:
            raise SystemExit(f"FAILED: {' '.join(arguments)}: {done.stderr}")
        return done.stdout.strip()

    def start(self):
        self.url = self.run("start", self.folder).splitlines()[-1]

    def crash(self):
        self.run("stop", self.folder, "immediate")

    def ask(self, statement):
        subprocess.run(["psql", "-q", "-X", "-d", self.url, "-c", statement], capture_output=True, timeout=20)


def draw_earlier(database):
    """The zone was there before the phones' day began."""
    done = subprocess.run(["psql", "-q", "-X", "-v", "ON_ERROR_STOP=1", "-d", database.url, "-c",
                           f"UPDATE zone_set SET at = {(kill.EPOCH - 3600) * 1000}"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"FAILED: {done.stderr}")


def trouble(chance, servers, database, counts):
    """One thing goes wrong, and is over when this returns."""
    what = chance.choices(["kill", "stand", "cut", "crash"], [6, 3, 3, 1])[0]
    counts[what] = counts.get(what, 0) + 1
    server = chance.choice(servers)
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
    else:
        database.crash()
        time.sleep(chance.uniform(0, 1))
        database.start()


def main():
    parser = kill.arguments()
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--steady", action="store_true", help="nothing goes wrong")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    # The database runs as another user where this runs as root: in a folder that any may enter.
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory(dir="/tmp") as shared:
        os.chmod(shared, 0o711)
        database = PostgreSQL(os.path.join(shared, "postgresql"))
        database.start()
        servers = []
        try:
            servers = [
                kill.Server(options.program, folder, f"log{number}.txt",
                            ["--database", database.url, "--process-name", f"process {number}"])
                for number in range(options.processes)
            ]
            servers[0].start()
            token = kill.make_account(servers[0])
            servers[0].stop()
            draw_earlier(database)
            for server in servers:
                server.start()
            end = time.monotonic() + options.seconds
            phones = [kill.Phone(servers, n, token, end, options.seed) for n in range(options.phones)]
            for phone in phones:
                phone.start()
            counts = {}
            while time.monotonic() < end:
                time.sleep(chance.uniform(0.3, 2.5))
                if not options.steady:
                    trouble(chance, servers, database, counts)
            for phone in phones:
                phone.join(60)
            for server in servers:
                server.stop()
            copy = os.path.join(folder, "copy")
            moved = subprocess.run([options.program, "database", "copy", "--from", database.url, "--to", copy],
                                   capture_output=True, text=True)
            if moved.returncode:
                raise SystemExit(f"FAILED: {moved.stderr}")
            problems, total, alarms = kill.check(os.path.join(copy, "proximity.sqlite"), phones)
        finally:
            for server in servers:
                if server.process and server.process.poll() is None:
                    server.kill()
            database.run("remove", database.folder)
        acknowledged = sum(len(phone.acknowledged) for phone in phones)
        happened = ", ".join(f"{count} {what}" for what, count in sorted(counts.items())) or "no trouble"
        print(f"{options.processes} processes, {happened}: {acknowledged} fixes acknowledged, {total} stored, {alarms} "
              f"alarms, seed {options.seed}")
        kill.conclude(problems, acknowledged, options)


if __name__ == "__main__":
    main()
