"""The Swift build and the tests that `swift test` runs."""

import os
import pathlib
import re
import xml.etree.ElementTree as xml

from processes import run
from report import SKIPS_ALLOWED

# The time limits end commands that hang. On two idle cores, a build takes seven minutes and the
# tests take two minutes.
BUILD_SECONDS = 3600
TEST_SECONDS = 3600
# The number of concurrent tests. If all tests ran at the same time, tests with time limits would fail.
TESTS_AT_ONCE = 8
# The unit tests of --quick, for modules that start no processes.
QUICK = r"^(CryptographyTests|RefreshProtocolTests|RefreshEngineTests|RefreshIndicatorTests)\."


def binary(name):
    """Returns the path of a debug executable of this build."""
    return str(pathlib.Path(".build/debug") / name)


def build(part, _):
    """Builds products and tests separately, so that a test that does not compile prevents only the unit tests."""
    part.check("swift build", run(["swift", "build"], part.log("products"), BUILD_SECONDS))
    built = {"products"} if part.failures == 0 else set()
    part.check("swift build --build-tests", run(
        ["swift", "build", "--build-tests"], part.log("tests"), BUILD_SECONDS))
    return built | ({"tests"} if part.failures == 0 else set())


def test(part, pattern):
    """Runs the tests, and counts those in the report of the test runner. If there is no report, the run has crashed."""
    results = part.logs / "unit.xml"
    command = ["swift", "test", "--skip-build", "--parallel", "--xunit-output", str(results)]
    if pattern:
        command += ["--filter", pattern]
    environment = dict(
        os.environ, SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=str(TESTS_AT_ONCE))
    result = run(command, part.log("swift"), TEST_SECONDS, env=environment)
    try:
        passed, failed = counts_in(results)
    except xml.ParseError:  # the runner ended before it had written its report
        passed, failed = 0, []
    part.passed(passed)
    for name in failed:
        part.failed(name)
    for name in re.findall(r'^➜ (?:Test|Suite) "?(.+?)"? skipped', result.output, re.MULTILINE):
        part.skipped(name, SKIPS_ALLOWED.get(f"{part.name}: {name}", "its condition does not hold on this machine"))
    if failed:
        print("    " + "\n    ".join(
            line for line in result.output.splitlines() if "recorded an issue" in line or "↳" in line))
    elif result.status != 0:
        part.failed("swift test", f"{result.output}\n(exit status {result.status})")
    elif passed == 0 and pattern in (None, "", QUICK):
        part.failed("swift test", f"it ran no tests\n{result.output}")


def counts_in(results):
    """Returns the number of passed tests and the names of the failed tests."""
    passed, failed = 0, []
    for report in results.parent.glob(f"{results.stem}*.xml"):
        for case in xml.parse(report).getroot().iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                failed.append(f"{case.get('classname')} {case.get('name')}")
            elif case.find("skipped") is None:
                passed += 1
    return passed, failed
