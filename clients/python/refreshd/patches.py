"""Patches: a new list, stated by what differs from the list that the client shows.

Source: docs/protocol.md, "Patches" and "Live items".
"""

from typing import Any

AMBIGUOUS = -1
"""The position of a key that several items have."""


def value_at(item: Any, pointer: str) -> Any:
    """Returns the part of an item at a JSON pointer (RFC 6901); None if there is none."""
    for name in pointer.split("/")[1:]:
        name = name.replace("~1", "/").replace("~0", "~")
        if isinstance(item, dict):
            item = item.get(name)
        elif isinstance(item, list) and name.isdecimal() and int(name) < len(item):
            item = item[int(name)]
        else:
            return None
    return item


Key = tuple[type, Any]
"""A key with its type, because `True` is not 1."""


def key_of(value: Any) -> Key | None:
    """Returns a string or an integer as a key; None if the value is neither."""
    return (type(value), value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def patched(old: list[Any], message: dict[str, Any], pointer: str | None) -> list[Any] | None:
    """Returns the list that a patch makes from the old items; None if it does not fit.

    `pointer` is the place of the key in an item. Items that have not changed are the same objects as before.
    """
    if pointer is None:
        return None
    if "operations" in message:
        items = operated(old, message["operations"], pointer)
    else:
        items = joined_runs(old, message["runs"], pointer)
    return items if items is not None and len(items) == message.get("count") else None


def joined_runs(old: list[Any], runs: list[dict[str, Any]], pointer: str) -> list[Any] | None:
    """Returns the items of the runs in order; None if a run does not fit."""
    positions: dict[Key, int] = {}
    for position, item in enumerate(old):
        if (key := key_of(value_at(item, pointer))) is not None:
            positions[key] = AMBIGUOUS if key in positions else position
    items: list[Any] = []
    for run in runs:
        if "items" in run:
            items += run["items"]
            continue
        name = key_of(run["from"])
        start = AMBIGUOUS if name is None else positions.get(name, AMBIGUOUS)
        if start == AMBIGUOUS or start + run["count"] > len(old):
            return None
        items += old[start:start + run["count"]]
    return items


def operated(old: list[Any], operations: Any, pointer: str) -> list[Any] | None:
    """Returns a copy of the items to which the operations were applied in order; None if one does not fit."""
    if not isinstance(operations, list):
        return None
    items = LinkedItems(old, pointer)
    return items.listed() if all(items.apply(operation) for operation in operations) else None


class Node:
    """An item of a linked list, with its neighbours."""

    __slots__ = ("item", "next", "previous")

    def __init__(self, item: Any) -> None:
        self.item = item
        self.previous = self.next = self

    def link(self, following: "Node") -> None:
        """Puts the node before another one."""
        self.previous, self.next = following.previous, following
        self.previous.next = following.previous = self

    def unlink(self) -> None:
        """Takes the node out of its list."""
        self.previous.next, self.next.previous = self.next, self.previous


class LinkedItems:
    """A copy of a list, in which an operation takes the same time however long the list is."""

    def __init__(self, items: list[Any], pointer: str) -> None:
        self.pointer = pointer
        self.ends = Node(None)  # its neighbours are the last node and the first one
        self.nodes: dict[Key, Node | None] = {}  # by key; None: several items have this key
        for item in items:
            node = Node(item)
            node.link(self.ends)
            if (key := key_of(value_at(item, pointer))) is not None:
                self.nodes[key] = None if key in self.nodes else node

    def listed(self) -> list[Any]:
        """Returns the items in order."""
        items: list[Any] = []
        node = self.ends.next
        while node is not self.ends:
            items.append(node.item)
            node = node.next
        return items

    def find(self, value: Any) -> Node | None:
        """Returns the only item with a key; None if there is none, or if there are several."""
        key = key_of(value)
        return None if key is None else self.nodes.get(key)

    def apply(self, operation: Any) -> bool:
        """Applies an operation. Returns whether it fits."""
        match only_member(operation, ("insert", "update", "remove", "move")):
            case "insert":
                return self.insert(operation)
            case "update":
                item = operation["update"]
                if (node := self.find(value_at(item, self.pointer))) is None:
                    return False
                node.item = item
            case "remove":
                if (node := self.find(operation["remove"])) is None:
                    return False
                self.nodes.pop((type(operation["remove"]), operation["remove"]))
                node.unlink()
            case "move":
                node, place = self.find(operation["move"]), self.place(operation)
                if node is None or place is None:
                    return False
                if node is not place:
                    node.unlink()
                    node.link(place)
            case _:
                return False
        return True

    def insert(self, operation: dict[str, Any]) -> bool:
        key, place = key_of(value_at(operation["insert"], self.pointer)), self.place(operation)
        if key is None or key in self.nodes or place is None:
            return False
        self.nodes[key] = node = Node(operation["insert"])
        node.link(place)
        return True

    def place(self, operation: dict[str, Any]) -> Node | None:
        """Returns the node before which an operation puts its item; None if its place does not exist."""
        match only_member(operation, ("at", "before", "after")):
            case "at" if operation["at"] == "start":
                return self.ends.next
            case "at" if operation["at"] == "end":
                return self.ends
            case "before":
                return self.find(operation["before"])
            case "after":
                node = self.find(operation["after"])
                return node and node.next
        return None


def only_member(operation: Any, names: tuple[str, ...]) -> str | None:
    """Returns the name of the only one of these members that an operation has; None if there is not exactly one."""
    found = [name for name in names if name in operation] if isinstance(operation, dict) else []
    return found[0] if len(found) == 1 else None
