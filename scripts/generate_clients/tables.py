"""Reads the tables of docs/protocol.md: profiles, features, faults, diagnostics, close codes and limits."""

import re

from generate_clients.contract import Close, Diagnostic, Fault, Feature, Limit, ProfileOption
from generate_clients.errors import ContractError

# By the beginning of the advice, what a client does after a close code.
ACTIONS = {
    "Nothing to do.": "end",
    "Do not reconnect": "stop",
    "Leave the session": "stop",
    "Reconnect at once": "reconnectAtOnce",
    "Reconnect with back-off": "reconnect",
    "Request no extension, then reconnect": "reconnect",
    "Check the certificate": "reconnect",
}
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def rows(page, marker):
    """Returns the rows of a generated table, without its head, as lists of cells."""
    found = re.search(rf"<!-- {marker}: .*?-->\n(.*?)<!-- /{marker} -->", page, re.S)
    if not found:
        raise ContractError(f"docs/protocol.md has no table {marker}")
    return table(found[1])


def table(text):
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("|---")][1:]


def plain(text):
    """Returns the text of a cell without its links."""
    return LINK.sub(r"\1", text)


def name_in(cell):
    return cell.strip("`")


def faults(page):
    return tuple(
        Fault(
            name_in(code), plain(message), concerns, temporary == "yes", int(closes) if closes else None, plain(advice))
        for code, message, concerns, temporary, closes, advice in rows(page, "faults"))


def diagnostics(page):
    return tuple(
        Diagnostic(name_in(code), plain(message), plain(advice)) for code, message, advice in rows(page, "diagnostics"))


def closes(page):
    own = [(code, meaning, advice, False) for code, meaning, advice in rows(page, "closes")]
    standard = [(row[0], row[1], row[-1], True) for row in rows(page, "standard-closes")]
    return tuple(
        Close(int(code), plain(meaning), plain(advice), action(advice), is_standard)
        for code, meaning, advice, is_standard in [*own, *standard])


def action(advice):
    for beginning, what in ACTIONS.items():
        if advice.startswith(beginning):
            return what
    raise ContractError(f"the reader does not know the advice of a close code: {advice}")


def limits(page, sent):
    return tuple(
        Limit(name_in(name), int(default), plain(doc), name_in(name) in sent)
        for name, default, doc in rows(page, "limits"))


def features(page):
    """Returns the features by name, from the first table of the section of this name."""
    section = re.search(r"^## Features\n(.*?)^##", page, re.S | re.M)
    if not section:
        raise ContractError("docs/protocol.md has no section Features")
    return tuple(
        Feature(CODE.fullmatch(name)[1], plain(doc))
        for name, doc in table(section[1]) if CODE.fullmatch(name))


def profiles(page):
    """Returns the names of the profiles, and their options in the order of the tables."""
    names, options = None, []
    for group in ("refresh", "loadMore", "view"):
        marker = f"{group} profiles"
        head = re.search(rf"<!-- {marker}: .*?-->\n\| option \|(.*?)\|\n", page)
        if not head:
            raise ContractError(f"docs/protocol.md has no table {marker}")
        found = tuple(CODE.findall(head[1]))
        if names not in (None, found):
            raise ContractError("the tables of profiles have different columns")
        names = found
        for name, *cells in rows(page, marker):
            options.append(ProfileOption(
                group, name_in(name), {one: value(cell) for one, cell in zip(names, cells, strict=True)}))
    return names, tuple(options)


def value(cell):
    """Returns the value of an option: `all but fling` is every intent but this one."""
    words = {"true": True, "false": False, "null": None}
    if cell in words:
        return words[cell]
    if re.fullmatch(r"-?\d+", cell):
        return int(cell)
    if re.fullmatch(r"-?\d+\.\d+", cell):
        return float(cell)
    intents = ("finger", "fling", "wheel", "key", "accessibility", "code", "retry")
    if cell == "all":
        return intents
    if cell.startswith("all but "):
        without = re.split(r",? and |, ", cell.removeprefix("all but "))
        return tuple(one for one in intents if one not in without)
    return cell


def meanings(page, returning):
    """Returns the meanings of the values of some enumerations, by the name of the enumeration.

    `page` is docs/protocol.md, and `returning` is docs/coming-back.md.
    """
    refresh = described(page, "| state | true in it | may become |")
    section = page.index("These are the states of an edge with the role `loadMore`")
    more = described(page[section:], "| state | true in it | may become |")
    scroll = described(page, "| phase | meaning |")
    return {
        "RefreshState": refresh, "LoadMoreState": more, "EdgeState": of_both_roles(refresh, more),
        "ScrollPhase": scroll, "PanPhase": scroll, "LoadPhase": load_phases(page),
        "FreshReason": described(returning, "| `reason` | why |")}


def described(page, head):
    """Returns the second column of a table by the name in the first."""
    start = page.find(head)
    if start < 0:
        raise ContractError(f"the documentation has no table {head}")
    return {name_in(row[0]): plain(row[1]) for row in table(page[start:].split("\n\n")[0])}


def of_both_roles(refresh, more):
    """Returns the meanings of the states of edges. A state of both roles has the meaning of each."""
    return {
        name: f"on a refresh edge: {refresh[name]}; on a load-more edge: {more[name]}"
        if name in refresh and name in more else refresh.get(name) or more[name] for name in {**refresh, **more}}


def load_phases(page):
    """Returns the first sentence about each phase of `loading`."""
    start = page.find("`phase` is one of these:")
    if start < 0:
        raise ContractError("docs/protocol.md has no list of the phases of a load")
    points = page[start:].split("\n\n")[1].split("\n- ")
    found = (re.match(r"(?:- )?`(\w+)`: (.*?)\.(?: |$)", " ".join(one.split())) for one in points)
    return {one[1]: plain(one[2]) for one in found if one}
