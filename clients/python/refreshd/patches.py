"""Patches: a new list, stated by what differs from the list that the client shows.

Source: docs/protocol.md, "Patches".
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


def patched(old: list[Any], message: dict[str, Any], pointer: str | None) -> list[Any] | None:
    """Returns the list that the runs of a patch make from the old items; None if they do not fit.

    `pointer` is the place of the key in an item. Items that have not changed are the same objects as before.
    """
    if pointer is None:
        return None
    positions: dict[tuple[type, Any], int] = {}
    for position, item in enumerate(old):
        key = value_at(item, pointer)
        if isinstance(key, (str, int)):
            name = (type(key), key)  # True is not 1
            positions[name] = AMBIGUOUS if name in positions else position
    items: list[Any] = []
    for run in message["runs"]:
        if "items" in run:
            items += run["items"]
            continue
        key = run["from"]
        start = positions.get((type(key), key), AMBIGUOUS) if isinstance(key, (str, int)) else AMBIGUOUS
        if start == AMBIGUOUS or start + run["count"] > len(old):
            return None
        items += old[start:start + run["count"]]
    return items if len(items) == message["count"] else None
