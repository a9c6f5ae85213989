"""The conformance suite for clients: both clients of the tree pass it, and wrong ones are caught at their mistakes."""

import concurrent.futures
import json
import re

import swift
from processes import COMMAND_SECONDS, SUITE_SECONDS, run

DRIVERS = {
    "web": ["node", "clients/web/conform/driver.mjs"],
    "python": ["python3", "-B", "clients/python/conform.py"],
}
# How many cases concern each: what a client does not say that it can is not asked.
ASKED_MIN = {"web": 144, "python": 138}
# Each with how it names its mistakes, and what stands before the one that it is to make.
WRONG_CLIENTS = [
    (["python3", "-B", "Tests/ConformanceClient/wrong_client.py"], "--list", []),
    (["node", "Tests/ConformanceClient/wrong-client.mjs"], "--list", []),
    (["python3", "-B", "Tests/ConformanceClient/mutants.py"], "--fixed", ["drive"]),
]
# The machine may be crowded.
PATIENCE = ["--timeout", "60"]
# A client that is wrong is waited for in vain.
IMPATIENCE = ["--timeout", "6"]
# They mostly wait.
AT_ONCE = 10


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
    wrong = [mistake for client in WRONG_CLIENTS for mistake in mistakes(part, *client, pattern)]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        grades = [
            pool.submit(graded, part.log(name), driver, SUITE_SECONDS, *PATIENCE) for name, driver in drivers.items()]
        caught = [
            pool.submit(graded, part.log(name), [*client, name], COMMAND_SECONDS, "--case", case, *IMPATIENCE)
            for client, name, case in wrong]
        for name, grade in zip(drivers, grades):
            judge_client(part, name, *grade.result())
        for (_, name, case), grade in zip(wrong, caught):
            judge_mistake(part, name, case, *grade.result())


def mistakes(part, client, list_option, driver_words, pattern):
    """Each mistake that a wrong client can make: its driver, the mistake's name, the case that is to catch it."""
    listed = run([*client, list_option], part.log("mistakes"), COMMAND_SECONDS)
    if listed.status != 0:
        part.failed(f"{client[-1]} {list_option}", listed.output)
        return []
    return [
        ([*client, *driver_words], name, case)
        for name, case in json.loads(listed.output).items() if re.search(pattern, name)]


def judge_client(part, name, cases, result):
    if result.status != 0 or not cases:
        part.failed(f"{name} client", f"{result.output}\n(exit status {result.status})")
    asked = [case for case in cases.values() if case["verdict"] != "skipped"]
    for case in asked:
        if case["verdict"] == "passed":
            part.passed()
        else:
            part.failed(f"{name} client: {case['id']} {case['name']}", f"{case['verdict']}: {case.get('reason')}")
    if len(asked) < ASKED_MIN[name]:
        part.failed(f"{name} client", f"only {len(asked)} cases apply to it, at least {ASKED_MIN[name]} should")
    print(f"  {name} client: {len(asked)} of {len(cases)} cases run")


def judge_mistake(part, name, case, cases, result):
    verdict = cases.get(case, {}).get("verdict")
    if verdict in ("failed", "nonStrict"):
        part.passed()
    else:
        part.failed(f"a client that {name}", f"{case}: {verdict}\n{result.output}\n(exit status {result.status})")
