#!/usr/bin/env python3
"""Grades clients that make one mistake each, to find the mistakes that `refresh-probe conform --listen` misses.

    mutants.py [--seed N] [--count 60]     grade a sample of mutants of both clients, and print a table
    mutants.py --mutant 'web:hears:*'      grade the mutants with matching names; may be repeated
    mutants.py --list                      list every mutant by operator
    mutants.py --fixed                     grade a fixed sample, each with the case that must catch it, as JSON
    mutants.py drive MUTANT [NOTES]        run the driver of a mutant; NOTES gets a line for each mistake made

A mutant is caught if a case does not pass. If all cases pass, mutant_reasons.py must have a reason for this mutant.
Without a reason, the mutant is a HOLE, and the status is 1. If a driver does not start, the mutant is BROKEN, and the
status is 1. First, each client without a mistake is graded through the same relay, and must pass. The messages of this
first run determine which mistakes each client can make.
"""
import argparse
import asyncio
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from mutant_operators import Operator, Survey, universe
from mutant_reasons import reason
from mutant_wire import drive

ROOT = pathlib.Path(__file__).parents[2]
DRIVERS = {
    "web": ["node", str(ROOT / "clients/web/conform/driver.mjs")],
    "python": [sys.executable, "-B", str(ROOT / "clients/python/conform.py")],
}
SURVEY = "survey"
# The groups in the order in which they are graded. The first case that does not pass ends the grading.
GROUPS = [
    "greeting", "batches", "strangers", "updates", "commands", "timelines", "views", "floors", "layers", "gestures", "items",
    "requests", "features", "patches", "live", "edits", "sections", "rows", "errors", "closing", "comeback", "liveness"]
SECONDS = 1200  # the time limit for one group, which is reached only if the probe hangs

# The mutants that the check `clients` grades. Together, they have nearly every operator.
FIXED = {
    "python:says:drop:scroll.decelerating": "wheel-is-told",
    "python:says:duplicate:loadFinished": "own-backend",
    "python:says:wrong-sign:scroll.offset": "pull-is-negative",
    "python:says:wrong-edge:retry.edge": "asks-retry",
    "python:hears:wrong-unit:update.inset.top": "inset-applied",
    "python:hears:ignore-state:update.bottom.state": "edges-are-apart",
    "web:hears:reorder:attached": "emptied-by-reset",
    "web:hears:ignore-inset:update.inset": "inset-is-whole",
    "web:hears:ignore-offset:update.offset": "offset-applied",
    "web:hears:wrong-edge:items.mode": "items-append",
    "python:says:ignore-option:hello.features": "names-features",
    "python:says:duplicate:disappear": "disappears-once",
    "web:hears:ignore-option:welcome.features": "query-is-configured",
    "web:says:ignore-option:geometry.anchor": "place-is-kept",
    "web:says:drop:appear": "appears-once",
    "web:says:wrong-unit:geometry.anchor.position": "place-of-a-neighbour",
}

Grade = collections.namedtuple("Grade", "mutant verdict why")


class Bench:
    """Runs the probe to grade mutants."""

    def __init__(self, probe, timeout, folder):
        self.probe = probe
        self.timeout = timeout
        self.folder = pathlib.Path(folder)

    def run_cases(self, mutant, notes, *selection):
        """Runs the selected cases. Returns the results as reported by the probe."""
        command = [
            self.probe, "conform", "--listen", "127.0.0.1:0", "--json", "--timeout", str(self.timeout), *selection,
            "--", sys.executable, "-B", __file__, "drive", mutant, str(notes)]
        # The probe starts the driver in a POSIX session of its own, and ends all processes of that session.
        result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=ROOT)
        try:
            return json.loads(result.stdout)
        except ValueError:
            return [{"id": "", "name": "no report", "verdict": "broken", "reason": result.stderr[-400:]}]

    def grade(self, mutant):
        notes = self.folder / mutant.replace("/", "_")
        case_count = 0
        for group in GROUPS:
            for case in self.run_cases(mutant, notes, "--group", group):
                case_count += case["verdict"] != "skipped"
                if case["verdict"] == "broken":
                    return Grade(mutant, "BROKEN", case["reason"].strip().replace("\n", " "))
                if case["verdict"] in ("failed", "nonStrict"):
                    return Grade(mutant, "caught", f"{case['id']} {case['name']}")
        if not notes.exists():
            return Grade(mutant, "not met", f"the client never sends or receives that in its {case_count} cases")
        why = reason(mutant)
        return Grade(mutant, "unseen" if why else "HOLE", why or f"passes {case_count} cases")

    def survey(self, client):
        """Returns the mistakes that a client can make, and the cases that the client fails without a mistake."""
        notes = self.folder / f"{client}-survey"
        wrong = [
            case for case in self.run_cases(f"{client}:{SURVEY}", notes)
            if case["verdict"] in ("failed", "nonStrict", "broken")]
        met = set(notes.read_text().split("\n")) if notes.exists() else set()
        return met, wrong


def sampled(possible, count, seed):
    """Returns `count` mutants. Each client and operator has the same share, as far as it has enough mutants."""
    chance = random.Random(seed)
    piles = [chance.sample(names, len(names)) for _, names in sorted(possible.items()) if names]
    chance.shuffle(piles)
    drawn = []
    while len(drawn) < count and any(piles):
        drawn += [pile.pop() for pile in piles if pile]
    return drawn[:count]


def recorder(path):
    """Returns a function that writes the name of a mistake into the file at the first call with this name."""
    seen = set()

    def record(name="made"):
        if name not in seen:
            seen.add(name)
            with open(path, "a", encoding="utf-8") as notes:
                notes.write(f"{name}\n")
    return record


def drive_one(mutant, notes=os.devnull):
    client, _, rest = mutant.partition(":")
    record = recorder(notes)
    operator = Survey(client, record) if rest == SURVEY else Operator(mutant, record)
    asyncio.run(drive(os.environ["REFRESH_DRIVER"], DRIVERS[client], operator))


def chosen(bench, options):
    """Returns the mutants to grade, and whether both clients pass without a mistake."""
    if options.mutant:
        named = [f"{client}:{name}" for client in DRIVERS for names in universe().values() for name in names]
        return [name for name in named if any(fnmatch.fnmatchcase(name, one) for one in options.mutant)], True
    possible = {}
    is_right = True
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for client, (met, wrong) in zip(DRIVERS, pool.map(bench.survey, DRIVERS)):
            for case in wrong:
                is_right = False
                print(f"{client} without a mistake: {case['id']} {case['name']}: {case.get('reason')}")
            for how, names in universe().items():
                possible[client, how] = [f"{client}:{name}" for name in names if name in met]
            count = sum(len(names) for (one, _), names in possible.items() if one == client)
            print(f"{client}: {count} mutants", flush=True)
    return sampled(possible, options.count, options.seed), is_right


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", 1)[0], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=17, help="seed of the random sample (17)")
    parser.add_argument("--count", type=int, default=60, help="number of mutants in the sample (60)")
    parser.add_argument(
        "--mutant", action="append", default=[], metavar="PATTERN",
        help="test the mutants whose names match instead of a sample; * matches any text; may be repeated")
    parser.add_argument("--list", action="store_true", help="print the names of all mutants, and exit")
    parser.add_argument(
        "--fixed", action="store_true", help="print a fixed sample and the cases that catch it, as JSON, and exit")
    parser.add_argument("--jobs", type=int, default=10, help="number of mutants that are tested at one time (10); they mostly wait")
    parser.add_argument("--timeout", type=int, default=6, help="seconds that a case waits for a message before it fails (6)")
    parser.add_argument("--probe", default=str(ROOT / ".build/debug/refresh-probe"), metavar="FILE")
    options = parser.parse_args()
    if options.list:
        for names in universe().values():
            print("\n".join(names))
        return 0
    if options.fixed:
        print(json.dumps(FIXED))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.probe, options.timeout, folder)
        mutants, is_right = chosen(bench, options)
        print(f"{len(mutants)} mutants{'' if options.mutant else f', seed {options.seed}'}")
        print("| mutant | verdict | by or why |\n|---|---|---|", flush=True)
        tally = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done in concurrent.futures.as_completed([pool.submit(bench.grade, mutant) for mutant in mutants]):
                grade = done.result()
                tally[grade.verdict] += 1
                print(f"| `{grade.mutant}` | {grade.verdict} | {grade.why} |", flush=True)
        print(", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.items())))
    return 0 if is_right and not (tally["HOLE"] or tally["BROKEN"]) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["drive"]:
        drive_one(*sys.argv[2:])
    else:
        sys.exit(main())
