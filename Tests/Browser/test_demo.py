"""Tests the live lists of the demo, as the daemon serves them without a configuration: a chat and a board in two windows,
by the touch of fingers.
"""

import unittest

from daemon import Daemon
from fingers import Fingers
from page import DESKTOP, PHONE
from test_board import BoardPage
from test_chat import ChatPage

BOARD = ["To do", "1", "2", "3", "Doing", "4", "5", "Done", "6", "7"]


class DemoTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    def setUp(self):
        self.daemon = Daemon(self.executable, "/nonexistent", self.screenshots / "refreshd-demo-live.log")
        self.daemon.start()
        self.addCleanup(self.daemon.kill)
        self.opened = []

    def tearDown(self):
        for page in self.opened:
            self.assertEqual(page.console_errors, [], "the console must be clean: no error, no violated policy")

    def open(self, kind, path, window=PHONE):
        """Opens a page of the demo in a window of its own. Returns it with a finger."""
        page = kind()
        self.addCleanup(page.close)
        page.show(f"{self.daemon.url}{path}", window)
        self.opened.append(page)
        fingers = Fingers(page)
        self.addCleanup(fingers.finish)
        return page, fingers

    def parts(self, page):
        """Returns the headers and the cards of the board, in the order in which they are drawn."""
        return page.run("""
            return [...document.querySelectorAll("refresh-list > .row, refresh-list > [data-section]")]
              .map((part) => part.dataset.id ?? part.dataset.section);""")

    def await_parts(self, page, *parts):
        page.until(lambda: self.parts(page) == list(parts), f"the board {parts}")

    def newest(self, page):
        return page.run("return document.querySelector('.row:last-child .description').textContent")

    def test_a_message_is_seen_in_both_windows_and_uploads_arrive_without_a_load(self):
        first, fingers = self.open(ChatPage, "chat.html")
        second, _ = self.open(ChatPage, "chat.html", DESKTOP)
        fingers.tap_on("#text")
        first.until(lambda: first.run("return document.activeElement.id") == "text", "the focus")
        first.command("Input.insertText", text="Hello from a phone")
        fingers.tap_on("#send")
        for page in (first, second):
            page.until(lambda page=page: self.newest(page) == "Hello from a phone" and page.is_at_end, "the message")
        first.until(lambda: first.run("return Number(document.querySelector('.own').dataset.id) > 0"), "the answer")
        self.assertEqual(second.run("return document.querySelectorAll('.own').length"), 0)
        loads = second.run("return [...document.querySelectorAll('#log .what')].map((line) => line.textContent)")
        for page in (first, second):
            page.until(lambda page=page: self.newest(page) != "Hello from a phone" and page.is_at_end, "an upload")
        since = second.run("return [...document.querySelectorAll('#log .what')].map((line) => line.textContent)")
        self.assertEqual(since.count("loading"), loads.count("loading"), "the upload is no load")
        first.screenshot(self.screenshots / "demo-chat-phone.png")
        second.screenshot(self.screenshots / "demo-chat-desktop.png")

    def test_a_card_is_dragged_into_another_section_and_a_removal_is_undone(self):
        first, fingers = self.open(BoardPage, "board.html")
        second, _ = self.open(BoardPage, "board.html", DESKTOP)
        self.assertEqual(self.parts(first), BOARD)
        x, y = first.middle(".handle", 2)
        _, below = first.middle(".handle", 4)
        first.stroke((x, y), (x, below + 20), lift=False)
        first.screenshot(self.screenshots / "demo-board-dragged.png")
        first.touch("touchEnd")
        moved = ["To do", "1", "3", "Doing", "4", "2", "5", "Done", "6", "7"]
        for page in (first, second):
            self.await_parts(page, *moved)
        # Upwards, a card takes the section of the card before which it is put.
        _, above = first.middle(".handle", 4)
        first.stroke(first.middle(".handle", 6), (x, above - 20))
        for page in (first, second):
            self.await_parts(page, "To do", "1", "3", "Doing", "6", "4", "2", "5", "Done", "7")

        first.swipe(1)
        self.await_parts(first, "To do", "3", "Doing", "6", "4", "2", "5", "Done", "7")
        first.screenshot(self.screenshots / "demo-board-phone.png")
        fingers.tap_on("#undo")
        self.await_parts(first, "To do", "1", "3", "Doing", "6", "4", "2", "5", "Done", "7")
        first.until(lambda: not first.is_shown("toast"), "the toast to go")
        self.assertEqual(self.parts(second)[1], "1", "the other window has seen nothing")

        fingers.tap_on("#title")
        first.until(lambda: first.run("return document.activeElement.id") == "title", "the focus")
        first.command("Input.insertText", text="Bake a cake")
        fingers.tap_on("#add button")
        second.until(lambda: "Bake a cake" in second.summary() and self.parts(second)[0] == "To do", "the card")
        self.assertEqual(len(self.parts(second)), len(BOARD) + 1)
        second.screenshot(self.screenshots / "demo-board-desktop.png")

    def test_a_finger_finds_all_pages_from_each_other(self):
        page, fingers = self.open(ChatPage, "chat.html")
        for path, title in (
                ("/board.html", "Board"), ("/", "Packages"), ("/uploads.html", "Uploads"), ("/chat.html", "Announcements")):
            fingers.tap_on(f".pages a[href='{path}']")
            page.until(lambda path=path, title=title: page.run(
                "return location.pathname === arguments[0] && document.querySelector('h1')?.textContent === arguments[1] "
                "&& document.querySelectorAll('.row').length > 0", path, title), title)
            self.assertEqual(page.run("return document.querySelector('.pages [aria-current]').getAttribute('href')"), path)
            self.assertEqual(page.run(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
            self.assertEqual(
                page.run("const {scrollWidth, clientWidth} = document.querySelector('.pages');"
                         "return scrollWidth - clientWidth"), 0, "all links are in sight")
