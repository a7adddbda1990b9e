#!/usr/bin/env python3
"""Measures the server beside the bare HTTP stack that it stands on, in turns, on the same machine.

    Tests/ServerBenchmark/bench.py PROXIMITY HTTPSTACK [--seconds 5] [--rounds 3] [--devices 100000] [--zones 10000]

wrk posts as phones do (post.lua). Every post that the server answers is on the disk (SQLite, synchronous=FULL). Printed
are medians over the rounds: posts a second, 50th and 99th percentile of the answers' times, and processor time a post,
which a busy machine changes least. Half load is half of what 64 connections reached, in posts that come at random.
"""

import argparse
import base64
import http.client
import json
import os
import re
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class Process:
    def __init__(self, command, pattern, folder, name):
        self.log = open(os.path.join(folder, name), "ab+")
        began = self.log.seek(0, os.SEEK_END)
        started = time.monotonic()
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        deadline = started + 60
        while time.monotonic() < deadline:
            self.log.seek(began)
            self.text = self.log.read().decode(errors="replace")
            found = re.search(pattern, self.text)
            if found:
                self.port = int(found.group(1))
                self.ready_s = time.monotonic() - started
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.005)
        raise SystemExit(f"{command[0]} does not start: {self.text[-2000:]}")

    def processor_s(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self, key):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(rf"{key}:\s+(\d+) kB", file.read()).group(1)) / 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


class Server(Process):
    pass


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.data = os.path.join(folder, "data")
        # Posts so far: the next run goes on where the last one ended.
        self.sent = {"one": 0, "batch": 0}
        # What phones without network since yesterday have kept. What is older than a day is judged in another way.
        self.epoch = int(time.time() - 22 * 3600) // 1000 * 1000

    def serve(self):
        return Server([self.options.proximity, "serve", "--listen", "127.0.0.1:0", "--data", self.data, "--log-level",
                        "warning"], r"listening on http://127\.0\.0\.1:(\d+)", self.folder, "server.log")

    def prepare(self):
        """An account with its zones, and its devices, which are written straight into the tables."""
        server = self.serve()
        link = None
        deadline = time.monotonic() + 30
        while link is None and time.monotonic() < deadline:
            server.log.seek(0)
            link = re.search(rb"setup=(\S+)", server.log.read())
        answer, account = self.call(server, "/api/v1/setup", json.dumps(
            {"token": link.group(1).decode(), "login": "bench", "password": "correct horse"}), {})
        signed = {"Cookie": answer.getheader("Set-Cookie").split(";")[0], "X-CSRF-Token": account["csrf_token"]}
        side = round(self.options.zones ** 0.5)
        rows = []
        for number in range(self.options.zones):
            latitude = 46 + 0.9 * (number // side) / side
            longitude = 14 + 1.3 * (number % side) / side
            rows.append(f"AlertZoneStart\nAlertZoneName,Zone {number}\nAlertZoneActive,1\nAlertZoneSize,100\n"
                        f"Location,1,{latitude:.6f},{longitude:.6f}\nAlertZoneEnd\n")
        self.call(server, "/api/v1/zones/import?name=zones.pad", "".join(rows),
                  {**signed, "Content-Type": "application/octet-stream"})
        _, token = self.call(server, "/api/v1/tokens", json.dumps({"name": "bench"}), signed)
        self.token = token["token"]
        server.stop()
        database = sqlite3.connect(os.path.join(self.data, "proximity.sqlite"))
        (account,) = database.execute("SELECT id FROM account").fetchone()
        # Ids stand in columns with their highest bit turned over.
        ids = [(4096 + number) - (1 << 63) for number in range(self.options.devices)]
        database.executemany(
            "INSERT INTO device (id, account, name, tracker_id, is_armed, settings, created_at, revision) "
            "VALUES (?, ?, ?, ?, 1, '{}', 0, 1)",
            ((i, account, f"phone {n}", "BE" if n < 4 else "") for n, i in enumerate(ids)))
        database.executemany(
            "INSERT INTO device_identity (scheme, value, account, device) VALUES ('owntracks', ?, ?, ?)",
            ((f"bench/{n}", account, i) for n, i in enumerate(ids)))
        # The zones are older than what the phones have kept: fixes from before an edit are judged by the zones of then,
        # which is another matter.
        database.execute("UPDATE zone_set SET at = at - 7 * 86400000")
        database.commit()
        database.close()

    @staticmethod
    def call(server, path, body, headers):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"{path}: {answer.status} {text[:500]!r}")
        return answer, json.loads(text)

    def wrk(self, server, connections, seconds, mode="one", devices=20_000, pace=0.0):
        # Those who send batches live in the past, and are others.
        first = 0 if mode == "one" else self.options.devices - devices
        step, begin = divmod(self.sent[mode], devices)
        basic = base64.b64encode(f"bench:{self.token}".encode()).decode()
        before = server.processor_s()
        answer = subprocess.run(
            ["wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", "10s", "-s",
             os.path.join(HERE, "post.lua"), f"http://127.0.0.1:{server.port}", "--", mode, str(first), str(devices),
             str(begin), str(step), str(self.epoch), str(pace), basic, self.token],
            capture_output=True, text=True, timeout=seconds + 60)
        found = re.search(r"RESULT (.*)", answer.stdout)
        if not found:
            raise SystemExit(f"wrk: {answer.stdout} {answer.stderr}")
        result = json.loads(found.group(1))
        if result["bad"]:
            raise SystemExit(f"{result['bad']} posts were not taken: {answer.stdout}")
        result["rate"] = result["posts"] / result["seconds"]
        result["cpu_us"] = (server.processor_s() - before) / max(1, result["posts"]) * 1e6
        # Some more were sent than answered.
        if isinstance(server, Server):
            self.sent[mode] += result["posts"] + connections
        return result


def median(results):
    return {key: statistics.median(r[key] for r in results) for key in ("rate", "p50_ms", "p99_ms", "cpu_us")}


def measure(bench, options):
    server = bench.serve()
    stack = Process([options.stack, "0"], r"listening on (\d+)", bench.folder, "stack.log")
    rows = {}
    try:
        # Every phone once: from then on none is new to the server.
        while bench.sent["one"] < 20_000:
            bench.wrk(server, 16, 2)
        for _ in range(options.rounds):
            for connections in (1, 64, 512):
                for name, process in (("stack", stack), ("server", server)):
                    rows.setdefault((name, connections), []).append(
                        bench.wrk(process, connections, options.seconds))
        half = statistics.median(r["rate"] for r in rows[("server", 64)]) / 2
        for _ in range(options.rounds):
            rows.setdefault(("server", "half"), []).append(
                bench.wrk(server, 256, options.seconds, pace=half / 256))
        for _ in range(options.rounds):
            for name, process in (("stack", stack), ("server", server)):
                rows.setdefault((name, "batch"), []).append(
                    bench.wrk(process, 8, options.seconds, mode="batch", devices=100))
        return {key: median(results) for key, results in rows.items()}
    finally:
        stack.stop()
        server.stop()


def remember(bench, options):
    """Every one of the devices reports; then how much memory that took, and how long a start takes."""
    server = bench.serve()
    goal = bench.sent["one"] + options.devices
    deadline = time.monotonic() + 900
    while bench.sent["one"] < goal and time.monotonic() < deadline:
        bench.wrk(server, 64, 5, devices=options.devices)
    memory = (server.memory_mb("VmRSS"), server.memory_mb("VmHWM"))
    server.stop()
    again = bench.serve()
    ready, rest = again.ready_s, again.memory_mb("VmRSS")
    again.stop()
    return memory, ready, rest


def show(medians, options):
    print(f"{options.zones} zones, {options.rounds} rounds of {options.seconds} s, medians; wrk on "
          f"the same {os.cpu_count()} cores; load average {os.getloadavg()[0]:.1f}")
    print(f"{'':28}{'posts/s':>10}{'p50 ms':>9}{'p99 ms':>9}{'CPU us':>9}   of the stack's posts/s (by CPU)")
    for connections in (1, 64, 512):
        stack, server = medians[("stack", connections)], medians[("server", connections)]
        for name, row in (("bare stack", stack), ("server", server)):
            share = ""
            if row is server:
                share = f"{server['rate'] / stack['rate']:.2f} ({stack['cpu_us'] / server['cpu_us']:.2f})"
            print(f"{name + ', ' + str(connections) + ' connections':28}{row['rate']:10.0f}{row['p50_ms']:9.2f}"
                  f"{row['p99_ms']:9.2f}{row['cpu_us']:9.1f}   {share}")
    half = medians[("server", "half")]
    print(f"{'server, half load':28}{half['rate']:10.0f}{half['p50_ms']:9.2f}{half['p99_ms']:9.2f}{half['cpu_us']:9.1f}")
    for name in ("stack", "server"):
        row = medians[(name, "batch")]
        print(f"{name + ', 500 fixes a post':28}{row['rate']:10.0f}{row['p50_ms']:9.2f}{row['p99_ms']:9.2f}"
              f"{row['cpu_us']:9.1f}   {row['rate'] * 500:.0f} fixes/s, {row['cpu_us'] / 500:.2f} us CPU a fix")


def show_memory(memory, ready, rest, options):
    resident, peak = memory
    print(f"{options.devices} devices reported: {resident:.0f} MB resident, {peak:.0f} MB at most; started again in "
          f"{ready * 1000:.0f} ms with {rest:.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proximity")
    parser.add_argument("stack")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--devices", type=int, default=100_000)
    parser.add_argument("--zones", type=int, default=10_000)
    parser.add_argument("--folder", help="where the data lies; on the disk that counts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        bench = Bench(options, folder)
        bench.prepare()
        show(measure(bench, options), options)
        sys.stdout.flush()
        show_memory(*remember(bench, options), options)


if __name__ == "__main__":
    main()
