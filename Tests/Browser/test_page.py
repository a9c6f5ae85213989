"""Tests what a user can do and see on the demo page. The daemon makes all decisions."""

import json
import pathlib
import tempfile
import time
import unittest

from daemon import Daemon, PackageList
from page import DESKTOP, PHONE, Page

PACKAGE_COUNT = 130  # two full pages and a part of a third


# A simulated older daemon without programmes. It supports only `plain` clients, and its messages have an older format.
OLDER_DAEMON = """
window.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() { setTimeout(() => this.onopen?.({})); }
  send(text) {
    (window.sentFrames ??= []).push({from: "client", text});
    const [{type, frames}] = [].concat(JSON.parse(text));
    if (type !== "hello") return;
    const edge = {role: "refresh", state: "idle", enabled: true};
    const answer = frames !== "plain"
      ? {type: "error", code: "invalidField", field: "frames", message: "Mend the client.", temporary: false}
      : [{type: "welcome", protocol: 1, session: "old", time: 0, heartbeat: 25000, limits: {}},
        {type: "attached", view: "list", ack: 0, top: edge, bottom: {...edge, role: "loadMore"}},
        {type: "update", view: "list", ack: 0,
          top: {state: "pulling", progress: 0.5, indicator: {progress: 0.5, alpha: 0.5}}}];
    setTimeout(() => this.onmessage?.({data: JSON.stringify(answer)}));
  }
  close() {}
};
"""


# A simulated daemon whose feed has newer data, which a refresh loads. EXAMPLES are complete messages.
CHANGED_DAEMON = """
const example = (name, members) => ({...EXAMPLES[name], ...members});
window.sentFrames = [];
window.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() { setTimeout(() => this.onopen?.({})); }
  send(text) {
    sentFrames.push({from: "client", text});
    for (const {type, cause, seq} of [].concat(JSON.parse(text))) {
      const update = (ack, newer) => ({type: "update", view: "list", ack, newer});
      const answers = {
        hello: [example("welcome", {limits: {}}), example("attached", {ack: 0}), update(0, true)],
        refresh: cause === "code" ? undefined : [update(seq, false)],
      };
      if (answers[type]) setTimeout(() => this.deliver(JSON.stringify(answers[type])));
    }
  }
  deliver(text) {
    sentFrames.push({from: "daemon", text});
    this.onmessage?.({data: text});
  }
  close() {}
};
"""


def examples():
    """Returns a complete example of each message from the daemon, as a script."""
    document = json.loads((pathlib.Path(__file__).parents[2] / "docs/asyncapi.json").read_text())
    messages = document["components"]["messages"]
    return "const EXAMPLES = " + json.dumps({
        name: messages[f"daemon.{name}"]["examples"][0]["payload"] for name in ("welcome", "attached")}) + ";"


class PageTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = pathlib.Path(cls.folder.name)
        cls.packages = PackageList(folder / "status", PACKAGE_COUNT)
        cls.daemon = Daemon(cls.executable, cls.packages.path, cls.screenshots / "refreshd.log")
        cls.daemon.start()
        cls.addClassCleanup(cls.daemon.kill)
        cls.page = Page()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.refusals_expected = False
        self.page.show(self.daemon.url)

    def tearDown(self):
        errors = self.page.console_errors
        if self.refusals_expected:
            errors = [error for error in errors if "/v1/session" not in error]
        self.assertEqual(errors, [], "the console must be clean: no error, no violated policy")

    def expect_refresh(self, version):
        """Waits until the rows are those of the changed file, and the refresh edge has had the state `refreshing`."""
        self.page.until(lambda: self.page.version() == version, f"version {version} in the first row")
        self.page.until(lambda: "refreshing" in self.page.seen("top"), "refreshing")
        self.page.settle()
        self.assertEqual(self.page.text("figure-offset"), "0")

    # The list

    def test_the_first_page_is_shown_at_once(self):
        expected = [item["name"] for item in self.packages.items]
        names = self.page.names
        self.assertEqual(names, expected[:len(names)])
        self.assertLess(len(names), PACKAGE_COUNT)
        self.assertEqual(self.page.version(), self.packages.items[0]["version"])
        self.assertEqual(self.page.text("connection-text"), "Connected")
        self.assertFalse(self.page.is_shown("notice"))

    def test_a_long_text_in_the_line_of_the_panel_does_not_change_the_height_of_the_list(self):
        heights = self.page.run("""
            const height = () => document.getElementById("scroller").clientHeight;
            const before = height();
            document.getElementById("glance").textContent = "a state that is longer than the line ".repeat(3);
            return [before, height()];""")
        self.assertGreater(heights[0], 0)
        self.assertEqual(heights[0], heights[1])

    def test_a_finger_pulls_the_list_and_the_rows_are_reloaded(self):
        page = self.page
        version = self.packages.upgrade()
        start = page.start
        page.touch("touchStart", start)
        page.slide(start, 0, 50)
        page.until(lambda: page.state("top") == "pulling", "pulling")
        page.until(lambda: 0 < page.progress("top") < 1, "a part of the way")
        page.until(lambda: page.shift > 10, "the list to follow the finger")
        page.screenshot(self.screenshots / "pulling.png")

        page.slide(start, 50, 220)
        page.until(lambda: page.state("top") == "eligible", "eligible")
        self.assertEqual(page.progress("top"), 1)
        self.assertNotIn("refreshing", page.seen("top"))
        self.assertNotEqual(page.version(), version)
        page.screenshot(self.screenshots / "eligible.png")

        page.touch("touchEnd")
        self.expect_refresh(version)
        self.assertIn("Updated", page.text("announcer"))

    def test_a_flung_list_decelerates_and_a_finger_stops_it_at_the_shown_offset(self):
        page = self.page
        start = page.start
        offset = "return parseFloat(document.getElementById('figure-offset').textContent.replace('\u2212', '-'))"
        page.touch("touchStart", start)
        page.slide(start, 0, 60)
        page.throw(start, 60, -60)
        left = page.run(offset)
        page.until(lambda: page.run(offset) > left + 100, "the list to decelerate")
        page.screenshot(self.screenshots / "in-flight.png")
        page.touch("touchStart", start)
        caught = page.run(offset)
        time.sleep(0.5)
        self.assertEqual(page.run(offset), caught, "the list must stop under the finger")
        page.slide(start, 0, 20, steps=2)
        page.until(lambda: abs(page.run(offset) - (caught - 20)) < 2, "the list to follow the finger")
        page.touch("touchEnd")
        page.settle()

    def test_a_pull_that_returns_is_disarmed(self):
        page = self.page
        version = self.packages.upgrade()
        start = page.start
        page.touch("touchStart", start)
        page.slide(start, 0, 220)
        page.until(lambda: page.state("top") == "eligible", "eligible")
        page.slide(start, 220, 30)
        page.until(lambda: page.state("top") == "pulling", "pulling again")
        page.touch("touchEnd")
        page.settle()
        self.assertNotIn("refreshing", page.seen("top"))
        self.assertNotEqual(page.version(), version)

    def test_a_cancelled_touch_refreshes_nothing(self):
        page = self.page
        version = self.packages.upgrade()
        start = page.start
        page.touch("touchStart", start)
        page.slide(start, 0, 220)
        page.until(lambda: page.state("top") == "eligible", "eligible")
        page.touch("touchCancel")
        page.settle()
        self.assertNotIn("refreshing", page.seen("top"))
        self.assertNotEqual(page.version(), version)

    def test_a_mouse_pulls_the_list(self):
        page = self.page
        page.show(self.daemon.url, DESKTOP)
        version = self.packages.upgrade()
        x, y = page.start
        page.mouse("mouseMoved", (x, y))
        page.mouse("mousePressed", (x, y), button="left", buttons=1, clickCount=1)
        for step in range(1, 23):
            page.mouse("mouseMoved", (x, y + 10 * step), button="left", buttons=1)
        page.until(lambda: page.state("top") == "eligible", "eligible")
        page.mouse("mouseReleased", (x, y + 220), button="left", clickCount=1)
        self.expect_refresh(version)

    def test_a_wheel_at_the_edge_pulls_the_list(self):
        page = self.page
        page.show(self.daemon.url, DESKTOP)
        version = self.packages.upgrade()
        # Only one event is sent. If the page were slow between two events, the pause would count as a release.
        page.wheel(-600)
        self.expect_refresh(version)
        self.assertIn("eligible", page.seen("top"))

    def test_a_wheel_inside_the_list_only_scrolls(self):
        page = self.page
        page.show(self.daemon.url, DESKTOP)
        page.wheel(300)
        page.until(lambda: page.shift < -250, "the list to scroll")
        page.wheel(-300)
        page.until(lambda: page.shift == 0, "the list to scroll back")
        self.assertNotIn("refreshing", page.seen("top"))

    def test_a_key_refreshes(self):
        version = self.packages.upgrade()
        self.page.press("r", 82, text="r")
        self.expect_refresh(version)

    def test_the_button_refreshes(self):
        version = self.packages.upgrade()
        self.page.click("refresh")
        self.expect_refresh(version)

    def test_a_refresh_of_a_scrolled_list_keeps_its_position(self):
        page = self.page
        page.wheel(600)
        page.until(lambda: page.shift < -500, "the list to scroll")
        page.until(lambda: page.last_scroll.startswith("idle"), "the scroll to end")
        before = page.shift
        version = self.packages.upgrade()
        page.click("refresh")
        page.until(lambda: page.version() == version, "the new rows")
        page.until(lambda: page.text("figure-top") == "0", "the room to close")
        self.assertAlmostEqual(page.shift, before, delta=1)

    # The end of the list

    def test_scrolling_to_the_end_loads_more_until_all_items_are_shown(self):
        page = self.page
        expected = [item["name"] for item in self.packages.items]
        counts = [page.rows]
        while counts[-1] < PACKAGE_COUNT:
            page.press_end()
            page.until(lambda: page.rows > counts[-1], f"more than {counts[-1]} rows")
            counts.append(page.rows)
            self.assertEqual(page.names, expected[:counts[-1]])
            page.until(lambda: page.last_scroll.startswith("idle"), "the scroll to end")
        self.assertGreaterEqual(len(counts), 3)
        page.until(lambda: page.state("bottom") == "noMore", "noMore")
        self.assertIn("End of the list", page.text("footer-text"))
        self.assertIn("loading", page.seen("bottom"))

    def test_a_key_at_the_end_of_the_list_loads_more(self):
        page = self.page
        first = page.rows
        page.run("document.getElementById('scroller').scrollTop = 1e6")
        page.until(lambda: page.last_scroll.startswith("idle") and page.is_at_end, "the end")
        self.assertNotIn("loading", page.seen("bottom"), "scrolling by a program must not load")
        page.press_end()
        page.until(lambda: page.rows > first, "more rows")

    def test_a_finger_scrolls_to_the_end(self):
        page = self.page
        first = page.rows
        x, y = page.start
        bottom = y + 500
        for _ in range(20):
            page.touch("touchStart", (x, bottom))
            for step in range(1, 11):
                page.touch("touchMove", (x, bottom - 45 * step))
            page.touch("touchEnd")
            if page.rows > first:
                break
        page.until(lambda: page.rows > first, "more rows")
        self.assertNotIn("refreshing", page.seen("top"))

    # The connection

    def test_a_killed_daemon_is_reported_and_the_page_recovers(self):
        page = self.page
        self.refusals_expected = True
        rows = page.rows
        self.daemon.kill()
        try:
            page.until(lambda: page.is_shown("notice"), "the notice")
            self.assertIn("The connection to the daemon is lost", page.text("notice"))
            self.assertEqual(page.text("connection-text"), "Reconnecting")
            self.assertEqual(page.rows, rows, "the rows must stay")
            self.assertFalse(page.browser.find_element("id", "refresh").is_enabled())
            page.screenshot(self.screenshots / "daemon-gone.png")
            start = page.start
            page.wheel(-100)
            page.touch("touchStart", start)
            page.slide(start, 0, 100)
            page.touch("touchEnd")
            page.until(lambda: page.shift == 0, "the list to return to its edge")
            self.assertEqual(page.rows, rows, "no daemon answers")
            version = self.packages.upgrade()
        finally:
            self.daemon.start()
        page.until(lambda: page.version() == version, "the rows of the new session")
        self.assertEqual(page.text("connection-text"), "Connected")
        self.assertFalse(page.is_shown("notice"))
        page.settle()

        version = self.packages.upgrade()
        page.press("r", 82, text="r")
        self.expect_refresh(version)

    def test_a_daemon_killed_during_a_pull_releases_the_list(self):
        page = self.page
        self.refusals_expected = True
        start = page.start
        page.touch("touchStart", start)
        page.slide(start, 0, 220)
        page.until(lambda: page.state("top") == "eligible", "eligible")
        self.daemon.kill()
        try:
            page.until(lambda: page.is_shown("notice") and page.shift > 60, "the list under the finger")
        finally:
            self.daemon.start()
        page.until(lambda: page.text("connection-text") == "Connected", "the new session")
        page.touch("touchEnd")
        page.until(lambda: page.text("connection-text") == "Connected", "the new session")
        page.settle()

    def test_newer_items_are_offered_and_a_click_refreshes(self):
        page = self.page
        script = page.command("Page.addScriptToEvaluateOnNewDocument", source=examples() + CHANGED_DAEMON)
        try:
            page.browser.get(self.daemon.url)
            page.until(lambda: page.run("return !document.getElementById('newer').hidden"), "the offer")
            self.assertEqual(page.text("newer"), "New items")
            page.run("document.getElementById('newer').click()")
            page.until(lambda: page.run("return document.getElementById('newer').hidden"), "nothing newer")
            self.record_simulated_frames()
        finally:
            page.command("Page.removeScriptToEvaluateOnNewDocument", **script)

    def test_an_older_daemon_is_served_with_the_plain_spinner(self):
        page = self.page
        script = page.command("Page.addScriptToEvaluateOnNewDocument", source=OLDER_DAEMON)
        try:
            page.browser.get(self.daemon.url)
            page.until(lambda: page.text("connection-text") == "Connected", "the session")
            page.until(lambda: page.state("top") == "pulling", "the state")
            self.assertEqual(page.run("return document.querySelector('.spinner').style.opacity"), "0.5")
            self.assertEqual(page.run("return document.querySelectorAll('.layers').length"), 0)
            self.record_simulated_frames()
        finally:
            page.command("Page.removeScriptToEvaluateOnNewDocument", **script)

    def record_simulated_frames(self):
        """Records the messages between the page and the simulated daemon, because no socket transfers them."""
        frames = self.page.run("return sentFrames")
        self.assertGreater(len(frames), 0)
        if self.page.sockets:
            for frame in frames:
                self.page.sockets.add(frame["from"], frame["text"])

    # Appearance

    def test_it_is_drawn_in_both_schemes_and_sizes(self):
        page = self.page
        for window_name, window in (("phone", PHONE), ("desktop", DESKTOP)):
            for scheme in ("light", "dark"):
                with self.subTest(window=window_name, scheme=scheme):
                    page.show(self.daemon.url, window, scheme)
                    self.assertEqual(self.overflow(), 0, "no element may be wider than the window")
                    start = page.start
                    page.touch("touchStart", start)
                    page.slide(start, 0, 80)
                    page.until(lambda: page.state("top") == "pulling", "pulling")
                    page.until(lambda: page.shift > 20, "the pull to be drawn")
                    page.screenshot(self.screenshots / f"{window_name}-{scheme}.png")
                    page.touch("touchCancel")
                    page.settle()

    def overflow(self):
        return self.page.run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def test_reduced_motion_rotates_nothing(self):
        page = self.page
        page.show(self.daemon.url, motion="reduce")
        version = self.packages.upgrade()
        page.run("""
            window.rotated = false;
            const watch = () => {
              for (const animation of document.getAnimations())
                rotated ||= animation.effect.getKeyframes().some((frame) => "rotate" in frame);
              requestAnimationFrame(watch);
            };
            watch();""")
        page.press("r", 82, text="r")
        self.expect_refresh(version)
        self.assertFalse(page.run("return rotated"))
