"""Runs the tests of the documentation's site. The last line of output is `N passed, N failed`."""

import argparse
import pathlib
import sys
import unittest

import test_blocks
import test_builds
import test_pages
import test_reading

MODULES = (test_blocks, test_builds, test_pages, test_reading)


def main():
    parser = argparse.ArgumentParser(prog="Tests/Site/run", description=__doc__)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder for screenshots and Chromium's log")
    parser.add_argument("--only", metavar="TEST", help="only the tests whose name contains this text")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    test_reading.ReadingTest.out = options.out.resolve()

    loader = unittest.TestLoader()
    if options.only:
        loader.testNamePatterns = [f"*{options.only}*"]
    suite = unittest.TestSuite(loader.loadTestsFromModule(module) for module in MODULES)
    result = unittest.TextTestRunner(
        stream=sys.stdout, verbosity=2, descriptions=False, resultclass=CountingResult).run(suite)
    # A failed step of a test counts as one failure, and so does a failed start of the browser.
    print(f"{result.passed} passed, {len(result.failures) + len(result.errors)} failed")
    return 0 if result.wasSuccessful() and result.passed else 1


class CountingResult(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


if __name__ == "__main__":
    sys.exit(main())
