"""Runs every check of the project, part by part. A part that fails does not stop the next one.

The last line on standard output is `N passed, N failed`. The exit status is 0 if nothing failed and at least one check
passed or was skipped.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import time

import autobahn
import chaos
import clients
import configuration_schema
import dashboards
import end_to_end
import examples
import external_input
import indicator_schema
import jvm
import lint
import long
import manual
import message_schema
import readme
import sanitizers
import scripts
import site_pages
import swift
import web_package
from report import Report, full_disks

ROOT = pathlib.Path(__file__).resolve().parents[2]

def run_schemas(part, pattern):
    """Runs the checks of all schemas."""
    indicator_schema.run(part, pattern)
    configuration_schema.run(part, pattern)
    message_schema.run(part, pattern)


# The parts run in this order. Quick parts, and parts that other parts need, come first.
PARTS = {
    "lint": (lint.run, "formatting, shell and Python syntax, and the project's own rules"),
    "scripts": (scripts.run, "the error messages of the shell scripts"),
    "schema": (run_schemas, "docs/*.schema.json and docs/asyncapi.json, with valid and invalid input"),
    "dashboards": (dashboards.run, "the dashboard and the alerts, compared with the documentation of the metrics"),
    "site": (site_pages.run, "the site of the documentation: its links, anchors and code blocks, and its pages in Chromium"),
    "web": (web_package.run_part, "the web client's modules without a browser (node --test), their types and their size"),
    "build": (swift.build, "one debug build of everything"),
    "unit": (swift.test, "unit, property and loopback tests (swift test)"),
    "icons": (external_input.icons, "the paths of all Font Awesome icons, compared with svgpathtools"),
    "fuzz": (external_input.fuzz, "libFuzzer on all parsers of external input, for a limited time (scripts/fuzz)"),
    "scenarios": (end_to_end.scenarios, "the scenarios in process and against a daemon"),
    "conform": (end_to_end.conform, "the conformance suite against a daemon without configuration"),
    "jvm": (jvm.run_part, "the JVM client: its jars, its documentation, its tests, and its examples against a daemon"),
    "clients": (clients.run_part, "the conformance suite for clients, with the clients of this project and wrong clients"),
    "examples": (examples.run, "examples/*/run"),
    "chaos": (chaos.run_part, "three nodes of a cluster under faults, for half a minute (scripts/cluster-chaos)"),
    "manual": (manual.run, "manual pages and completions of both commands, in man, bash, zsh and fish"),
    "autobahn": (autobahn.run_part, "the WebSocket protocol, with Autobahn's fuzzing client"),
    "python": (end_to_end.python_client, "the Python package: its tests, its types, its wheel and its examples"),
    "browser": (end_to_end.browser, "the demo page in Chromium"),
    "readme": (readme.run, "the commands in README.md, as a new user runs them"),
}
# The parts that --quick runs.
QUICK = ["lint", "scripts", "schema", "dashboards", "web", "build", "unit", "manual"]
# The parts that --long runs, instead of PARTS.
LONG = {name: (run, why) for name, run, why in long.PARTS}
# The agreed maximum duration of some parts on two idle cores, in seconds. It is printed next to their duration.
BUDGETS = {"unit": 120, "chaos": 60}
QUICK_BUDGET = 120
# The parts that need a result of the part `build`, each with that result.
NEEDS = {
    "unit": "tests", "icons": "products", "fuzz": "products", "scenarios": "products", "conform": "products",
    "jvm": "products", "clients": "products",
    "examples": "products", "chaos": "products", "manual": "products", "autobahn": "products",
    "python": "products", "browser": "products",
}


def listed(parts):
    return "".join(f"  {name:<10} {why}\n" for name, (_, why) in parts.items())


def options():
    parser = argparse.ArgumentParser(
        prog="scripts/test",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs every check of the project.",
        epilog="parts:\n" + listed(PARTS) + "\nparts of --long:\n" + listed(LONG),
    )
    parser.add_argument(
        "--quick", action="store_true",
        help="the parts to run before each commit: " + ", ".join(QUICK)
        + "; the part unit runs only the tests of the modules that start no processes")
    parser.add_argument("--long", action="store_true", help="only the parts that take hours, listed below")
    parser.add_argument("--note", metavar="TEXT", help="a line to print before the last line")
    parser.add_argument("--only", metavar="PART", help="only these parts, separated by commas")
    parser.add_argument(
        "--filter", metavar="REGEX", default="", help="only matching unit tests, scenarios and examples")
    parser.add_argument(
        "--sanitize", choices=sanitizers.KINDS,
        help="only the unit tests, in a separate build with this sanitizer")
    parser.add_argument("--list", action="store_true", help="print the names of the parts and exit")
    chosen = parser.parse_args()
    if chosen.list:
        print("\n".join(LONG if chosen.long else PARTS))
        sys.exit(0)
    if chosen.sanitize:
        if chosen.only:
            parser.error("--sanitize runs only the unit tests; it cannot be combined with --only")
        chosen.parts = []
        return chosen
    if chosen.quick and (chosen.long or chosen.only):
        parser.error("--quick selects parts; it cannot be combined with --long or --only")
    known = LONG if chosen.long else PARTS
    chosen.parts = chosen.only.split(",") if chosen.only else QUICK if chosen.quick else list(known)
    for name in chosen.parts:
        if name not in known:
            parser.error(f"unknown part {name}; the parts are {', '.join(known)}")
    try:
        re.compile(chosen.filter)
    except re.error as error:
        parser.error(f"--filter: {error}")
    if not chosen.long and NEEDS.keys() & set(chosen.parts) and "build" not in chosen.parts:
        chosen.parts.insert(0, "build")
    if chosen.long:
        os.environ["TEST_DEPTH"] = "long"
    return chosen


def main():
    chosen = options()
    os.chdir(ROOT)
    # If this process is terminated, it ends the processes that it has started: SystemExit runs the `finally` blocks.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logs = ROOT / ".build" / "test-logs"
    shutil.rmtree(logs, ignore_errors=True)
    try:
        logs.mkdir(parents=True)
        # If the disk is full, no temporary folder can be created, which almost every part needs.
        tempfile.gettempdir()
    except OSError as error:
        full = full_disks(logs.parent)
        print(f"test: {full[0] if full else error}")
        print("0 passed, 1 failed")
        sys.exit(1)

    began = time.monotonic()
    report = Report(logs)
    built = set()
    if chosen.sanitize:
        with report.part(chosen.sanitize) as part:
            sanitizers.run(part, chosen.filter, chosen.sanitize)
    for name, (run, _) in (LONG if chosen.long else PARTS).items():
        if name not in chosen.parts:
            continue
        with report.part(name, BUDGETS.get(name)) as part:
            if not chosen.long and name in NEEDS and NEEDS[name] not in built:
                part.failed(name, f"not run: the {NEEDS[name]} were not built")
                continue
            left = run(part, swift.QUICK if chosen.quick and name == "unit" else chosen.filter)
            if name == "build":
                built = left
    report.close(time.monotonic() - began, QUICK_BUDGET if chosen.quick else None, chosen)
    sys.exit(0 if report.failures == 0 and report.passes + len(report.skips) > 0 else 1)


main()
