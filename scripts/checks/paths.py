"""What is read from outside: icons' paths against another library, all of it against a fuzzer."""

import pathlib

import swift
from processes import run

ICONS_SECONDS = 180
FUZZ_SECONDS = 600
FUZZER = pathlib.Path(".build/fuzz/fuzzer")


def icons(part, _):
    part.take_over("Tests/Icons/run", run(
        ["Tests/Icons/run", "--report", swift.binary("path-report")], part.log("compared"),
        ICONS_SECONDS))


def fuzz(part, _):
    """Once scripts/fuzz has been run here. To compile all that is fuzzed takes it four minutes, in which everything
    else is done twice; the corpora are read by the unit tests anyway."""
    if not FUZZER.exists():
        part.skipped("scripts/fuzz", "it has not been run here; to compile what is fuzzed takes it four minutes")
        return
    part.take_over("scripts/fuzz", run(["scripts/fuzz"], part.log("search"), FUZZ_SECONDS))
