"""Runs the browser tests. The last line of output is `N passed, N failed`."""

import argparse
import pathlib
import sys
import unittest

import test_board
import test_chat
import test_demo
import test_edits
import test_frames
import test_gallery
import test_log
import test_page
import test_return
import test_sections
import test_start
import test_uploads
import test_web_package
from page import Page

MODULES = (
    test_page, test_return, test_uploads, test_chat, test_board, test_edits, test_log, test_gallery, test_frames,
    test_start, test_sections, test_web_package, test_demo)


def main():
    parser = argparse.ArgumentParser(prog="Tests/Browser/run", description=__doc__)
    parser.add_argument("--refreshd", required=True, type=pathlib.Path, help="the daemon to test")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder for screenshots")
    parser.add_argument(
        "--frames", type=pathlib.Path, help="where all that pages and daemons say is written, a frame a line")
    parser.add_argument(
        "--part", type=int, nargs=2, default=(0, 1), metavar=("K", "N"),
        help="only every Nth module, from the one with the number K (0 is the first)")
    parser.add_argument("--only", metavar="TEST", help="only the tests whose name holds this")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    Page.frames_file = options.frames and options.frames.resolve()
    cases = (
        test_page.PageTest, test_return.ReturnTest, test_uploads.UploadsTest, test_uploads.DemoUploadsTest,
        test_chat.ChatTest, test_board.BoardTest, test_edits.EditsTest, test_log.LogTest, test_gallery.GalleryTest,
        test_frames.FramesTest, test_start.StartTest, test_sections.SectionsTest, test_web_package.WebPackageTest,
        test_demo.DemoTest)
    for case in cases:
        case.executable = options.refreshd.resolve()
        case.screenshots = options.out.resolve()

    loader = unittest.TestLoader()
    if options.only:
        loader.testNamePatterns = [f"*{options.only}*"]
    suite = unittest.TestSuite(loader.loadTestsFromModule(module) for module in MODULES[options.part[0]::options.part[1]])
    result = unittest.TextTestRunner(
        stream=sys.stdout, verbosity=2, resultclass=CountingResult).run(suite)
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
