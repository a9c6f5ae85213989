"""Runs the conformance suite for clients. The clients of this project must pass it. Each deliberately wrong client must
fail the case that covers its mistake.
"""

import concurrent.futures
import json
import re

import jvm
import swift
from processes import COMMAND_SECONDS, SUITE_SECONDS, run

DRIVERS = {
    "web": ["node", "clients/web/conform/driver.mjs"],
    "python": ["python3", "-B", "clients/python/conform.py"],
    "jvm": ["clients/jvm/conform/driver"],
    "swift": [swift.binary("swift-client")],
    # The Python client with edits and rows.
    "model": ["python3", "-B", "Tests/ConformanceClient/model_client.py"],
}
# The minimum number of cases that run for each client. Cases for features that a client lacks are skipped.
CASES_RUN_MIN = {"web": 287, "python": 291, "jvm": 291, "swift": 291, "model": 291}
# For each wrong client: the command of its driver, the option that lists the mistakes that it can make, and the arguments
# before the name of a mistake.
WRONG_CLIENTS = [
    (["python3", "-B", "Tests/ConformanceClient/wrong_client.py"], "--list", []),
    (["node", "Tests/ConformanceClient/wrong-client.mjs"], "--list", []),
    (["python3", "-B", "Tests/ConformanceClient/mutants.py"], "--fixed", ["drive"]),
]
# The timeout is long, because the machine may be busy.
SUITE_TIMEOUT = ["--timeout", "60"]
# A client with a mistake does not react as the case expects, so each such run waits for the whole timeout. Therefore the
# timeout is short.
MISTAKE_TIMEOUT = ["--timeout", "6"]
# The cases mostly wait, so several run at the same time.
AT_ONCE = 10


def grade(log, driver, seconds, *options):
    """Grades a client. Returns its cases by name, and the result of the command."""
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
    """Runs this part of scripts/test. The clients of this project must pass each case that runs. A client with a
    mistake must not pass the case that the mistake names.
    """
    drivers = {name: driver for name, driver in DRIVERS.items() if re.search(pattern, name)}
    if "jvm" in drivers:
        jvm.build(part)
    wrong = [mistake for client in WRONG_CLIENTS for mistake in mistakes(part, *client, pattern)]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        client_grades = [
            pool.submit(grade, part.log(name), driver, SUITE_SECONDS, *SUITE_TIMEOUT) for name, driver in drivers.items()]
        wrong_grades = [
            pool.submit(grade, part.log(name), [*client, name], COMMAND_SECONDS, "--case", case, *MISTAKE_TIMEOUT)
            for client, name, case in wrong]
        for name, graded in zip(drivers, client_grades):
            check_client(part, name, *graded.result())
        for (_, name, case), graded in zip(wrong, wrong_grades):
            check_mistake(part, name, case, *graded.result())


def mistakes(part, client, list_option, driver_arguments, pattern):
    """Returns each mistake of a wrong client: the driver, the name of the mistake, and the case that must detect it."""
    listed = run([*client, list_option], part.log("mistakes"), COMMAND_SECONDS)
    if listed.status != 0:
        part.failed(f"list of mistakes: {client[-1]} {list_option}", listed.output)
        return []
    return [
        ([*client, *driver_arguments], name, case)
        for name, case in json.loads(listed.output).items() if re.search(pattern, name)]


def check_client(part, name, cases, result):
    if result.status != 0 or not cases:
        part.failed(f"{name} client", f"{result.output}\n(exit status {result.status})")
    cases_run = [case for case in cases.values() if case["verdict"] != "skipped"]
    for case in cases_run:
        if case["verdict"] == "passed":
            part.passed()
        else:
            part.failed(f"{name} client: {case['id']} {case['name']}", f"{case['verdict']}: {case.get('reason')}")
    if len(cases_run) < CASES_RUN_MIN[name]:
        part.failed(f"{name} client", f"only {len(cases_run)} cases apply to it, at least {CASES_RUN_MIN[name]} should")
    print(f"  {name} client: {len(cases_run)} of {len(cases)} cases run")


def check_mistake(part, name, case, cases, result):
    verdict = cases.get(case, {}).get("verdict")
    if verdict in ("failed", "nonStrict"):
        part.passed()
    else:
        part.failed(f"a client that {name}", f"{case}: {verdict}\n{result.output}\n(exit status {result.status})")
