#!/usr/bin/env python3
"""Measures 1, 2 and 4 server processes on one PostgreSQL beside one process with SQLite, in turns, on the same machine.

    Tests/ServerBenchmark/cluster.py PROXIMITY [--seconds 5] [--rounds 3] [--zones 1000] [--listeners 200]

wrk posts as phones do (post.lua), to each process its own phones, as a proxy does that goes by the token; "spread" is
the worst case: every phone's next post goes to another process. Every post that is answered is on the disk, in either
database. What a machine of two cores cannot show by the clock is told by processor time: posts a second of processor
time, of the server's processes alone and with PostgreSQL's. Printed are medians over the rounds, and what follows from
them for larger machines.
"""

import argparse
import datetime
import http.client
import json
import os
import re
import selectors
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

from load import HERE, Load, Server

SCRIPT = os.path.join(HERE, "..", "..", "Scripts", "postgresql")
# What each way of running has of its own: phones that post one by one, phones that go in and out, phones that post batches.
PHONES = {"one": 2000, "alarm": 1000, "batch": 100}
BATCH = 500
WAYS = [("sqlite", 1), ("postgresql", 1), ("postgresql", 2), ("postgresql", 4), ("spread", 2), ("spread", 4)]


def name(way):
    kind, processes = way
    return {"sqlite": "SQLite", "postgresql": "PostgreSQL", "spread": "spread"}[kind] + f", {processes}"


class PostgreSQL:
    def __init__(self, folder):
        self.folder = folder
        self.url = self.script("--durable", "start", folder).splitlines()[-1]

    @staticmethod
    def script(*arguments):
        done = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)}: {done.stderr}")
        return done.stdout.strip()

    def number(self, statement):
        done = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", self.url, "-c", statement],
                              capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{statement}: {done.stderr}")
        return float(done.stdout)

    def processor_s(self):
        """Of all its processes, those that have ended among them."""
        with open(f"{self.folder}/data/postmaster.pid") as file:
            postmaster = int(file.readline())
        ticks = 0
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    with open(f"/proc/{entry}/stat") as file:
                        fields = file.read().rsplit(")", 1)[1].split()
                except OSError:
                    continue
                if int(entry) == postmaster:
                    ticks += sum(map(int, fields[11:15]))
                elif int(fields[1]) == postmaster:
                    ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def remove(self):
        self.script("remove", self.folder)


class Databases:
    """The same account, zones and phones in both."""

    def __init__(self, options, folder):
        self.load = Load(options, folder)
        self.load.prepare()
        self.postgresql = PostgreSQL(os.path.join(folder, "postgresql"))
        moved = subprocess.run([options.proximity, "database", "copy", "--from", self.load.data, "--to", self.postgresql.url],
                               capture_output=True, text=True)
        if moved.returncode:
            raise SystemExit(moved.stderr)
        # Nobody's: the processes on PostgreSQL keep places there, and nothing else.
        self.other = os.path.join(folder, "other")
        # How many were sent of a way, a mode and a process.
        self.sent = {}

    def start(self, way):
        kind, processes = way
        streams = ["--streams-per-account", str(self.load.options.listeners)]
        if kind == "sqlite":
            return [self.load.serve(more=streams)]
        return [Server(self.load.options.proximity, self.other, self.load.folder, f"log{number}",
                       ["--database", self.postgresql.url, "--process-name", f"process {number}", *streams])
                for number in range(processes)]

    def count(self, kind, statement):
        if kind != "sqlite":
            return self.postgresql.number(statement)
        import sqlite3
        database = sqlite3.connect(f"file:{self.load.data}/proximity.sqlite?mode=ro", uri=True)
        try:
            return float(database.execute(statement).fetchone()[0])
        finally:
            database.close()

    def bytes(self, kind):
        """Of data, and of the write-ahead log since the beginning of time."""
        if kind == "sqlite":
            return os.path.getsize(f"{self.load.data}/proximity.sqlite"), 0
        return (self.postgresql.number("SELECT pg_database_size(current_database())"),
                self.postgresql.number("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"))

    def post(self, way, servers, mode, seconds, connections):
        """wrk for each process at once. Of the whole: rate, latencies, processor time, alarms, bytes."""
        kind, processes = way
        first = sum(PHONES[earlier] for earlier in list(PHONES)[:list(PHONES).index(mode)]) + \
            WAYS.index(way) * sum(PHONES.values())
        phones = PHONES[mode] if kind == "spread" else PHONES[mode] // processes
        alarms = self.count(kind, "SELECT count(*) FROM alarm") if mode == "alarm" else 0
        before = [server.processor_s() for server in servers]
        database = self.postgresql.processor_s()
        stored = self.bytes(kind)
        running = []
        for number, server in enumerate(servers):
            sent = self.sent.get((way, mode, number), 0)
            if kind == "spread":
                # The same phones, each process at another of them.
                begins = (first, phones, (sent + number * phones // processes) % phones, sent // phones)
            else:
                begins = (first + number * phones, phones, sent % phones, sent // phones)
            running.append(self.load.start_wrk(server.port, max(1, connections // processes), seconds, mode, begins))
        results = [self.load.result(wrk, seconds) for wrk in running]
        for number, result in enumerate(results):
            self.sent[(way, mode, number)] = self.sent.get((way, mode, number), 0) + result["posts"] + connections
        posts = sum(result["posts"] for result in results)
        used = sum(server.processor_s() for server in servers) - sum(before)
        grown = [after - earlier for after, earlier in zip(self.bytes(kind), stored)]
        took = max(result["seconds"] for result in results)
        return {
            "rate": posts / took,
            "p50_ms": statistics.mean(result["p50_ms"] for result in results),
            "p99_ms": max(result["p99_ms"] for result in results),
            "server_us": used / max(1, posts) * 1e6,
            "database_us": (self.postgresql.processor_s() - database) / max(1, posts) * 1e6 if kind != "sqlite" else 0,
            "alarms": (self.count(kind, "SELECT count(*) FROM alarm") - alarms) / took if mode == "alarm" else 0,
            "bytes": grown[0] / max(1, posts), "log_bytes": grown[1] / max(1, posts),
        }


class Listeners:
    """Open pages: event streams of one process."""

    def __init__(self, server, token, number):
        self.selector = selectors.DefaultSelector()
        self.heard = {}
        for _ in range(number):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=30)
            connection.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
                               .encode())
            head = b""
            while b"\r\n\r\n" not in head:
                head += connection.recv(4096)
            if not head.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"/api/v1/events: {head[:200]!r}")
            connection.setblocking(False)
            self.selector.register(connection, selectors.EVENT_READ)
            self.heard[connection] = b""

    def until_all_heard(self, device, posted, began, seconds=10):
        """How long after `began` each heard of what was posted of the device at `posted`, in ms. What they hear of others,
        and of earlier posts, does not count."""
        waits, waiting = [], set(self.heard)
        while waiting:
            for key, _ in self.selector.select(1):
                connection = key.fileobj
                text = connection.recv(65536)
                if not text:
                    raise SystemExit(f"a page's stream was ended by the server after {self.heard[connection]!r}")
                whole, _, self.heard[connection] = (self.heard[connection] + text).rpartition(b"\n\n")
                times = re.findall(rb'event: device\ndata: \{"id":"' + device + rb'"[^}]*"changed_at":"([^"]+)"', whole)
                is_heard = any(datetime.datetime.fromisoformat(at.decode()).timestamp() >= posted for at in times)
                if is_heard and connection in waiting:
                    waiting.discard(connection)
                    waits.append((time.monotonic() - began) * 1000)
            if time.monotonic() - began > seconds:
                raise SystemExit(f"{len(waiting)} of {len(self.heard)} pages were not told within {seconds} s")
        return waits

    def close(self):
        for connection in self.heard:
            connection.close()


def fan_out(databases, way, servers, listeners):
    """Posted to the first process, told by the last to all its pages: median and 95th percentile of all, in ms."""
    load = databases.load
    device = f"{4096 + load.options.devices - 1 - WAYS.index(way):016x}"
    pages = Listeners(servers[-1], load.token, listeners)
    waits = []
    try:
        for step in range(20):
            posted = int(time.time() * 1000)
            body = json.dumps({"fixes": [{"latitude": 40, "longitude": 14, "accuracy_m": 8, "measured_at": posted}]})
            began = time.monotonic()
            connection = http.client.HTTPConnection("127.0.0.1", servers[0].port, timeout=30)
            connection.request("POST", f"/api/v1/fixes?device={device}", body,
                               {"Content-Type": "application/json", "Authorization": f"Bearer {load.token}"})
            answer = connection.getresponse()
            if answer.status != 200:
                raise SystemExit(f"/api/v1/fixes: {answer.status} {answer.read()!r}")
            answer.read()
            connection.close()
            heard = pages.until_all_heard(device.encode(), posted / 1000, began)
            # The first two find everything cold.
            if step > 1:
                waits += heard
    finally:
        pages.close()
    waits.sort()
    return {"told_ms": statistics.median(waits), "told_p95_ms": waits[int(len(waits) * 0.95)]}


def figure(server, metric):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/metrics")
    found = re.findall(rf"^{metric}(?:\{{[^}}]*\}})? ([0-9.e+]+)$", connection.getresponse().read().decode(), re.M)
    connection.close()
    return sum(map(float, found))


def measure(databases, options):
    rows = {way: {mode: [] for mode in [*PHONES, "told", "memory", "conflicts"]} for way in WAYS}
    for round in range(options.rounds):
        for way in WAYS:
            servers = databases.start(way)
            row = rows[way]
            try:
                for mode in PHONES:
                    if way[0] == "spread" and mode != "one":
                        continue
                    # Every phone once: from then on none is read from the database.
                    databases.post(way, servers, mode, 2, 16)
                    before = sum(figure(server, "proximity_engine_conflicts_total") for server in servers)
                    row[mode].append(databases.post(way, servers, mode, options.seconds, 64 if mode != "batch" else 8))
                    if mode == "one":
                        row["conflicts"].append({"a_post": (sum(
                            figure(server, "proximity_engine_conflicts_total") for server in servers) - before)
                            / (row[mode][-1]["rate"] * options.seconds)})
                row["memory"].append({"mb": max(server.memory_mb("VmHWM") for server in servers)})
                if way[0] != "spread":
                    row["told"].append(fan_out(databases, way, servers, options.listeners))
            finally:
                for server in servers:
                    server.stop()
            print(f"  round {round + 1} of {options.rounds}: {name(way)}: {row['one'][-1]['rate']:.0f} posts/s", flush=True)
    return {way: {mode: {key: statistics.median(result[key] for result in results) for key in results[0]}
                  for mode, results in row.items() if results}
            for way, row in rows.items()}


def show(medians, options):
    print(f"\n{options.zones} zones, {options.rounds} rounds of {options.seconds} s, medians; wrk, the processes and PostgreSQL on "
          f"the same {os.cpu_count()} cores; load average {os.getloadavg()[0]:.1f}. us: processor time a post.\n")
    for mode, title in [("one", "posts of one position"), ("alarm", "posts into a zone and out of it"),
                        ("batch", f"posts of {BATCH} positions")]:
        print(f"{title:34}{'posts/s':>9}{'p50 ms':>8}{'p99 ms':>8}{'server us':>11}{'database us':>13}{'a server core/s':>17}"
              f"{'bytes':>8}{'log bytes':>11}")
        for way in WAYS:
            row = medians[way].get(mode)
            if row is None:
                continue
            more = ""
            if mode == "one" and way[0] == "spread":
                more = f"   conflicts a post {medians[way]['conflicts']['a_post']:.2f}"
            if mode == "alarm":
                more = f"   {row['alarms']:.0f} alarms/s"
            if mode == "batch":
                more = f"   {row['rate'] * BATCH:.0f} positions/s"
            print(f"  {name(way):32}{row['rate']:9.0f}{row['p50_ms']:8.2f}{row['p99_ms']:8.2f}{row['server_us']:11.1f}"
                  f"{row['database_us']:13.1f}{1e6 / row['server_us']:17.0f}{row['bytes']:8.0f}{row['log_bytes']:11.0f}{more}")
    print(f"\nfrom a post to one process to {options.listeners} pages on the last one; most memory of a process")
    for way in WAYS:
        told = medians[way].get("told")
        print(f"  {name(way):32}" + (f"{told['told_ms']:9.1f} ms at the median, {told['told_p95_ms']:.1f} at 95 %"
                                     if told else f"{'':38}") + f"{medians[way]['memory']['mb']:9.0f} MB")


def show_musts(medians):
    """What has to hold, and what is so."""
    sqlite, one, two, four = (medians[way]["one"] for way in WAYS[:4])
    for processes, row in ((2, two), (4, four)):
        gain = processes * one["server_us"] / row["server_us"]
        print(f"{processes} processes do {gain:.2f} times the work of one, each with a core of its own"
              + (f" (must: 1.6): {'holds' if gain >= 1.6 else 'MISSED'}" if processes == 2 else ""))
    share = one["rate"] / sqlite["rate"]
    print(f"one process on PostgreSQL takes {share:.2f} of SQLite's posts/s (must: 0.5): {'holds' if share >= 0.5 else 'MISSED'}")
    batch = medians[WAYS[1]]["batch"]["rate"] / medians[WAYS[0]]["batch"]["rate"]
    print(f"and {batch:.2f} of its batches")


def show_capacity(medians, a_day):
    """What one PostgreSQL carries, from processor time and bytes alone: a disk that is slower bounds it before."""
    one, batch = medians[WAYS[2]]["one"], medians[WAYS[2]]["batch"]
    print(f"\nWhat one PostgreSQL carries by its processor time, half used, with {a_day} positions a phone and day and four times "
          "the mean in the busiest hour:")
    for cores in (2, 8, 32):
        single = cores / 2 / (one["database_us"] / 1e6)
        batched = cores / 2 / (batch["database_us"] / BATCH / 1e6)
        phones = single * 86400 / a_day / 4
        needed = single * one["server_us"] / 1e6
        print(f"  {cores:2} cores: {single:9,.0f} posts/s of one position, {batched:11,.0f} positions/s in batches; {phones:12,.0f} "
              f"phones, with {needed:.1f} cores of server processes; {phones * a_day * one['bytes'] / 1e9:.1f} GB of data and "
              f"{phones * a_day * one['log_bytes'] / 1e9:.0f} GB of log a day")
    print("An account's data belong together and to nobody else's: beyond that, one more database with processes of its own for a "
          "part of the accounts carries as much again.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proximity")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--zones", type=int, default=1000)
    parser.add_argument("--listeners", type=int, default=200, help="open pages; 1000 at most")
    parser.add_argument("--positions-a-day", type=int, default=250)
    parser.add_argument("--json", help="a file for the medians")
    # Not where temporary files are: those may be in memory.
    parser.add_argument("--folder", default="/var/tmp", help="where the data lies; on the disk that counts")
    options = parser.parse_args()
    options.devices = len(WAYS) * (sum(PHONES.values()) + 1)
    if not shutil.which("psql"):
        raise SystemExit("PostgreSQL is not installed (Debian and Ubuntu: apt-get install postgresql)")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        # PostgreSQL runs as another user where this runs as root.
        os.chmod(folder, 0o711)
        databases = Databases(options, folder)
        try:
            medians = measure(databases, options)
        finally:
            databases.postgresql.remove()
    show(medians, options)
    print()
    show_musts(medians)
    show_capacity(medians, options.positions_a_day)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({name(way): row for way, row in medians.items()}, file, indent=1)


if __name__ == "__main__":
    main()
