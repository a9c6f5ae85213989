"""Tests what a user can do and see in the gallery."""

import pathlib
import tempfile
import time
import unittest

from daemon import Daemon, PackageList
from gallery_page import INDICATORS, KINDS, WIDE, GalleryPage
from page import PHONE

PACKAGE_COUNT = 30
FAR = 300  # beyond every threshold
ALL = [(kind, name) for kind in KINDS for name in INDICATORS]


class GalleryTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.packages = PackageList(pathlib.Path(cls.folder.name) / "status", PACKAGE_COUNT)
        cls.daemon = Daemon(
            cls.executable, cls.packages.path, cls.screenshots / "refreshd-gallery.log")
        cls.daemon.start()
        cls.addClassCleanup(cls.daemon.kill)
        cls.page = GalleryPage()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.page.show(self.daemon.url, WIDE)

    def tearDown(self):
        self.assertEqual(
            self.page.console_errors, [], "the console must be clean: no error, no violated policy")

    def test_every_indicator_is_drawn_by_both_kinds(self):
        for name in INDICATORS:
            with self.subTest(indicator=name):
                layers = self.page.layers("stream", name)
                self.assertGreater(len(layers), 0)
                self.assertEqual(layers, self.page.layers("local", name))
                self.assertGreater(self.page.rows("stream", name), 5)
        self.assertEqual(self.page.text("connection-text"), "Connected")

    def test_the_demo_and_the_gallery_link_to_each_other(self):
        page = self.page
        page.browser.find_element("link text", "To the demo").click()
        page.until(lambda: page.run("return document.title").startswith("Packages"), "the demo")
        page.browser.find_element("css selector", "a[href='/gallery.html']").click()
        page.until(lambda: page.run("return document.title").startswith("Indicators"), "the gallery")
        page.settle()

    def test_the_slider_pulls_all_lists_and_its_release_refreshes_them(self):
        page = self.page
        at_rest = {key: page.drawing(*key) for key in ALL}
        page.press_slider()
        page.pull(0, 88)
        for kind, name in ALL:
            with self.subTest(kind=kind, indicator=name):
                page.until(lambda: page.shift(kind, name) > 30, f"{kind} {name} to be pulled")
                # For some indicators, the beginning of a pull shows nothing yet.
                page.until(lambda: page.drawing(kind, name) != at_rest[kind, name], "its drawing to change")
        page.pull(88, FAR)
        page.release_slider(FAR)
        for kind, name in ALL:
            with self.subTest(kind=kind, indicator=name):
                page.until(lambda: "refreshing" in page.seen_states(kind, name), f"{kind} {name} refreshes")
        page.settle()
        for kind, name in ALL:
            self.assertEqual(page.state(kind, name), "idle")
        page.until(lambda: page.run("return document.getElementById('pull').value") == "0", "the slider to return")

    def test_a_pull_that_is_too_short_refreshes_nothing(self):
        page = self.page
        page.press_slider()
        page.pull(0, 60)
        page.until(lambda: page.shift("stream", "spinner") > 10, "the pull")
        page.release_slider(60)
        page.settle()
        for kind, name in ALL:
            self.assertNotIn("refreshing", page.seen_states(kind, name))

    def test_keys_pull_and_release(self):
        page = self.page
        page.run("document.getElementById('pull').focus()")
        for _ in range(20):
            page.press("ArrowRight", 39)
        page.until(lambda: page.shift("stream", "spinner") > 20, "the pull")
        self.assertEqual(page.text("travel"), "80")
        page.press("Escape", 27)
        page.settle()
        self.assertNotIn("refreshing", page.seen_states("stream", "spinner"))
        page.press("End", 35)
        page.press("Enter", 13)
        for kind, name in ALL:
            page.until(lambda: "refreshing" in page.seen_states(kind, name), f"{kind} {name} refreshes")
        page.settle()

    def test_with_latency_a_local_list_moves_at_once_and_a_stream_list_lags(self):
        page = self.page
        page.choose_latency(300)
        page.hold_frames()
        page.press_slider()
        page.pull(0, 100)
        page.until(lambda: page.shift("local", "spinner") > 45, "the local list to be pulled")
        self.assertLess(page.shift("stream", "spinner"), 1, "no sample has arrived yet")
        answered = page.held["in"]
        page.release_waiting("out")
        page.until(lambda: page.held["in"] > answered, "the answer")
        self.assertLess(page.shift("stream", "spinner"), 1, "no answer has arrived yet")
        page.release_frames()
        page.until(lambda: page.shift("stream", "spinner") > 45, "the stream list to follow")
        page.release_slider(100)
        page.settle()

    def test_with_latency_a_released_list_waits_for_its_path(self):
        page = self.page
        page.choose_latency(300)
        page.press_slider()
        page.pull(0, FAR)
        page.until(lambda: page.shift("stream", "spinner") > 100, "the stream list to follow")
        page.record("spinner")
        page.release_slider(FAR)
        page.until(lambda: page.state("stream", "spinner") == "refreshing", "the refresh")
        frames = page.frames
        page.settle()
        # With this profile, the room is 64 points.
        for kind in KINDS:
            self.assertGreaterEqual(min(frame[kind] for frame in frames), 63.5, kind)

    def test_a_local_client_sends_far_less(self):
        page = self.page
        begin = time.monotonic()
        page.press_slider()
        page.pull(0, FAR, steps=60)
        page.release_slider(FAR)
        for kind, name in ALL:
            page.until(lambda: "refreshing" in page.seen_states(kind, name), f"{kind} {name} refreshes")
        page.settle()
        page.until(lambda: page.figure("stream-sent") >= 5 * 60, "every sample of five lists")
        # A resting finger sends a sample every two seconds, so the limit depends on the elapsed time.
        signs = (time.monotonic() - begin) / 2
        self.assertLessEqual(page.figure("local-sent"), 5 * (8 + signs))
        self.assertLess(page.figure("local-bytes") * 3, page.figure("stream-bytes"))

    def test_reduced_motion_moves_nothing(self):
        page = self.page

        def busiest(kind):
            """Returns the largest number of positions that any layer of this kind has had."""
            return max(len(set(places)) for name, places in page.places().items() if name.startswith(kind))

        def moves():
            # If the page draws only a few frames during a refresh, few positions are shown, and the refresh is repeated.
            self.refresh_all()
            return all(busiest(kind) > 6 for kind in KINDS)

        page.until(moves, "movement, which reduced motion must prevent")

        page.browser.find_element("id", "motion").click()
        page.settle()
        page.watch()
        self.assertEqual(page.run("return document.documentElement.dataset.motion"), "reduced")
        self.refresh_all()
        for kind in KINDS:
            self.assertLessEqual(busiest(kind), 2, "a state may set another position, without movement")

    def refresh_all(self):
        page = self.page
        page.click("refresh")
        for kind, name in ALL:
            page.until(lambda: "refreshing" in page.seen_states(kind, name), f"{kind} {name} refreshes")
        page.settle()

    def test_the_system_setting_selects_reduced_motion(self):
        self.page.show(self.daemon.url, WIDE, motion="reduce")
        self.assertTrue(self.page.browser.find_element("id", "motion").is_selected())

    def test_another_profile_serves_all_lists(self):
        page = self.page
        options = page.run("return [...document.getElementById('profile').options].map((o) => o.value)")
        self.assertIn("mrefresh", options)
        page.run("""
            const select = document.getElementById("profile");
            select.value = "iqpulltorefresh";
            select.dispatchEvent(new Event("change"));""")
        page.settle()
        page.watch()
        page.press_slider()
        page.pull(0, FAR)
        # With this profile, a refresh begins only at the release.
        for kind, name in ALL:
            page.until(lambda: page.state(kind, name) == "eligible", f"{kind} {name} is eligible")
        page.release_slider(FAR)
        for kind, name in ALL:
            page.until(lambda: "refreshing" in page.seen_states(kind, name), f"{kind} {name} refreshes")
        page.settle()

    def test_controls_and_lists_have_names(self):
        unnamed = self.page.run("""
            return [...document.querySelectorAll("input, select, button, [role=region]")].filter((element) =>
              !(element.labels?.length || element.getAttribute("aria-label")
                || (element.localName === "button" && element.textContent.trim())))
              .map((element) => element.outerHTML);""")
        self.assertEqual(unnamed, [])

    def test_it_is_drawn_in_both_schemes_and_sizes(self):
        page = self.page
        for window_name, window in (("phone", PHONE), ("wide", WIDE)):
            for scheme in ("light", "dark"):
                with self.subTest(window=window_name, scheme=scheme):
                    name = f"gallery-{window_name}-{scheme}"
                    page.show(self.daemon.url, window, scheme)
                    self.assertEqual(page.run(
                        "const {scrollWidth, clientWidth} = document.documentElement;"
                        "return scrollWidth - clientWidth"), 0, "no element may be wider than the window")
                    page.screenshot(self.screenshots / f"{name}-rest.png")
                    page.press_slider()
                    page.pull(0, 120)
                    page.until(lambda: page.shift("stream", "compass") > 45, "the pull to be drawn")
                    page.screenshot(self.screenshots / f"{name}-pull.png")
                    page.pull(120, FAR)
                    page.until(lambda: "refreshing" in page.seen_states("local", "compass"), "a refresh")
                    page.release_slider(FAR)
                    page.screenshot(self.screenshots / f"{name}-refreshing.png")
                    page.settle()
