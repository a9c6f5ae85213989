"""Builds the site of the documentation, and checks it: links, anchors, code blocks, and the pages in Chromium."""

from processes import COMMAND_SECONDS, SUITE_SECONDS, run as run_command


def run(part, _):
    built = run_command(["scripts/site"], part.log("build"), COMMAND_SECONDS)
    part.check("scripts/site", built)
    if built.status == 0:
        part.count_summary("Tests/Site/run", run_command(
            ["Tests/Site/run", "--out", ".build/screenshots/site"], part.log("tests"), SUITE_SECONDS))
