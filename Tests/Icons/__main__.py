"""Compares this project's path library with svgpathtools on every Font Awesome icon.

The last line of output is `N passed, N failed`.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import time

import drawings
import reference
from verdict import TOLERANCE, Verdict, judge

REPORT_SECONDS = 600
# The package has at least this many drawings. If fewer are found, the search is wrong.
DRAWINGS_MIN = 2000


def reports(program, texts):
    """Returns the library's report for each path, in order."""
    answer = subprocess.run(
        [program], input="".join(f"{text}\n" for text in texts), stdout=subprocess.PIPE, text=True,
        check=True, timeout=REPORT_SECONDS)
    lines = answer.stdout.splitlines()
    if len(lines) != len(texts):
        raise ValueError(f"{len(lines)} reports of {len(texts)} paths")
    return [json.loads(line) for line in lines]


def tell(verdicts):
    print(f"{len(verdicts) * reference.POINTS} points, "
          f"{TOLERANCE:.0e} of an icon's size is allowed")
    for kind in Verdict.KINDS:
        worst = max(getattr(verdict, kind) for verdict in verdicts)
        print(f"{kind}: off by at most {worst:.1e}")


def main():
    parser = argparse.ArgumentParser(prog="Tests/Icons/run", description=__doc__)
    parser.add_argument("--report", metavar="PATH", required=True, help="the program path-report")
    chosen = parser.parse_args()

    began = time.monotonic()
    found = drawings.read()
    texts = list(found.places)
    print(f"{found.files} files with {found.paths} paths, {len(texts)} different drawings")
    failures = []
    if len(texts) < DRAWINGS_MIN:
        failures.append(f"there must be {DRAWINGS_MIN} drawings")
    own = reports(chosen.report, texts)
    workers = len(os.sched_getaffinity(0))
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        verdicts = list(pool.map(judge, texts, own, chunksize=16))
    tell(verdicts)
    print(f"{time.monotonic() - began:.1f} s on {workers} cores")

    wrong = [
        f"{found.places[text]}: {verdict.fault}"
        for text, verdict in zip(texts, verdicts) if verdict.fault]
    failures += wrong
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{len(texts) - len(wrong)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
