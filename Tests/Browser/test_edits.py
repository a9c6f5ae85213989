"""Tests what two users can do in one list that they edit: a chat to which both send messages."""

import pathlib
import tempfile
import unittest

from daemon import TOKENS, Daemon
from edits_backend import EditsBackend
from fingers import Fingers, gathering
from page import PHONE
from site_pages import Site
from test_chat import SENT, ChatPage
from uploads_backend import item

SIZE = 10
NEWEST = 1000
CONFIG = """
demo: true
listen: ["127.0.0.1:0"]
feeds:
  messages:
    backend: http
    url: "{url}?page={{page}}&size={{size}}"
    paging: page
    size: {size}
    itemKey: /id
    shared: true
    edits: {{ operations: [insert, remove], url: "{url}" }}
"""

# Records in each animation frame how often the text of a message is shown.
WATCH = """
const [text] = arguments;
const own = window.counts = [];
const watch = () => {
  if (window.counts !== own) return;
  own.push([...document.querySelectorAll(".row .description")].filter((line) => line.textContent === text).length);
  requestAnimationFrame(watch);
};
watch();
"""


# Records in each animation frame the messages in sight with their places, if one has changed.
WATCH_SIGHT = """
const own = window.sights = [];
const watch = () => {
  if (window.sights !== own) return;
  const {top, bottom} = document.getElementById("scroller").getBoundingClientRect();
  const sight = [...document.querySelectorAll(".row")].map((row) => [row, row.getBoundingClientRect()])
    .filter(([, box]) => box.bottom > top && box.top < bottom)
    .map(([row, box]) => `${row.dataset.id} ${Math.round(box.top - top)} ${row.querySelector(".description").textContent}`)
    .join("; ");
  if (own.at(-1) !== sight) own.push(sight);
  requestAnimationFrame(watch);
};
watch();
"""


class EditsTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    @classmethod
    def setUpClass(cls):
        cls.pages = [ChatPage(), ChatPage()]
        for page in cls.pages:
            page.command("Page.addScriptToEvaluateOnNewDocument", source=SENT)
            cls.addClassCleanup(page.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.newest = NEWEST
        self.backend = EditsBackend([item(number) for number in range(NEWEST, NEWEST - 30, -1)], self.keep)
        self.addCleanup(self.backend.close)
        config = pathlib.Path(folder.name) / "refreshd.yaml"
        config.write_text(CONFIG.format(url=self.backend.url, size=SIZE) + TOKENS)
        self.daemon = Daemon(self.executable, None, self.screenshots / "refreshd-edits.log", config)
        self.daemon.start()
        self.addCleanup(self.daemon.kill)
        self.errors_expected = False
        self.sites = [Site(self.daemon.port), Site(self.daemon.port)]
        for page, site in zip(self.pages, self.sites):
            self.addCleanup(site.close)
            self.addCleanup(page.browser.get, "about:blank")
            page.show(f"{site.url}chat.html")
            page.until(lambda page=page: page.is_shown("composer"), "the line for messages")
            page.until(lambda page=page: page.last_read == str(NEWEST), "the read mark")
        self.hands = {page: Fingers(page) for page in self.pages}
        for fingers in self.hands.values():
            self.addCleanup(fingers.finish)

    def keep(self, message):
        """Gives a message the next number, as the backend keeps it."""
        self.newest += 1
        return message | {"id": self.newest}

    def tearDown(self):
        for page in self.pages:
            errors = [error for error in page.console_errors
                      if "favicon" not in error and not (self.errors_expected and "/v1/session" in error)]
            self.assertEqual(errors, [], "the console must be clean: no error, no violated policy")

    def send(self, page, text):
        """Writes a message and sends it by taps of a finger."""
        fingers = self.hands[page]
        fingers.tap_on("#text")
        page.until(lambda: page.run("return document.activeElement.id") == "text", "the focus")
        page.command("Input.insertText", text=text)
        fingers.tap_on("#send")
        page.until(lambda: text in self.texts(page), "the message")

    def texts(self, page):
        return page.run("return [...document.querySelectorAll('.row .description')].map((line) => line.textContent)")

    def go_away(self, page):
        """Flings the list of a page away from its newest message."""
        fingers = self.hands[page]
        fingers.down(below=50)
        fingers.move(300, 0.12, gathering)
        fingers.up()
        page.await_standstill()
        page.settle()
        page.until(lambda: page.is_shown("newer"), "the button")

    def change(self, *operations):
        """Performs operations in the backend, and reports them."""
        with self.backend.lock:
            for operation in operations:
                self.backend.perform(operation)
        self.daemon.report_change("messages", {"operations": operations})

    def sights(self, page):
        return page.run("const own = window.sights; window.sights = null; return own;")

    def counts(self, page):
        return page.run("const own = window.counts; window.counts = null; return own;")

    def test_a_message_appears_at_once_and_once_in_both_pages(self):
        first, second = self.pages
        for page in self.pages:
            page.run(WATCH, "hello")
        self.backend.may_answer.clear()
        self.send(first, "hello")
        self.assertEqual(self.texts(first)[-1], "hello", "the message is shown before the backend answers")
        self.assertEqual(first.run("return document.querySelector('.own .time').textContent"), "Sending…")
        first.screenshot(self.screenshots / "edits-sending.png")
        self.assertNotIn("hello", self.texts(second))
        self.backend.may_answer.set()
        first.until(lambda: first.run("return document.querySelector('.own')?.dataset.id") == "1001", "the answer")
        second.until(lambda: self.texts(second)[-1] == "hello", "the message in the other page")
        self.send(second, "hello yourself")
        first.until(lambda: self.texts(first)[-2:] == ["hello", "hello yourself"], "the answer")
        second.until(lambda: second.run("return document.querySelector('.own')?.dataset.id") == "1002", "the number")
        first.screenshot(self.screenshots / "edits-chat-light.png")
        own = self.counts(first)
        # The message was shown in each frame since it was sent, and never twice.
        self.assertEqual(own[own.index(1):], [1] * (len(own) - own.index(1)))
        self.assertLessEqual(max(self.counts(second)), 1)
        self.assertEqual(len(self.backend.edits), 2)
        self.assertTrue(first.is_at_end)
        self.assertFalse(first.is_shown("newer"))

    def test_a_message_is_counted_away_from_the_newest_one_and_a_tap_shows_it(self):
        first, second = self.pages
        self.go_away(second)
        second.run(WATCH_SIGHT)
        self.send(first, "one")
        self.send(first, "two")
        second.until(lambda: second.text("newer") == "2 new messages", "the number")
        self.assertEqual(len(self.sights(second)), 1, "nothing in sight moves")
        self.assertNotIn("one", self.texts(second))
        second.screenshot(self.screenshots / "edits-held-back.png")
        self.hands[second].tap_on("#newer")
        second.until(lambda: self.texts(second)[-2:] == ["one", "two"] and second.is_at_end, "the messages")
        second.until(lambda: not second.is_shown("newer"), "the button to go")
        second.screenshot(self.screenshots / "edits-revealed.png")
        self.send(first, "three")
        second.until(lambda: self.texts(second)[-1] == "three" and second.is_at_end, "the list to follow its newest message")
        self.assertFalse(second.is_shown("newer"))

    def test_a_list_under_a_finger_stays_as_it_is_until_the_finger_is_lifted(self):
        first, second = self.pages
        fingers = self.hands[second]
        fingers.down(below=150)
        fingers.move(300, 0.3)
        fingers.rest(0.3)
        second.until(lambda: second.rows == 2 * SIZE, "the older messages")
        second.await_standstill()
        number, place = second.first_in_sight()
        changed = [item(number + 1) | {"description": "is changed"}, item(number) | {"description": "is changed too"}]
        second.run(WATCH_SIGHT)
        self.change({"update": changed[0]}, {"remove": number + 2}, {"insert": item(1001), "at": "start"})
        self.change({"update": changed[1]}, {"remove": number - 1})
        first.until(lambda: first.place(number - 1) is None, "the changes in the other page")
        fingers.rest(0.5)
        self.assertEqual(len(self.sights(second)), 1, "nothing moves under a finger, and nothing changes")
        self.assertNotIn("is changed", self.texts(second))
        fingers.up()
        second.until(lambda: "is changed too" in self.texts(second), "the changes after the finger was lifted")
        self.assertIn("is changed", self.texts(second))
        self.assertEqual([second.place(other) for other in (number + 2, number - 1, 1001)], [None] * 3)
        self.assertAlmostEqual(second.place(number), place, delta=1, msg="the first message in sight keeps its place")
        second.until(lambda: second.text("newer") == "1 new message", "the number")
        second.screenshot(self.screenshots / "edits-lifted.png")

    def test_a_list_at_its_newest_message_follows_after_the_finger_is_lifted(self):
        first, second = self.pages
        fingers = self.hands[second]
        fingers.down(below=250)
        fingers.move(-20, 0.2)
        fingers.rest(0.3)
        second.run(WATCH_SIGHT)
        self.change({"insert": item(1001), "at": "start"})
        first.until(lambda: first.place(1001) is not None, "the message in the other page")
        fingers.rest(0.5)
        self.assertEqual(len(self.sights(second)), 1, "nothing moves under a finger")
        fingers.up()
        second.until(lambda: second.place(1001) is not None and second.is_at_end, "the message")
        self.assertFalse(second.is_shown("newer"))

    def test_messages_without_a_connection_are_sent_once_after_it_is_back(self):
        first, second = self.pages
        site = self.sites[0]
        self.errors_expected = True
        site.is_offline = True
        site.cut()
        first.until(lambda: first.text("connection-text") != "Connected", "the loss")
        first.run(WATCH, "two")
        for text in ("one", "two", "three"):
            self.send(first, text)
        self.assertEqual(self.texts(first)[-3:], ["one", "two", "three"])
        self.assertEqual(self.backend.edits, [])
        first.screenshot(self.screenshots / "edits-offline.png")
        site.is_offline = False
        first.run("dispatchEvent(new Event('online'))")
        second.until(lambda: self.texts(second)[-3:] == ["one", "two", "three"], "the messages in the other page")
        first.until(lambda: first.run("return document.querySelectorAll('.own [class=time]').length === 3 "
                                      "&& !document.body.textContent.includes('Sending…')"), "the answers")
        self.assertEqual(self.texts(first)[-3:], ["one", "two", "three"])
        self.assertEqual([edit["insert"]["description"] for edit in self.backend.edits], ["one", "two", "three"])
        own = self.counts(first)
        self.assertEqual(own[own.index(1):], [1] * (len(own) - own.index(1)))

    def test_an_answer_that_is_lost_comes_again_and_the_message_is_once(self):
        first, second = self.pages
        site = self.sites[0]
        self.errors_expected = True
        site.passes_answers = False
        self.send(first, "lost")
        second.until(lambda: self.texts(second)[-1] == "lost", "the message in the other page")
        site.cut()
        first.until(lambda: first.run("return document.querySelector('.own')?.dataset.id") == "1001", "the answer")
        self.assertEqual(self.texts(first).count("lost"), 1)
        self.assertEqual(len(self.backend.edits), 1)

    def test_messages_survive_a_reload_of_the_page(self):
        first, second = self.pages
        site = self.sites[0]
        self.errors_expected = True
        site.is_offline = True
        site.cut()
        self.send(first, "kept")
        first.run("window.name = 'resumes'; window.isEarlierPage = true; location.reload();")
        first.until(lambda: first.run("return !window.isEarlierPage && document.querySelector('.own') !== null"), "the page")
        self.assertEqual(self.texts(first)[-1], "kept", "the message is shown before there is a connection")
        site.is_offline = False
        first.run("dispatchEvent(new Event('online'))")
        second.until(lambda: self.texts(second)[-1] == "kept", "the message in the other page")
        first.until(lambda: first.run("return document.querySelector('.own')?.dataset.id") == "1001", "the answer")
        self.assertEqual(len(self.backend.edits), 1)
        first.run("window.name = '';")

    def test_a_message_that_is_refused_goes_with_a_notice(self):
        page = self.pages[0]
        self.backend.fails = True
        before = self.texts(page)
        self.send(page, "refused")
        page.until(lambda: page.text("notice") == "The message was not sent.", "the notice")
        self.assertEqual(self.texts(page), before)

    def test_it_is_drawn_in_the_dark(self):
        page = self.pages[0]
        page.show(f"{self.sites[0].url}chat.html", PHONE, "dark")
        page.until(lambda: page.is_shown("composer"), "the line for messages")
        self.send(page, "A message of some length, so that it needs more than one line here")
        page.until(lambda: page.run("return document.querySelector('.own')?.dataset.id") == "1001", "the answer")
        self.assertEqual(page.run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
        self.assertTrue(page.is_at_end)
        page.screenshot(self.screenshots / "edits-chat-dark.png")
