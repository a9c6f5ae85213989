"""Checks over connections: scenarios, the conformance suite, the clients of this project, and the demo page."""

import base64
import concurrent.futures
import json
import os
import pathlib
import re
import time
import zlib

import catalogue
import python_package
import recorded_messages
import swift
from report import SKIPS_ALLOWED
from processes import COMMAND_SECONDS, SUITE_SECONDS, Daemon, run

# The timeout is long, because the machine may be busy.
CASE_TIMEOUT = ["--timeout", "60"]
PAGE_BYTES_MAX = 640 * 1024
# The number of browsers that run at the same time.
BROWSERS = 2
# The accepted deviation, which the WebSocket library does not prevent. docs/threat-model.md
# describes its consequences.
KNOWN_DEVIATIONS = {("handshake-18", "nonStrict")}
# The catalogue feeds whose scenarios do not depend on how fast a feed answers.
LIVE_FEEDS = ("board", "edited", "letters", "rows")
# A daemon may report a change up to 100 ms late (docs/backends.md, "Changes").
SECONDS_AFTER_CHANGES = 0.15
# The reasons for which a case is skipped by a daemon without the catalogue feeds.
NEEDS_CATALOGUE = {f"not offered: the feed {name}" for name in [*catalogue.FEEDS, *catalogue.PAGES]}


def scenarios(part, pattern):
    """Runs each scenario in process. If a scenario does not script a feed, or uses one of LIVE_FEEDS, it is also run over
    a socket. Each run is a check.
    """
    files = sorted(
        path for path in pathlib.Path("scenarios").glob("**/*.scenario")
        if re.search(pattern, str(path)))
    if not files and not pattern:
        part.failed("scenarios", "there are no scenarios/*.scenario")
        return
    run_scenarios(part, "in process", files, [])
    journals = fresh_folder(part, "journals")
    arguments = ["--demo", "--journal", str(journals)]
    with Daemon(swift.binary("refreshd"), part.log("refreshd"), arguments) as daemon:
        outside = [path for path in files if not path.name.startswith("feed-")]
        run_scenarios(part, "socket", outside, ["--url", f"ws://127.0.0.1:{daemon.port}/v1/session"])
    # Only the messages of the daemon are validated: clients of scenarios send invalid messages deliberately.
    if outside:
        recorded_messages.validate(part, journals)
    live = [path for path in files if path not in outside and uses_live_feed(path)]
    if live:
        run_live_scenarios(part, live)


def uses_live_feed(path):
    return any(f"feed: {feed}," in path.read_text(encoding="utf-8") for feed in LIVE_FEEDS)


def run_live_scenarios(part, files):
    """Runs scenarios of live lists over a socket, one after the other: their changes concern all views of a feed."""
    configuration = part.log("catalogue").with_suffix(".yaml")
    with catalogue.Pages() as pages:
        configuration.write_text(catalogue.configuration(pages.feeds))
        arguments = ["--config", str(configuration)]
        with Daemon(swift.binary("refreshd"), part.log("refreshd-catalogue"), arguments) as daemon:
            for path in files:
                run_scenarios(part, "socket", [path], ["--url", f"ws://127.0.0.1:{daemon.port}/v1/session"])
                time.sleep(SECONDS_AFTER_CHANGES)


def fresh_folder(part, name):
    folder = part.log(name).with_suffix("").resolve()
    folder.mkdir()
    return folder


def run_scenarios(part, way, files, arguments):
    # Scenarios over a socket mostly wait, so several run at the same time.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        def one(path):
            command = [swift.binary("refresh-probe"), "run", *arguments, str(path)]
            return run(command, part.log(f"{path.stem}-{way}"), COMMAND_SECONDS)

        for path, result in zip(files, pool.map(one, files)):
            part.check(f"{path} ({way})", result)


def conform(part, _):
    """Every case of the suite must pass with a daemon that was started only with a port."""
    report = part.log("report").with_suffix(".json")
    page = part.log("report").with_suffix(".html")
    with Daemon(swift.binary("refreshd"), part.log("refreshd")) as daemon:
        url = f"ws://127.0.0.1:{daemon.port}/v1/session"
        result = run(
            [swift.binary("refresh-probe"), "conform", "--url", url, *CASE_TIMEOUT, "--json", "--html", str(page)],
            report, COMMAND_SECONDS)
    try:
        cases = json.loads(report.read_text())
    except ValueError:
        part.failed("refresh-probe conform", f"{result.output}\n(exit status {result.status})")
        return
    needs_catalogue = []
    for case in cases:
        if case["verdict"] == "passed" or (case["id"], case["verdict"]) in KNOWN_DEVIATIONS:
            part.passed()
        elif case["verdict"] == "skipped" and case.get("reason") in NEEDS_CATALOGUE:
            needs_catalogue.append(case["id"])
        elif case["verdict"] == "skipped":
            part.skipped(case["id"], SKIPS_ALLOWED.get(f"conform: {case['id']}", case.get("reason") or "it was not run"))
        else:
            part.failed(f"{case['id']} {case['name']}", f"{case['verdict']}: {case.get('reason')}")
    check_report_page(part, page, cases)
    check_silent_client(part)
    check_catalogue(part, needs_catalogue)
    if result.status != 0 and all(case["verdict"] != "failed" for case in cases):
        part.failed("refresh-probe conform", f"(exit status {result.status})")


def check_silent_client(part):
    """With a short idle timeout, a client that sends nothing must be disconnected."""
    configuration = part.log("mute").with_suffix(".yaml")
    configuration.write_text("limits: { idleTimeoutMs: 2000 }\n")
    arguments = ["--config", str(configuration)]
    with Daemon(swift.binary("refreshd"), part.log("refreshd-mute"), arguments) as daemon:
        url = f"ws://127.0.0.1:{daemon.port}/v1/session"
        result = run(
            [swift.binary("refresh-probe"), "conform", "--url", url, *CASE_TIMEOUT, "--case", "frames-mute"],
            part.log("mute"), COMMAND_SECONDS)
    if "\n1 passed," in result.output:
        part.passed()
    else:
        part.failed("refresh-probe conform --case frames-mute", result.output)


def check_catalogue(part, ids):
    """The cases that need a catalogue feed must pass with a daemon that has these feeds."""
    configuration = part.log("catalogue").with_suffix(".yaml")
    report = part.log("catalogue-report").with_suffix(".json")
    selected = [option for case in ids for option in ("--case", case)]
    arguments = ["--config", str(configuration)]
    with catalogue.Pages() as pages:
        configuration.write_text(catalogue.configuration(pages.feeds))
        with Daemon(swift.binary("refreshd"), part.log("refreshd-catalogue"), arguments) as daemon:
            url = f"ws://127.0.0.1:{daemon.port}/v1/session"
            result = run(
                [swift.binary("refresh-probe"), "conform", "--url", url, *CASE_TIMEOUT, "--json", *selected],
                report, COMMAND_SECONDS)
    try:
        cases = json.loads(report.read_text())
    except ValueError:
        part.failed("refresh-probe conform with catalogue feeds", f"{result.output}\n(exit status {result.status})")
        return
    if not ids or sorted(case["id"] for case in cases) != sorted(ids):
        part.failed("refresh-probe conform with catalogue feeds", "other cases were run than those that need the feeds")
    for case in cases:
        if case["verdict"] == "passed":
            part.passed()
        else:
            part.failed(f"{case['id']} {case['name']}", f"{case['verdict']}: {case.get('reason')}")


def check_report_page(part, path, cases):
    """The HTML report must be small, need no other file, and show every case with its exchanges."""
    page = path.read_text(encoding="utf-8")
    found = re.search(r'id="exchanges">([A-Za-z0-9+/=]+)</script>', page)
    if not found:
        part.failed("HTML report of conform", "it has no exchanges")
        return
    exchanges = json.loads(zlib.decompress(base64.b64decode(found[1]), -15))
    recorded = {case["id"]: [exchange["text"] for exchange in case["exchanges"]] for case in cases}
    shown = {
        case["id"]: [text for phase in exchanges.get(case["id"], []) for _, _, text in phase["said"]]
        for case in cases}
    rest = page.replace(found[1], "")
    problems = [
        (len(page) > PAGE_BYTES_MAX, f"it has {len(page)} bytes"),
        (any(word in rest for word in ("src=", "<link", "http:", "https:")), "it needs another file"),
        (any(f'id="{case["id"]}"' not in rest for case in cases), "cases are missing"),
        (recorded != shown, "it shows other exchanges than the report as JSON")]
    for has_problem, what in problems:
        if has_problem:
            part.failed("HTML report of conform", what)
        else:
            part.passed()


def python_client(part, _):
    """The Python client pulls a list. It must print the states of the pull and of the refresh, and `idle`."""
    journals = fresh_folder(part, "journals")
    arguments = ["--demo", "--journal", str(journals)]
    with Daemon(swift.binary("refreshd"), part.log("refreshd"), arguments) as daemon:
        url = f"ws://127.0.0.1:{daemon.port}/v1/session"
        result = run(
            ["python3", "-B", "clients/python/pull.py", url], part.log("pull"), COMMAND_SECONDS)
    missing = [
        state for state in ("pulling", "eligible", "refreshing", "idle")
        if not re.search(rf"\b{state}\b", result.output)]
    if result.status == 0 and missing:
        part.failed("pull.py", f"it did not print {', '.join(missing)}\n{result.output}")
    else:
        part.check("pull.py", result)
    recorded_messages.validate(part, journals, both=True)
    for path in sorted(pathlib.Path("Tests/PythonClient").glob("test_*.py")):
        part.check(str(path), run(["python3", "-B", str(path)], part.log(f"python-{path.stem}"), COMMAND_SECONDS))
    python_package.check(part)


def web_client(part, _):
    """Runs the tests of those modules of the web client that need no browser, with the test runner of Node."""
    # The files are listed, because node 18, 20 and 22 treat a folder differently.
    files = sorted(str(path) for path in pathlib.Path("Tests/WebClient").glob("*.test.mjs"))
    result = run(["node", "--test", "--test-reporter=tap", *files], part.log("node"), COMMAND_SECONDS)
    counts = dict(re.findall(r"^# (tests|pass|fail|cancelled) (\d+)$", result.output, re.MULTILINE))
    passed = int(counts.get("pass", 0))
    part.passed(passed)
    if result.status != 0 or passed == 0 or passed != int(counts.get("tests", 0)):
        failed = int(counts.get("fail", 0)) + int(counts.get("cancelled", 0))
        part.failed("node --test", f"{result.output}\n(exit status {result.status})", max(failed, 1))


def browser(part, _):
    """Tests the demo page in a browser. Validates the messages between the page and its daemon, as each side recorded them.
    """
    def tests(number):
        journals = fresh_folder(part, f"journals-{number}")
        frames = part.log(f"frames-{number}").with_suffix(".jsonl")
        return journals, frames, run(
            ["Tests/Browser/run", "--refreshd", swift.binary("refreshd"), "--part", str(number), str(BROWSERS),
             "--out", ".build/screenshots", "--frames", str(frames)],
            part.log(f"browser-{number}"), SUITE_SECONDS,
            # A setting for all daemons that the test starts.
            env=os.environ | {"REFRESHD_JOURNAL": str(journals)})

    # The tests mostly wait for the browser, so two run at the same time.
    with concurrent.futures.ThreadPoolExecutor(BROWSERS) as pool:
        runs = list(pool.map(tests, range(BROWSERS)))
    for journals, frames, result in runs:
        part.count_summary("Tests/Browser/run", result)
        recorded_messages.validate(part, journals, both=True, frames=frames)
