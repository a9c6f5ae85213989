"""The items of a view: those that the daemon has sent, and those that the app shows.

They differ if the app changes its list, between a query that clears the list and the daemon's answer, and by the edits
without an answer. A patch refers to the items that the daemon has sent. Source: docs/protocol.md, "Queries", "Patches",
"Live items" and "Edits".
"""

from typing import Any

from .edits import PendingEdits
from .patches import patched
from .rows import placed, resized


class Listing:
    """The lists of a view. They are different objects, so a change of one does not affect the other."""

    def __init__(self, is_reversed: bool = False) -> None:
        self.edits = PendingEdits(is_reversed)
        self.unedited: list[Any] = []  # what is shown without the edits
        self.edited: list[Any] | None = None  # with the edits; None: there is none
        self.received: list[Any] = []
        self.has_received = False  # whether a message of the daemon has set `received`
        self.clearing: list[int] = []  # the queries that clear the list, by `seq`, until the daemon has handled them
        self.before: list[Any] = []  # what is shown again if the daemon refuses them
        self.begin()

    def begin(self) -> None:
        """Forgets what belongs to the session. The items stay."""
        self.clearing = []
        self.awaits_list = False
        self.must_request_list = False

    @property
    def shown(self) -> list[Any]:
        """What the app shows."""
        return self.unedited if self.edited is None else self.edited

    @shown.setter
    def shown(self, items: list[Any]) -> None:
        self.unedited = items
        self.apply_edits()

    def apply_edits(self) -> None:
        """Applies the edits to the list, because the list or the edits have changed."""
        self.edited = self.edits.applied(self.unedited)

    def show(self, items: list[Any]) -> None:
        """Shows items of the app. Before the first message, these are the stored items of an earlier process."""
        self.shown = items
        if not self.has_received:
            self.received = list(items)

    def clear(self, seq: int) -> None:
        """Shows no items, because the query with this number begins a new list."""
        if not self.clearing:
            self.before = self.unedited
        self.clearing.append(seq)
        self.shown = []

    def give_back(self, seq: int) -> None:
        """Shows the items again, because the daemon has refused the query with this number."""
        if seq in self.clearing:
            self.clearing.remove(seq)
            if not self.clearing:
                self.shown = self.before

    def confirm(self, ack: int, count: int) -> None:
        """Applies the daemon's count of items after it has handled the message with this number."""
        if count == 0 and any(seq <= ack for seq in self.clearing):
            self.clearing = [seq for seq in self.clearing if seq > ack]
            self.received, self.before = [], []

    def settle(self, ack: int) -> None:
        """Shows the items again if the daemon has handled all queries up to this number, and the list has stayed."""
        for seq in [one for one in self.clearing if one <= ack]:
            self.give_back(seq)

    def resize(self, count: int) -> None:
        """Gives a list of rows another number of rows."""
        if len(self.received) != count:
            self.received = resized(self.received, count)
        if not self.clearing and len(self.unedited) != count:
            self.shown = resized(self.unedited, count)

    def receive(
        self, message: dict[str, Any], pointer: str | None, ack: int, first_row: int | None = None,
        count: int | None = None,
    ) -> None:
        """Applies the items of a message. If they cannot be applied, removes them from the message.

        After a patch, the message has all items of the list. `pointer` is the place of an item's key, and `ack` the
        last `seq` that the daemon has handled. In a list of rows, `first_row` is that of the first item, and `count` the
        number of rows.
        """
        mode = message["mode"]
        if self.awaits_list and mode != "replace":
            message.pop("items", None)
            return
        if mode == "patch":
            items = patched(self.received, message, pointer)
            if items is None:
                self.awaits_list = self.must_request_list = True
                message.pop("items", None)
                return
            message["items"] = items
        self.awaits_list = False
        page = list(message["items"])
        if first_row is not None:
            page = placed([] if mode == "replace" else self.received, page, first_row, count)
        is_whole = mode not in ("append", "prepend")
        self.received = page if is_whole else joined(self.received, page, mode)
        self.has_received = True
        if not self.clearing:
            self.shown = list(page) if is_whole else joined(self.unedited, page, mode)
        elif any(seq > ack for seq in self.clearing):  # the items belong to the list before the query
            self.before = list(page) if is_whole else joined(self.before, page, mode)
        else:
            self.clearing = []
            self.shown = list(self.received)

    def renumber(self, numbers: dict[int, int]) -> None:
        """Follows the queries that have got new numbers."""
        self.clearing = [numbers.get(seq, seq) for seq in self.clearing]


def joined(items: list[Any], page: list[Any], mode: str) -> list[Any]:
    """Returns a new list with a page behind the items, or before them."""
    return items + page if mode == "append" else page + items
