"""Tests what a finger can do on the page of the announcements: a chat with unread messages."""

import pathlib
import tempfile
import unittest

from daemon import TOKENS, Daemon
from fingers import Fingers, gathering
from page import DESKTOP, PHONE, Page
from test_uploads import CONFIG, RECORD, SIZE
from uploads_backend import UploadsBackend

# Collects the messages that the page sends, beginning with the first one.
SENT = """
window.sentMessages = [];
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  window.sentMessages.push(...[].concat(JSON.parse(text)));
  return send.call(this, text);
};
"""

# Records the place of a row in `places` also when the rows have changed, before the daemon can answer.
RECORD_CHANGES = """
const [id] = arguments;
const top = (element) => element.getBoundingClientRect().top;
const record = () => window.places?.push(
  top(document.querySelector(`[data-id="${id}"]`)) - top(document.getElementById("scroller")));
new MutationObserver(record).observe(document.getElementById("list"), {childList: true});
"""


class ChatPage(Page):
    def settle(self):
        """Waits until both edges are at rest. In a reversed list, the edge at the bottom refreshes."""
        self.until(
            lambda: self.state("bottom") == "idle" and self.state("top") in ("idle", "noMore", "approaching")
            and self.text("figure-bottom") == "0", "rest")

    @property
    def last_read(self):
        """Returns the read mark that the page has sent last. Needs `SENT`."""
        return self.run("return window.sentMessages.findLast(({type}) => type === 'read')?.id")

    def await_standstill(self):
        """Waits until the list has not moved for some frames."""
        self.browser.execute_async_script("""
            const done = arguments[0];
            let [last, still] = ["", 0];
            const look = () => {
              const {scrollHeight, scrollTop} = document.getElementById("scroller");
              // Beyond its ends, a transform moves the list.
              const rest = `${scrollHeight - scrollTop} ${document.getElementById("stage").style.transform}`;
              still = rest === last ? still + 1 : 0;
              last = rest;
              if (still > 12) done();
              else requestAnimationFrame(look);
            };
            look();""")

    def middle(self):
        """Returns the message in the middle of the scroller, and the distance of its row from the scroller's top."""
        return self.run("""
            const {left, top, height} = document.getElementById("scroller").getBoundingClientRect();
            const row = document.elementFromPoint(left + 40, top + height / 2).closest(".row")
              ?? document.elementFromPoint(left + 40, top + height / 2 + 12).closest(".row");
            return [Number(row.dataset.id), row.getBoundingClientRect().top - top];""")

    def first_in_sight(self):
        """Returns the first message in sight, and the distance of its row from the scroller's top."""
        return self.run("""
            const {top} = document.getElementById("scroller").getBoundingClientRect();
            const row = [...document.querySelectorAll(".row")].find((row) => row.getBoundingClientRect().bottom > top);
            return [Number(row.dataset.id), row.getBoundingClientRect().top - top];""")

    def place(self, number):
        """Returns the distance of a row from the scroller's top; None without the row."""
        return self.run("""
            const top = (element) => element?.getBoundingClientRect().top;
            return top(document.querySelector(`[data-id="${arguments[0]}"]`)) - top(document.getElementById("scroller"));
            """, number)


class ChatTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    @classmethod
    def setUpClass(cls):
        cls.page = ChatPage()
        cls.page.command("Page.addScriptToEvaluateOnNewDocument", source=SENT)
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.backend = UploadsBackend()
        self.addCleanup(self.backend.close)
        config = pathlib.Path(folder.name) / "refreshd.yaml"
        config.write_text(CONFIG.format(feed="messages", url=self.backend.url, size=SIZE) + TOKENS)
        self.daemon = Daemon(self.executable, None, self.screenshots / "refreshd-chat.log", config)
        self.daemon.start()
        self.addCleanup(self.daemon.kill)
        # The page must not try to reconnect to a daemon that has ended.
        self.addCleanup(self.page.browser.get, "about:blank")
        self.page.show(self.url)
        self.fingers = Fingers(self.page)
        self.addCleanup(self.fingers.finish)
        self.page.until(lambda: self.page.last_read == "1000", "the read mark")

    def tearDown(self):
        self.assertEqual(self.page.console_errors, [], "the console must be clean: no error, no violated policy")

    @property
    def url(self):
        return f"{self.daemon.url}chat.html"

    # Reading the page

    @property
    def ids(self):
        return self.page.run("return [...document.querySelectorAll('.row')].map((row) => Number(row.dataset.id))")

    @property
    def first_new(self):
        """Returns the message after the line "New"; None without the line."""
        return self.page.run("const id = document.querySelector('.new')?.parentElement.dataset.id; "
                             "return id === undefined ? null : Number(id);")

    def sent(self, kind):
        return self.page.run("return window.sentMessages.filter(({type}) => type === arguments[0])", kind)

    # Actions

    def fling(self, travel):
        """Flings the list by one stroke of a finger, and waits until it is at rest."""
        self.stroke(travel)
        self.page.settle()

    def stroke(self, travel):
        """Flings the list by one stroke of a finger, and waits until it has not moved for some frames."""
        self.fingers.down(below=450 if travel < 0 else 50)
        self.fingers.move(travel, 0.12, gathering)
        self.fingers.up()
        self.page.await_standstill()

    def go_away(self):
        """Flings the list away from the newest message."""
        self.fling(300)
        self.page.until(lambda: self.page.is_shown("newer"), "the button")
        self.assertEqual(self.page.text("newer"), "Latest")

    def add(self, count):
        """Adds the newest messages, and reports their number to the daemon. Returns them, the newest first."""
        added = self.backend.add(count)
        self.daemon.report_change("messages", {"count": count})
        return added

    # Tests

    def test_older_messages_come_at_the_top_without_a_jump(self):
        self.load_older_messages(travel=-60)

    def test_older_messages_do_not_move_a_list_that_a_finger_holds_beyond_its_end(self):
        self.load_older_messages(travel=150)

    def load_older_messages(self, travel):
        """Loads a page while a finger holds the list, which it has moved by `travel` from near its older end."""
        page = self.page
        self.assertEqual(self.ids, sorted(self.ids))
        self.assertEqual(self.ids[-1], 1000)
        self.assertTrue(page.is_at_end, "the chat begins at the newest message")
        self.fling(300)
        loaded = page.rows
        self.backend.may_answer.clear()
        self.backend.requests.clear()
        while not self.backend.requests:
            self.stroke(200)
        self.stroke(400)
        # A finger holds the list while the next page arrives.
        self.fingers.down(below=50)
        self.fingers.move(travel, 0.2)
        self.fingers.rest(0.2)
        self.assertEqual(page.rows, loaded)
        self.assertEqual(page.run("return document.getElementById('scroller').classList.contains('panning')"), travel > 0)
        number, place = self.page.middle()
        page.run(RECORD, number)
        page.run(RECORD_CHANGES, number)
        self.backend.may_answer.set()
        page.until(lambda: page.rows == loaded + SIZE, "the older messages")
        page.settle()
        self.assertAlmostEqual(self.page.place(number), place, delta=1)
        places = page.run("const own = window.places; window.places = null; return own;")
        self.assertEqual(
            [shown for shown in places if shown is None or abs(shown - place) > 1], [],
            f"the row must stay at {place} in all {len(places)} frames")
        self.fingers.up()
        self.assertEqual(self.ids, list(range(1001 - page.rows, 1001)))

    def test_new_messages_appear_at_the_newest_end_and_are_only_counted_away_from_it(self):
        page = self.page
        added = self.add(2)
        page.until(lambda: self.ids[-2:] == sorted(added), "the new messages")
        page.until(lambda: self.page.last_read == "1002", "the read mark")
        self.assertTrue(page.is_at_end)
        self.assertFalse(page.is_shown("newer"))
        self.assertIsNone(self.first_new, "messages that are seen as they arrive are not marked")

        self.go_away()
        number, place = self.page.middle()
        page.run(RECORD, number)
        added = self.add(3)
        page.until(lambda: page.text("newer") == "3 new messages", "the number")
        page.screenshot(self.screenshots / "chat-newer.png")
        self.assertNotIn(added[0], self.ids)
        places = page.run("const own = window.places; window.places = null; return own;")
        self.assertEqual([shown for shown in places if shown is None or abs(shown - place) > 1], [])
        before = len(self.sent("reveal"))
        self.fingers.tap_on("#newer")
        page.until(lambda: self.ids[-3:] == sorted(added) and page.is_at_end, "the newest message")
        page.until(lambda: not page.is_shown("newer"), "the button to go")
        page.until(lambda: self.page.last_read == "1005", "the read mark")
        self.assertEqual(len(self.sent("reveal")), before + 1)
        self.assertEqual(self.first_new, 1003)
        page.screenshot(self.screenshots / "chat-revealed.png")

    def test_the_read_mark_and_the_line_survive_a_reload(self):
        page = self.page
        self.go_away()
        added = self.add(2)
        page.until(lambda: page.text("newer") == "2 new messages", "the number")
        number, place = self.page.middle()
        earlier = self.sent("read")
        page.run("window.name = 'resumes'; window.isEarlierPage = true; location.reload();")
        page.until(lambda: page.run("return !window.isEarlierPage && document.getElementById('log') !== null")
                   and page.text("newer") == "2 new messages", "the number after the reload")
        self.assertAlmostEqual(self.page.place(number), place, delta=1)
        # Until a snapshot covers a message, the page repeats it with its number, and the daemon ignores the repetition.
        since = [message for message in self.sent("read") if message not in earlier]
        self.assertEqual(since, [], "the page has not read anything since")
        self.fingers.tap_on("#newer")
        page.until(lambda: self.ids[-2:] == sorted(added) and page.is_at_end, "the newest message")
        self.assertEqual(self.first_new, 1001)
        page.until(lambda: self.page.last_read == "1002", "the read mark")
        page.run("window.name = '';")

    def test_it_is_drawn_in_both_schemes_and_sizes(self):
        page = self.page
        for window_name, window in (("phone", PHONE), ("desktop", DESKTOP)):
            for scheme in ("light", "dark"):
                with self.subTest(window=window_name, scheme=scheme):
                    page.show(self.url, window, scheme)
                    self.assertEqual(page.run(
                        "return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
                    self.assertTrue(page.is_at_end)
                    page.screenshot(self.screenshots / f"chat-{window_name}-{scheme}.png")
