"""Rewrites Markdown so that Python-Markdown, which MkDocs uses, finds the blocks that GitHub finds.

The pages follow CommonMark with GitHub's tables. Python-Markdown expects four spaces for each level of a list, a blank
line before a list or a table, and `|` without a backslash in the code of a table. markdown-it-py finds the blocks.
"""

import re

from markdown_it import MarkdownIt

INDENT = "    "
ITEM = re.compile(r" *([-+*]|\d{1,9}[.)])( *)")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")

parser = MarkdownIt("gfm-like", {"linkify": False})


def rewritten(text):
    """Returns a page with other blank lines, indentations and escapes."""
    lines = text.split("\n")
    blocks = Blocks(lines, parser.parse(text))
    result = []
    for number, line in enumerate(lines):
        items = blocks.items[number]
        if number in blocks.gaps and result and result[-1].strip() and not is_continued(items, number, blocks):
            result.append("")
        if number in blocks.tables:
            line = CODE.sub(lambda code: code[0].replace("\\|", "|"), line)
        result.append(indented(line, number, items))
    return "\n".join(result)


class Blocks:
    """Where the lists and tables of a page are."""

    def __init__(self, lines, tokens):
        self.items = [[] for _ in lines]  # for each line, the items that contain it, from the outermost one
        self.gaps = set()  # the first lines of blocks that need a blank line before them
        self.tables = set()
        self.separated = set()  # the first lines of items that need a blank line before them
        parents, previous = [], []
        for token in tokens:
            if token.type in ("bullet_list_open", "ordered_list_open"):
                previous.append(None)
                if not parents:
                    self.gaps.add(token.map[0])
            elif token.type in ("bullet_list_close", "ordered_list_close"):
                previous.pop()
            elif token.type == "list_item_open":
                first, end = token.map
                # An item with several blocks ends with a blank line.
                if previous[-1] and not all(line.strip() for line in lines[slice(*previous[-1])]):
                    self.gaps.add(first)
                    self.separated.add(first)
                previous[-1] = token.map
                parents.append(item(lines[first], first, parents))
                for number in range(first, end):
                    self.items[number].append(parents[-1])
            elif token.type == "list_item_close":
                parents.pop()
            elif token.type in ("table_open", "fence"):
                self.gaps.add(token.map[0])
                if token.type == "table_open":
                    self.tables.update(range(*token.map))


def is_continued(items, number, blocks):
    """Whether a block begins on the first line of an item, so that no blank line can stand before it."""
    return bool(items) and items[-1][0] == number and len(items) > 1 and number not in blocks.separated


def item(line, number, parents):
    """Returns the line of an item's mark, the column of its content, and the mark."""
    found = ITEM.match(line, parents[-1][1] if parents else 0)
    spaces = len(found[2])
    return number, found.end(1) + (spaces if 1 <= spaces <= 4 else 1), found[1]


def indented(line, number, items):
    """Returns a line with four spaces for each item around it."""
    if not items or not line.strip():
        return line
    begun = [entry for entry in items if entry[0] == number]
    column = items[-1][1]
    content = line[column:] if begun or not line[:column].strip() else line.lstrip()
    if not begun:
        return INDENT * len(items) + content
    return INDENT * (len(items) - len(begun)) + "".join(f"{mark:<3} " for _, _, mark in begun) + content
