"""Gives headings the anchors that GitHub gives them, and resolves the links and pictures of the pages."""

import pathlib
import posixpath
import re
import xml.etree.ElementTree as etree
from urllib.parse import unquote, urlsplit

from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The length in characters of code that is not divided at the end of a line. On a phone it has less than half a line.
SHORT = 20


class Current:
    """The page that is being rendered. MkDocs renders one page after another."""

    page = None
    files = None
    anchors: dict[str, int] = {}


def begin(page, files):
    """Sets the page that is rendered next."""
    Current.page, Current.files, Current.anchors = page, files, {}


def slug(title, separator):
    """Returns the anchor of a heading: letters, digits, `-` and `_` in lower case, and a hyphen for each space. A
    repeated anchor gets a number.
    """
    anchor = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", separator)
    count = Current.anchors.get(anchor, 0)
    Current.anchors[anchor] = count + 1
    return f"{anchor}-{count}" if count else anchor


class GitHubMarkdown(Extension):
    """Adds what this module has to an instance of Python-Markdown."""

    def extendMarkdown(self, md):
        # MkDocs resolves links with the priority 0.
        md.treeprocessors.register(TreeLinks(md), "tree_links", 2)


class TreeLinks(Treeprocessor):
    """Resolves links and images by the paths of the tree.

    - A link to a page or file of the site gets its path in the site.
    - A link to another file of the tree becomes the name of this file. The site has no copy of the source code.
    - A link that has no target remains, so that MkDocs reports it.
    - A picture NAME.svg with a sibling NAME.dark.svg is replaced by both. The theme shows one of them.
    """

    def run(self, root):
        for code in root.iter("code"):
            if len("".join(code.itertext())) <= SHORT:
                code.set("class", "short")
        for parent in list(root.iter()):
            for index, element in reversed(list(enumerate(parent))):
                if element.tag == "a":
                    self.resolve_link(element)
                elif element.tag == "img":
                    self.resolve_picture(parent, index, element)

    def resolve_link(self, link):
        parts = urlsplit(link.get("href", ""))
        if parts.scheme or parts.netloc or not parts.path:
            return
        path = tree_path(unquote(parts.path))
        uri = site_uri(path)
        if uri is not None:
            link.set("href", from_page(uri) + (f"#{parts.fragment}" if parts.fragment else ""))
        elif (ROOT / path).exists():
            name_file(link, path)

    def resolve_picture(self, parent, index, picture):
        uri = site_uri(tree_path(unquote(picture.get("src", ""))))
        if parent.tag == "p":
            parent.set("class", "picture")
        if uri is None:
            return
        picture.set("src", from_page(uri))
        dark = re.sub(r"\.svg$", ".dark.svg", uri)
        if dark != uri and Current.files.get_file_from_path(dark):
            other = etree.Element("img", dict(picture.attrib, src=from_page(dark) + "#only-dark"))
            other.tail, picture.tail = picture.tail, None
            picture.set("src", from_page(uri) + "#only-light")
            parent.insert(index + 1, other)


def tree_path(path):
    """Returns the path in the tree to which a relative path on the current page leads."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source()), path))


def source():
    """Returns the path in the tree of the current page."""
    file = Current.page.file
    return file.src_uri if file.generated_by else f"docs/{file.src_uri}"


def site_uri(path):
    """Returns the path in the site of a file or folder of the tree, or None if the site does not have it."""
    uri = path.removeprefix("docs/")
    for candidate in (uri, f"{uri}/README.md"):
        if Current.files.get_file_from_path(candidate):
            return candidate
    return None


def from_page(uri):
    """Returns the relative path from the current page to a path of the site."""
    return posixpath.relpath(uri, posixpath.dirname(Current.page.file.src_uri) or ".")


def name_file(link, path):
    """Replaces a link by the name of the file to which it leads. The whole path is shown beside the pointer."""
    text, tail = "".join(link.itertext()).rstrip("/"), link.tail
    link.attrib.clear()
    link.set("title", path)
    link.tail = tail
    if path.endswith(text):
        link.tag = "span" if len(link) else "code"
        return
    link.tag = "span"
    if text == posixpath.splitext(posixpath.basename(path))[0]:
        return
    name = etree.SubElement(link, "code")
    name.text, name.tail = path, ")"
    if len(link) > 1:
        link[-2].tail = f"{link[-2].tail or ''} ("
    else:
        link.text = f"{link.text or ''} ("
