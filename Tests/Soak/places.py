#!/usr/bin/env python3
"""Kills an import of places again and again; what comes of it must be what an import makes that nobody stopped.

    Tests/Soak/places.py PROXIMITY [--places 30000] [--seed 1]
"""

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time


def invent(path, count, chance):
    with open(path, "w") as file:
        for number in range(count):
            point = [round(14 + chance.random(), 6), round(46 + chance.random(), 6)]
            file.write(json.dumps({
                "type": "Feature", "id": f"node/{number}", "geometry": {"type": "Point", "coordinates": point},
                "properties": {"name": f"Shop {chance.randrange(5000)}", "shop": "bakery"}}) + "\n")


def rows(folder):
    database = sqlite3.connect(os.path.join(folder, "places.sqlite"))
    found = database.execute("SELECT * FROM place JOIN place_box USING (number) ORDER BY number").fetchall()
    words = database.execute(
        "SELECT count(*), sum(rowid) FROM place_words WHERE place_words MATCH 'names:shop*'").fetchall()
    database.close()
    return found, words


def written(folder):
    """What of the folder changes whenever the import writes."""
    found = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        try:
            status = os.stat(os.path.join(folder, name))
        except FileNotFoundError:
            continue  # It has its final name now.
        found.append((name, status.st_size, status.st_mtime_ns))
    return tuple(found)


def kill_after(process, folder, writes):
    """Kills the import once it has written so often. It may end before."""
    last, count = written(folder), 0
    while count < writes and process.poll() is None:
        time.sleep(0.001)
        if (now := written(folder)) != last:
            last, count = now, count + 1
    process.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--places", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "shops.geojsonl")
        invent(source, options.places, chance)
        whole, broken = os.path.join(folder, "whole"), os.path.join(folder, "broken")
        subprocess.run([options.program, "places", "import", source, "--data", whole], check=True, capture_output=True)
        kills = resumed = 0
        for attempt in range(60):
            process = subprocess.Popen([options.program, "places", "import", source, "--data", broken],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            # Later from attempt to attempt, so that it comes to an end.
            kill_after(process, broken, chance.randint(1, 3 + attempt))
            _, messages = process.communicate()
            if process.returncode == -signal.SIGKILL:
                kills += 1
                # It may have been killed when the file was whole and had its name.
                if os.path.exists(os.path.join(broken, "places.sqlite")):
                    if rows(whole) != rows(broken):
                        sys.exit("FAILED: a file is there that is not whole")
                    break
            resumed += "continuing after" in messages
            if process.returncode == 0:
                break
        else:
            sys.exit("FAILED: it never ends")
        print(f"{kills} kills, gone on {resumed} times, {options.places} places, seed {options.seed}")
        if rows(whole) != rows(broken):
            sys.exit("FAILED: not the same places")
        if kills < 2 or resumed < 1:
            sys.exit("FAILED: too few kills to say anything")


if __name__ == "__main__":
    main()
