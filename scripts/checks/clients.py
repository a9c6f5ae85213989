"""The conformance suite for clients: both clients of the tree pass it, and a wrong one is caught at each of its mistakes."""

import concurrent.futures
import json
import re

import swift
from processes import COMMAND_SECONDS, SUITE_SECONDS, run

DRIVERS = {
    "web": ["node", "clients/web/conform/driver.mjs"],
    "python": ["python3", "-B", "clients/python/conform.py"],
}
WRONG_CLIENTS = [
    ["python3", "-B", "Tests/ConformanceClient/wrong_client.py"],
    ["node", "Tests/ConformanceClient/wrong-client.mjs"],
]
# The machine may be crowded.
PATIENCE = ["--timeout", "15"]


def graded(log, driver, seconds, *options):
    """The cases by name as the probe found them, or what it said instead."""
    report = log.with_suffix(".json")
    html = log.with_suffix(".html")
    listen = ["--listen", "127.0.0.1:0", "--json", "--html", str(html)]
    result = run(
        ["sh", "-c", 'out=$1; shift; exec "$@" >"$out"', "sh", str(report),
         swift.binary("refresh-probe"), "conform", *listen, *options, "--", *driver], log, seconds)
    try:
        return {case["name"]: case for case in json.loads(report.read_text())}, result
    except ValueError:
        return {}, result


def run_part(part, pattern):
    """Every case that concerns a client must pass; every mistake must be caught by the case it names."""
    drivers = {name: driver for name, driver in DRIVERS.items() if re.search(pattern, name)}
    # They mostly wait.
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        grades = pool.map(
            lambda name: graded(part.log(name), drivers[name], SUITE_SECONDS, *PATIENCE), drivers)
    for name, (cases, result) in zip(drivers, grades):
        if result.status != 0 or not cases:
            part.failed(f"{name} client", f"{result.output}\n(exit status {result.status})")
        asked = [case for case in cases.values() if case["verdict"] != "skipped"]
        for case in asked:
            if case["verdict"] == "passed":
                part.passed()
            else:
                part.failed(f"{name} client: {case['id']} {case['name']}", f"{case['verdict']}: {case.get('reason')}")
        print(f"  {name} client: {len(asked)} of {len(cases)} cases asked")
    for client in WRONG_CLIENTS:
        wrong(part, client, pattern)


def wrong(part, client, pattern):
    listed = run([*client, "--list"], part.log("mistakes"), COMMAND_SECONDS)
    if listed.status != 0:
        part.failed(f"{client[-1]} --list", listed.output)
        return
    mistakes = {
        name: case for name, case in json.loads(listed.output).items() if re.search(pattern, name)}

    def one(item):
        name, case = item
        return graded(part.log(name), [*client, name], COMMAND_SECONDS, "--case", case, "--timeout", "6")

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for (name, case), (cases, result) in zip(mistakes.items(), pool.map(one, mistakes.items())):
            verdict = cases.get(case, {}).get("verdict")
            if verdict in ("failed", "nonStrict"):
                part.passed()
            else:
                part.failed(
                    f"a client that {name}", f"{case}: {verdict}\n{result.output}\n(exit status {result.status})")
