"""The unit tests under a sanitizer, in a build of its own: the usual one stays as it is.

Each test target is a process of its own, so that one which dies takes no other with it. Reports go to files, one
for each process, so that those of daemons which tests start are seen as well.
"""

import os
import pathlib
import re
import shutil

from processes import run as run_command

KINDS = ["address", "thread"]
BUILD_SECONDS = 3600
# For one test target.
TEST_SECONDS = 2400
# All that wait in Tests/Workbench, and all limits of time there, wait so many times as long.
PATIENCE = 10
# As many tests at once as the smallest machine has processors: they compute, they do not wait.
WIDTH = 2
# What cannot run under a sanitizer, each with its reason.
LEFT_OUT = {
    "FeedNoticesTests/depth": "reads addresses of its stack, which the address sanitizer keeps in the heap",
}
# 66 is what a sanitizer ends with that has found something.
COMMON = "exitcode=66:log_path={log}:suppressions={folder}"
OPTIONS = {
    "address": {"ASAN_OPTIONS": f"detect_leaks=0:{COMMON}/address.supp"},
    "thread": {"TSAN_OPTIONS": f"{COMMON}/thread.supp"},
}
FOLDER = pathlib.Path("Tests/Sanitizers")


def run(part, pattern, kind):
    """Any report is a failure, also where all tests passed. Leaks are looked for by scripts/leaks."""
    scratch = pathlib.Path(f".build/{kind}")
    built = run_command(
        ["swift", "build", "--scratch-path", str(scratch), f"--sanitize={kind}", "--build-tests"],
        part.log("build"), BUILD_SECONDS,
        # Package.swift leaves the modules unoptimised then.
        env=dict(os.environ, REFRESHD_SANITIZED="1"))
    part.check(f"swift build --sanitize={kind}", built)
    if built.status != 0:
        return
    variables = environment(part, kind, scratch)
    for target in targets():
        run_target(part, kind, scratch, target, pattern, variables)


def targets():
    """The test targets, as the manifest names them."""
    text = pathlib.Path("Package.swift").read_text()
    return re.findall(r'\.testTarget\(\s*name: "(\w+)"', text)


def environment(part, kind, scratch):
    """What the tests and all that they start are run with."""
    variables = dict(
        os.environ, TEST_PATIENCE=str(PATIENCE), SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=str(WIDTH))
    if kind == "thread":
        library = (scratch / "mutex.so").resolve()
        part.check("build of Tests/Sanitizers/mutex.c", run_command(
            ["clang", "-Wall", "-Werror", "-shared", "-fPIC", "-O1", "-o", str(library),
             str(FOLDER / "mutex.c")], part.log("mutex"), 60))
        variables["LD_PRELOAD"] = str(library)
    return variables


def run_target(part, kind, scratch, target, pattern, variables):
    """`pattern` chooses among the tests of all targets: of some it may choose none."""
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
    # A report alone ends with 66, with every test passed.
    if result.status not in (0, 66 if summaries else 0) and not failed:
        part.failed(target, f"{result.output[-4000:]}\n(exit status {result.status})")
    elif passed == 0 and not pattern and not failed:
        part.failed(target, "it ran no tests")
