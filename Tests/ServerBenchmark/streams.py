#!/usr/bin/env python3
"""Measures open pages: how soon a change is told to all event streams, and what that costs the server.

    Tests/ServerBenchmark/streams.py PROXIMITY... [--listeners 200 1000] [--accounts 1000] [--changes 5] [--seconds 10]

Several programs (before and after a change of the sources) are measured in turns on the same machine. A phone's positions are
posted to an account at a steady pace; every page of that account hears of each. The last line of each program is of as many
accounts as said, with ten pages each, of which one account after the other changes. Printed are the median and the 95th
percentile of the time from a post to each page's event, and processor time of the server for each event told.
"""

import argparse
import hashlib
import http.client
import json
import os
import resource
import selectors
import socket
import sqlite3
import statistics
import tempfile
import time

from load import Load

PAGES_OF_EACH = 10


class Pages:
    """Event streams of one server, and when each event came."""

    def __init__(self, server, tokens, number):
        self.selector = selectors.EpollSelector()
        self.tails = {}
        for index in range(number):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=60)
            connection.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
                               + tokens[index % len(tokens)].encode() + b"\r\n\r\n")
            head = b""
            while b": open\n\n" not in head:
                part = connection.recv(4096)
                if not part:
                    raise SystemExit(f"/api/v1/events: {head[:200]!r}")
                head += part
            connection.setblocking(False)
            self.selector.register(connection, selectors.EVENT_READ)
            self.tails[connection] = b""

    def hear(self, timeout, note):
        """Calls `note` for each event of a phone that has come."""
        for key, _ in self.selector.select(timeout):
            connection = key.fileobj
            text = connection.recv(1 << 18)
            if not text:
                raise SystemExit("a page's stream was ended by the server")
            whole, _, self.tails[connection] = (self.tails[connection] + text).rpartition(b"\n\n")
            for _ in range(whole.count(b"event: device\n")):
                note()

    def close(self):
        for connection in self.tails:
            connection.close()


def post(server, token, device):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    body = json.dumps({"fixes": [{"latitude": 40, "longitude": 14, "accuracy_m": 8, "measured_at": int(time.time() * 1000)}]})
    connection.request("POST", f"/api/v1/fixes?device={device}", body,
                       {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    if answer.status != 200:
        raise SystemExit(f"/api/v1/fixes: {answer.status} {answer.read()!r}")
    answer.read()
    connection.close()


def measure(server, tokens, devices, listeners, options):
    """One change at a time, and the next when its moment has come and all pages of its account have heard it."""
    pages = Pages(server, tokens, listeners)
    waits, changes = [], 0
    each = max(1, listeners // len(tokens))
    try:
        began = None
        while began is None or time.monotonic() - began < options.seconds:
            if changes == 2:
                # The first find everything cold.
                began, processor, waits = time.monotonic(), server.processor_s(), []
            number = changes % len(tokens)
            changes += 1
            posted = time.monotonic()
            post(server, tokens[number], devices[number])
            heard = 0

            def note():
                nonlocal heard
                heard += 1
                waits.append((time.monotonic() - posted) * 1000)

            while heard < each:
                pages.hear(1, note)
                if time.monotonic() - posted > 30:
                    raise SystemExit(f"{each - heard} of {each} pages were not told within 30 s")
            rest = 1 / options.changes - (time.monotonic() - posted)
            if rest > 0:
                time.sleep(rest)
        waits.sort()
        return {"ms": statistics.median(waits), "p95_ms": waits[int(len(waits) * 0.95)],
                "us": (server.processor_s() - processor) / len(waits) * 1e6, "mb": server.memory_mb("VmRSS")}
    finally:
        pages.close()


def add_accounts(load, number):
    """Accounts with a phone and a token each, written straight into the tables: their tokens and their phones."""
    database = sqlite3.connect(os.path.join(load.data, "proximity.sqlite"))
    tokens, devices = [], []
    for index in range(number):
        account, device = (1 << 40) + index - (1 << 63), (1 << 41) + index - (1 << 63)
        token = f"{index:043d}"
        database.execute(
            "INSERT INTO account (id, login, name, is_administrator, is_disabled, created_at, revision) VALUES (?, ?, '', 0, 0, 0, 1)",
            (account, f"bench {index}"))
        database.execute("INSERT INTO zone_set (account, revision, edit, at) VALUES (?, 1, 0, 0)", (account,))
        database.execute(
            "INSERT INTO device (id, account, name, tracker_id, is_armed, settings, created_at, revision) "
            "VALUES (?, ?, 'phone', '', 1, '{}', 0, 1)", (device, account))
        database.execute("INSERT INTO engine_version (device, version) VALUES (?, 0)", (device,))
        database.execute(
            "INSERT INTO device_token (id, account, hash, name, created_at) VALUES (?, ?, ?, 'bench', 0)",
            (account, account, hashlib.sha256(token.encode()).digest()))
        tokens.append(token)
        devices.append(f"{(1 << 41) + index:016x}")
    database.commit()
    database.close()
    return tokens, devices


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proximity", nargs="+")
    parser.add_argument("--listeners", type=int, nargs="*", default=[200, 1000])
    parser.add_argument("--accounts", type=int, default=1000)
    parser.add_argument("--changes", type=float, default=5, help="a second")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    options.devices, options.zones = 1, 1
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    found = {}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        programs, options.proximity = options.proximity, options.proximity[0]
        load = Load(options, folder)
        load.prepare()
        many = add_accounts(load, options.accounts)
        one = ([load.token], [f"{4096:016x}"])
        cases = [(f"{number} pages of one account", one, number) for number in options.listeners]
        if options.accounts:
            number = options.accounts * PAGES_OF_EACH
            cases.append((f"{number} pages of {options.accounts} accounts", many, number))
        for _ in range(options.rounds):
            for title, (tokens, devices), number in cases:
                for program in programs:
                    load.options.proximity = program
                    server = load.serve(more=["--streams-per-account", "1000"])
                    try:
                        found.setdefault((title, program), []).append(measure(server, tokens, devices, number, options))
                    finally:
                        server.stop()
    print(f"{options.rounds} rounds of {options.seconds:.0f} s, {options.changes} changes a second at most, medians; load average "
          f"{os.getloadavg()[0]:.1f}")
    for (title, program), results in found.items():
        row = {key: statistics.median(result[key] for result in results) for key in results[0]}
        print(f"  {title:34}{row['ms']:9.1f} ms{row['p95_ms']:9.1f} ms at 95 %{row['us']:9.1f} us an event{row['mb']:8.0f} MB   {program}")


if __name__ == "__main__":
    main()
