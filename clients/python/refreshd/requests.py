"""The requests of a session, on their way: kept, and sent on the connection if there is one."""

import asyncio
import contextlib
from typing import Any

from .errors import ConnectionLost, OutboxFull
from .events import Edited, Event
from .protocol import EditRefusal, FaultCode
from .state import Message, SessionState, encoded, thinned
from .timing import Clock
from .transport import Transport
from .view import View

EDIT_FEATURES = ("patch", "live", "edits")
"""Edits are in use only if all of these features are."""
ASK_COUNT = 1000
"""The number of kept messages, and of messages since then, after which the client asks the daemon what it has handled."""


def without(message: Message, name: str) -> Message:
    return {one: value for one, value in message.items() if one != name}


class ViewRequests(SessionState):
    """A session that sends its messages, and uses a feature, or a newer message, only if the daemon knows it."""

    clock: Clock
    socket: Transport | None = None
    """The open connection, from `welcome` on."""
    last_sent_at = 0.0
    own_events: list[Event]
    """The events that no message of the daemon has caused, until they are yielded."""
    asked_seq = 0  # the last `seq` when the client asked the daemon what it has handled

    async def send(self, message: Message) -> None:
        """Sends a message of a client about a view. Without a connection, the message is sent on the next one.

        The methods of `View` make these messages. After the end of the session, it has no effect. Raises OutboxFull,
        and ValueError if there is no view of this name, or if a value is beyond the daemon's limits.
        """
        if kept := self.kept(message):
            await self.send_kept(kept[0])

    async def send_together(self, *messages: Message) -> None:
        """Sends messages in one frame: all of them, or none if one raises an error of `send`."""
        if kept := self.kept(*messages):
            await self.send_kept(kept)

    def kept(self, *messages: Message) -> list[Message]:
        """Checks and keeps messages, and returns what is to be sent; nothing after the end of the session."""
        if self.is_closed:
            return []
        for message in messages:
            if message.get("view") not in self.views:
                raise ValueError(f"there is no view {message.get('view')}")
        self.check(*messages)
        return [self.store(message) for message in messages if not self.is_dropped(message)]

    def is_dropped(self, message: Message) -> bool:
        """Whether a message is of no use, because the daemon has refused its view. The next `hello` attaches the view again,
        with its present sizes, offset and parameters. Without a connection, messages wait for this `hello`.
        """
        return self.socket is not None and message["view"] in self.refused

    async def send_kept(self, frame: Message | list[Message]) -> None:
        """Sends messages, if there is a connection. Asks the daemon now and then what it has handled."""
        if self.socket:
            await self.transmit(self.socket, frame)
        if self.socket and len(self.outbox) >= ASK_COUNT and self.seq - self.asked_seq >= ASK_COUNT:
            self.asked_seq = self.seq
            await self.transmit(self.socket, {"type": "snapshot"} if self.snapshot else self.ping())

    async def send_once(self, message: Message) -> None:
        """Sends a message that is of no use on a later connection."""
        if self.socket and not self.is_closed and not self.is_dropped(message):
            self.check(message)
            self.seq += 1
            await self.transmit(self.socket, message | {"seq": self.seq})

    # Edits

    def check_edits_used(self) -> None:
        """Raises ValueError if edits are not in use: the client or the daemon has not named one of the features."""
        found = [name for name in EDIT_FEATURES if name not in (self.features or ())]
        if found:
            raise ValueError(f"edits need the features {', '.join(EDIT_FEATURES)} of connect, which are without {', '.join(found)}")
        if self.was_welcomed and not self.is_restored and not self.uses_edits():
            raise ValueError("the daemon does not serve edits")

    def uses_edits(self) -> bool:
        return all(map(self.uses, EDIT_FEATURES))

    async def send_edits(self, view: View) -> None:
        """Sends the edits of an attached view that were not sent since it was attached, as far as the daemon accepts them.
        If it does not serve edits, they are rolled back.
        """
        if self.socket and view.listing.edits.is_attached and not self.uses_edits():
            for edit in view.pending_edits:
                self.roll_back(view, edit, "editNotAccepted", "The daemon does not serve edits.")
        if self.socket and not self.is_closed and view.listing.edits.is_attached and self.uses_edits():
            messages = view.listing.edits.due(view.name, self.seq)
            self.seq += len(messages)
            for frame in self.frames(messages):
                if self.socket:
                    await self.transmit(self.socket, frame)

    def roll_back(self, view: View, edit: str, code: FaultCode | EditRefusal, explanation: str) -> None:
        """Drops an edit that the daemon does not answer. Its event follows with the next events."""
        previous = view.items
        view.drop_edit(edit)
        self.own_events.append(Edited(
            view=view, edit=edit, result="rolledBack", key=None, code=code, explanation=explanation, is_temporary=False,
            previous=previous))

    # `hello`

    def hello(self) -> list[Message]:
        """Returns the first frame of a connection, as `SessionState.hello` does. The messages of a view that it leaves out
        get new numbers, because the `ack` of `welcome` may cover their present ones: the daemon may have handled them
        for a view that this `hello` detaches.
        """
        described = self.described()
        for name, view in self.views.items():
            view.listing.edits.detach()
            if name not in described:
                self.renumbered(name)
        return super().hello()

    # After `welcome`

    async def send_rest(self, socket: Transport, sent: int, described: dict[str, View]) -> None:
        """Sends what did not fit into the first frame, and what was kept since. It had to wait for `welcome`, which
        states whether the session is resumed. The first frame has described these views, and `sent` is its last `seq`.
        """
        known = dict(described)
        while rest := self.rest(known, sent):
            sent = self.seq
            for frame in self.frames(rest):
                await self.transmit(socket, frame)
        self.socket = socket  # from now on, each message is sent at once

    def rest(self, known: dict[str, View], sent: int) -> list[Message]:
        """Returns the messages that must be sent now, in the order of their numbers, and updates the known views."""
        messages = [
            kept for kept in thinned(self.outbox)
            if kept["seq"] > sent and known.get(kept["view"]) is self.views.get(kept["view"])]
        for name, view in list(known.items()):
            if self.views.get(name) is not view:
                del known[name]
                self.detached(name, messages)
        for name, view in self.views.items():
            if name not in known:
                known[name] = view
                messages += [self.attachment(view), *self.renumbered(name)]
        return messages

    def detached(self, name: str, messages: list[Message]) -> None:
        """Adds the `detach` of a view to messages."""
        self.seq += 1
        self.gone[name] = self.detached_seqs[name] = self.seq
        messages.append({"type": "detach", "seq": self.seq, "view": name})

    def attachment(self, view: View) -> Message:
        """Returns the `attach` of a view. It has the parameters before the queries that are sent after it, because a
        query that the daemon refuses must not prevent the attachment.
        """
        self.seq += 1
        view.attach_seq = self.seq
        self.unanswered.add(view.name)
        message = {"type": "attach", "seq": self.seq, **view.body()}
        kept = {one["seq"] for one in self.outbox}
        for seq, before in self.queries.get(view.name, []):
            if seq in kept:
                return message | {"parameters": before} if before is not None else without(message, "parameters")
        return message

    def renumbered(self, name: str) -> list[Message]:
        """Returns the kept messages of a view with new numbers, because they must follow its `attach`."""
        kept = thinned([one for one in self.outbox if one["view"] == name])
        self.outbox = [one for one in self.outbox if one["view"] != name]
        numbers: dict[int, int] = {}
        for message in kept:
            self.seq += 1
            numbers[message["seq"]] = self.seq
            self.outbox.append(message | {"seq": self.seq})
        self.views[name].renumber(numbers)
        self.queries[name] = [(numbers.get(seq, seq), before) for seq, before in self.queries.get(name, [])]
        return self.outbox[-len(kept):] if kept else []

    async def send_attach(self, socket: Transport, view: View) -> None:
        await self.transmit(socket, self.attachment(view))

    async def send_detach(self, socket: Transport, name: str) -> None:
        messages: list[Message] = []
        self.detached(name, messages)
        await self.transmit(socket, messages[0])

    async def transmit(self, socket: Transport, frame: Message | list[Message]) -> None:
        self.last_sent_at = self.clock.time()
        try:
            with contextlib.suppress(ConnectionLost):  # `exchange` receives the reason, after all earlier messages
                await socket.send(encoded(frame))
        except asyncio.CancelledError:
            socket.abort()  # the daemon must not receive a later message without this one
            raise

    def ping(self) -> Message:
        return {"type": "ping", "t": self.clock.time() * 1000}

    # Features

    async def query(self, name: str, parameters: dict[str, str], **options: Any) -> bool:
        """Makes a new query of a view's feed. Returns whether the feature `query` is in use."""
        if not self.uses("query") or self.is_closed:
            return False
        view = self.views[name]
        message = {"type": "configure", "view": name, "parameters": parameters} | options
        self.check(message)
        self.check_body(view, view.body() | {"parameters": parameters})
        is_new = dict(parameters) != (view.parameters or {})
        handled = [one for one in self.queries.get(name, []) if one[0] > self.ack]
        self.queries[name] = [*handled, (self.seq + 1, view.parameters)]
        view.parameters = dict(parameters)
        if name in self.refused:  # its next attachment has these parameters
            del self.queries[name]
            if options.get("shown") == "clear" and is_new:
                view.items = []
            return True
        if is_new and options.get("shown") == "clear":
            view.listing.clear(self.seq + 1)
        await self.send(message)
        return True

    def replace_queries(self, view: View) -> None:
        """Replaces the kept queries of another process by one with the parameters of this process."""
        others = [kept for kept in self.outbox if kept["view"] != view.name or "parameters" not in kept]
        if len(others) < len(self.outbox):
            self.outbox = others
            self.store({"type": "configure", "view": view.name, "parameters": view.parameters or {}})

    async def reveal(self, name: str, **fields: Any) -> bool:
        """Brings an end of the list or an item into sight. Returns whether the feature `unread` is in use."""
        if not self.uses("unread"):
            return False
        await self.send({"type": "reveal", "view": name} | fields)
        return True

    async def mark_read(self, name: str, item: str) -> None:
        """Reports that the user has read the list up to an item, if the feature `unread` is in use."""
        if self.uses("unread"):
            await self.send({"type": "read", "view": name, "id": item})

    async def disappear(self, name: str) -> None:
        """Reports that a view is not visible any more, if the daemon knows this message."""
        if name in self.views and name not in self.covered:
            if self.has_features:
                await self.reported("disappear", name)
            else:
                self.covered.add(name)

    async def appear(self, name: str) -> None:
        """Reports that a view is visible again."""
        if name in self.views and name in self.covered:
            await self.reported("appear", name)

    async def reported(self, kind: str, name: str) -> None:
        """Reports whether a view is in sight. `disappear` raises OutboxFull, and then the view stays in sight."""
        if self.is_closed:
            return
        message = {"type": kind, "view": name}
        if kind == "appear":
            self.covered.discard(name)
            self.hidden.discard(name)
        else:
            self.check(message)
            self.covered.add(name)
        try:
            await self.send(message)
        except OutboxFull:  # at most one `appear` follows each `disappear`
            await self.send_kept(self.store(message))
