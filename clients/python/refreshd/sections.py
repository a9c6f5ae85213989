"""The sections of a list: runs of neighbouring items with equal values. Source: docs/protocol.md, "Sections"."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .patches import value_at


@dataclass(frozen=True)
class Section:
    """A run of neighbouring items with equal values."""

    value: str | float | bool | None
    """The value that names the section. A section with the value None has no header."""
    start: int
    """The position of its first item in the list; with random access, its row."""
    count: int
    """The number of its items that the list has."""


def sections_of(items: Sequence[Any], pointer: str) -> list[Section]:
    """Returns the sections of a list in order. `pointer` names the value of an item. Placeholders (None) have none."""
    sections: list[Section] = []
    for position, item in enumerate(items):
        if item is None:
            continue
        found = value_at(item, pointer)
        value = found if isinstance(found, str | int | float) else None  # a bool is an int
        last = sections[-1] if sections else None
        if last and last.start + last.count == position and _named(last.value) == _named(value):
            sections[-1] = Section(last.value, last.start, last.count + 1)
        else:
            sections.append(Section(value, position, 1))
    return sections


def _named(value: str | float | bool | None) -> tuple[bool, Any]:
    """Returns the value, so that `True` is not 1."""
    return isinstance(value, bool), value
