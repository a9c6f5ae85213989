"""Tests what a user of the demo page sees while its connection or its daemon fails and recovers. In most tests the user
must see no change.
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
window.errors = [];
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  constructor(...args) {
    super(...args);
    this.addEventListener("message", ({data}) => {
      for (const message of [].concat(JSON.parse(data))) {
        if (message.type === "welcome") welcomes.push({resumed: message.resumed, reason: message.reason});
        if (message.type === "error" && message.code !== "draining") errors.push(message);
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
        self.daemon = self.start_daemon()
        self.relay = Relay(self.daemon.port)
        self.addCleanup(self.relay.close)
        self.page.show(self.relay.url)
        self.welcomes = 1

    def start_daemon(self):
        daemon = Daemon(self.executable, None, self.screenshots / "refreshd-return.log", self.config)
        daemon.start()
        self.addCleanup(self.kill, daemon)
        return daemon

    def kill(self, daemon):
        if daemon.process.poll() is None:
            daemon.kill()

    # Asserting

    def expect_return(self, resumed=True, reason=None):
        """Waits until the page has received another `welcome`, with this result."""
        self.welcomes += 1
        self.page.until(
            lambda: self.page.run("return welcomes.length") >= self.welcomes, "another welcome")
        welcome = self.page.run("return welcomes")[self.welcomes - 1]
        self.assertEqual(welcome.get("resumed"), resumed, welcome)
        if reason:
            self.assertEqual(welcome["reason"], reason)
        self.page.until(lambda: self.page.text("connection-text") == "Connected", "the connection")

    def expect_list(self, count):
        """Checks that this many items are shown in order, each once, at rest, and that no error was reported."""
        self.page.until(lambda: self.page.rows >= count, f"{count} rows")
        self.page.settle()
        self.assertEqual(self.page.names, [f"package-{index:03}" for index in range(count)])
        self.assertFalse(self.page.is_shown("notice"))
        self.assertFalse(self.page.is_shown("retry"))
        self.assertEqual(self.page.run("return errors"), [])
        self.assertEqual(self.page.text("figure-top"), "0")
        self.assertEqual(self.page.text("figure-bottom"), "0")

    def load_more(self):
        self.page.press_end()

    # A connection that fails

    def test_a_lost_connection_causes_no_new_load(self):
        self.expect_list(SIZE)
        requested = list(self.backend.requested)
        self.relay.cut()
        self.expect_return()
        self.expect_list(SIZE)
        self.assertEqual(self.backend.requested, requested, "no page may be loaded again")
        self.load_more()
        self.expect_list(2 * SIZE)

    def test_a_connection_lost_during_a_refresh_keeps_the_room_open_and_delivers_the_items(self):
        page = self.page
        self.backend.may_answer.clear()
        self.backend.version = 2
        page.press("r", 82, text="r")
        page.until(lambda: page.text("figure-top") == "60", "the room")
        page.until(lambda: self.backend.requested == [1, 1], "the call")
        page.run("""
            window.tops = [];
            const watch = () => {
              tops.push(Number(document.getElementById("figure-top").textContent));
              requestAnimationFrame(watch);
            };
            watch();""")
        self.relay.cut()
        self.expect_return()
        self.assertEqual(page.state("top"), "refreshing")
        self.assertEqual(set(page.run("return tops")), {60}, "the room must not move")
        self.assertEqual(page.version(), "1")
        self.backend.may_answer.set()
        page.until(lambda: page.version() == "2", "the new items")
        self.expect_list(SIZE)
        self.assertEqual(self.backend.requested, [1, 1])

    def test_a_connection_lost_during_a_load_delivers_the_page_once(self):
        page = self.page
        self.backend.may_answer.clear()
        self.load_more()
        page.until(lambda: self.backend.requested == [1, 2], "the call")
        self.relay.cut()
        self.expect_return()
        self.backend.may_answer.set()
        self.expect_list(2 * SIZE)
        self.assertEqual(self.backend.requested, [1, 2])

    def test_items_that_were_lost_in_transit_are_delivered_once(self):
        self.expect_list(SIZE)
        self.relay.passes_answers = False
        self.load_more()
        self.page.until(lambda: b'"type":"items"' in self.relay.lost, "the items in transit")
        self.assertIn(b"package-020", self.relay.lost)
        self.assertEqual(self.page.rows, SIZE)
        self.relay.cut()
        self.expect_return()
        self.expect_list(2 * SIZE)
        # The daemon no longer had the items that it had sent. It resumed from the snapshot and requested them again.
        self.assertEqual(self.backend.requested, [1, 2, 2])
        self.load_more()
        self.expect_list(3 * SIZE)

    def test_a_pull_that_is_released_without_a_connection_refreshes(self):
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
        page.until(lambda: page.state("top") == "eligible", "the pull without a connection")
        page.touch("touchEnd")
        self.assertEqual(page.version(), "1")
        self.relay.target = target
        self.expect_return()
        page.until(lambda: page.version() == "2", "the new items")
        self.expect_list(SIZE)

    def test_the_list_scrolls_without_a_connection_and_a_notice_is_shown(self):
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
        self.expect_return()
        self.assertAlmostEqual(page.shift, shift, delta=1)
        self.expect_list(SIZE)
        page.screenshot(self.screenshots / "reconnected.png")

    # A daemon that stops

    def test_a_session_resumes_after_its_daemon_is_killed_and_restarted(self):
        page = self.page
        self.load_more()
        self.expect_list(2 * SIZE)
        shift = page.shift
        self.daemon.kill()
        self.daemon.start()
        self.expect_return()
        self.assertAlmostEqual(page.shift, shift, delta=1)
        self.expect_list(2 * SIZE)
        self.load_more()
        self.expect_list(3 * SIZE)

    def test_a_daemon_killed_during_a_load_repeats_the_load(self):
        page = self.page
        self.backend.may_answer.clear()
        self.load_more()
        page.until(lambda: page.state("bottom") == "loading" and self.backend.requested == [1, 2], "the call")
        self.daemon.kill()
        self.backend.may_answer.set()
        self.daemon.start()
        self.expect_return()
        self.expect_list(2 * SIZE)
        self.assertEqual(self.backend.requested, [1, 2, 2])

    def test_a_daemon_killed_during_a_refresh_repeats_the_refresh(self):
        page = self.page
        self.backend.may_answer.clear()
        self.backend.version = 2
        page.press("r", 82, text="r")
        page.until(lambda: page.state("top") == "refreshing" and self.backend.requested == [1, 1], "the call")
        self.daemon.kill()
        self.backend.may_answer.set()
        self.daemon.start()
        self.expect_return()
        page.until(lambda: page.version() == "2", "the new items")
        self.expect_list(SIZE)

    def test_a_session_moves_from_a_draining_daemon_to_another(self):
        page = self.page
        self.load_more()
        self.expect_list(2 * SIZE)
        other = self.start_daemon()
        self.relay.target = other.port
        self.daemon.stop()
        self.expect_return()
        self.daemon.ended()
        self.assertEqual(page.run("return closes"), [4100])
        self.expect_list(2 * SIZE)
        self.load_more()
        self.expect_list(3 * SIZE)

    def test_a_lost_session_is_replaced_without_duplicate_items(self):
        page = self.page
        self.load_more()
        self.expect_list(2 * SIZE)
        self.daemon.kill()
        for key in self.config.parent.glob("state/*"):
            key.unlink()
        self.backend.version = 2
        self.daemon.start()
        self.expect_return(resumed=False, reason="snapshotInvalid")
        page.until(lambda: page.version() == "2", "the items of the fresh session")
        page.until(lambda: page.rows == SIZE, "one page of them")
        self.expect_list(SIZE)

    # Another page

    def test_a_second_tab_takes_the_session_and_the_first_does_not_reconnect(self):
        page = self.page
        browser = page.browser
        self.load_more()
        self.expect_list(2 * SIZE)
        # This simulates that the user leaves the page. A window that the page opens gets a copy of its session storage.
        page.run("""
            window.name = "resumes";
            dispatchEvent(new PageTransitionEvent("pagehide"));""")
        first = browser.current_window_handle
        page.run("window.open(location.href, 'resumes too')")
        page.until(lambda: len(browser.window_handles) == 2, "the second tab")
        page.until(lambda: page.run("return window.closes ?? []") == [4005], "the loss of the session")
        page.until(lambda: page.is_shown("notice"), "the notice")
        self.assertIn("another tab", page.text("notice"))
        self.assertEqual(page.text("connection-text"), "Refused")
        self.assertEqual(page.rows, 2 * SIZE, "the rows must stay")
        page.run("dispatchEvent(new Event('online'))")
        page.run("window.opened = performance.now()")
        page.until(lambda: page.run("return performance.now() - opened > 2500"), "the time of a reconnect")
        self.assertEqual(page.run("return welcomes.length"), 1)
        [second] = [handle for handle in browser.window_handles if handle != first]
        browser.switch_to.window(second)
        page.until(lambda: page.text("connection-text") == "Connected", "the second tab's session")
        self.assertEqual(page.rows, 2 * SIZE)
        browser.close()
        browser.switch_to.window(first)
        page.run("window.name = ''")

    def test_a_reloaded_page_resumes_its_session(self):
        page = self.page
        self.load_more()
        self.expect_list(2 * SIZE)
        shift = page.shift
        requested = list(self.backend.requested)
        page.run("window.name = 'resumes'")
        page.browser.refresh()
        self.welcomes = 0
        self.expect_return()
        self.expect_list(2 * SIZE)
        self.assertAlmostEqual(page.shift, shift, delta=1)
        self.assertEqual(self.backend.requested, requested)
        self.load_more()
        self.expect_list(3 * SIZE)
        page.run("window.name = ''")

    def test_a_refused_token_starts_a_fresh_session(self):
        page = self.page
        self.load_more()
        self.expect_list(2 * SIZE)
        self.backend.version = 2
        page.run("window.name = 'resumes'")
        script = page.command("Page.addScriptToEvaluateOnNewDocument", source="""
            for (const key of Object.keys(sessionStorage)) {
              const state = JSON.parse(sessionStorage[key]);
              state.resumeState.token = "unknown";
              sessionStorage[key] = JSON.stringify(state);
            }""")
        try:
            page.browser.refresh()
        finally:
            page.command("Page.removeScriptToEvaluateOnNewDocument", **script)
        self.welcomes = 0
        self.expect_return(resumed=False, reason="wrongToken")
        page.until(lambda: page.version() == "2" and page.rows == SIZE, "the items of the fresh session")
        self.expect_list(SIZE)
        page.run("window.name = ''")
