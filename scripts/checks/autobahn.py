"""Runs the fuzzing client of the Autobahn test suite against /echo of the daemon (--conformance-echo).

A finding is a case whose result is not good. Tests/autobahn.json lists the accepted findings by case, with reasons.
Every finding must be in the list. If a finding in the list does not occur, the list is out of date and the case fails.
Findings that the list names under `sometimes` may be missing.
"""

import collections
import json
import pathlib
import shutil

import swift
from processes import SUITE_SECONDS, Daemon, run

KNOWN = pathlib.Path("Tests/autobahn.json")
# The folder in which scripts/setup installs the suite. The suite needs Python 2.7.
SUITE = pathlib.Path(".build/autobahn")
CASES = ["1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*", "9.*", "10.*"]
CASES_MIN = 280
GOOD = {"OK", "NON-STRICT", "INFORMATIONAL"}


def python_2():
    """Returns the path of the newest Python 2.7, or None if there is none."""
    versions = sorted(pathlib.Path.home().glob(".pyenv/versions/2.7.*/bin/python"))
    return str(versions[-1]) if versions else shutil.which("python2.7")


def run_part(part, pattern):
    """Runs this part of scripts/test."""
    del pattern
    interpreter = python_2()
    if interpreter is None:
        part.skipped("autobahn", "Python 2.7 is not installed, and the suite requires it")
        return
    if not (SUITE / "autobahntestsuite").is_dir():
        part.failed("autobahn", f"the suite is not in {SUITE}; scripts/setup installs it")
        return
    out = part.log("reports").with_suffix("").resolve()
    # Each case of the suite opens a short connection, so the limit on handshakes is raised.
    arguments = ["--conformance-echo", "--config", str(part.log("refreshd").with_suffix(".yaml"))]
    pathlib.Path(arguments[-1]).write_text("demo: true\nlimits: { handshakesPerAddressMax: 10000 }\n")
    with Daemon(swift.binary("refreshd"), part.log("refreshd"), arguments) as daemon:
        spec = part.log("spec").with_suffix(".json").resolve()
        spec.write_text(json.dumps({
            "outdir": str(out),
            "servers": [{"agent": "refreshd", "url": f"ws://127.0.0.1:{daemon.port}/echo"}],
            "cases": CASES, "exclude-cases": [], "exclude-agent-cases": {}}))
        # The folder is added as a site folder, because one of its packages has several folders, which
        # a .pth file lists.
        start = (f"import site; site.addsitedir({str(SUITE.resolve())!r}); "
                 "from autobahntestsuite.wstest import run; run()")
        result = run(
            [interpreter, "-B", "-c", start, "-m", "fuzzingclient", "-s", str(spec)],
            part.log("wstest"), SUITE_SECONDS)
    # The exit status of the suite is always 0, even if it has findings.
    index = out / "index.json"
    if result.status != 0 or not index.is_file():
        part.failed("wstest", f"{result.output}\n(exit status {result.status})")
        return
    count_cases(part, json.loads(index.read_text())["refreshd"])


def count_cases(part, cases):
    """Counts each case as passed or failed. `cases` contains the result of each case."""
    known = json.loads(KNOWN.read_text())
    if len(cases) < CASES_MIN:
        part.failed("number of Autobahn cases", f"only {len(cases)} ran; at least {CASES_MIN} should")
    counts = collections.Counter()
    for case, found in cases.items():
        counts[found["behavior"]] += 1
        complaints = [
            complaint for kind in ("behavior", "behaviorClose")
            if (complaint := complaint_about(known, kind, case, found[kind]))]
        if complaints:
            part.failed(f"Autobahn case {case}", "\n".join(complaints))
        else:
            part.passed()
    for case in set(known["behavior"]) | set(known["behaviorClose"]):
        if case not in cases:
            part.failed(f"Autobahn case {case}", f"it is listed in {KNOWN}, but did not run")
    totals = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    print(f"   {len(cases)} cases: {totals}")


def complaint_about(known, kind, case, found):
    """Returns the problem with the result of a case. None if the result is good and not listed, or if it is an accepted
    finding.
    """
    is_listed = case in known[kind]
    if (found in GOOD) == (not is_listed) or (is_listed and case in known["sometimes"]):
        return None
    return (f"{kind} is {found}, which {KNOWN} lists as known: remove it there" if is_listed
            else f"{kind} is {found}")
