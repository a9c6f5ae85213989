"""Tests what a finger can do on the page of the uploads: refresh a list without losing the place in it, search, filter
and sort it, come back to it, and show what is new.
"""

import pathlib
import tempfile
import unittest

from daemon import TOKENS, Daemon
from fingers import Fingers, gathering
from page import DESKTOP, PHONE, Page
from test_page import examples
from uploads_backend import TOTAL, UploadsBackend

SIZE = 10
CONFIG = """
demo: true
listen: ["127.0.0.1:0"]
feeds:
  {feed}:
    backend: http
    url: "{url}"
    parameters: {{ q: text, section: text, urgent: boolean, sort: text }}
    paging: page
    size: {size}
    shared: true
    itemKey: /id
    cache: {{ lifetimeMs: 3600000, staleMs: 3600000 }}
    totalTimeoutMs: 60000
limits: {{ loadDeadlineMs: 60000 }}
"""

# Records in each animation frame the distance of a row from the top of the scroller. The row may be replaced by another
# element for the same upload.
RECORD = """
const [id] = arguments;
const own = window.places = [];
const record = () => {
  if (window.places !== own) return;
  const row = document.querySelector(`[data-id="${id}"]`);
  const {top} = document.getElementById("scroller").getBoundingClientRect();
  own.push(row ? row.getBoundingClientRect().top - top : null);
  requestAnimationFrame(record);
};
record();
"""

# Chooses a section in the first frame in which a list that was pulled beyond its end springs back.
CHOOSE_DURING_SPRING_BACK = """
const stage = document.getElementById("stage");
const beyond = () => new DOMMatrix(getComputedStyle(stage).transform).m42;
let farthest = 0;
window.springBack = null;
const look = () => {
  const now = beyond();
  if (now < farthest) farthest = now;
  if (now >= farthest + 3 && farthest < 0) {
    window.springBack = now;
    document.querySelector(`[name=section][value='${arguments[0]}']`).click();
  } else {
    requestAnimationFrame(look);
  }
};
look();
"""

# A simulated daemon that knows the number of newer uploads. EXAMPLES are complete messages.
COUNTING_DAEMON = """
const example = (name, members) => ({...EXAMPLES[name], ...members});
window.sentFrames = [];
window.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() { setTimeout(() => this.onopen?.({})); }
  send(text) {
    for (const {type} of [].concat(JSON.parse(text))) {
      if (type !== "hello") continue;
      const update = {type: "update", view: "uploads", ack: 0, newer: true, newerCount: 3};
      const answer = [example("welcome", {limits: {}}), example("attached", {ack: 0, view: "uploads"}), update];
      setTimeout(() => this.onmessage?.({data: JSON.stringify(answer)}));
    }
  }
  close() {}
};
"""


class UploadsTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    @classmethod
    def setUpClass(cls):
        cls.page = Page()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.backend = UploadsBackend()
        self.addCleanup(self.backend.close)
        config = pathlib.Path(folder.name) / "refreshd.yaml"
        config.write_text(CONFIG.format(feed="uploads", url=self.backend.url, size=SIZE) + TOKENS)
        self.daemon = Daemon(self.executable, None, self.screenshots / "refreshd-uploads.log", config)
        self.daemon.start()
        self.addCleanup(self.daemon.kill)
        # The page must not try to reconnect to a daemon that has ended.
        self.addCleanup(self.page.browser.get, "about:blank")
        self.page.show(self.url)
        self.fingers = Fingers(self.page)
        self.addCleanup(self.fingers.finish)

    def tearDown(self):
        self.assertEqual(self.page.console_errors, [], "the console must be clean: no error, no violated policy")

    @property
    def url(self):
        return f"{self.daemon.url}uploads.html"

    # Reading the page

    @property
    def ids(self):
        return self.page.run("return [...document.querySelectorAll('.row')].map((row) => Number(row.dataset.id))")

    @property
    def first_in_sight(self):
        """Returns the upload of the first row in sight, and the distance of this row from the top of the scroller."""
        number, place = self.page.run("""
            const {top} = document.getElementById("scroller").getBoundingClientRect();
            const row = [...document.querySelectorAll(".row")].find((row) => row.getBoundingClientRect().bottom > top);
            return [Number(row.dataset.id), row.getBoundingClientRect().top - top];""")
        return number, place

    def place(self, number):
        """Returns the distance of an upload's row from the top of the scroller."""
        return self.page.run("""
            const top = (element) => element.getBoundingClientRect().top;
            return top(document.querySelector(`[data-id="${arguments[0]}"]`)) - top(document.getElementById("scroller"));
            """, number)

    def places(self):
        """Returns the places of the recorded row in all frames until now, and ends the recording."""
        return self.page.run("const own = window.places; window.places = null; return own;")

    @property
    def last_load(self):
        return self.page.text("figure-load")

    # Actions

    def fling(self, travel):
        """Flings the list by one stroke of a finger."""
        fingers = self.fingers
        fingers.down(below=450 if travel < 0 else 50)
        fingers.move(travel, 0.12, gathering)
        fingers.up()
        self.rest()

    def rest(self):
        """Waits until the list has not moved for some frames."""
        self.page.browser.execute_async_script("""
            const done = arguments[0];
            let [last, still] = [NaN, 0];
            const look = () => {
              const offset = document.getElementById("scroller").scrollTop;
              still = offset === last ? still + 1 : 0;
              last = offset;
              if (still > 12) done();
              else requestAnimationFrame(look);
            };
            look();""")
        self.page.until(
            lambda: self.page.state("top") == "idle" and self.page.state("bottom") in ("idle", "noMore", "approaching"),
            "no load")

    def load_all(self):
        """Scrolls by flings until all pages are loaded."""
        while self.page.rows < TOTAL:
            self.fling(-400)
        self.page.until(lambda: self.page.state("bottom") == "noMore", "the end of the list")

    def go_to_middle(self):
        """Loads all pages, and flings the list back to its middle. Returns the first row in sight."""
        self.load_all()
        while self.page.shift < -50 * 68:
            # Near the middle the flings are shorter, so that the last one does not reach the first pages.
            self.fling(300 if self.page.shift < -70 * 68 else 120)
        number, place = self.first_in_sight
        index = self.ids.index(number)
        self.assertGreater(index, 15)
        self.assertLess(index, 60)
        return number, place

    def choose_depth(self, value):
        """Chooses in the panel which pages a refresh requests, and closes the panel."""
        self.fingers.tap_on("#panel summary")
        self.page.until(lambda: self.page.is_shown("depth"), "the panel")
        self.fingers.tap_on(f"#depth [value={value}]")
        self.page.until(
            lambda: self.page.run("return document.querySelector('[name=depth]:checked').value") == value, value)
        self.fingers.tap_on("#panel summary")
        self.page.until(lambda: not self.page.is_shown("depth"), "the closed panel")

    def choose_section(self, value):
        self.fingers.tap_on(f"[name=section][value='{value}']")

    def choose_order(self, value):
        """Chooses a sort order by script, because the browser shows the choices outside of the page."""
        self.page.run("""
            const sort = document.getElementById("sort");
            sort.value = arguments[0];
            sort.dispatchEvent(new Event("change", {bubbles: true}));""", value)

    def type(self, text):
        """Taps the search field, and types so fast that no pause is long enough for a search."""
        self.fingers.tap_on("#search")
        self.page.until(lambda: self.page.run("return document.activeElement.id") == "search", "the focus")
        self.page.run("""
            const field = document.getElementById("search");
            for (const letter of arguments[0]) {
              field.value += letter;
              field.dispatchEvent(new Event("input", {bubbles: true}));
            }""", text)

    def refresh(self):
        self.page.run("document.getElementById('figure-load').textContent = ''")
        self.fingers.tap_on("#refresh")
        self.page.until(lambda: self.last_load != "", "the refresh")

    def expect_list(self, **query):
        """Waits until the list has the first page of the query."""
        expected = self.backend.matching(**query)[:SIZE]
        self.page.until(lambda: self.ids[:SIZE] == expected, f"the list of {query}")

    # Refresh at depth

    def test_a_refresh_in_the_middle_of_ten_pages_keeps_the_place_in_every_frame(self):
        number, place = self.go_to_middle()
        added = self.backend.add(3)
        self.page.run(RECORD, number)
        self.refresh()
        self.assertTrue(self.last_load.startswith("10 pages"), self.last_load)
        self.page.until(lambda: self.page.text("figure-top") == "0", "the room to close")
        self.assertEqual(self.ids[:4], added + [1000])
        self.assertEqual(len(self.ids), TOTAL)
        places = self.places()
        self.assertEqual(
            [shown for shown in places if shown is None or abs(shown - place) > 1], [],
            f"the row must stay at {place} in all {len(places)} frames")
        self.page.screenshot(self.screenshots / "uploads-depth.png")

    def test_if_the_read_item_is_gone_its_neighbour_stays(self):
        number, place = self.go_to_middle()
        index = self.ids.index(number)
        neighbour = self.ids[index + 1]
        self.backend.add(2)
        self.backend.remove(number)
        self.refresh()
        self.page.until(lambda: self.page.text("figure-top") == "0", "the room to close")
        self.assertNotIn(number, self.ids)
        self.assertAlmostEqual(self.place(neighbour), place + 68, delta=1)

    def test_a_refresh_up_to_the_last_page_in_sight_keeps_the_place_and_loads_the_others_again(self):
        self.choose_depth("keepVisible")
        self.load_all()
        # The fifth page is the last one in sight, and stays so after two uploads are added above it.
        self.page.run("""
            const scroller = document.getElementById("scroller");
            scroller.scrollTop = 4 * 680 + 100 - scroller.clientHeight;""")
        self.rest()
        number, place = self.first_in_sight
        self.backend.add(2)
        self.refresh()
        self.page.until(lambda: self.page.text("figure-top") == "0", "the room to close")
        self.assertTrue(self.last_load.startswith("6 pages"), self.last_load)
        self.assertLess(self.page.rows, TOTAL)
        self.assertAlmostEqual(self.place(number), place, delta=1)
        self.load_all()
        self.assertEqual(self.ids, self.backend.numbers)

    def test_a_refresh_of_the_first_page_leaves_one_page(self):
        self.choose_depth("first")
        self.load_all()
        self.fling(300)
        self.page.run("document.getElementById('scroller').scrollTop = 0")
        self.rest()
        self.backend.requests.clear()
        self.refresh()
        self.assertEqual([request["page"] for request in self.backend.requests][:1], [1])
        self.assertTrue(self.last_load.startswith("1 page,"), self.last_load)

    def test_a_pull_at_the_start_of_ten_pages_shows_what_is_new(self):
        self.load_all()
        self.page.run("document.getElementById('scroller').scrollTop = 0")
        self.rest()
        added = self.backend.add(2)
        fingers = self.fingers
        fingers.down()
        fingers.move(220, 0.3)
        self.page.until(lambda: self.page.state("top") == "eligible", "eligible")
        fingers.up()
        self.page.until(lambda: self.ids[:2] == added, "the new uploads")
        self.page.settle()
        self.assertEqual(self.page.rows, TOTAL)
        self.assertEqual(self.first_in_sight[0], added[0])

    # Queries

    def test_fast_letters_make_one_call_and_the_earlier_list_stays_until_its_answer(self):
        before = self.ids
        self.backend.requests.clear()
        self.backend.may_answer.clear()
        self.type("compass")
        self.page.until(lambda: self.backend.requests, "the call")
        self.assertEqual(self.ids, before, "the earlier list must stay")
        self.assertEqual(self.page.run("return document.getElementById('query').dataset.state"), "loading")
        self.page.screenshot(self.screenshots / "uploads-searching.png")
        self.backend.may_answer.set()
        self.expect_list(q="compass")
        self.assertEqual([request["q"] for request in self.backend.requests if request["page"] == 1], ["compass"])
        self.assertIn("20 found", self.page.text("summary"))
        self.assertEqual(self.page.run("return document.getElementById('query').dataset.state"), "idle")
        self.page.screenshot(self.screenshots / "uploads-found.png")

    def test_a_search_without_a_match_says_so(self):
        self.type("zebra")
        self.page.until(lambda: self.page.rows == 0, "the empty list")
        self.page.until(lambda: self.page.text("footer-text") == "Nothing found", "the text")
        self.page.screenshot(self.screenshots / "uploads-nothing.png")

    def test_a_section_an_order_and_a_filter_are_queries(self):
        self.choose_section("libs")
        self.expect_list(section="libs")
        self.choose_order("size")
        self.expect_list(section="libs", sort="size")
        self.fingers.tap_on(".chip")
        self.expect_list(section="libs", sort="size", urgent="true")
        self.fingers.tap_on(".chip")
        self.choose_section("")
        self.choose_order("name")
        self.expect_list(sort="name")

    def test_a_new_query_is_shown_from_its_start_and_loads_its_own_pages(self):
        self.load_all()
        self.choose_section("utils")
        self.expect_list(section="utils")
        self.page.until(lambda: self.page.shift == 0, "the start of the list")
        expected = self.backend.matching(section="utils")
        while self.page.rows < len(expected):
            self.fling(-400)
        self.assertEqual(self.ids, expected)

    def test_a_new_query_is_shown_from_its_start_even_while_the_list_springs_back(self):
        self.load_all()
        self.page.run("document.getElementById('scroller').scrollTop = 1e6")
        self.rest()
        fingers = self.fingers
        fingers.down(below=450)
        fingers.move(-400, 0.3)
        fingers.up()
        self.page.run(CHOOSE_DURING_SPRING_BACK, "utils")
        self.expect_list(section="utils")
        self.page.until(lambda: self.page.run("return window.springBack") is not None, "the choice")
        self.rest()
        self.assertEqual(self.page.shift, 0)

    def test_a_section_that_comes_back_is_shown_at_once(self):
        first = self.ids
        self.choose_section("python")
        self.expect_list(section="python")
        self.backend.requests.clear()
        self.backend.may_answer.clear()
        self.choose_section("")
        self.page.until(lambda: self.ids[:SIZE] == first[:SIZE], "the kept list, although the backend does not answer")
        self.assertNotIn(1, [request["page"] for request in self.backend.requests])
        self.backend.may_answer.set()

    def test_a_query_that_fails_leaves_the_earlier_list_and_says_so(self):
        before = self.ids
        self.backend.fails = True
        self.choose_section("libs")
        self.page.until(lambda: self.page.is_shown("notice"), "the notice")
        self.assertIn("The earlier list stays.", self.page.text("notice"))
        self.assertEqual(self.ids, before)
        self.page.screenshot(self.screenshots / "uploads-failed.png")
        self.backend.fails = False
        self.fingers.tap_on("#refresh")
        self.expect_list(section="libs")

    # First items

    def test_who_comes_back_to_the_page_sees_its_items_without_a_call(self):
        page = self.page
        first = self.ids[:SIZE]
        self.assertEqual(page.run("return document.getElementById('figure-first').dataset.source"), "loaded")
        self.fingers.tap_on("a[href='/']")
        page.until(lambda: page.run("return location.pathname") == "/" and page.text("title") == "Packages"
                   and page.rows > 0, "the other page")
        self.backend.requests.clear()
        self.backend.may_answer.clear()
        self.fingers.tap_on("a[href='/uploads.html']")
        page.until(lambda: page.text("title") == "Uploads" and page.rows > 0, "the kept items")
        self.assertEqual(self.ids[:SIZE], first)
        self.assertNotIn(1, [request["page"] for request in self.backend.requests])
        self.assertEqual(page.run("return document.getElementById('figure-first').dataset.source"), "kept")
        self.backend.may_answer.set()

    # Newer uploads

    def test_newer_uploads_are_offered_and_a_tap_shows_them_from_the_start(self):
        page = self.page
        self.go_to_middle()
        added = self.backend.add(2)
        self.daemon.report_change("uploads")
        page.until(lambda: page.is_shown("newer"), "the button")
        self.assertEqual(page.text("newer"), "New uploads")
        self.assertNotIn(added[0], self.ids, "a change must not move what is read")
        page.screenshot(self.screenshots / "uploads-newer.png")
        self.fingers.tap_on("#newer")
        page.until(lambda: self.ids[:2] == added, "the new uploads")
        page.settle()
        self.assertEqual(page.shift, 0)
        self.assertFalse(page.is_shown("newer"))

    def test_the_number_of_newer_uploads_is_shown_if_the_daemon_knows_it(self):
        page = self.page
        script = page.command("Page.addScriptToEvaluateOnNewDocument", source=examples() + COUNTING_DAEMON)
        try:
            page.browser.get(self.url)
            page.until(lambda: page.is_shown("newer"), "the button")
            self.assertEqual(page.text("newer"), "3 new uploads")
        finally:
            page.command("Page.removeScriptToEvaluateOnNewDocument", **script)

    # Appearance

    def test_it_is_drawn_in_both_schemes_and_sizes(self):
        page = self.page
        for window_name, window in (("phone", PHONE), ("desktop", DESKTOP)):
            for scheme in ("light", "dark"):
                with self.subTest(window=window_name, scheme=scheme):
                    page.show(self.url, window, scheme)
                    self.assertEqual(page.run(
                        "return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
                    page.screenshot(self.screenshots / f"uploads-{window_name}-{scheme}.png")


class DemoUploadsTest(unittest.TestCase):
    """The page with the demo's own feed, as the installed daemon serves it."""

    executable = None  # set by __main__
    screenshots = None

    def test_the_demo_has_a_list_that_can_be_searched_and_that_changes(self):
        daemon = Daemon(self.executable, "/nonexistent", self.screenshots / "refreshd-demo.log")
        daemon.start()
        self.addCleanup(daemon.kill)
        page = Page()
        self.addCleanup(page.close)
        page.show(daemon.url)
        fingers = Fingers(page)
        self.addCleanup(fingers.finish)
        fingers.tap_on("a[href='/uploads.html']")
        page.until(lambda: page.text("title") == "Uploads" and page.rows >= SIZE, "the uploads")
        self.assertIn("100 uploads", page.text("summary"))
        page.until(lambda: page.is_shown("newer"), "a newer upload")
        fingers.tap_on("#newer")
        page.until(lambda: not page.is_shown("newer") and page.run(
            "return document.querySelector('.row.changed, .row') !== null"), "the newer upload")
        fingers.tap_on("[name=section][value=libs]")
        page.until(lambda: "found" in page.text("summary"), "the libraries")
        page.until(lambda: page.rows > 0, "rows")
