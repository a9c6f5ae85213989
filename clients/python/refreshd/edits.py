"""The edits of a view that the daemon has not answered, and what they make of its list.

Source: docs/protocol.md, "Edits" and "Undo".
"""

import copy
import json
import re
from dataclasses import dataclass, field
from typing import Any

from .errors import OutboxFull
from .patches import LinkedItems, key_of, only_member, value_at

KINDS = ("insert", "update", "remove", "move", "refresh")
PLACES = ("at", "before", "after")
ENDS = {"start": "end", "end": "start"}
NAME = re.compile(r"[A-Za-z0-9_-]{8,64}")
OPERATION_BYTES_MAX = 16_384
DELAY_MS_MAX = 60_000
UNANSWERED_MAX = 32
"""The most edits of a view that the daemon accepts before it has answered one. The others wait here."""
PENDING_MAX = 1000
"""The most edits of a view that are kept."""


@dataclass
class Edit:
    """One edit without an answer."""

    name: str
    operation: dict[str, Any]
    delay_ms: int | None = None
    is_sent: bool = False  # whether it was sent on any connection, so that the daemon may perform it
    is_undone: bool = False
    seq: int = 0  # of its message since the view was attached last; 0: it was not sent since
    is_undo_sent: bool = False  # since the view was attached last
    is_restored: bool = False  # whether it is one of another process, which may have sent it
    shown: dict[str, Any] = field(init=False)
    """A copy of the operation, whose item the app may change."""

    def __post_init__(self) -> None:
        self.shown = copy.deepcopy(self.operation)

    def message(self, view: str) -> dict[str, Any]:
        """Returns the message `edit`, without its number."""
        message: dict[str, Any] = {"type": "edit", "view": view, "edit": self.name, "operation": self.operation}
        if self.delay_ms is not None:
            message["delayMs"] = self.delay_ms
        if self.is_sent or self.is_restored:
            message["repeated"] = True
        return message

    def saved(self) -> dict[str, Any]:
        return {"edit": self.name, "operation": self.operation, "delayMs": self.delay_ms, "sent": self.is_sent,
                "undone": self.is_undone}


class PendingEdits:
    """The edits of a view without an answer, in the order in which they were made. They outlive the session."""

    def __init__(self, is_reversed: bool = False) -> None:
        self.is_reversed = is_reversed
        self.pending: list[Edit] = []
        self.pointer: str | None = None  # the place of an item's key, when the view was attached last
        self.accepted: list[str] | None = None  # the operations that the feed accepts; None: it is not known
        self.is_attached = False  # whether the daemon has attached the view on this connection

    def detach(self) -> None:
        """Begins a connection: the daemon has to attach the view before it gets the edits again."""
        self.is_attached = False

    def attach(self, pointer: str | None, accepted: list[str]) -> None:
        """Applies what `attached` states. All edits are to be sent again."""
        self.is_attached = True
        self.pointer, self.accepted = pointer, accepted
        for edit in self.pending:
            edit.seq, edit.is_undo_sent = 0, False

    def check(self, edit: Edit) -> None:
        """Raises ValueError for an edit that the daemon would refuse, and OutboxFull if too many wait."""
        if not NAME.fullmatch(edit.name):
            raise ValueError(f"the name of an edit has 8 to 64 letters, digits, - and _, not {edit.name!r}")
        if self.find(edit.name):
            raise ValueError(f"there is an edit {edit.name}")
        delay = edit.delay_ms
        if delay is not None and (isinstance(delay, bool) or not isinstance(delay, int) or not 0 <= delay <= DELAY_MS_MAX):
            raise ValueError(f"delay_ms is 0 to {DELAY_MS_MAX}, not {delay!r}")
        kind = check_operation(edit.operation, self.pointer)
        if self.accepted is not None and kind not in self.accepted:
            raise ValueError(f"the feed of this view does not accept {kind}; it accepts {', '.join(self.accepted) or 'no edits'}")
        if len(self.pending) >= PENDING_MAX:
            raise OutboxFull(f"{PENDING_MAX} edits wait for the daemon")

    def find(self, name: str) -> Edit | None:
        return next((edit for edit in self.pending if edit.name == name), None)

    def remove(self, name: str) -> bool:
        """Drops an edit. Returns whether there was one."""
        count = len(self.pending)
        self.pending = [edit for edit in self.pending if edit.name != name]
        return len(self.pending) < count

    def sent_as(self, seq: int) -> str | None:
        """Returns the edit whose message has this number; None if there is none."""
        return next((edit.name for edit in self.pending if edit.seq and edit.seq == seq), None)

    def due(self, view: str, seq: int) -> list[dict[str, Any]]:
        """Returns the messages that must be sent now, with numbers after `seq`."""
        messages: list[dict[str, Any]] = []
        count = sum(edit.seq > 0 for edit in self.pending)
        for edit in self.pending:
            if not edit.seq and count < UNANSWERED_MAX:
                count += 1
                edit.seq = seq + len(messages) + 1
                messages.append(edit.message(view) | {"seq": edit.seq})
                edit.is_sent = True
            if edit.seq and edit.is_undone and not edit.is_undo_sent:
                edit.is_undo_sent = True
                messages.append({"type": "undo", "view": view, "edit": edit.name, "seq": seq + len(messages) + 1})
        return messages

    def applied(self, items: list[Any]) -> list[Any] | None:
        """Returns the list with all edits that fit it; None if there is no edit."""
        if not self.pending or self.pointer is None:
            return None
        linked = LinkedItems(items, self.pointer)
        for edit in self.pending:
            linked.apply(self.fitted(edit.shown, linked))
        return linked.listed()

    def fitted(self, operation: dict[str, Any], items: LinkedItems) -> dict[str, Any]:
        """Returns the operation on the array of the items. An item that the list has is updated, not inserted."""
        if "insert" in operation and items.find(value_at(operation["insert"], items.pointer)):
            return {"update": operation["insert"]}
        if self.is_reversed and "at" in operation:
            return operation | {"at": ENDS[operation["at"]]}
        return operation

    # For another process

    def saved(self) -> dict[str, Any]:
        return {"itemKey": self.pointer, "accepted": self.accepted, "edits": [edit.saved() for edit in self.pending]}

    def restore(self, saved: dict[str, Any]) -> None:
        self.pointer, self.accepted = saved["itemKey"], saved["accepted"]
        self.pending = [
            Edit(one["edit"], one["operation"], one["delayMs"], one["sent"], one["undone"], is_restored=True)
            for one in saved["edits"]]


def check_operation(operation: Any, pointer: str | None) -> str:
    """Returns the kind of an operation. Raises ValueError if its form or its size is wrong, or if it has no key."""
    kind = only_member(operation, KINDS)
    if kind is None:
        raise ValueError(f"an operation is an object with one of {', '.join(KINDS)}, not {operation!r}")
    size = len(json.dumps(operation, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode())
    if size > OPERATION_BYTES_MAX:
        raise ValueError(f"the operation has {size} bytes, and the daemon accepts {OPERATION_BYTES_MAX}")
    has_place = any(name in operation for name in PLACES)
    if has_place != (kind in ("insert", "move")) or (has_place and only_member(operation, PLACES) is None):
        raise ValueError(f"insert and move have one of {', '.join(PLACES)}, and the others have none: {operation!r}")
    if operation.get("at", "start") not in ("start", "end"):
        raise ValueError(f"at is 'start' or 'end', not {operation['at']!r}")
    keys = {name: operation[name] for name in ("remove", "move", "refresh", "before", "after") if name in operation}
    if kind in ("insert", "update"):
        if not isinstance(operation[kind], dict | list):
            raise ValueError(f"the item of an operation is an object, not {operation[kind]!r}")
        if pointer is not None:
            keys["the item"] = value_at(operation[kind], pointer)
    for name, key in keys.items():
        if key_of(key) is None:
            raise ValueError(f"{name} has no key{f' at {pointer}' if name == 'the item' else ''}: a string or an integer, not {key!r}")
    return kind
