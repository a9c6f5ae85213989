"""Tests the live lists of the demo, as the daemon serves them without a configuration: a chat and a board in two windows,
and a log, by the touch of fingers.
"""

import unittest

from daemon import Daemon
from fingers import Fingers, gathering, tap_on
from page import DESKTOP, PHONE
from test_board import BoardPage
from test_chat import ChatPage
from test_log import TOTAL, LogPage

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
        """Opens a page of the demo in a window of its own."""
        page = kind()
        self.addCleanup(page.close)
        page.show(f"{self.daemon.url}{path}", window)
        self.opened.append(page)
        return page

    def parts(self, page):
        """Returns the headers and the cards of the board, in the order in which they are drawn."""
        return page.run("""
            return [...document.querySelectorAll("refresh-list > .row, refresh-list > [data-section]")]
              .map((part) => part.dataset.id ?? part.dataset.section);""")

    def await_parts(self, page, *parts):
        page.until(lambda: self.parts(page) == list(parts), f"the board {parts}")

    def texts(self, page):
        return page.run("return [...document.querySelectorAll('.row .description')].map((line) => line.textContent)")

    def newest(self, page):
        """Returns the key of the newest message."""
        return page.run("return document.querySelector('.row:last-child').dataset.id")

    def loads(self, page):
        """Returns the number of messages about loads that the page has received."""
        return page.run("return [...document.querySelectorAll('#log .what')].filter((line) => line.textContent === 'loading').length")

    def test_uploads_arrive_without_a_load_and_a_message_is_seen_in_both_windows(self):
        first = self.open(ChatPage, "chat.html")
        second = self.open(ChatPage, "chat.html", DESKTOP)
        for page in (first, second):
            # Also if an upload arrives before the page has laid out its first messages.
            page.until(lambda page=page: page.is_at_end, "the newest message")
        loads = self.loads(second)
        before = self.newest(second)
        for page in (first, second):
            page.until(lambda page=page: self.newest(page) != before and page.is_at_end, "an upload")
        self.assertEqual(self.loads(second), loads, "an upload is no load")
        tap_on(first, "#text")
        first.until(lambda: first.run("return document.activeElement.id") == "text", "the focus")
        first.command("Input.insertText", text="Hello from a phone")
        tap_on(first, "#send")
        for page in (first, second):
            page.until(lambda page=page: "Hello from a phone" in self.texts(page) and page.is_at_end, "the message")
        first.until(lambda: first.run("return Number(document.querySelector('.own').dataset.id) > 0"), "the answer")
        self.assertEqual(second.run("return document.querySelectorAll('.own').length"), 0)
        first.screenshot(self.screenshots / "demo-chat-phone.png")
        second.screenshot(self.screenshots / "demo-chat-desktop.png")

    def test_a_card_is_dragged_into_another_section_and_a_removal_is_undone(self):
        first = self.open(BoardPage, "board.html")
        second = self.open(BoardPage, "board.html", DESKTOP)
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
        tap_on(first, "#undo")
        self.await_parts(first, "To do", "1", "3", "Doing", "6", "4", "2", "5", "Done", "7")
        first.until(lambda: not first.is_shown("toast"), "the toast to go")
        self.assertEqual(self.parts(second)[1], "1", "the other window has seen nothing")

        tap_on(first, "#title")
        first.until(lambda: first.run("return document.activeElement.id") == "title", "the focus")
        first.command("Input.insertText", text="Bake a cake")
        tap_on(first, "#add button")
        second.until(lambda: "Bake a cake" in second.summary() and self.parts(second)[0] == "To do", "the card")
        self.assertEqual(len(self.parts(second)), len(BOARD) + 1)
        second.screenshot(self.screenshots / "demo-board-desktop.png")

    def test_a_log_is_thrown_and_has_the_rows_where_it_rests(self):
        page = self.open(LogPage, "log.html")
        fingers = Fingers(page)
        self.addCleanup(fingers.finish)
        for _ in range(6):
            fingers.down(below=450)
            fingers.move(-400, 0.1, gathering)
            fingers.up()
            fingers.rest(0.12)
        page.await_standstill()
        page.until(lambda: page.placeholders == 0, "the rows in sight")
        self.assertGreater(page.visible[0], 100)
        texts = page.run("return [...document.querySelectorAll('refresh-list > .line .number')].map((line) => line.textContent)")
        self.assertEqual(texts, [str(number) for number in range(int(texts[0]), int(texts[0]) + len(texts))])
        self.assertLessEqual(int(texts[0]), page.visible[0])
        self.assertEqual(page.run("return document.querySelector('refresh-list').items.length"), TOTAL)
        page.screenshot(self.screenshots / "demo-log-phone.png")
        desktop = self.open(LogPage, "log.html", DESKTOP)
        desktop.screenshot(self.screenshots / "demo-log-desktop.png")

    def test_a_finger_finds_all_pages_from_each_other(self):
        page = self.open(ChatPage, "chat.html")
        for path, title in (
                ("/board.html", "Board"), ("/log.html", "Log"), ("/", "Packages"), ("/uploads.html", "Uploads"), ("/chat.html", "Announcements")):
            tap_on(page, f".pages a[href='{path}']")
            page.until(lambda path=path, title=title: page.run(
                "return location.pathname === arguments[0] && document.querySelector('h1')?.textContent === arguments[1] "
                "&& document.querySelector('.row, .line') !== null", path, title), title)
            self.assertEqual(page.run("return document.querySelector('.pages [aria-current]').getAttribute('href')"), path)
            self.assertEqual(page.run(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
            self.assertEqual(
                page.run("const {scrollWidth, clientWidth} = document.querySelector('.pages');"
                         "return scrollWidth - clientWidth"), 0, "all links are in sight")
