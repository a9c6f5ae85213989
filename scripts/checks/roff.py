"""Converts text, and tables of the documents in docs/, to the format of man(7)."""

import re


def escaped(text):
    """Escapes plain text for roff, so that no line becomes a macro, and dashes can be copied from the page."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha").replace("~", "\\(ti")
    text = text.replace("`", "\\(ga").replace('"', "\\(dq")
    return "\\&" + text if text[:1] in (".", "'") else text


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def italic(text):
    return f"\\fI{escaped(text)}\\fR"


def head(name, section, manual):
    return [
        '.\\" Made by scripts/manual: what is changed here is lost.',
        f'.TH {name.upper()} {section} "" "refreshd" "{manual}"',
        # Words are not hyphenated and lines are not stretched, so that commands appear exactly as typed.
        ".nh", ".ad l"]


def row(name, text):
    return row_raw(bold(name), escaped(text))


def row_raw(label, *texts):
    return [".TP", label, *texts]


def paragraphs(text, without=None):
    """Returns the paragraphs of a text, except those that begin with `without`."""
    lines = []
    for paragraph in text.split("\n\n"):
        if not paragraph or (without and paragraph.startswith(without)):
            continue
        if lines:
            lines.append(".PP")
        lines.append(escaped(" ".join(paragraph.split())))
    return lines


def example(text):
    return [".PP", ".RS 4", ".nf", *(escaped(line) for line in text.splitlines()), ".fi", ".RE"]


def sentence(text):
    """Capitalises the text, unless it begins with a literal word (`jwt: ...`), and adds a full stop."""
    text = re.sub("^ms ", "milliseconds ", text)
    first = text[:1] if re.match(r"\S+:", text) else text[:1].upper()
    return first + text[1:] + ("" if text.endswith(".") else ".")


def plain(markdown):
    """Removes Markdown formatting from a cell of a table."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    return text.replace("\\|", "|").replace("`", "").strip()


def table(page, heading, first):
    """Returns the rows of the table below this heading of a document. The first column of the table has the title `first`.
    The cells are returned as plain text.
    """
    section = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#|\Z)", page.read_text(), re.M | re.S)
    lines = section.group(1).splitlines() if section else []
    starts = [number for number, line in enumerate(lines) if line.startswith(f"| {first} |")]
    if not starts:
        raise SystemExit(f"{page} has no table of {first} below {heading}")
    rows = []
    for line in lines[starts[0] + 2:]:
        if not line.startswith("|"):
            break
        rows.append([plain(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return rows
