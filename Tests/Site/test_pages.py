"""The built pages: their links, and what they have of the Markdown."""

import posixpath
import unittest
from urllib.parse import unquote, urlsplit

import tree

# These elements come from the Markdown alone. The theme and docs/site add others to an article.
ELEMENTS = {
    "h1": "heading_open", "h2": "heading_open", "h3": "heading_open", "h4": "heading_open", "li": "list_item_open",
    "ul": "bullet_list_open", "ol": "ordered_list_open", "table": "table_open", "tr": "tr_open", "td": "td_open",
    "pre": "fence", "strong": "strong_open", "em": "em_open", "blockquote": "blockquote_open"}


def lost(pages, page):
    """Returns the addresses of a page that lead to no file or anchor of the site, or that request another host."""
    problems = []
    for address in page.links + page.requests:
        parts = urlsplit(address)
        if parts.scheme == "data" or (address in page.links and parts.scheme in ("http", "https", "mailto")):
            continue
        path = posixpath.normpath(posixpath.join(page.path.parent.as_posix(), unquote(parts.path)))
        target = path if parts.path else page.path.as_posix()
        if parts.scheme or parts.netloc:
            problems.append(f"{page.path}: requests {address}")
        elif parts.path.startswith("/") or not (tree.SITE / target).is_file():
            problems.append(f"{page.path}: {address} has no target")
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            problems.append(f"{page.path}: {address} has no anchor")
    return problems


def expected(source):
    """Returns the number of each element that GitHub shows for a file."""
    counts = dict.fromkeys(ELEMENTS, 0)

    def count(tokens):
        for token in tokens:
            if token.type in ("fence", "code_block"):
                counts["pre"] += 1
            elif ELEMENTS.get(token.tag) == token.type:
                counts[token.tag] += 1
            count(token.children or [])

    count(tree.markdown.parse(source.read_text()))
    return counts


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = {}
        for path in sorted(tree.SITE.rglob("*.html")):
            page = tree.Page(path)
            page.path = path.relative_to(tree.SITE)
            cls.pages[page.path.as_posix()] = page

    def test_every_link_and_anchor_has_a_target_and_nothing_is_requested_from_another_host(self):
        # 404.html is the only page with absolute addresses, because a server shows it at any address.
        problems = [
            problem for name, page in self.pages.items() if name != "404.html" for problem in lost(self.pages, page)]
        self.assertEqual(problems, [])
        self.assertGreater(sum(len(page.links) for page in self.pages.values()), 2000)

    def test_a_lost_target_a_lost_anchor_and_a_request_to_another_host_are_found(self):
        page = tree.Page(tree.SITE / "glossary.html")
        page.path = page.path.relative_to(tree.SITE)
        page.links = ["lost.html", "protocol.html#lost", "#lost", "https://example.org/", "protocol.html#states"]
        page.requests = ["https://example.org/font.woff2", "//example.org/a.js"]
        self.assertEqual([problem.split(": ")[1] for problem in lost(self.pages, page)], [
            "lost.html has no target", "protocol.html#lost has no anchor", "#lost has no anchor",
            "requests https://example.org/font.woff2", "requests //example.org/a.js"])

    def test_every_document_has_a_page(self):
        made = set(tree.sources().values())
        documents = {
            path for path in (tree.ROOT / "docs").rglob("*.md") if tree.ROOT / "docs/site" not in path.parents}
        self.assertEqual(sorted(documents - made), [])
        self.assertGreaterEqual(made, {tree.ROOT / "README.md", tree.ROOT / "CONTRIBUTING.md"})

    def test_every_page_has_the_headings_lists_tables_and_blocks_that_github_shows(self):
        for path, source in tree.sources().items():
            counts = self.pages[path.relative_to(tree.SITE).as_posix()].counts
            with self.subTest(page=str(source.relative_to(tree.ROOT))):
                wanted = expected(source)
                self.assertEqual({name: counts.get(name, 0) for name in wanted}, wanted)
