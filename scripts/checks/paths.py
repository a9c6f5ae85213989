"""What is read from outside: icons' paths against another library, all of it against a fuzzer."""

import swift
from processes import run

ICONS_SECONDS = 180
FUZZ_SECONDS = 600


def icons(part, _):
    part.take_over("Tests/Icons/run", run(
        ["Tests/Icons/run", "--report", swift.binary("path-report")], part.log("compared"),
        ICONS_SECONDS))


def fuzz(part, _):
    """The bounded run; what a search of minutes finds becomes an entry of a corpus, which is read here."""
    part.take_over("scripts/fuzz", run(["scripts/fuzz"], part.log("search"), FUZZ_SECONDS))
