"""Tests the headers of sections that `<refresh-list>` draws."""

import pathlib
import tempfile
import unittest

from daemon import Daemon
from edits_backend import EditsBackend
from page import Page
from site_pages import Site

NAMES = ("Ada", "Alan", "Barbara", "Edsger", "Edith", "Grace")
CONFIG = """
demo: true
listen: ["127.0.0.1:0"]
feeds:
  contacts:
    backend: http
    url: "{url}?page={{page}}&size={{size}}"
    paging: page
    size: 20
    itemKey: /id
    sectionKey: /letter
    shared: true
    edits: {{ operations: [insert, remove], url: "{url}" }}
"""
# Replaces the list of the page by one of the contacts. Each header states the number of its contacts.
SHOW = """
const list = document.createElement("refresh-list");
list.setAttribute("feed", "contacts");
list.setAttribute("url", document.querySelector("refresh-list")?.getAttribute("url") ?? "/v1/session");
list.innerHTML = '<template><p style="margin: 0; padding: 12px 16px" data-field="name"></p></template>';
if (arguments[0]) list.renderSection = ({value, count}) => {
  const header = document.createElement("h2");
  header.textContent = `${value} (${count})`;
  return header;
};
document.body.replaceChildren(list);
"""


def contact(name):
    return {"id": name, "name": name, "letter": name[0]}


class SectionsPage(Page):
    rows = 1  # the test makes the list of the page, so nothing is awaited before

    def settle(self):
        """The page that is replaced need not settle."""

    def summary(self):
        return self.run("return document.body.innerText")


class SectionsTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    @classmethod
    def setUpClass(cls):
        cls.page = SectionsPage()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.backend = EditsBackend([contact(name) for name in NAMES])
        self.addCleanup(self.backend.close)
        config = pathlib.Path(folder.name) / "refreshd.yaml"
        config.write_text(CONFIG.format(url=self.backend.url))
        self.daemon = Daemon(self.executable, None, self.screenshots / "refreshd-sections.log", config)
        self.daemon.start()
        self.addCleanup(self.daemon.kill)
        site = Site(self.daemon.port)
        self.addCleanup(site.close)
        self.addCleanup(self.page.browser.get, "about:blank")
        self.page.show(f"{site.url}examples/log.html")

    @property
    def shown(self):
        return self.page.run("""
            return [...document.querySelectorAll("refresh-list > :not(template)")].map((one) => one.textContent);""")

    def await_shown(self, *texts):
        self.page.until(lambda: self.shown == list(texts), f"the list {texts}")

    def edit(self, operation):
        self.page.run("document.querySelector('refresh-list').edit(arguments[0])", operation)

    def test_each_section_has_a_header_that_follows_the_edits(self):
        self.page.run(SHOW, False)
        self.await_shown("A", "Ada", "Alan", "B", "Barbara", "E", "Edsger", "Edith", "G", "Grace")
        headers = "return [...document.querySelectorAll('[data-section]')].map((one) => one.getAttribute('role'))"
        self.assertEqual(self.page.run(headers), ["heading"] * 4)
        self.page.screenshot(self.screenshots / "sections.png")
        self.edit({"insert": contact("Anita"), "after": "Alan"})
        self.await_shown("A", "Ada", "Alan", "Anita", "B", "Barbara", "E", "Edsger", "Edith", "G", "Grace")
        self.edit({"remove": "Barbara"})
        self.edit({"insert": contact("Zoe"), "at": "end"})
        self.await_shown("A", "Ada", "Alan", "Anita", "E", "Edsger", "Edith", "G", "Grace", "Z", "Zoe")
        self.page.until(lambda: self.backend.keys == ["Ada", "Alan", "Anita", "Edsger", "Edith", "Grace", "Zoe"], "the backend")

    def test_the_page_can_make_the_headers(self):
        self.page.run(SHOW, True)
        self.await_shown("A (2)", "Ada", "Alan", "B (1)", "Barbara", "E (2)", "Edsger", "Edith", "G (1)", "Grace")
        self.edit({"insert": contact("Anita"), "after": "Alan"})
        self.await_shown("A (3)", "Ada", "Alan", "Anita", "B (1)", "Barbara", "E (2)", "Edsger", "Edith", "G (1)", "Grace")
