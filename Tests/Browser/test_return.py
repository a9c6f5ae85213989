"""What a user of the demo page sees while its connection or its daemon fails and recovers. If possible, nothing
changes.
"""

import pathlib
import tempfile
import unittest

from daemon import Daemon
from page import Page
from pages_backend import SIZE, TOTAL, PagesBackend
from relay import Relay

CONFIG = """
demo: true
listen: ["127.0.0.1:0"]
feeds:
  packages: {{ backend: http, url: "{url}", paging: page, size: {size}, totalTimeoutMs: 60000 }}
resume: {{ stateFolder: "{state}" }}
limits: {{ loadDeadlineMs: 60000 }}
drain: {{ delayMs: 0, spreadMs: 100 }}
"""

# Records the page's `welcome` messages and errors, and whether the list was ever empty or had a duplicate row.
WATCH = """
window.welcomes = [];
window.troubles = [];
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({data}) => {
      for (const message of [].concat(JSON.parse(data))) {
        if (message.type === "welcome") welcomes.push({resumed: message.resumed, reason: message.reason});
        if (message.type === "error" && message.code !== "draining") troubles.push(message);
      }
    });
    this.addEventListener("close", ({code}) => { (window.closes ??= []).push(code); });
  }
};
"""


class ReturnTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    @classmethod
    def setUpClass(cls):
        cls.page = Page()
        cls.addClassCleanup(cls.page.close)
        cls.page.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        folder = pathlib.Path(folder.name)
        self.backend = PagesBackend()
        self.addCleanup(self.backend.close)
        self.config = folder / "refreshd.yaml"
        self.config.write_text(CONFIG.format(url=self.backend.url, size=SIZE, state=folder / "state"))
        (folder / "state").mkdir()
        self.daemon = self.another()
        self.relay = Relay(self.daemon.port)
        self.addCleanup(self.relay.close)
        self.page.show(self.relay.url)
        self.welcomes = 1

    def another(self):
        daemon = Daemon(self.executable, None, self.screenshots / "refreshd-return.log", self.config)
        daemon.start()
        self.addCleanup(self.kill, daemon)
        return daemon

    def kill(self, daemon):
        if daemon.process.poll() is None:
            daemon.kill()

    # Asserting

    def came_back(self, resumed=True, reason=None):
        """Waits until the page has received another `welcome`, with this result."""
        self.welcomes += 1
        self.page.until(
            lambda: self.page.run("return welcomes.length") >= self.welcomes, "another welcome")
        told = self.page.run("return welcomes")[self.welcomes - 1]
        self.assertEqual(told.get("resumed"), resumed, told)
        if reason:
            self.assertEqual(told["reason"], reason)
        self.page.until(lambda: self.page.text("connection-text") == "Connected", "the connection")

    def expect_list(self, count):
        """Checks that this many items are shown in order, each once, at rest, and that no error was reported."""
        self.page.until(lambda: self.page.rows >= count, f"{count} rows")
        self.page.settle()
        self.assertEqual(self.page.names, [f"package-{index:03}" for index in range(count)])
        self.assertFalse(self.page.is_shown("notice"))
        self.assertFalse(self.page.is_shown("retry"))
        self.assertEqual(self.page.run("return troubles"), [])
        self.assertEqual(self.page.text("figure-top"), "0")
        self.assertEqual(self.page.text("figure-bottom"), "0")

    def load_more(self):
        self.page.press_end()

    # A connection that fails

    def test_a_cut_line_costs_nothing_and_asks_nobody_again(self):
        self.expect_list(SIZE)
        asked = list(self.backend.asked)
        self.relay.cut()
        self.came_back()
        self.expect_list(SIZE)
        self.assertEqual(self.backend.asked, asked, "nothing is loaded again")
        self.load_more()
        self.expect_list(2 * SIZE)

    def test_a_line_cut_in_mid_refresh_leaves_the_room_open_and_brings_the_items(self):
        page = self.page
        self.backend.may_answer.clear()
        self.backend.version = 2
        page.press("r", 82, text="r")
        page.until(lambda: page.text("figure-top") == "60", "the room")
        page.until(lambda: self.backend.asked == [1, 1], "the call")
        page.run("""
            window.tops = [];
            const watch = () => {
              tops.push(Number(document.getElementById("figure-top").textContent));
              requestAnimationFrame(watch);
            };
            watch();""")
        self.relay.cut()
        self.came_back()
        self.assertEqual(page.state("top"), "refreshing")
        self.assertEqual(set(page.run("return tops")), {60}, "the room has not moved meanwhile")
        self.assertEqual(page.version(), "1")
        self.backend.may_answer.set()
        page.until(lambda: page.version() == "2", "the new items")
        self.expect_list(SIZE)
        self.assertEqual(self.backend.asked, [1, 1])

    def test_a_line_cut_in_mid_load_brings_the_page_once(self):
        page = self.page
        self.backend.may_answer.clear()
        self.load_more()
        page.until(lambda: self.backend.asked == [1, 2], "the call")
        self.relay.cut()
        self.came_back()
        self.backend.may_answer.set()
        self.expect_list(2 * SIZE)
        self.assertEqual(self.backend.asked, [1, 2])

    def test_items_that_were_lost_on_the_way_come_once(self):
        self.expect_list(SIZE)
        self.relay.passes_answers = False
        self.load_more()
        self.page.until(lambda: b'"type":"items"' in self.relay.lost, "the items on their way")
        self.assertIn(b"package-020", self.relay.lost)
        self.assertEqual(self.page.rows, SIZE)
        self.relay.cut()
        self.came_back()
        self.expect_list(2 * SIZE)
        # The daemon could not keep the items that it had sent. It resumed from the snapshot and requested them again.
        self.assertEqual(self.backend.asked, [1, 2, 2])
        self.load_more()
        self.expect_list(3 * SIZE)

    def test_a_pull_that_was_let_go_while_nobody_listened_refreshes(self):
        page = self.page
        self.backend.version = 2
        start = page.start
        page.touch("touchStart", start)
        page.slide(start, 0, 40)
        page.until(lambda: page.state("top") == "pulling", "pulling")
        target, self.relay.target = self.relay.target, 1
        self.relay.cut()
        page.until(lambda: page.text("connection-text") == "Reconnecting", "the loss")
        page.slide(start, 40, 220)
        page.until(lambda: page.state("top") == "eligible", "the finger is followed")
        page.touch("touchEnd")
        self.assertEqual(page.version(), "1")
        self.relay.target = target
        self.came_back()
        page.until(lambda: page.version() == "2", "the new items")
        self.expect_list(SIZE)

    def test_the_list_scrolls_while_the_page_is_away_and_says_so(self):
        page = self.page
        target, self.relay.target = self.relay.target, 1
        self.relay.cut()
        page.until(lambda: page.text("connection-text") == "Reconnecting", "the loss")
        page.until(lambda: page.is_shown("notice"), "the notice")
        page.screenshot(self.screenshots / "reconnecting.png")
        self.assertEqual(page.rows, SIZE)
        page.wheel(300)
        page.until(lambda: page.shift <= -250, "the list to scroll")
        shift = page.shift
        self.relay.target = target
        page.run("dispatchEvent(new Event('online'))")
        self.came_back()
        self.assertAlmostEqual(page.shift, shift, delta=1)
        self.expect_list(SIZE)
        page.screenshot(self.screenshots / "reconnected.png")

    # A daemon that stops

    def test_a_killed_daemon_that_is_back_goes_on_where_it_was(self):
        page = self.page
        self.load_more()
        self.expect_list(2 * SIZE)
        shift = page.shift
        self.daemon.kill()
        self.daemon.start()
        self.came_back()
        self.assertAlmostEqual(page.shift, shift, delta=1)
        self.expect_list(2 * SIZE)
        self.load_more()
        self.expect_list(3 * SIZE)

    def test_a_daemon_killed_in_mid_load_begins_the_load_again(self):
        page = self.page
        self.backend.may_answer.clear()
        self.load_more()
        page.until(lambda: page.state("bottom") == "loading" and self.backend.asked == [1, 2], "the call")
        self.daemon.kill()
        self.backend.may_answer.set()
        self.daemon.start()
        self.came_back()
        self.expect_list(2 * SIZE)
        self.assertEqual(self.backend.asked, [1, 2, 2])

    def test_a_daemon_killed_in_mid_refresh_begins_the_refresh_again(self):
        page = self.page
        self.backend.may_answer.clear()
        self.backend.version = 2
        page.press("r", 82, text="r")
        page.until(lambda: page.state("top") == "refreshing" and self.backend.asked == [1, 1], "the call")
        self.daemon.kill()
        self.backend.may_answer.set()
        self.daemon.start()
        self.came_back()
        page.until(lambda: page.version() == "2", "the new items")
        self.expect_list(SIZE)

    def test_a_daemon_that_drains_hands_over_to_another(self):
        page = self.page
        self.load_more()
        self.expect_list(2 * SIZE)
        other = self.another()
        self.relay.target = other.port
        self.daemon.stop()
        self.came_back()
        self.daemon.ended()
        self.assertEqual(page.run("return closes"), [4100])
        self.expect_list(2 * SIZE)
        self.load_more()
        self.expect_list(3 * SIZE)

    def test_a_session_that_is_gone_begins_afresh_without_doubling_anything(self):
        page = self.page
        self.load_more()
        self.expect_list(2 * SIZE)
        self.daemon.kill()
        for key in self.config.parent.glob("state/*"):
            key.unlink()
        self.backend.version = 2
        self.daemon.start()
        self.came_back(resumed=False, reason="snapshotInvalid")
        page.until(lambda: page.version() == "2", "the items of the fresh session")
        page.until(lambda: page.rows == SIZE, "one page of them")
        self.expect_list(SIZE)

    # Another page

    def test_a_second_tab_has_the_list_and_the_first_does_not_fight(self):
        page = self.page
        browser = page.browser
        self.load_more()
        self.expect_list(2 * SIZE)
        # This simulates that the page is left. A window that it opens gets a copy of its session storage.
        page.run("""
            window.name = "goes on";
            dispatchEvent(new PageTransitionEvent("pagehide"));""")
        first = browser.current_window_handle
        page.run("window.open(location.href, 'goes on too')")
        page.until(lambda: len(browser.window_handles) == 2, "the second tab")
        page.until(lambda: page.run("return window.closes ?? []") == [4005], "the loss of the session")
        page.until(lambda: page.is_shown("notice"), "the notice")
        self.assertIn("another tab", page.text("notice"))
        self.assertEqual(page.text("connection-text"), "Refused")
        self.assertEqual(page.rows, 2 * SIZE, "the list stays readable")
        page.run("dispatchEvent(new Event('online'))")
        page.run("window.opened = performance.now()")
        page.until(lambda: page.run("return performance.now() - opened > 2500"), "time to fight")
        self.assertEqual(page.run("return welcomes.length"), 1)
        [second] = [handle for handle in browser.window_handles if handle != first]
        browser.switch_to.window(second)
        page.until(lambda: page.text("connection-text") == "Connected", "the second tab's session")
        self.assertEqual(page.rows, 2 * SIZE)
        browser.close()
        browser.switch_to.window(first)
        page.run("window.name = ''")

    def test_a_page_that_is_loaded_anew_goes_on_where_it_was(self):
        page = self.page
        self.load_more()
        self.expect_list(2 * SIZE)
        shift = page.shift
        asked = list(self.backend.asked)
        page.run("window.name = 'goes on'")
        page.browser.refresh()
        self.welcomes = 0
        self.came_back()
        self.expect_list(2 * SIZE)
        self.assertAlmostEqual(page.shift, shift, delta=1)
        self.assertEqual(self.backend.asked, asked)
        self.load_more()
        self.expect_list(3 * SIZE)
        page.run("window.name = ''")

    def test_a_token_that_is_refused_begins_a_fresh_session(self):
        page = self.page
        self.load_more()
        self.expect_list(2 * SIZE)
        self.backend.version = 2
        page.run("window.name = 'goes on'")
        script = page.command("Page.addScriptToEvaluateOnNewDocument", source="""
            for (const key of Object.keys(sessionStorage)) {
              const state = JSON.parse(sessionStorage[key]);
              state.resumeState.token = "nobody's";
              sessionStorage[key] = JSON.stringify(state);
            }""")
        try:
            page.browser.refresh()
        finally:
            page.command("Page.removeScriptToEvaluateOnNewDocument", **script)
        self.welcomes = 0
        self.came_back(resumed=False, reason="wrongToken")
        page.until(lambda: page.version() == "2" and page.rows == SIZE, "the items of the fresh session")
        self.expect_list(SIZE)
        page.run("window.name = ''")
