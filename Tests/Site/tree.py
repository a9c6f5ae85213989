"""The Markdown of the tree, and the pages of the built site."""

import dataclasses
import html.parser
import pathlib
import sys

from markdown_it import MarkdownIt

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / ".build/site"
sys.path.insert(0, str(ROOT / "docs/site"))

markdown = MarkdownIt("gfm-like", {"linkify": False})


@dataclasses.dataclass
class Block:
    """A fenced block of code."""

    place: str
    language: str
    text: str


def sources():
    """Returns each page of the site with the Markdown from which it is made."""
    pages = {}
    for page in sorted(SITE.rglob("*.html")):
        name = page.relative_to(SITE).with_suffix("").as_posix()
        names = [f"docs/{name}.md", f"{name}.md"]
        if page.name == "index.html":
            folder = page.relative_to(SITE).parent.as_posix()
            names = [f"docs/{folder}/README.md", f"{folder}/README.md"]
        source = next((ROOT / path for path in names if (ROOT / path).is_file()), None)
        if source:
            pages[page] = source
    return pages


def blocks():
    """Returns the fenced blocks of all pages."""
    return [
        Block(f"{source.relative_to(ROOT)}:{token.map[0] + 1}", token.info.strip(), token.content)
        for source in sources().values()
        for token in markdown.parse(source.read_text())
        if token.type == "fence"]


class Page(html.parser.HTMLParser):
    """A page of the built site: its anchors, the addresses in it, and the number of each element in its article."""

    VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
    # The attributes with an address. A browser requests the address of all but `a` without an action of the reader.
    ADDRESSES = {
        "a": "href", "audio": "src", "embed": "src", "form": "action", "iframe": "src", "img": "src", "input": "src",
        "link": "href", "object": "data", "script": "src", "source": "src", "video": "src"}

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.anchors = set()
        self.links = []
        self.requests = []
        self.counts = {}
        self.open = []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if "id" in attributes:
            self.anchors.add(attributes["id"])
        address = attributes.get(self.ADDRESSES.get(tag))
        if address is not None:
            (self.links if tag == "a" else self.requests).append(address)
        # Diagrams are blocks of code in the Markdown. The theme adds elements to the article, and they have classes.
        if "article" in self.open and "svg" not in self.open:
            shown = "pre" if attributes.get("class") == "diagram" else tag
            self.counts[shown] = self.counts.get(shown, 0) + 1
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while tag in self.open and self.open.pop() != tag:
            pass
