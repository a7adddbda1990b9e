#!/usr/bin/env python3
"""Runs the program as people do and watches it from outside.

    Tests/EndToEnd/run.py [--at-once 4] [--tls] PROXIMITY [WORD]    only stories with the word in their name

Each story has a process, a folder and a server of its own. What it prints is shown when it ends. Nothing is timed: what
must happen is awaited. With `--tls` the stories run that need a program built with the trait TLS, and only those.
"""
import argparse
import os
import pathlib
import signal
import sys
import tempfile
import time
import traceback

import alarms_out
import caddy
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
import releases
import services
import sharing
import signing_in
import street_map
import transport

# First those whose stories wait longest, so that none of them is alone at the end.
MODULES = [recovery, mqtt_out, caddy, day, demonstration, mqtt, services, cluster, private_mode, street_map, transport,
           alarms_out, companions, heights, history, operation, packs, releases, sharing, signing_in]


def end_once():
    """SIGINT and SIGTERM end this process in order, also if both come: the second must not disturb the tidying up."""
    def end(*_):
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        raise KeyboardInterrupt
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)


def tell(story, program):
    """Runs one story. Returns whether it went well."""
    with tempfile.TemporaryDirectory(prefix="proximity-") as folder:
        try:
            story(program, folder)
            return True
        except Exception:
            traceback.print_exc()
            return False


class Running:
    """A story in a process of its own, whose output goes to a file."""

    def __init__(self, story, program):
        self.name = story.__name__.replace("_", " ")
        self.output = tempfile.TemporaryFile()
        self.began = time.monotonic()
        self.process = os.fork()
        if self.process == 0:
            status = 1
            try:
                end_once()
                os.dup2(self.output.fileno(), 1)
                os.dup2(self.output.fileno(), 2)
                status = 0 if tell(story, program) else 1
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)

    def report(self, status, ended=False):
        """Prints how it ended, then what it printed. Returns whether it went well."""
        print(f"{'ended' if ended else 'failed' if status else 'ok':7} {self.name} ({time.monotonic() - self.began:.0f} s)", flush=True)
        if status < 0:
            print(f"It was ended by signal {-status}.", flush=True)
        self.output.seek(0)
        sys.stdout.buffer.write(self.output.read())
        sys.stdout.flush()
        self.output.close()
        return status == 0


def run(stories, program, at_once):
    """Returns how many stories failed."""
    waiting, running, failed = list(stories), {}, 0
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                story = Running(waiting.pop(0), program)
                running[story.process] = story
            process, status = os.wait()
            failed += not running.pop(process).report(os.waitstatus_to_exitcode(status))
    except KeyboardInterrupt:
        # They end their servers and remove their folders; a terminal has told them already.
        for process in running:
            os.kill(process, signal.SIGTERM)
        for process, story in running.items():
            try:
                _, status = os.waitpid(process, 0)
            except ChildProcessError:
                status = 0  # It had ended just before.
            story.report(os.waitstatus_to_exitcode(status), ended=True)
        sys.exit(130)
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--at-once", type=int, default=4, metavar="COUNT", help="stories beside each other, 1 or more (4)")
    parser.add_argument("--tls", action="store_true", help="the stories that need a program built with the trait TLS")
    parser.add_argument("program")
    parser.add_argument("word", nargs="?", default="")
    options = parser.parse_args()
    if options.at_once < 1:
        parser.error("--at-once is 1 or more")
    asked = [story for module in MODULES for story in module.STORIES if options.word in story.__name__]
    stories = [story for story in asked if getattr(story, "needs_tls", False) == options.tls]
    end_once()
    failed = run(stories, str(pathlib.Path(options.program).resolve()), options.at_once)
    for story in asked:
        if getattr(story, "needs_tls", False) and not options.tls:
            print(f"left out {story.__name__.replace('_', ' ')}: needs a program with TLS inside (make test-tls)")
    print(f"{len(stories) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not stories else 0)


main()
