"""The rows of a list with random access: those in sight, and the places of pages. docs/protocol.md, "What is in sight"."""

from typing import Any

from .protocol import VisibleRows

ROW_MAX = 2_147_483_647
PAGES_MAX = 65_535
"""The most pages that a list has."""

Sight = tuple[int, int]
"""The first and the last row in sight, counted from 0, the first item of the feed."""


def checked_sight(visible: Sight | None) -> Sight | None:
    """Returns the rows as a tuple. Raises TypeError unless they are two whole numbers, and ValueError out of their range."""
    if visible is None:
        return None
    if not isinstance(visible, tuple | list) or len(visible) != 2 or any(type(row) is not int for row in visible):
        raise TypeError(f"visible is the first and the last row in sight, such as (0, 17), not {visible!r}")
    first, last = visible
    if not 0 <= first <= last <= ROW_MAX:
        raise ValueError(f"visible has rows from 0 to {ROW_MAX}, the first one first, not {visible!r}")
    return first, last


class Rows:
    """The rows of one view. `sight` has those that the app has told last, `reported` those that were sent last."""

    def __init__(self, sight: Sight | None) -> None:
        self.sight = checked_sight(sight)
        self.reported: Sight | None = None
        self.must_report = False  # whether the view was attached, and the rows are to be sent again
        self.is_random = False
        self.paging: dict[str, Any] = {}

    def attach(self, paging: dict[str, Any]) -> None:
        """Applies what `attached` states. The daemon may not know the rows in sight any more."""
        self.must_report = self.sight is not None
        self.apply(paging)

    def apply(self, paging: dict[str, Any]) -> None:
        """Applies the paging options in force."""
        self.paging = dict(paging)
        self.is_random = paging.get("access") == "random"

    def configure(self, changes: dict[str, Any]) -> None:
        """Applies changed paging options. A new style begins at its own first page."""
        if changes.get("style", self.paging.get("style")) != self.paging.get("style"):
            self.paging.pop("first", None)
        self.apply(self.paging | changes)

    def due(self, visible: Sight | None, is_always: bool) -> VisibleRows | None:
        """Returns the rows in sight if a message must report them: they have changed, or it always does."""
        sight = checked_sight(visible) or self.sight
        if sight is None or (sight == self.reported and not is_always):
            return None
        return {"first": sight[0], "last": sight[1]}

    def note(self, visible: Sight | None, message: dict[str, Any]) -> None:
        """Records the rows in sight, and what a message reports of them."""
        self.sight = checked_sight(visible) or self.sight
        if "visible" in message:
            self.reported, self.must_report = self.sight, False

    def first_row(self, message: dict[str, Any]) -> int | None:
        """Returns the row of the first item of a message; None if the list is not one of rows."""
        if not self.is_random or "offset" not in message:
            return None
        if message["mode"] != "fill" and (message["mode"] != "replace" or "total" not in message):
            return None
        starts_at_one = self.paging.get("style") == "offset" and self.paging.get("first") == 1
        return int(message["offset"]) - starts_at_one

    def count(self, message: dict[str, Any]) -> int | None:
        """Returns the number of rows that a message states; None if it does not."""
        size = self.paging.get("size")
        total = message.get("total")
        return total if total is None or size is None else min(total, PAGES_MAX * size)


def resized(rows: list[Any], count: int) -> list[Any]:
    """Returns the rows with this number: without the last ones, or with placeholders behind them."""
    return rows[:count] + [None] * (count - len(rows))


def placed(rows: list[Any], page: list[Any], first: int, count: int | None) -> list[Any]:
    """Returns the rows with the items of a page in their places. `count` is the number of rows; None: it has not changed."""
    known = max(len(rows), first + len(page)) if count is None else count
    found = resized(rows, known)
    found[first:first + len(page)] = page[:max(0, known - first)]
    return found
