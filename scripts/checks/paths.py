"""What is read from outside: icons' paths against another library, all of it against a fuzzer."""

import swift
from processes import COMMAND_SECONDS, SUITE_SECONDS, run


def icons(part, _):
    part.take_over("Tests/Icons/run", run(
        ["Tests/Icons/run", "--report", swift.binary("path-report")], part.log("compared"),
        COMMAND_SECONDS))


def fuzz(part, _):
    """The bounded run; what a search of minutes finds becomes an entry of a corpus, which is read here."""
    part.take_over("scripts/fuzz", run(["scripts/fuzz"], part.log("search"), SUITE_SECONDS))
