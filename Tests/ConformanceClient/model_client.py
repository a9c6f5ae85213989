#!/usr/bin/env python3
"""A client with edits and with access to any row: the driver of clients/python, to which these features are added.

The cases of the groups `edits` and `rows` are tested with it, and with the mistakes of wrong_client.py. It favours plain
code over speed: it computes the shown list anew each time.
"""
import asyncio
import os
import pathlib
import sys
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "clients/python"))

import conform  # noqa: E402
from refreshd.patches import LinkedItems, key_of, value_at  # noqa: E402

conform.ABILITIES += [ability for ability in ("edits", "rows") if ability not in conform.ABILITIES]
conform.ORDERS += tuple(order for order in ("edit", "undo") if order not in conform.ORDERS)
OPPOSITE = {"start": "end", "end": "start"}


class View(conform.View):
    """A list with edits that have no answer yet, and with rows in place of a sequence of items."""

    def __init__(self, *rest, **options):
        self.edits = {}  # by name, the messages `edit` without an answer, in the order in which they were made
        self.placed = None  # with random access: the item of each row, None for a placeholder
        self.first_position = 0  # the position of the first item, as the server counts
        self.has_rows = False
        self.must_repeat = False  # whether the edits must be sent again
        self.sent_edits = set()  # the names of those that were sent
        self.reported = None  # the rows in sight that were reported last
        super().__init__(*rest, **options)

    # What is shown

    @property
    def pending_edits(self):
        return list(self.edits)

    @property
    def items(self):
        base = self.listing.shown if self.placed is None else self.placed
        for message in self.edits.values():
            base = self.edited(base, message["operation"])
        return base

    @items.setter
    def items(self, items):
        self.listing.show(items)

    def edited(self, items, operation):
        """Returns the list to which an edit was applied; the same list if the edit does not fit."""
        if self.item_key is None:
            return items
        if self.options.get("reversed") and "at" in operation:
            operation = operation | {"at": OPPOSITE[operation["at"]]}
        if "insert" in operation and self.has_key(items, operation["insert"]):
            operation = {"update": operation["insert"]}
        linked = LinkedItems(items, self.item_key)
        return linked.listed() if linked.apply(operation) else items

    def has_key(self, items, new):
        wanted = key_of(value_at(new, self.item_key))
        return any(key_of(value_at(item, self.item_key)) == wanted for item in items)

    # What the server sends

    def handle(self, message, *rest):
        kind = message["type"]
        if kind == "edited":
            self.answered(message)
        elif kind == "items" and self.has_rows and "total" in message:
            self.end(message["load"])
            self.place(message)
        else:
            if kind == "items" and message["mode"] == "replace":
                self.placed = None
            super().handle(message, *rest)
        if kind == "attached":
            paging = message.get("paging", {})
            self.has_rows = paging.get("access") == "random"
            self.first_position = paging.get("first", 0) if paging.get("style") == "offset" else 0
            self.must_repeat = True
        if kind == "update" and "list" in message and self.placed is not None:
            self.resize_rows(message["list"]["count"])

    def answered(self, message):
        self.edits.pop(message["edit"], None)

    def place(self, message):
        """Puts the items of a page into their rows."""
        if message["mode"] == "replace":
            self.placed = [None] * message["total"]
        first = message["offset"] - self.first_position
        for row, item in enumerate(message["items"], first):
            if row < len(self.placed):
                self.placed = [*self.placed[:row], item, *self.placed[row + 1:]]

    def resize_rows(self, count):
        self.placed = (self.placed + [None] * count)[:count]

    # What the client sends

    def uses(self, feature):
        """Whether a feature is in use."""
        return feature in (self.session.features or []) and feature in (self.session.served or [])

    async def edit(self, operation, delay_ms=None):
        message = self.message("edit", edit=self.new_name(), operation=operation, delayMs=delay_ms)
        self.edits[message["edit"]] = message
        await self.send_edit(message)

    def new_name(self):
        return str(uuid.uuid4())

    async def send_edit(self, message):
        if self.session.socket and self.is_attached and self.uses("edits"):
            is_repeated = message["edit"] in self.sent_edits
            self.sent_edits.add(message["edit"])
            await self.session.send_once(message | {"repeated": True} if is_repeated else message)

    async def undo(self):
        """Undoes the edit that was made last."""
        await self.session.send_once(self.message("undo", edit=list(self.edits)[-1]))

    async def repeat_edits(self):
        if not self.must_repeat or not self.session.socket:
            return
        self.must_repeat = False
        for message in list(self.edits.values()):
            await self.send_edit(message)

    # The rows in sight

    def rows(self, items):
        return [(item and item["id"], index * self.item_length) for index, item in enumerate(items)]

    def rows_in_sight(self, *_):
        """The package is told of no rows: `with_rows` reports them."""

    def visible(self):
        """Returns the first and the last row in sight; None if there is none."""
        if not self.item_length or not self.placed:
            return None
        first = max(0, int(self.offset // self.item_length))
        end = self.offset + self.length("viewport")
        last = min(len(self.placed), int(-(-end // self.item_length))) - 1
        return {"first": first, "last": last} if first <= last else None

    def with_rows(self, message):
        """Returns a `scroll` or `geometry` with the rows in sight, if they must be reported."""
        rows = self.visible() if self.has_rows and self.uses("visibleRange") else None
        is_reported = message["type"] == "geometry" or message.get("phase") == "idle" or rows != self.reported
        if rows is None or not is_reported:
            return message
        self.reported = rows
        return message | {"visible": rows}


class Session(conform.Session):
    """A session with such views."""

    view_kind = View

    async def send(self, message):
        if message["type"] in ("scroll", "geometry") and message["view"] in self.views:
            message = self.views[message["view"]].with_rows(message)
        await super().send(message)

    async def send_together(self, *messages):
        last = messages[-1]
        if last["type"] == "geometry":
            last = self.views[last["view"]].with_rows(last)
        await super().send_together(*messages[:-1], last)

    async def send_edits(self, view):
        await view.repeat_edits()

    async def request_lists(self):
        await super().request_lists()
        for view in list(self.views.values()):
            await view.repeat_edits()


class Client(conform.Client):
    """A client with such a session."""

    session_kind = Session

    async def edit(self, view="list", operation=None, **order):
        await self.views[view].edit(operation, order.get("delayMs"))

    async def undo(self, view="list", **_):
        await self.views[view].undo()


if __name__ == "__main__":
    asyncio.run(conform.drive(os.environ["REFRESH_DRIVER"], Client, "model/1.0"))
