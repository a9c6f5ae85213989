"""A view: one scrolling list of a session, with what the daemon has decided about it, and its requests."""

import copy
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast

from .anchors import Row, index_in_sight, laid_out
from .checking import check_geometry, check_options, check_value
from .edits import Edit
from .listing import Listing
from .protocol import (
    AttachBody, Edge, EdgeOptions, EdgeState, EditKind, EditOperation, FloorUpdate, Geometry, IntentCause, LoadResult,
    PagingOptions, PanOptions, PanPhase, ScrollPhase, ShownItems, Size)
from .rows import Rows, Sight
from .sections import Section, sections_of

if TYPE_CHECKING:
    from .session import Session

EDGES: dict[str, tuple[Edge, Edge]] = {"vertical": ("top", "bottom"), "horizontal": ("leading", "trailing")}
ENDED = ("failed", "cancelled", "timedOut")
NOT_ARRIVED = ("unknownView", "staleGeneration", "staleSequence")
"""The faults after which the daemon does not know the edit."""


def merged(edge: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Returns the state of an edge with a change applied. A new state removes `cause`, `result` and `progress`."""
    lapsed = ("cause", "result", "progress") if "state" in change else ()
    kept = {name: value for name, value in edge.items() if name not in lapsed}
    for name in ("indicator", "frame"):
        if isinstance(change.get(name), dict) and isinstance(kept.get(name), dict):
            change = change | {name: combined(kept[name], change[name])}
    return kept | change


def combined(before: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Returns an object with its changed members, also in the objects within it (the layers of a frame)."""
    return before | {
        name: before[name] | value if isinstance(value, dict) and isinstance(before.get(name), dict) else value
        for name, value in change.items()}


def geometry_with(before: Any, change: Any) -> Any:
    """Returns sizes with a change applied. Objects merge by member, and null gives a member its default.

    Source: docs/protocol.md, geometry.
    """
    if not isinstance(change, dict):
        return change
    kept = dict(before) if isinstance(before, dict) else {}
    for name, value in change.items():
        if value is None:
            kept.pop(name, None)
        else:
            kept[name] = geometry_with(kept.get(name), value)
    return kept


class View:
    """One list. The attributes are what a client shows; the methods report what the user and the program do.

    A view is made by `Session.attach`. The session applies each message of the daemon before it yields the event of
    this message. All offsets, lengths and positions are points along the axis of the view.
    """

    def __init__(
        self, session: "Session", name: str, options: AttachBody, *, requests_items: bool = False,
        visible: Sight | None = None,
    ) -> None:
        self.session = session
        self.name = name
        self.options = options
        """The body of `attach`, without the members that change: geometry, offset and parameters."""
        self.parameters = self.options.pop("parameters", None)
        """The parameters of the feed, by name."""
        self.geometry: Geometry = self.options.pop("geometry", {})
        """The sizes that were reported last."""
        self.requests_items = requests_items
        """Whether the first page is requested in each new session."""
        self.offset: float = self.options.pop("offset", 0)
        """Where the list is. `scroll` and the `offset` commands of the daemon change it."""
        self.listing = Listing(bool(self.options.get("reversed")))
        self.access = Rows(visible)
        self.attach_seq = 0  # the `seq` of the view's `attach`; 0: `hello` describes the view
        self.began = 0  # the `seq` of the last movement's first sample
        self.cause: IntentCause | None = None  # of the running movement; None: the list rests
        self.begin()

    def begin(self) -> None:
        """Resets the whole display except the items, which stay until new items arrive."""
        self.is_attached = False
        """Whether the daemon has attached the view in this session."""
        self.generation: int | None = None
        self.item_key: str | None = None
        """With the feature `patch`: the JSON pointer to the key of an item, if the feed has keys."""
        self.section_key: str | None = None
        """The JSON pointer to the value that names the section of an item, if the feed has sections."""
        self.listing.begin()
        self.access.reported = None
        self.edges: dict[str, dict[str, Any]] = {}
        """By edge, all options in force, and `state`, `progress`, `cause`, `result` and `indicator`."""
        self.inset: dict[str, float] = dict.fromkeys(EDGES[self.options.get("axis", "vertical")], 0)
        """By edge, the daemon's share of the inset."""
        self.loads: list[str] = []
        """The identifiers of the running loads."""
        self.floor: FloorUpdate = {"state": "closed"}
        """The second floor."""
        self.is_newer = False
        """Whether the feed has newer data."""
        self.newer_count: int | None = None
        """With the feature `unread`: the number of newer items, if it is known."""
        self.is_away = False
        """With the feature `unread`: whether the newest end of the list is out of sight."""
        self.read_mark: str | None = None
        """With the feature `unread`: the item up to which the user has read the list."""
        self.has_more = False
        """Whether the daemon knows of more items."""
        self.last_updated: float | None = None
        """The daemon's time of the last successful refresh, in ms."""

    @property
    def items(self) -> list[Any]:
        """All items that were received, in the order in which they are shown, with the edits that have no answer yet.

        With random access, the list has all rows of the feed: None for each row whose item has not arrived.

        The list belongs to the app: a change of the list does not affect the patches of the daemon.
        """
        return self.listing.shown

    @items.setter
    def items(self, items: list[Any]) -> None:
        self.listing.show(items)

    @property
    def sections(self) -> list[Section]:
        """The sections of `items` in order; none if the feed has no sections. Each call reads all items."""
        return [] if self.section_key is None else sections_of(self.items, self.section_key)

    @property
    def received(self) -> list[Any]:
        """A copy of the items as the daemon has sent them, without edits: what a program stores for its next process."""
        return list(self.listing.received)

    @property
    def is_random(self) -> bool:
        """Whether the list has random access, so that `items` has all rows of the feed."""
        return self.access.is_random

    @property
    def accepted_edits(self) -> list[EditKind]:
        """The edits that the feed accepts; none before the view is attached."""
        return cast(list[EditKind], list(self.listing.edits.accepted or ()))

    @property
    def pending_edits(self) -> list[str]:
        """The names of the edits that have no answer yet, in the order in which they were made."""
        return [edit.name for edit in self.listing.edits.pending]

    @property
    def kind(self) -> list[Any]:
        """The options by which a view of a saved session is known again."""
        return [self.options.get(name) for name in ("profile", "feed", "axis", "reversed")]

    def body(self) -> dict[str, Any]:
        """Returns the view's member of the next `hello`, with its current sizes, offset and parameters."""
        body: dict[str, Any] = {"view": self.name, **self.options}
        if self.parameters is not None:
            body["parameters"] = self.parameters
        if self.geometry:
            body["geometry"] = self.geometry
        return body | {"offset": self.offset}

    def state(self, edge: Edge) -> EdgeState | None:
        """Returns the state of an edge; None if the view has no such edge, or is not attached."""
        return self.edges[edge]["state"] if edge in self.edges else None

    # What the daemon sends

    def concerns(self, message: dict[str, Any]) -> bool:
        """Whether a message of the daemon is about this view, and not about an earlier one of the same name."""
        if message["type"] == "attached":
            return bool(message["ack"] >= self.attach_seq)
        return self.is_attached or message["type"] in ("error", "diagnostic")

    def handle(self, message: dict[str, Any], is_back: bool = False) -> None:
        """Applies a message of the daemon. `is_back` states whether the session was resumed."""
        kind = message["type"]
        if kind == "attached":
            self.attached(message, is_back)
        elif kind == "update":
            self.change(message)
        elif kind == "items":
            self.end(message["load"])
            self.has_more = message.get("more", self.has_more)
            if message["mode"] == "replace" and "total" not in message:
                self.access.is_random = False  # until the client requests it again
            first = self.access.first_row(message)
            count = None if first is None else self.access.count(message)
            self.listing.receive(message, self.item_key, self.session.ack, first, count)
        elif kind == "edited":
            self.drop_edit(message["edit"])
        elif kind == "error":
            edit = self.listing.edits.sent_as(message.get("seq", 0))
            if edit is not None and self.is_edit_refused(message):
                self.session.roll_back(self, edit, message["code"], message["message"])
        elif kind == "load" or (kind == "loading" and message["phase"] == "began"):
            self.end(message["load"])
            self.loads.append(message["load"])
        elif kind == "loading" and message["phase"] in ENDED:
            self.end(message["load"])

    @staticmethod
    def is_edit_refused(message: dict[str, Any]) -> bool:
        """Whether a fault about an edit is final. An edit that has not arrived is sent again after the next `attached`."""
        return not message["temporary"] and message["code"] not in NOT_ARRIVED

    def drop_edit(self, edit: str) -> bool:
        """Drops an edit, and shows the list without it. Returns whether there was one."""
        is_pending = self.listing.edits.remove(edit)
        if is_pending:
            self.listing.apply_edits()
        return is_pending

    def list_requests(self) -> list[dict[str, Any]]:
        """Returns the messages that request the whole list, if a patch could not be applied; otherwise none."""
        if not self.listing.must_request_list:
            return []
        self.listing.must_request_list = False
        can_refresh = any(
            edge.get("role") == "refresh" and edge["state"] != "disabled" for edge in self.edges.values())
        return [
            {"type": "reset", "view": self.name},
            {"type": "refresh" if can_refresh else "loadMore", "view": self.name, "cause": "code"}]

    def attached(self, message: dict[str, Any], is_back: bool) -> None:
        if not is_back:
            self.begin()
            if self.began <= message["ack"] or message["ack"] == 0:
                self.began = 0  # only a movement that was sent after the attach counts
        self.is_attached = True
        self.generation = message.get("generation")
        self.item_key = message.get("itemKey")
        self.section_key = message.get("sectionKey")
        self.access.attach(message.get("paging", {}))
        self.listing.edits.attach(self.item_key, message.get("edits", []))
        self.listing.apply_edits()
        self.loads = []  # the daemon sends the running loads again
        self.floor = {"state": "closed"}
        names = EDGES[message.get("axis", self.options.get("axis", "vertical"))]
        self.edges = {name: message[name] for name in names if name in message}
        self.apply_insets(message)

    def end(self, load: str) -> None:
        self.loads = [one for one in self.loads if one != load]

    def apply_insets(self, message: dict[str, Any]) -> None:
        for name in self.inset.keys() & message.get("inset", {}).keys():
            self.inset[name] = message["inset"][name]

    def change(self, message: dict[str, Any]) -> None:
        for name in self.edges.keys() & message.keys():
            self.edges[name] = merged(self.edges[name], message[name])
        self.apply_insets(message)
        if "offset" in message and message["ack"] >= self.began:
            self.offset = message["offset"]["to"]
        self.floor = message.get("floor", self.floor)
        self.is_newer = message.get("newer", self.is_newer)
        self.newer_count = message.get("newerCount", self.newer_count)
        self.is_away = message.get("away", self.is_away)
        self.read_mark = message.get("read", self.read_mark)
        self.last_updated = message.get("lastUpdated", self.last_updated)
        if "list" in message:
            self.has_more = message["list"].get("more", self.has_more)
            count = message["list"].get("count", -1)
            self.listing.confirm(message["ack"], count)
            if self.is_random and count > 0:  # after a reset, the items stay until new ones arrive
                self.listing.resize(count)
        else:
            self.listing.settle(message.get("ack", 0))

    # What the user does

    async def scroll(
        self, offset: float, phase: ScrollPhase, *, cause: IntentCause | None = None, velocity: float | None = None,
        t: float | None = None, visible: Sight | None = None,
    ) -> None:
        """Reports where the list is. A finger sends `began`, `dragging`, and `ended` or `cancelled`.

        After that, the list springs back to `rest` by itself: it sends `decelerating` and at last `idle`. While a
        finger rests, repeat `dragging` at least every 2 s. `velocity` is in points per second; `t` is in ms. `visible`
        has the first and the last row in sight, with random access. The rows stay known: they are sent if they have
        changed, and with each `idle`.
        """
        message = self.message(
            "scroll", offset=offset, phase=phase, cause=cause, velocity=velocity, t=t,
            visible=self.access.due(visible, phase == "idle"))
        if self.is_removed(message):
            return
        self.access.note(visible, message)
        self.move(phase, cause)
        self.offset = offset
        await self.session.send(message)

    async def pan(
        self, translation: float, phase: PanPhase, *, cause: IntentCause | None = None, velocity: float | None = None,
        t: float | None = None, offset: float | None = None,
    ) -> None:
        """Reports how far a finger has moved. The daemon moves the list by `offset` commands."""
        message = self.message(
            "pan", translation=translation, phase=phase, cause=cause, velocity=velocity, t=t, offset=offset)
        if self.is_removed(message):
            return
        self.move("idle" if phase in ("ended", "cancelled") else phase, cause)
        await self.session.send(message)

    def move(self, phase: str, cause: IntentCause | None) -> None:
        """Notes the first sample of a movement, because an `offset` command for an earlier movement is void."""
        is_step = phase == "decelerating" and cause == "wheel"
        if phase == "began" or is_step or self.cause is None or (cause is not None and cause != self.cause):
            self.began = self.session.seq + 1
        self.cause = None if phase == "idle" else cause or self.cause or "finger"

    def sight_message(self) -> list[dict[str, Any]]:
        """Returns the message that reports the rows in sight before the first page of a new list; none without rows."""
        rows = self.access.due(None, True)
        return [] if rows is None else [self.message("geometry", visible=rows)]

    def renumber(self, numbers: dict[int, int]) -> None:
        """Follows the kept messages of the view, which have got new numbers."""
        self.began = numbers.get(self.began, self.began)
        self.listing.renumber(numbers)

    def rest(self) -> float:
        """Returns where the list comes to rest, within the content and the open rooms (for a view read from its start).
        """
        start, end = EDGES[self.options.get("axis", "vertical")]
        first = self.covered("top" if start == "top" else "left")
        last = self.covered("bottom" if start == "top" else "right")
        return min(
            max(self.offset, -first - self.inset[start]),
            max(-first, self.length("content") - self.length("viewport") + last) + self.inset[end])

    def covered(self, side: Literal["top", "left", "bottom", "right"]) -> float:
        """Returns the points at a side that the host's insets, the safe area and the bars cover."""
        area = self.geometry.get("safeArea", {}).get(side) or 0
        if side == "top":
            bars = self.geometry.get("bars") or {}
            navigation, search = bars.get("navigation") or {}, bars.get("search") or {}
            area = max(
                area, bars.get("status") or 0, (navigation.get("y") or 0) + (navigation.get("height") or 0))
            area += (search.get("height") or 0) if search.get("active") else 0
        return (self.geometry.get("insets", {}).get(side) or 0) + area

    def length(self, name: Literal["content", "viewport"]) -> float:
        """Returns the length of the content or of the viewport along the axis, in points."""
        size = self.geometry.get(name, {})
        return (size.get("height") if self.options.get("axis") != "horizontal" else size.get("width")) or 0

    async def resize(self, *, visible: Sight | None = None, **changes: Unpack[Geometry]) -> None:
        """Reports changed sizes: the members of `Geometry`, and the rows in sight.

        A member that is left out keeps its value, also within an object such as `insets`. None gives a member its
        default. Raises TypeError for a name or a kind of value that `Geometry` does not have.
        """
        check_geometry(changes)
        message = self.message("geometry", visible=self.access.due(visible, True)) | copy.deepcopy(changes)
        if self.is_removed(message):
            return
        self.access.note(visible, message)
        kept = {name: value for name, value in changes.items() if name not in ("offset", "anchor")}
        self.geometry = geometry_with(self.geometry, kept)
        if "offset" in changes:
            self.offset = changes["offset"]
            if "anchor" not in changes:
                self.began = self.session.seq + 1
        await self.session.send(message)

    async def lay_out(
        self, before: Sequence[Row], after: Sequence[Row], content: Size, *, visible: Sight | None = None,
    ) -> None:
        """Reports the new content of the list, so that the item that the user reads stays in its place.

        `before` and `after` have each item with the position at which it begins. `content` is the new size, and
        `visible` has the rows in sight.
        """
        check_value(content, "content", "Size")
        index = index_in_sight(before, self.length("content"), self.offset)
        messages = laid_out(self, before, after, index, content)
        if (rows := self.access.due(visible, True)) is not None:
            messages[-1] |= {"visible": rows}
        if self.is_removed(*messages):
            return
        self.access.note(visible, messages[-1])
        self.geometry = geometry_with(self.geometry, {"content": content})
        await self.session.send_together(*messages)

    async def appear(self) -> None:
        """Reports that the view is visible again."""
        if not self.is_removed():
            await self.session.appear(self.name)

    async def disappear(self) -> None:
        """Reports that the view is not visible any more, if the daemon knows this message."""
        if not self.is_removed():
            await self.session.disappear(self.name)

    # What the program requests

    async def refresh(self, *, cause: IntentCause = "code", animated: bool | None = None) -> None:
        """Starts a refresh with its load."""
        await self.send("refresh", cause=cause, animated=animated)

    async def show_refresh(self, *, animated: bool | None = None) -> None:
        """Shows the refresh indicator without a load."""
        await self.send("begin", animated=animated)

    async def hide_refresh(self, *, animated: bool | None = None) -> None:
        """Hides the refresh indicator, and cancels its load."""
        await self.send("end", animated=animated)

    async def load_more(self, *, cause: IntentCause = "code") -> None:
        """Loads the next page."""
        await self.send("loadMore", cause=cause)

    async def retry(self, edge: Edge | None = None) -> None:
        """Repeats the load that failed last."""
        await self.send("retry", edge=edge)

    async def cancel(self, edge: Edge | None = None) -> None:
        """Ends the running load of an edge; without an edge, of both."""
        await self.send("cancel", edge=edge)

    async def reset(self, edge: Edge | None = None) -> None:
        """Discards the pages of an edge and the results of its loads. The items stay until new ones arrive."""
        await self.send("reset", edge=edge)

    async def open_floor(self, is_open: bool = True) -> None:
        """Opens or closes the second floor."""
        await self.send("floor", open=is_open)

    async def enable(self, edge: Edge, is_enabled: bool = True) -> None:
        """Enables or disables an edge, also in later sessions."""
        message = self.message("enable", edge=edge, enabled=is_enabled)
        if self.is_removed(message):
            return
        options = self.options.get(edge)
        if not (edge in self.options and options is None):
            self.options[edge] = {**(options or {}), "enabled": is_enabled}
        await self.session.send(message)

    async def configure(
        self, *, edges: dict[Edge, EdgeOptions | None] | None = None, paging: PagingOptions | None = None,
        pan: PanOptions | None = None,
    ) -> None:
        """Changes options, also in later sessions. None for an edge removes the edge until the view is attached again.

        Raises TypeError for an option that does not exist, and for a value of a wrong type.
        """
        changes: dict[str, Any] = {"paging": paging, "pan": pan}
        check_options({str(edge): change for edge, change in (edges or {}).items()} | {
            name: value for name, value in changes.items() if value is not None})
        changes = {name: value for name, value in changes.items() if value is not None}
        message: dict[str, Any] = {"type": "configure", "view": self.name}
        message |= {str(edge): change for edge, change in (edges or {}).items()} | changes
        if self.is_removed(message):
            return
        options: Any = dict(self.options)
        for edge, change in (edges or {}).items():
            options[edge] = None if change is None else {**(options.get(edge) or {}), **copy.deepcopy(change)}
        for name, value in changes.items():
            options[name] = {**options.get(name, {}), **copy.deepcopy(value)}
        self.session.check_body(self, self.body() | options)
        self.options = options
        if paging is not None:
            self.access.configure(dict(paging))
        await self.session.send(message)

    async def query(
        self, parameters: dict[str, str], *, debounce_ms: int | None = None, shown: ShownItems | None = None,
    ) -> bool:
        """Makes a new query of the view's feed. Returns whether the feature `query` is in use.

        With `shown="clear"` the items are removed at once; otherwise they stay until the first page arrives. If the
        daemon refuses the query, the removed items are shown again.
        """
        if self.is_removed():
            return False
        options = {"debounceMs": debounce_ms, "shown": shown}
        return await self.session.query(
            self.name, parameters, **{name: value for name, value in options.items() if value is not None})

    async def reveal(
        self, *, edge: Edge | None = None, item: str | None = None, position: float | None = None,
        animated: bool | None = None,
    ) -> bool:
        """Brings an end of the list or an item into sight. Returns whether the feature `unread` is in use."""
        if self.is_removed():
            return False
        fields = {"edge": edge, "id": item, "position": position, "animated": animated}
        return await self.session.reveal(
            self.name, **{name: value for name, value in fields.items() if value is not None})

    async def mark_read(self, item: str) -> None:
        """Reports that the user has read the list up to an item, if the feature `unread` is in use."""
        if not self.is_removed():
            await self.session.mark_read(self.name, item)

    async def edit(self, operation: EditOperation, *, delay_ms: int | None = None, edit: str | None = None) -> str:
        """Changes the list for the user: `items` has the change at once. Returns the name of the edit.

        `Edited` tells what has become of it. The daemon calls the backend after `delay_ms`, so that `undo` can stop it.
        `edit` is the name, which no other edit of the user has at any time; without it, a UUID.

        Raises ValueError if the features `patch`, `live` and `edits` are not in use, if the feed does not accept the
        operation, or if the daemon would refuse it: it has no key, for instance, or more than 16,384 bytes. Raises
        OutboxFull if 1,000 edits wait for an answer.
        """
        made = Edit(edit or str(uuid.uuid4()), cast(dict[str, Any], copy.deepcopy(operation)), delay_ms)
        self.session.check_edits_used()
        self.listing.edits.check(made)
        if not self.is_removed(made.message(self.name)):
            self.listing.edits.pending.append(made)
            self.listing.apply_edits()
            await self.session.send_edits(self)
        return made.name

    async def undo(self, edit: str) -> bool:
        """Asks the daemon not to perform an edit whose `delay_ms` has not passed. `Edited` tells whether it was undone.

        Returns True if the edit was never sent: it is then dropped at once. For an edit that has its answer, nothing
        happens.
        """
        found = self.listing.edits.find(edit)
        if found is None or self.is_removed():
            return False
        if not found.is_sent:
            self.session.roll_back(self, edit, "undone", "The edit was undone before it was sent.")
            return True
        found.is_undone = True
        await self.session.send_edits(self)
        return False

    async def detach(self) -> None:
        """Removes the view, and cancels its loads. Afterwards, the calls of the view have no effect."""
        if not self.is_removed():
            await self.session.detach(self.name)

    # What the client's own backend answers

    async def begin_load(self, load: str, *, accepted: bool | None = None) -> None:
        """Answers `load`: the load starts, or is refused."""
        await self.send("loadBegan", load=load, accepted=accepted)

    async def report_progress(self, load: str, progress: float) -> None:
        """Reports the progress of a load, 0 to 1."""
        if not self.is_removed():
            await self.session.send_once({
                "type": "loadProgress", "view": self.name, "load": load, "progress": progress})

    async def finish_load(
        self, load: str, result: LoadResult = "success", *, count: int | None = None, more: bool | None = None,
        cursor: str | None = None, code: str | None = None, message: str | None = None,
    ) -> None:
        """Answers `load`: the load has ended. `count` is the number of items that the client received.

        The client adds these items to `items` itself.
        """
        answer = self.message(
            "loadFinished", load=load, result=result, count=count, more=more, cursor=cursor, code=code,
            message=message)
        if self.is_removed(answer):
            return
        self.end(load)
        await self.session.send(answer)

    async def send(self, kind: str, **fields: Any) -> None:
        """Sends a message about the view. A field that is None is left out."""
        message = self.message(kind, **fields)
        if not self.is_removed():
            await self.session.send(message)

    def message(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Returns a message about the view. A field that is None is left out."""
        return {"type": kind, "view": self.name} | {
            name: value for name, value in fields.items() if value is not None}

    def is_removed(self, *messages: dict[str, Any]) -> bool:
        """Whether the view was detached, so that its calls have no effect. Otherwise raises the errors with which the
        session refuses messages, before anything is changed.
        """
        if self.session.is_closed or self.session.views.get(self.name) is not self:
            return True
        self.session.check(*messages)
        return False
