#!/usr/bin/env python3
"""Measures the server beside the bare HTTP stack that it stands on, in turns, on the same machine.

    Tests/ServerBenchmark/bench.py PROXIMITY HTTPSTACK [--seconds 5] [--rounds 3] [--devices 100000] [--zones 10000]

wrk posts as phones do (post.lua). Every post that the server answers is on the disk (SQLite, synchronous=FULL). Printed
are medians over the rounds: posts a second, 50th and 99th percentile of the answers' times, and processor time a post,
which a busy machine changes least. Half load is half of what 64 connections reached, in posts that come at random.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time

from load import Load, Process


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
    if options.devices < 20_100:
        parser.error("--devices: 20,100 or more allowed: 20,000 post one by one, the last 100 post batches of the past")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        bench = Load(options, folder)
        bench.prepare()
        show(measure(bench, options), options)
        sys.stdout.flush()
        show_memory(*remember(bench, options), options)


if __name__ == "__main__":
    main()
