"""Keeps the item that the user reads in its place when a list changes. docs/protocol.md, Anchors, has the rules."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .protocol import Anchor, Size

if TYPE_CHECKING:
    from .view import View

Row = tuple[str, float]
"""The name of an item, and where the item begins, in points from the upper (left) end of the content."""


def index_in_sight(rows: Sequence[Row], length: float, offset: float) -> int | None:
    """Returns the index of the first item in sight; None if there is none. `length` is the length of the content."""
    ends = [position for _, position in rows[1:]] + [length]
    return next((index for index, end in enumerate(ends[:len(rows)]) if end > offset), None)


def anchors(before: Sequence[Row], after: Sequence[Row], index: int) -> tuple[Anchor, Anchor] | None:
    """Returns the positions of one item in two lists. The item is the one at the index in the first list, or its
    nearest neighbour that is in both lists. None if the lists have no item in common.
    """
    positions = dict(after)
    for place in sorted(range(len(before)), key=lambda place: abs(place - index)):
        name, position = before[place]
        if name in positions:
            return {"id": name, "position": position}, {"id": name, "position": positions[name]}
    return None


def laid_out(
    view: "View", before: Sequence[Row], after: Sequence[Row], index: int | None, content: Size,
) -> list[dict[str, Any]]:
    """Returns the messages that report a new list. The daemon then moves the list, so that the first item in sight
    stays where it is. `index` is the index of this item in the old list. If the list is at its start, no item is
    reported, so that the list shows the new items there.
    """
    geometry = {"type": "geometry", "view": view.name, "content": content}
    found = anchors(before, after, index) if index is not None and view.offset > 0 else None
    if not found:
        return [geometry]
    return [{"type": "geometry", "view": view.name, "anchor": found[0]}, geometry | {"anchor": found[1]}]
