"""Tests what a finger can do in a long list with random access: only the pages in sight are requested."""

import pathlib
import tempfile
import unittest

from daemon import Daemon
from edits_backend import EditsBackend
from fingers import Fingers, gathering
from page import PHONE, Page
from site_pages import Site

TOTAL = 10_000
SIZE = 50
ROW = 56
WORDS = ("started", "stopped", "connected to its database", "refused a request", "restarted")
CONFIG = """
demo: true
listen: ["127.0.0.1:0"]
feeds:
  log:
    backend: http
    url: "{url}?offset={{offset}}&size={{size}}"
    paging: offset
    size: {size}
    calls: 8
    totalTimeoutMs: 60000
limits: {{ loadDeadlineMs: 60000 }}
"""

# Records in each animation frame the rows in sight, and whether each is drawn where it belongs.
RECORD = """
const list = document.querySelector("refresh-list");
const own = window.seen = [];
const look = () => {
  if (window.seen !== own) return;
  const {first, last} = list.list.scrollView.visibleRows;
  const {top} = list.getBoundingClientRect();
  const drawn = new Map([...list.children].filter((row) => row.ariaPosInSet).map((row) => [Number(row.ariaPosInSet) - 1, row]));
  const end = Math.min(last, list.items.length - 1);
  let gaps = 0;
  let placeholders = 0;
  for (let number = first; number <= end; number += 1) {
    const row = drawn.get(number);
    const place = number * arguments[0] - list.list.scrollView.offset;
    if (!row || Math.abs(row.getBoundingClientRect().top - top - place) > 1.5) gaps += 1;
    if (row?.dataset.placeholder !== undefined) placeholders += 1;
  }
  own.push({first, last, gaps, placeholders, drawn: drawn.size});
  requestAnimationFrame(look);
};
look();
"""


class LogPage(Page):
    @property
    def rows(self):
        return self.run("return document.querySelectorAll('refresh-list > .line').length")

    @property
    def start(self):
        x, y = self.run("""
            const {left, top} = document.querySelector("refresh-list").getBoundingClientRect();
            return [left + 60, top + 40];""")
        return x, y

    @property
    def offset(self):
        return self.run("return document.querySelector('refresh-list').list.scrollView.offset")

    @property
    def visible(self):
        """Returns the first and the last row in sight."""
        return self.run("""
            const {first, last} = document.querySelector("refresh-list").list.scrollView.visibleRows;
            return [first, last];""")

    @property
    def placeholders(self):
        """Returns the number of placeholders in sight. Rows beside them may have no items."""
        return self.run("""
            const {top, bottom} = document.querySelector("refresh-list").getBoundingClientRect();
            const boxes = [...document.querySelectorAll("refresh-list > [data-placeholder]")].map((row) => row.getBoundingClientRect());
            return boxes.filter((box) => box.bottom > top && box.top < bottom).length;""")

    def settle(self):
        self.until(lambda: self.run("return document.querySelector('refresh-list').list.top.state") == "idle", "rest")

    def await_standstill(self):
        """Waits until the list has not moved for some frames."""
        self.browser.execute_async_script("""
            const done = arguments[0];
            let [last, still] = [NaN, 0];
            const look = () => {
              const {offset} = document.querySelector("refresh-list").list.scrollView;
              still = offset === last ? still + 1 : 0;
              last = offset;
              if (still > 20) done();
              else requestAnimationFrame(look);
            };
            look();""")

    def summary(self):
        return self.run("""
            const {list, items} = document.querySelector("refresh-list");
            return JSON.stringify({rows: items.length, offset: list?.scrollView.offset, top: list?.top.state,
              status: list?.client.status, ...list?.scrollView.visibleRows});""")


class LogTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    @classmethod
    def setUpClass(cls):
        cls.page = LogPage()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.backend = EditsBackend([
            {"id": number, "text": f"The service {WORDS[number % len(WORDS)]}"}
            for number in range(TOTAL)])
        self.addCleanup(self.backend.close)
        config = pathlib.Path(folder.name) / "refreshd.yaml"
        config.write_text(CONFIG.format(url=self.backend.url, size=SIZE))
        self.daemon = Daemon(self.executable, None, self.screenshots / "refreshd-log.log", config)
        self.daemon.start()
        self.addCleanup(self.daemon.kill)
        self.site = Site(self.daemon.port)
        self.addCleanup(self.site.close)
        self.addCleanup(self.page.browser.get, "about:blank")
        self.page.show(f"{self.site.url}examples/log.html")
        self.page.until(lambda: self.page.placeholders == 0, "the first rows")
        self.fingers = Fingers(self.page)
        self.addCleanup(self.fingers.finish)

    def tearDown(self):
        errors = [error for error in self.page.console_errors if "favicon" not in error]
        self.assertEqual(errors, [], "the console must be clean: no error, no violated policy")

    def fling(self, travel=-420, seconds=0.1):
        self.fingers.down(below=500 if travel < 0 else 60)
        self.fingers.move(travel, seconds, gathering)
        self.fingers.up()

    def pages_in_sight(self):
        first, last = self.page.visible
        return set(range(first // SIZE * SIZE, last + 1, SIZE))

    def loaded(self):
        """Whether all rows in sight are loaded."""
        return self.page.run("""
            const {list, items} = document.querySelector("refresh-list");
            const {first, last} = list.scrollView.visibleRows;
            return items.slice(first, last + 1).every((item) => item !== null);""")

    # Tests

    def test_a_list_of_10000_rows_has_its_height_and_few_elements(self):
        page = self.page
        self.assertEqual(self.backend.pages, [0])
        height, count, sizes = page.run("""
            const list = document.querySelector("refresh-list");
            const scroller = list.shadowRoot.querySelector("[part=scroller]");
            const content = list.shadowRoot.querySelector("[part=content]");
            return [content.getBoundingClientRect().height, list.children.length,
              [...new Set([...list.children].filter((row) => row.ariaPosInSet).map((row) => row.ariaSetSize))]];""")
        self.assertEqual(height, TOTAL * ROW)
        self.assertLess(count, 40)
        self.assertEqual(sizes, [str(TOTAL)])
        page.screenshot(self.screenshots / "log-light.png")

    def test_a_fling_shows_placeholders_and_requests_only_the_pages_where_it_ends(self):
        page = self.page
        self.backend.may_answer.clear()
        page.run(RECORD, ROW)
        for _ in range(8):
            self.fling()
            self.fingers.rest(0.12)
        self.page.await_standstill()
        self.assertGreater(page.visible[0], 3 * SIZE, "the flings pass several pages")
        self.assertGreater(page.placeholders, 0)
        page.screenshot(self.screenshots / "log-placeholders.png")
        self.backend.may_answer.set()
        page.until(self.loaded, "the rows in sight")
        page.screenshot(self.screenshots / "log-flung.png")
        seen = page.run("const own = window.seen; window.seen = null; return own;")
        self.assertEqual([frame for frame in seen if frame["gaps"]], [], f"{len(seen)} frames have no gaps")
        self.assertLess(max(frame["drawn"] for frame in seen), 40)
        passed = {row // SIZE for frame in seen for row in (frame["first"], frame["last"])}
        texts = page.run("return [...document.querySelectorAll('refresh-list > .line .number')].map((line) => line.textContent)")
        self.assertEqual(texts, [str(number) for number in range(int(texts[0]), int(texts[0]) + len(texts))])
        calls = self.backend.pages
        self.assertLessEqual(self.pages_in_sight(), set(calls))
        self.assertEqual(len(calls), len(set(calls)), "no page is requested twice")
        self.assertLessEqual(len(calls), len(passed) // 2, f"{calls} of {len(passed)} pages that have passed")

    def test_a_jump_to_the_end_requests_the_last_pages_only(self):
        page = self.page
        page.run("document.querySelector('refresh-list').shadowRoot.querySelector('[part=scroller]').focus()")
        page.press_end()
        page.until(lambda: page.visible[1] >= TOTAL - 1, "the end")
        self.page.await_standstill()
        page.until(self.loaded, "the last rows")
        calls = set(self.backend.pages)
        self.assertLessEqual(self.pages_in_sight() & set(range(0, TOTAL, SIZE)), calls)
        self.assertLessEqual(len(self.backend.pages), 6)
        page.screenshot(self.screenshots / "log-end.png")

    def test_a_page_comes_when_a_finger_reads_on(self):
        page = self.page
        for _ in range(12):
            self.fingers.down(below=500)
            self.fingers.move(-400, 0.5)
            self.fingers.rest(0.15)
            self.fingers.up()
        self.page.await_standstill()
        page.until(self.loaded, "the rows in sight")
        self.assertGreater(page.visible[0], SIZE)
        calls = self.backend.pages
        self.assertEqual(calls, sorted(calls), "the pages come one after the other")
        self.assertEqual(len(calls), len(set(calls)))
        self.assertLessEqual(max(calls), page.visible[1] + 3 * SIZE)

    def test_a_refresh_requests_the_page_in_sight_and_the_list_stays_where_it_is(self):
        page = self.page
        self.scroll_to(2000)
        self.backend.pages.clear()
        for item in self.backend.items:
            item["text"] = "new"
        page.run("document.querySelector('refresh-list').refresh()")
        page.until(lambda: page.run(
            "return [...document.querySelectorAll('refresh-list > .line .text')].every((line) => line.textContent === 'new')"),
            "the new rows")
        page.until(self.loaded, "the rows in sight")
        self.assertEqual(page.offset, 2000 * ROW)
        self.assertLessEqual(set(self.backend.pages), self.pages_in_sight() | {1950, 2050})

    def test_a_pull_refreshes_the_first_page(self):
        page = self.page
        self.backend.pages.clear()
        self.fingers.down(below=60)
        self.fingers.move(200, 0.3)
        self.fingers.rest(0.1)
        self.fingers.up()
        page.until(lambda: self.backend.pages, "the request")
        page.settle()
        page.until(lambda: page.offset == 0 and self.loaded(), "rest at the start")
        self.assertEqual(self.backend.pages[0], 0)
        self.assertLessEqual(set(self.backend.pages), {0, SIZE})

    def test_a_pull_that_turns_into_a_fling_loads_the_rows_where_it_ends(self):
        page = self.page
        page.run(RECORD, ROW)
        self.fingers.down(below=500)
        self.fingers.move(40, 0.1)
        self.fingers.move(-440, 0.15, gathering)
        self.fingers.up()
        self.page.await_standstill()
        self.assertGreater(page.offset, 400)
        page.until(self.loaded, "the rows in sight")
        seen = page.run("const own = window.seen; window.seen = null; return own;")
        self.assertEqual([frame for frame in seen if frame["gaps"]], [], f"{len(seen)} frames have no gaps")
        self.assertEqual(len(self.backend.pages), len(set(self.backend.pages)))
        self.assertLessEqual(self.pages_in_sight(), set(self.backend.pages))

    def test_a_lost_connection_keeps_the_rows(self):
        page = self.page
        page.run("document.querySelector('refresh-list').setAttribute('resume', '')")
        page.until(lambda: page.run("""
            const {list} = document.querySelector("refresh-list");
            return list !== null && list.isConnected && list.items.length > 0 && list.top.state === "idle";"""),
                   "the list of the new session")
        page.until(self.loaded, "the first rows")
        self.scroll_to(2000)
        self.backend.pages.clear()
        self.site.cut()
        page.until(lambda: page.run("return document.querySelector('refresh-list').list.client.status") != "open", "the loss")
        page.until(lambda: page.run("return document.querySelector('refresh-list').list.isConnected"), "the connection")
        self.assertEqual(page.offset, 2000 * ROW)
        self.assertTrue(self.loaded())
        self.scroll_to(2100)
        self.assertNotIn(2000, self.backend.pages, "the daemon knows the pages of the client")
        self.assertIn(2100, self.backend.pages)

    def scroll_to(self, row):
        """Puts the list at a row, and waits for the rows in sight."""
        self.page.run(
            "document.querySelector('refresh-list').shadowRoot.querySelector('[part=scroller]').scrollTop = arguments[0]", row * ROW)
        self.page.until(lambda: self.page.visible[0] == row and self.loaded(), "the rows in sight")
        self.page.await_standstill()

    def test_another_total_changes_the_height(self):
        page = self.page
        del self.backend.items[5000:]
        page.run("document.querySelector('refresh-list').list.scrollView.restoreOffset(arguments[0])", 2000 * ROW)
        page.until(lambda: page.run("return document.querySelector('refresh-list').items.length") == 5000, "the new total")
        page.until(self.loaded, "the rows in sight")
        self.assertEqual(page.run("""
            return document.querySelector("refresh-list").shadowRoot.querySelector("[part=content]")
              .getBoundingClientRect().height"""), 5000 * ROW)

    def test_it_is_drawn_in_the_dark(self):
        page = self.page
        page.show(f"{self.site.url}examples/log.html", PHONE, "dark")
        page.until(lambda: page.placeholders == 0, "the first rows")
        page.screenshot(self.screenshots / "log-dark.png")
        self.backend.may_answer.clear()
        page.run("document.querySelector('refresh-list').list.scrollView.restoreOffset(arguments[0])", 2000 * ROW)
        page.until(lambda: page.placeholders > 10, "the placeholders")
        page.screenshot(self.screenshots / "log-dark-placeholders.png")
