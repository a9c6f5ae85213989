"""What the options of views mean, as the tables of docs/protocol.md describe them."""

import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/protocol.md"
# By structure, the tables that describe its members: the title of the section, and the column of the meaning. The first
# table that has a member describes it.
TABLES = {
    "EdgeOptions": [("Options of a refresh edge", -1), ("Options of a load-more edge", -1)],
    "FloorOptions": [("The second floor", -1)],
    "Geometry": [("geometry", 1)],
}
# Meanings that no table has.
MORE = {
    "AttachBody": {
        **{edge: "options of this edge that differ from the profile's" for edge in (
            "top", "bottom", "leading", "trailing")},
        "haptics": "whether the daemon sends cues that the user feels",
        "announcements": "whether the daemon sends cues for a screen reader"},
    "EdgeOptions": {"indicator": "the name of the programme that `stream` and `local` clients draw"},
    "PanOptions": {"maximumPull": "the maximum distance of the list beyond an edge"},
    "Size": {"width": "the width", "height": "the height"},
    "Sides": {side: f"the {side} side" for side in ("top", "left", "bottom", "right")},
    "Bars": {
        "status": "the height of the status bar", "navigation": "the navigation bar", "search": "the search bar"},
    "NavigationBar": {"y": "the position of its upper side", "height": "the height"},
    "SearchBar": {"height": "the height", "active": "whether it is shown"},
    "Anchor": {"id": "the client's name for the item", "position": "where the item begins in the content"},
}
# What null means, by structure and member. In all other structures a member that is null gets its default.
NULLS = {
    "AttachBody": {edge: "the view does not have this edge" for edge in ("top", "bottom", "leading", "trailing")},
    "EdgeOptions": {
        "room": "as `length`", "zone": "the inset opens everywhere", "leadTime": "none", "floor": "there is none",
        "deadline": "as the limit `loadDeadlineMs`", "indicator": "none"},
    "PanOptions": {"maximumPull": "there is no maximum"},
}


def read():
    """Returns by structure and member the meaning as Markdown."""
    page = PAGE.read_text()
    texts = {structure: dict(members) for structure, members in MORE.items()}
    for structure, tables in TABLES.items():
        members = texts.setdefault(structure, {})
        for title, column in tables:
            for name, cells in rows(page, title).items():
                members.setdefault(name, cells[column])
    refresh, more = (set(rows(page, title)) for title, _ in TABLES["EdgeOptions"])
    for name, text in texts["EdgeOptions"].items():
        if name in refresh ^ more:
            role = "a refresh edge" if name in refresh else "a load-more edge"
            texts["EdgeOptions"][name] = f"{text} (only {role})"
    return texts


def rows(page, title):
    """Returns the rows of the tables below a title, by the names in their first cells, each as its cells."""
    below = re.split(rf"^#+ {re.escape(title)}$", page, maxsplit=1, flags=re.MULTILINE)[1]
    found = {}
    for line in re.split(r"^#", below, maxsplit=1, flags=re.MULTILINE)[0].splitlines():
        cells = [cell.strip(" |") for cell in line.split(" | ")]
        if line.startswith("| `") and len(cells) > 1:
            for name in re.findall(r"`(\w+)`", cells[0]):
                found.setdefault(name, cells)
    return found
