"""SVG paths: against another library on real drawings, and against whatever a fuzzer thinks of."""

import swift
from processes import run

ICONS_SECONDS = 180


def icons(part, _):
    part.take_over("Tests/Icons/run", run(
        ["Tests/Icons/run", "--report", swift.binary("path-report")], part.log("compared"),
        ICONS_SECONDS))
