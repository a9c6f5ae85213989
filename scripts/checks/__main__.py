"""Every check of the project, part by part; a part that fails does not stop the next.

The last line on standard output is `N passed, N failed`; the exit status is 0 when nothing failed
and something passed.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import sys
import time

import autobahn
import clients
import dashboards
import configuration
import examples
import indicators
import lint
import manual
import messages
import paths
import peers
import readme
import sanitizers
import swift
from report import Report

ROOT = pathlib.Path(__file__).resolve().parents[2]

def schemas(part, pattern):
    """What the schemas let pass and refuse."""
    indicators.run(part, pattern)
    configuration.run(part, pattern)
    messages.run(part, pattern)


# In this order: what is quick and what the others need comes first.
PARTS = {
    "lint": (lint.run, "formatting, shell and Python syntax, the house rules a machine can see"),
    "schema": (schemas, "docs/*.schema.json and docs/asyncapi.json against what is accepted and refused"),
    "dashboards": (dashboards.run, "dashboard and alerts against docs/operations.md"),
    "web": (peers.web_client, "the web client's modules without a page (node --test)"),
    "build": (swift.build, "one debug build of everything"),
    "unit": (swift.test, "unit, property and loopback tests (swift test)"),
    "icons": (paths.icons, "the paths of all Font Awesome icons against svgpathtools"),
    "fuzz": (paths.fuzz, "libFuzzer on all that is read from outside, for a while (scripts/fuzz)"),
    "scenarios": (peers.scenarios, "the scenarios in process and against a daemon"),
    "conform": (peers.conform, "the conformance suite against a daemon without configuration"),
    "clients": (clients.run_part, "the conformance suite for clients, by both clients and a wrong one"),
    "examples": (examples.run, "examples/*/run"),
    "manual": (manual.run, "manual page and completions against refresh-probe's own commands"),
    "autobahn": (autobahn.run_part, "the WebSocket itself, by Autobahn's fuzzing client"),
    "python": (peers.python_client, "the Python client against a daemon"),
    "browser": (peers.browser, "the demo page in Chromium"),
    "readme": (readme.run, "the commands README.md tells a newcomer to type"),
}
# What parts use of that which `build` leaves behind.
NEEDS = {
    "unit": "tests", "icons": "products", "fuzz": "products", "scenarios": "products", "conform": "products",
    "clients": "products",
    "examples": "products", "manual": "products", "autobahn": "products",
    "python": "products", "browser": "products",
}


def options():
    parser = argparse.ArgumentParser(
        prog="scripts/test",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs every check of the project.",
        epilog="parts:\n" + "".join(f"  {name:<10} {why}\n" for name, (_, why) in PARTS.items()),
    )
    parser.add_argument("--only", metavar="PART", help="only these parts, separated by commas")
    parser.add_argument("--filter", metavar="REGEX", default="", help="only what matches")
    parser.add_argument(
        "--sanitize", choices=sanitizers.KINDS,
        help="only the unit tests, in a build of its own with this sanitizer")
    parser.add_argument("--list", action="store_true", help="name the parts and end")
    chosen = parser.parse_args()
    if chosen.list:
        print("\n".join(PARTS))
        sys.exit(0)
    if chosen.sanitize:
        if chosen.only:
            parser.error("--sanitize runs the unit tests alone; it goes without --only")
        chosen.parts = []
        return chosen
    chosen.parts = chosen.only.split(",") if chosen.only else list(PARTS)
    for name in chosen.parts:
        if name not in PARTS:
            parser.error(f"there is no part {name}; the parts are {', '.join(PARTS)}")
    try:
        re.compile(chosen.filter)
    except re.error as error:
        parser.error(f"--filter: {error}")
    if NEEDS.keys() & set(chosen.parts) and "build" not in chosen.parts:
        chosen.parts.insert(0, "build")
    return chosen

def main():
    chosen = options()
    os.chdir(ROOT)
    # Ended from outside, we still end what we started: SystemExit runs the `finally` blocks.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logs = ROOT / ".build" / "test-logs"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)

    began = time.monotonic()
    report = Report(logs)
    built = set()
    if chosen.sanitize:
        with report.part(chosen.sanitize) as part:
            sanitizers.run(part, chosen.filter, chosen.sanitize)
    for name in PARTS:
        if name not in chosen.parts:
            continue
        with report.part(name) as part:
            if name in NEEDS and NEEDS[name] not in built:
                part.failed(name, f"not run: the {NEEDS[name]} were not built")
                continue
            left = PARTS[name][0](part, chosen.filter)
            if name == "build":
                built = left
    minutes, seconds = divmod(int(time.monotonic() - began), 60)
    print(f"\n{minutes} min {seconds} s; logs in {logs.relative_to(ROOT)}")
    for line in report.failed_names():
        print(f"failed: {line}")
    print(f"{report.passes} passed, {report.failures} failed", flush=True)
    sys.exit(0 if report.failures == 0 and report.passes + report.skips > 0 else 1)

main()
