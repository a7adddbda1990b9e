#!/usr/bin/env python3
"""Runs the program as people do and watches it from outside.

    Tests/EndToEnd/run.py PROXIMITY [WORD]    only stories with the word in their name

Each story has a folder and a server of its own. Nothing is timed: what must happen is awaited.
"""
import pathlib
import sys
import tempfile
import traceback

import alarms_out
import cluster
import companions
import day
import demonstration
import heights
import history
import mqtt
import mqtt_out
import operation
import packs
import private_mode
import recovery
import services
import sharing
import signing_in
import street_map
import transport


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    modules = [alarms_out, cluster, companions, day, demonstration, heights, history, mqtt, mqtt_out, operation, packs,
               private_mode, recovery, services, sharing, signing_in, street_map, transport]
    stories = [story for module in modules for story in module.STORIES
               if word in story.__name__]
    failed = 0
    for story in stories:
        name = story.__name__.replace("_", " ")
        with tempfile.TemporaryDirectory(prefix="proximity-") as folder:
            try:
                story(program, folder)
                print(f"ok      {name}", flush=True)
            except Exception:
                failed += 1
                print(f"failed  {name}", flush=True)
                traceback.print_exc()
    print(f"{len(stories) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not stories else 0)


main()
