"""SVG paths: against another library on real drawings, and against whatever a fuzzer thinks of."""

import swift
from processes import run

ICONS_SECONDS = 180
FUZZ_SECONDS = 180


def icons(part, _):
    part.take_over("Tests/Icons/run", run(
        ["Tests/Icons/run", "--report", swift.binary("path-report")], part.log("compared"),
        ICONS_SECONDS))


def fuzz(part, _):
    """Builds for itself: an instrumented build of the paths alone."""
    part.take_over("scripts/fuzz", run(["scripts/fuzz"], part.log("search"), FUZZ_SECONDS))
