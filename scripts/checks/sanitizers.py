"""Runs the unit tests under a sanitizer, in a separate build folder.

Each test target runs in its own process, so that a crash does not end the tests of the other targets. The sanitizer of
each process writes its reports to a file of that process, so that the reports of daemons that the tests start are found
too.
"""

import os
import pathlib
import re
import shutil

from processes import run as run_command

KINDS = ["address", "thread"]
BUILD_SECONDS = 3600
# The time limit for one test target.
TEST_SECONDS = 2400
# The factor for all waits in Tests/Workbench and all time limits of tests.
TIME_FACTOR = 10
# The number of concurrent tests. It equals the number of processors of the smallest machine, because these tests compute
# and do not wait.
WIDTH = 2
# Tests that cannot run under a sanitizer, with the reason.
LEFT_OUT = {
    "FeedNoticesTests/depth": "reads addresses of its stack, but the address sanitizer puts variables into the heap",
}
# The exit status with which a sanitizer ends a process after a report is 66.
COMMON = "exitcode=66:log_path={log}:suppressions={folder}"
OPTIONS = {
    "address": {"ASAN_OPTIONS": f"detect_leaks=0:{COMMON}/address.supp"},
    "thread": {"TSAN_OPTIONS": f"{COMMON}/thread.supp"},
}
FOLDER = pathlib.Path("Tests/Sanitizers")


def run(part, pattern, kind):
    """Runs the tests. Any report of the sanitizer is a failure, even if all tests pass. Leaks are not reported here, because
    scripts/leaks searches for them.
    """
    scratch = pathlib.Path(f".build/{kind}")
    built = run_command(
        ["swift", "build", "--scratch-path", str(scratch), f"--sanitize={kind}", "--build-tests"],
        part.log("build"), BUILD_SECONDS,
        # With this variable, Package.swift does not optimise the modules.
        env=dict(os.environ, REFRESHD_SANITIZED="1"))
    part.check(f"swift build --sanitize={kind}", built)
    if built.status != 0:
        return
    variables = environment(part, kind, scratch)
    for target in targets():
        run_target(part, kind, scratch, target, pattern, variables)


def targets():
    """Returns the test targets of the manifest."""
    text = pathlib.Path("Package.swift").read_text()
    return re.findall(r'\.testTarget\(\s*name: "(\w+)"', text)


def environment(part, kind, scratch):
    """Returns the environment of the tests and of all processes that they start."""
    variables = dict(
        os.environ, TEST_PATIENCE=str(TIME_FACTOR), SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=str(WIDTH))
    if kind == "thread":
        library = (scratch / "mutex.so").resolve()
        part.check("build of Tests/Sanitizers/mutex.c", run_command(
            ["clang", "-Wall", "-Werror", "-shared", "-fPIC", "-O1", "-o", str(library),
             str(FOLDER / "mutex.c")], part.log("mutex"), 60))
        variables["LD_PRELOAD"] = str(library)
    return variables


def run_target(part, kind, scratch, target, pattern, variables):
    """Runs the tests of one target. `pattern` applies to the tests of all targets, so it may select none of this
    target.
    """
    reports = part.log(target).with_suffix(".reports").resolve()
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir()
    options = {
        name: text.format(folder=FOLDER.resolve(), log=reports / "report")
        for name, text in OPTIONS[kind].items()}
    command = [
        str(scratch / "debug/refreshdPackageTests.xctest"), "--testing-library", "swift-testing",
        "--filter", rf"^{target}\.(.*)({pattern})" if pattern else rf"^{target}\."]
    for name in LEFT_OUT:
        command += ["--skip", name]
    result = run_command(command, part.log(target), TEST_SECONDS, env={**variables, **options})
    if pattern and re.search(r"with 0 tests", result.output):
        return
    summaries = {}
    for file in sorted(reports.iterdir()):
        text = file.read_text(errors="replace")
        for summary in re.findall(r"SUMMARY: \w+Sanitizer: .*", text) or [f"a report in {file.name}"]:
            summaries.setdefault(summary, text)
    for summary, text in summaries.items():
        part.failed(f"{target}: {summary}", text)
    failed = sorted(set(re.findall(
        r"✘ Test (?!run |case )(\S.*?)(?: with \d+ test cases?)? failed after", result.output)))
    for name in failed:
        part.failed(f"{target}: {name}")
    passed = len(re.findall(r"✔ Test (?!run |case ).* passed after", result.output))
    part.passed(passed)
    print(f"  {target}: {passed} passed", flush=True)
    # If a report was written, the process ends with 66, even if every test passed.
    if result.status not in (0, 66 if summaries else 0) and not failed:
        part.failed(target, f"{result.output[-4000:]}\n(exit status {result.status})")
    elif passed == 0 and not pattern and not failed:
        part.failed(target, "it ran no tests")
