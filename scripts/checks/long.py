"""What takes hours: `scripts/test --long`. docs/testing.md keeps the last result of each part."""

import sanitizers
import swift
from processes import run

HOUR = 3600
# Seconds for each target of the fuzzer.
FUZZ_SECONDS = 120
SEEDS = 10_000
SESSIONS = 10_000
SOAK_MINUTES = 14


def command(*words, hours=3):
    """A part that is one command and passes by its exit status; a count that it prints is taken over."""
    def part_run(part, _):
        result = run(list(words), part.log("run"), hours * HOUR)
        print("   " + "\n   ".join(result.output.rstrip().splitlines()[-6:]))
        part.check(" ".join(words), result)
    return part_run


def sanitizer(kind):
    return lambda part, pattern: sanitizers.run(part, pattern, kind)


def unit(part, pattern):
    """The unit tests with the full size of every search."""
    if swift.build(part, pattern) == {"products", "tests"}:
        swift.test(part, pattern)


def fuzz(part, _):
    """Every target with another seed each time; the debug build is what the fuzzer links."""
    if "products" not in swift.build(part, ""):
        return
    targets = run(["scripts/fuzz", "--list"], part.log("list"), 60).output.split()
    for target in targets:
        part.take_over(target, run(
            ["scripts/fuzz", target, str(FUZZ_SECONDS)], part.log(target), HOUR))


PARTS = [
    ("unit", unit, "the unit tests with every search at its full size (TEST_DEPTH=long)"),
    ("address", sanitizer("address"), "the unit tests under the address sanitizer"),
    ("thread", sanitizer("thread"), "the unit tests under the thread sanitizer"),
    ("fuzz", fuzz, f"libFuzzer, {FUZZ_SECONDS} s for each target"),
    ("simulate", command("scripts/simulate", str(SEEDS)), f"{SEEDS:,} simulated worlds"),
    ("leaks", command("scripts/leaks", str(SESSIONS)), f"{SESSIONS:,} sessions under the leak sanitizer"),
    ("soak", command("scripts/soak", str(SOAK_MINUTES)), f"{SOAK_MINUTES} minutes of sessions that come and go"),
]
