"""The unit tests under a sanitizer, in a build of its own: the usual one stays as it is."""

import os
import pathlib
import re

from processes import run as run_command

KINDS = ["address", "thread"]
BUILD_SECONDS = 3600
# Ten times what they take without.
TEST_SECONDS = 3600
# What cannot run under a sanitizer, each with its reason.
LEFT_OUT = {
    "KillTests": "kills 200 daemons, each of which starts ten times as slowly",
}
# 66 is what a sanitizer ends with that has found something.
OPTIONS = {
    "address": {"ASAN_OPTIONS": "detect_leaks=0:exitcode=66:suppressions={folder}/address.supp"},
    "thread": {"TSAN_OPTIONS": "exitcode=66:suppressions={folder}/thread.supp"},
}


def run(part, pattern, kind):
    """Any report is a failure, also where all tests passed. Leaks are looked for by scripts/leaks."""
    scratch = f".build/{kind}"
    built = run_command(
        ["swift", "build", "--scratch-path", scratch, f"--sanitize={kind}", "--build-tests"],
        part.log("build"), BUILD_SECONDS)
    part.check(f"swift build --sanitize={kind}", built)
    if built.status != 0:
        return
    folder = pathlib.Path("Tests/Sanitizers").resolve()
    environment = {name: text.format(folder=folder) for name, text in OPTIONS[kind].items()}
    command = [f"{scratch}/debug/refreshdPackageTests.xctest", "--testing-library", "swift-testing"]
    for name in LEFT_OUT:
        command += ["--skip", name]
    if pattern:
        command += ["--filter", pattern]
    result = run_command(
        command, part.log("unit"), TEST_SECONDS, env={**os.environ, **environment})
    reports = sorted(set(re.findall(r"SUMMARY: \w+Sanitizer: .*", result.output)))
    for report in reports:
        part.failed(report)
    failed = sorted(set(re.findall(r"✘ Test \"(.*?)\".* failed after", result.output)))
    for name in failed:
        part.failed(name)
    part.passed(len(re.findall(r"✔ Test .* passed after", result.output)))
    if result.status != 0 and not reports and not failed:
        part.failed("the unit tests", f"{result.output[-4000:]}\n(exit status {result.status})")
