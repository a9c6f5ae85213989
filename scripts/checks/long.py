"""The parts that take hours: `scripts/test --long`. docs/testing.md contains the last result of each part."""

import pathlib

import sanitizers
import swift
from processes import run

HOUR = 3600
# The duration for each target of the fuzzer, in seconds.
FUZZ_SECONDS = 120
SEEDS = 10_000
SESSIONS = 10_000
SOAK_MINUTES = 14
CHAOS_MINUTES = 20


def command(*words, counts=False, hours=3):
    """Returns a part that runs one command. If `counts` is true, its result is the counts that the command prints.
    Otherwise its result is the exit status of the command.
    """
    def part_run(part, _):
        result = run(list(words), part.log("run"), hours * HOUR)
        print("   " + "\n   ".join(result.output.rstrip().splitlines()[-6:]))
        (part.count_summary if counts else part.check)(" ".join(words), result)
    return part_run


def sanitizer(kind):
    return lambda part, pattern: sanitizers.run(part, pattern, kind)


def unit(part, pattern):
    """Runs the unit tests with the full number of generated cases."""
    if swift.build(part, pattern) == {"products", "tests"}:
        swift.test(part, pattern)


def fuzz(part, _):
    """Runs every target with a new seed. The fuzzer links the debug build."""
    if "products" not in swift.build(part, ""):
        return
    targets = run(["scripts/fuzz", "--list"], part.log("list"), 60).output.split()
    if not targets:
        part.failed("scripts/fuzz --list", "it names no target")
    for target in targets:
        part.count_summary(target, run(
            ["scripts/fuzz", target, str(FUZZ_SECONDS)], part.log(target), HOUR))


def reproducible(part, _):
    """Builds the packages and the image twice, in different folders, with different umasks, at different times. The bytes
    must be equal.
    """
    sums = []
    for number, umask in enumerate(("022", "077")):
        output = part.log(f"packages-{number}").with_suffix("").resolve()
        work = pathlib.Path(f".build/{'again/' * number}package").resolve()
        result = run(
            ["bash", "-c", 'umask "$1"; exec scripts/package --image --output "$2" --work "$3"', "bash", umask, str(output), str(work)],
            part.log(f"build-{number}"), 2 * HOUR)
        part.check(f"scripts/package under umask {umask}", result)
        if result.status == 0:
            sums.append((output / "SHA256SUMS").read_text())
    if len(sums) == 2 and sums[0] == sums[1]:
        part.passed()
    else:
        part.failed("both builds of the packages and the image have equal bytes", "\n".join(sums))


PARTS = [
    ("packages", command("scripts/check-package", counts=True),
     "the packages and the image in clean roots: install, start, pull, upgrade, remove, purge (needs root)"),
    ("reproducible", reproducible, "the packages and the image built twice, compared byte by byte"),
    ("unit", unit, "the unit tests with the full number of generated cases (TEST_DEPTH=long)"),
    ("address", sanitizer("address"), "the unit tests under the address sanitizer"),
    ("thread", sanitizer("thread"), "the unit tests under the thread sanitizer"),
    ("fuzz", fuzz, f"libFuzzer, {FUZZ_SECONDS} s for each target"),
    ("simulate", command("scripts/simulate", str(SEEDS)), f"{SEEDS:,} simulated worlds"),
    ("readers", command("scripts/simulate", "--readers", str(SEEDS)), f"{SEEDS:,} simulated worlds with readers of lists"),
    ("clusters", command("scripts/simulate", "--cluster", str(SEEDS)), f"{SEEDS:,} simulated worlds with a cluster"),
    ("live", command("scripts/simulate", "--live", str(SEEDS)), f"{SEEDS:,} simulated worlds with live lists"),
    ("leaks", command("scripts/leaks", str(SESSIONS)), f"{SESSIONS:,} sessions under the leak sanitizer"),
    ("chaos", command("scripts/cluster-chaos", str(CHAOS_MINUTES), "1"),
     f"three nodes of a cluster under faults for {CHAOS_MINUTES} minutes, with a release build"),
    ("soak", command("scripts/soak", str(SOAK_MINUTES)), f"the memory of a daemon in {SOAK_MINUTES} minutes of sessions"),
]
