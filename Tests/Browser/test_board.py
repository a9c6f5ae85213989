"""Tests what a finger can do on a board: move a card by its handle, remove one by a swipe, and undo the removal."""

import pathlib
import tempfile
import unittest

from daemon import Daemon
from edits_backend import EditsBackend
from fingers import tap_on
from page import PHONE, Page
from site_pages import Site

TITLES = ("Buy bread", "Call the plumber", "Mend the bicycle", "Read the report", "Water the plants", "Write to Ada")
CONFIG = """
demo: true
listen: ["127.0.0.1:0"]
feeds:
  board:
    backend: http
    url: "{url}?page={{page}}&size={{size}}"
    paging: page
    size: 20
    itemKey: /id
    shared: true
    edits: {{ operations: [insert, move, remove], url: "{url}" }}
"""

# Records in each animation frame the order of the cards.
WATCH = """
const own = window.orders = [];
const watch = () => {
  if (window.orders !== own) return;
  const order = [...document.querySelectorAll(".row")].map((row) => row.dataset.id).join(" ");
  if (own.at(-1) !== order) own.push(order);
  requestAnimationFrame(watch);
};
watch();
"""


class BoardPage(Page):
    @property
    def order(self):
        return self.run("return [...document.querySelectorAll('.row')].map((row) => row.dataset.id)")

    @property
    def focused_card(self):
        """The card whose handle has the focus."""
        return self.run("return document.activeElement?.closest('.handle')?.closest('.row').dataset.id")

    def settle(self):
        """Waits until the edge is idle, and the list has not moved for a moment."""
        self.until(lambda: self.run("return document.querySelector('refresh-list').list.top.state") == "idle", "rest")
        self.until(lambda: self.run("""
            const {top} = document.querySelector(".row").getBoundingClientRect();
            const isStill = top === window.lastTop;
            window.lastTop = top;
            return isStill;"""), "rest")

    def summary(self):
        return self.run("return document.body.innerText")

    def middle(self, selector, number):
        """Returns the middle of the element in a row."""
        x, y = self.run("""
            const {left, top, width, height} = document.querySelector(`[data-id="${arguments[1]}"] ${arguments[0]}`)
              .getBoundingClientRect();
            return [left + width / 2, top + height / 2];""", selector, number)
        return x, y

    def stroke(self, start, end, steps=12, lift=True):
        """Moves a finger from one point to another."""
        self.touch("touchStart", start)
        for step in range(1, steps + 1):
            part = step / steps
            self.touch("touchMove", (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))
        if lift:
            self.touch("touchEnd")

    def swipe(self, number):
        x, y = self.middle(".title", number)
        self.stroke((x + 60, y), (x - 180, y))


class BoardTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    @classmethod
    def setUpClass(cls):
        cls.pages = [BoardPage(), BoardPage()]
        for page in cls.pages:
            cls.addClassCleanup(page.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.backend = EditsBackend([{"id": number, "title": title} for number, title in enumerate(TITLES, 1)])
        self.addCleanup(self.backend.close)
        config = pathlib.Path(folder.name) / "refreshd.yaml"
        config.write_text(CONFIG.format(url=self.backend.url))
        self.daemon = Daemon(self.executable, None, self.screenshots / "refreshd-board.log", config)
        self.daemon.start()
        self.addCleanup(self.daemon.kill)
        self.site = Site(self.daemon.port)
        self.addCleanup(self.site.close)
        for page in self.pages:
            self.addCleanup(page.browser.get, "about:blank")
            page.show(f"{self.site.url}examples/board.html")
        self.page, self.other = self.pages

    def tearDown(self):
        for page in self.pages:
            errors = [error for error in page.console_errors if "favicon" not in error]
            self.assertEqual(errors, [], "the console must be clean: no error, no violated policy")

    def await_order(self, page, *order):
        page.until(lambda: page.order == [str(number) for number in order], f"the order {order}")

    def is_shifted(self, number):
        """Whether a card has made room for the dragged one, and has come to rest."""
        return self.page.run("""
            const row = document.querySelector(`[data-id="${arguments[0]}"]`);
            return row.style.transform !== "" && row.getAnimations().length === 0;""", number)

    def test_a_card_is_dragged_to_another_place_and_stays_there(self):
        page = self.page
        page.run(WATCH)
        x, y = page.middle(".handle", 1)
        _, below = page.middle(".handle", 3)
        page.stroke((x, y), (x, below + 20), lift=False)
        page.until(lambda: self.is_shifted(3), "the room for the card")
        self.assertEqual(page.order, list("123456"), "the order changes when the finger is lifted")
        self.backend.may_answer.clear()
        page.touch("touchEnd")
        self.await_order(page, 2, 3, 1, 4, 5, 6)
        self.assertEqual(self.backend.edits, [], "the card is moved before the backend answers")
        self.backend.may_answer.set()
        self.await_order(self.other, 2, 3, 1, 4, 5, 6)
        page.until(lambda: self.backend.keys == [2, 3, 1, 4, 5, 6], "the backend")
        self.assertEqual(self.backend.edits, [{"move": 1, "after": 3}])
        # Back to the start, over all others.
        page.stroke(page.middle(".handle", 6), (x, y - 40))
        self.await_order(page, 6, 2, 3, 1, 4, 5)
        self.await_order(self.other, 6, 2, 3, 1, 4, 5)
        self.assertEqual(
            page.run("return window.orders"), ["1 2 3 4 5 6", "2 3 1 4 5 6", "6 2 3 1 4 5"], "no other order is shown")
        self.assertEqual(page.run("return document.querySelector('refresh-list').list.scrollView.offset"), 0)

    def test_a_dragged_card_stays_under_the_finger_while_others_change_the_board(self):
        page, other = self.pages
        x, y = page.middle(".handle", 5)
        _, above = page.middle(".handle", 3)
        page.stroke((x, y), (x, above - 10), lift=False)
        other.run("document.querySelector('refresh-list').edit({ remove: 1 })")
        other.run("document.querySelector('refresh-list').edit({ insert: { id: 9, title: 'New' }, after: 6 })")
        self.await_order(page, 2, 3, 4, 5, 6, 9)
        page.touch("touchMove", (x, above - 11))
        page.until(lambda: abs(page.middle(".handle", 5)[1] - (above - 11)) <= 1, "the card to follow the finger")
        page.touch("touchEnd")
        # The other cards have moved up by one, so the finger is before the fourth card now.
        self.await_order(page, 2, 3, 5, 4, 6, 9)
        self.await_order(other, 2, 3, 5, 4, 6, 9)

    def test_a_card_is_removed_by_a_swipe_and_comes_back_by_undo(self):
        page = self.page
        page.swipe(2)
        self.await_order(page, 1, 3, 4, 5, 6)
        self.assertEqual(page.text("removed"), "Removed: Call the plumber")
        page.screenshot(self.screenshots / "board-undo.png")
        tap_on(page, "#undo")
        self.await_order(page, 1, 2, 3, 4, 5, 6)
        page.until(lambda: not page.is_shown("toast"), "the toast to go")
        self.assertEqual(self.backend.edits, [])
        self.assertEqual(self.other.order, list("123456"), "the other page has seen nothing")

    def test_a_removal_is_performed_after_its_time(self):
        page = self.page
        page.swipe(2)
        self.await_order(page, 1, 3, 4, 5, 6)
        self.assertEqual(self.backend.edits, [], "the backend is asked when the time to undo has passed")
        self.await_order(self.other, 1, 3, 4, 5, 6)
        page.until(lambda: not page.is_shown("toast"), "the toast to go")
        self.assertEqual(self.backend.edits, [{"remove": 2}])
        self.assertEqual(page.order, ["1", "3", "4", "5", "6"])

    def test_a_short_swipe_and_a_scroll_change_nothing(self):
        page = self.page
        x, y = page.middle(".title", 2)
        page.stroke((x, y), (x - 60, y))
        page.stroke((x, y), (x, y - 120))
        self.assertEqual(page.order, list("123456"))
        self.assertFalse(page.is_shown("toast"))
        self.assertEqual(page.run("return [...document.querySelectorAll('.row, .card')].every((one) => !one.style.transform)"), True)

    def test_a_move_that_is_refused_goes_back_with_a_notice(self):
        page = self.page
        self.backend.fails = True
        x, y = page.middle(".handle", 1)
        page.stroke((x, y), (x, y + 150))
        page.until(lambda: page.run("""
            const notice = document.querySelector("refresh-list").shadowRoot.querySelector("[part=notice]");
            return notice.checkVisibility() && notice.textContent === "The change was not saved.";"""), "the notice")
        self.assertEqual(page.order, list("123456"))
        page.screenshot(self.screenshots / "board-refused.png")

    def test_a_card_is_added_by_fingers_and_moved_by_keys(self):
        page = self.page
        tap_on(page, "#title")
        page.until(lambda: page.run("return document.activeElement.id") == "title", "the focus")
        page.command("Input.insertText", text="Bake a cake")
        tap_on(page, "#add button")
        page.until(lambda: len(self.backend.keys) == 7, "the backend")
        key = self.backend.keys[0]
        self.await_order(self.other, key, 1, 2, 3, 4, 5, 6)
        page.run("document.querySelector('.row .handle').focus()")
        for _ in range(2):
            page.press("ArrowDown", 40)
        self.await_order(page, 1, 2, key, 3, 4, 5, 6)
        self.await_order(self.other, 1, 2, key, 3, 4, 5, 6)
        self.assertEqual(page.focused_card, key)

    def test_the_focus_stays_on_its_card_when_the_card_is_moved_or_drawn_again(self):
        page = self.page
        page.run("""document.querySelector('[data-id="3"] .handle').focus()""")
        self.other.run("document.querySelector('refresh-list').edit({ move: 3, before: 1 })")
        self.await_order(page, 3, 1, 2, 4, 5, 6)
        self.assertEqual(page.focused_card, "3")
        self.backend.items[0]["title"] = "Mend both bicycles"
        page.run("document.querySelector('refresh-list').refresh()")
        page.until(lambda: "Mend both bicycles" in page.summary(), "the new title")
        self.assertEqual(page.focused_card, "3")

    def test_it_is_drawn_in_the_dark(self):
        page = self.page
        page.show(f"{self.site.url}examples/board.html", PHONE, "dark")
        page.swipe(4)
        page.until(lambda: page.is_shown("toast"), "the toast")
        page.screenshot(self.screenshots / "board-dark.png")
        x, y = page.middle(".title", 3)
        page.stroke((x + 60, y), (x - 60, y), lift=False)
        page.screenshot(self.screenshots / "board-swiped-dark.png")
        page.touch("touchEnd")
        page.show(f"{self.site.url}examples/board.html")
        x, y = page.middle(".handle", 1)
        page.stroke((x, y), (x, y + 170), lift=False)
        page.until(lambda: self.is_shifted(3), "the room for the card")
        page.screenshot(self.screenshots / "board-dragged.png")
        page.touch("touchEnd")
        self.assertEqual(page.run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
