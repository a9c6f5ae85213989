"""Checks of external input: SVG paths of icons against another library, and all input with a fuzzer."""

import swift
from processes import COMMAND_SECONDS, SUITE_SECONDS, run


def icons(part, _):
    part.count_summary("Tests/Icons/run", run(
        ["Tests/Icons/run", "--report", swift.binary("path-report")], part.log("compared"),
        COMMAND_SECONDS))


def fuzz(part, _):
    """Runs the fuzzer for a limited number of inputs. The corpora contain inputs that longer searches have found."""
    part.count_summary("scripts/fuzz", run(["scripts/fuzz"], part.log("search"), SUITE_SECONDS))
