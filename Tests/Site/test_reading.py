"""The site in Chromium: on a phone and on a desktop, light and dark, its search, and every request that it makes."""

import json
import pathlib
import unittest

import reader
import tree

# What a page shows after it has loaded.
LOOK = """
const images = [...document.querySelectorAll("article img")];
return {
  width: document.documentElement.scrollWidth, window: window.innerWidth,
  lost: images.filter((image) => !image.naturalWidth).map((image) => image.src),
};
"""
COLOURS = """
const {backgroundColor, color} = getComputedStyle(document.body);
const brightness = (text) => text.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
return {scheme: document.body.dataset.mdColorScheme, ground: brightness(backgroundColor), ink: brightness(color)};
"""
SWITCH = "document.querySelector('label[for^=__palette]:not([hidden])').click()"
PICTURES = """
return [...document.querySelectorAll("article .picture img")]
  .filter((image) => image.checkVisibility()).map((image) => new URL(image.src).pathname);
"""
# How far a finger can scroll each of the tables, blocks, diagrams and pictures that are wider than the screen.
WIDE = """
return [...document.querySelectorAll(".md-typeset__scrollwrap, pre > code, .diagram, .picture")]
  .filter((element) => element.scrollWidth > element.clientWidth + 1)
  .map((element) => { element.scrollLeft = 1e6; return element.scrollLeft; });
"""
INDEX = "/search/search_index.json"
PLANTED = "/planted.html"
OTHER_HOST = "http://another-host.invalid/picture.png"


class ReadingTest(unittest.TestCase):
    out: pathlib.Path  # set by __main__

    @classmethod
    def setUpClass(cls):
        """Reads every page once, and then does what the tests judge."""
        cls.pages = [path.relative_to(tree.SITE).as_posix() for path in sorted(tree.SITE.rglob("*.html"))]
        page = f'<!DOCTYPE html><title>planted</title><body><img src="{OTHER_HOST}">'.encode()
        # While all pages are read, the index of the search is short. For the whole one, Chromium takes longer than for
        # all else.
        index = json.loads((tree.SITE / INDEX[1:]).read_text())
        cls.planted = {PLANTED: page, INDEX: json.dumps(index | {"docs": index["docs"][:1]}).encode()}
        with reader.served(tree.SITE, cls.planted) as cls.origin:
            cls.reader = reader.Reader(cls.out / "net-log.json")
            try:
                cls.read()
                cls.errors = [entry["message"] for entry in cls.reader.browser.get_log("browser")]
                cls.reader.show(f"{cls.origin}{PLANTED}")
                cls.reader.until(lambda: cls.reader.run("return document.images[0].complete"), "the planted picture")
            finally:
                cls.requests = cls.reader.close()

    @classmethod
    def read(cls):
        cls.reader.window(reader.PHONE)
        cls.looks, cls.wide = {}, []
        for page in cls.pages:
            cls.show(page)
            cls.looks[page] = cls.reader.run(LOOK)
            cls.wide += cls.reader.run(WIDE)
        del cls.planted[INDEX]
        cls.phone_found = cls.search("phone")
        cls.reader.window(reader.DESKTOP)
        cls.desktop_found = cls.search("desktop")
        cls.switch()
        cls.pictures = {}
        for scheme in ("light", "dark"):
            cls.reader.window(reader.DESKTOP, scheme)
            cls.show("refresh-probe.html")
            cls.pictures[scheme] = cls.reader.run(PICTURES)
            cls.reader.run("document.querySelector('.picture').scrollIntoView()")
            cls.reader.screenshot(cls.out / f"picture-{scheme}.png")

    @classmethod
    def show(cls, page):
        cls.reader.show(f"{cls.origin}/{page}")
        cls.reader.until(
            lambda: cls.reader.run("return document.readyState === 'complete'"), f"{page} with its pictures")

    @classmethod
    def search(cls, name):
        """Searches as a reader does, and follows the result that is a term of the glossary. Returns all results and the
        address of the page to which this result leads.
        """
        cls.show("index.html")
        if name == "phone":
            cls.reader.browser.find_element("css selector", "label.md-header__button[for=__search]").click()
        field = cls.reader.browser.find_element("css selector", ".md-search__input")
        cls.reader.until(field.is_displayed, "the search field")
        field.click()
        field.send_keys("resting offset")
        term = "link.href.endsWith('#resting-offset')"
        links = "[...document.querySelectorAll('.md-search-result__item a')]"
        cls.reader.until(lambda: cls.reader.run(f"return {links}.some((link) => {term})"), "the term among the results")
        found = cls.reader.run(f"return {links}.map((link) => link.href)")
        cls.reader.screenshot(cls.out / f"search-{name}.png")
        cls.reader.run(f"{links}.find((link) => {term}).click()")
        cls.reader.until(lambda: "glossary.html" in cls.reader.browser.current_url, "the page of the result")
        return found, cls.reader.browser.current_url

    @classmethod
    def switch(cls):
        """Follows the system, chooses each theme, and reads another page with it."""
        cls.colours = {}
        for scheme in ("light", "dark"):
            cls.reader.window(reader.DESKTOP, scheme)
            cls.show("index.html")
            cls.colours[f"system {scheme}"] = cls.reader.run(COLOURS)
            cls.reader.screenshot(cls.out / f"home-{scheme}.png")
        for name in ("chosen light", "chosen dark"):
            cls.reader.run(SWITCH)
            cls.colours[name] = cls.reader.run(COLOURS)
        cls.reader.window(reader.DESKTOP, "light")
        cls.show("protocol.html")
        cls.colours["chosen dark, next page"] = cls.reader.run(COLOURS)
        cls.reader.run(SWITCH)
        cls.colours["system light again"] = cls.reader.run(COLOURS)

    def test_no_page_asks_another_host(self):
        asked = [(url, by) for url, by in self.requests if by != "not an origin" and url != OTHER_HOST]
        self.assertGreater(len(asked), len(self.pages))
        self.assertEqual([entry for entry in asked if not entry[0].startswith((f"{self.origin}/", "data:"))], [])

    def test_a_request_to_another_host_is_found(self):
        self.assertIn((OTHER_HOST, self.origin), self.requests)

    def test_no_page_reports_an_error(self):
        self.assertEqual(self.errors, [])

    def test_on_a_phone_no_page_is_wider_than_the_screen(self):
        self.assertEqual({
            page: look["width"] for page, look in self.looks.items() if look["width"] > reader.PHONE["width"]}, {})
        self.assertEqual({look["window"] for look in self.looks.values()}, {reader.PHONE["width"]})
        self.assertGreater(len(self.looks), 50)

    def test_on_a_phone_wide_tables_blocks_and_pictures_scroll_by_themselves(self):
        self.assertGreater(len(self.wide), 50)
        self.assertEqual([distance for distance in self.wide if distance <= 0], [])

    def test_every_picture_is_shown(self):
        self.assertEqual({page: look["lost"] for page, look in self.looks.items() if look["lost"]}, {})

    def test_the_search_finds_a_term_and_leads_to_its_section_on_a_phone_and_on_a_desktop(self):
        for found, address in (self.phone_found, self.desktop_found):
            self.assertTrue(any("protocol.html" in link for link in found), found)
            self.assertRegex(address, r"/glossary\.html.*#resting-offset$")

    def test_the_theme_follows_the_system_until_the_reader_chooses_one(self):
        schemes = {name: look["scheme"] for name, look in self.colours.items()}
        self.assertEqual(schemes, {
            "system light": "default", "system dark": "slate", "chosen light": "default", "chosen dark": "slate",
            "chosen dark, next page": "slate", "system light again": "default"})
        for name, look in self.colours.items():
            dark = look["scheme"] == "slate"
            self.assertEqual(look["ground"] < 40, dark, name)
            self.assertEqual(look["ink"] > 200, dark, name)

    def test_each_theme_shows_its_own_pictures_of_sessions(self):
        self.assertEqual(len(self.pictures["light"]), 3)
        self.assertEqual(
            [path.replace(".svg", ".dark.svg") for path in self.pictures["light"]], self.pictures["dark"])
