"""A session: connects, resumes after a lost connection, and yields what happens."""

import asyncio
import contextlib
import copy
import dataclasses
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from types import TracebackType
from typing import Self, TypeVar, Unpack

from .checking import check_attempts, check_options
from .errors import ConnectFailed, ConnectionLost, OutboxFull, Refused, RefreshError
from .events import Connected, Disconnected, Event, Faulted, Ignored, check_hello, event_of, is_frame_refused
from .iteration import Iteration
from .protocol import CLOSES, AttachBody, AttachOptions, FramesMode, FrameOptions
from .requests import ViewRequests
from .rows import Sight
from .state import Message, decoded
from .timing import Backoff, Clock, LoopClock, first_of, is_final
from .transport import Connector, Transport, is_refusal, refusal, websocket
from .view import View

HEALTHY_SECONDS = 5  # a session that was open for this long makes the next attempt to connect the first one
PONG_SECONDS = 5  # a connection is lost if a `ping` is unanswered for this long
SNAPSHOT_SECONDS = 1  # how long the background waits for a sealed snapshot
WELCOME_SECONDS = 10  # a connection is given up if `hello` is unanswered for this long
STEP_SECONDS = 0.05  # the shortest time between two looks at the heartbeat

Applied = TypeVar("Applied")
Token = str | Callable[[], str | Awaitable[str]]
"""The token that authenticates a client, or a function that returns the present one.

If the function raises an error, the session calls it again with back-off. If it raises Refused, the session ends.
"""


class Session(ViewRequests):
    """A session of one client, over as many connections as necessary.

    The session connects while it is iterated: `async for event in session`. After `break`, the next `async for`
    continues the iteration. Only one task may iterate it at a time; a second one gets RuntimeError. All other methods
    may be called from any task of the same event loop, at any time: a request that is made without a connection is
    kept, and sent on the next connection.
    """

    view_kind: type[View] = View
    """The class of the views. A subclass of a session can name a subclass of `View`."""

    def __init__(
        self, url: str, *, token: Token | None = None, client: str = "refreshd-python",
        features: Iterable[str] | None = None, frames: FramesMode | FrameOptions | None = None,
        headers: dict[str, str] | None = None, diagnostics: bool = False, snapshots: bool = True,
        attempts_max: int | None = None, connector: Connector | None = None, clock: Clock | None = None,
        backoff: Backoff | None = None, state: str | None = None,
    ) -> None:
        check_attempts(attempts_max)
        super().__init__(
            token=token if isinstance(token, str) else None, client=client, features=features, frames=frames,
            headers=headers, diagnostics=diagnostics, snapshots=snapshots, state=state)
        self.url = url
        self.own_events = []
        self.token_source = token
        self.attempts_max = attempts_max
        self.connector = connector or websocket()
        self.clock = clock or LoopClock()
        self.backoff = backoff or Backoff()
        self.opening: Transport | None = None  # the open connection, also before `welcome`
        self.welcomed_at: float | None = None
        self.is_in_background = False
        self.is_first = True  # whether no `welcome` has arrived yet
        self.is_hurried = False  # whether the next attempt to connect is at once
        self.change = asyncio.Event()  # something has happened for which a wait must end
        self.snapshot_arrived = asyncio.Event()
        self.iteration: Iteration | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None,
    ) -> None:
        await self.close()
        with contextlib.suppress(ConnectionLost, OSError):
            if self.opening:
                await self.opening.close()
        await self.stop()

    def __aiter__(self) -> AsyncIterator[Event]:
        self.check_open()
        if self.iteration is None or self.iteration.is_over:
            self.iteration = Iteration(self.events())
        return self.iteration

    async def stop(self) -> None:
        """Ends the iteration, if it runs in the calling task or has been left."""
        if self.iteration:
            await self.iteration.stop()

    # What a program requests

    async def attach(
        self, name: str, profile: str = "default", *, requests_items: bool = False, visible: Sight | None = None,
        **options: Unpack[AttachOptions],
    ) -> View:
        """Adds a view. `options` are the members of `AttachOptions`, such as `feed`, `geometry`, `top` and `bottom`.

        With `requests_items` the session requests the first page of the view in each new session. `visible` has the rows
        in sight, with random access: this page is the one of the first of them. Raises ValueError
        if a view of this name exists, or if a value is beyond the daemon's limits, and SessionClosed after the end.
        Raises TypeError if there is no option of a name, also within an option such as `top`, and for a value of a
        wrong type.
        """
        self.check_open()
        check_options(options)
        if name in self.views:
            raise ValueError(f"there is a view {name}")
        body: AttachBody = {"view": name, "profile": profile, **copy.deepcopy(options)}
        view = self.view_kind(self, name, body, requests_items=requests_items, visible=visible)
        self.check_body(view, view.body())
        request = {"type": "refresh", "view": name, "cause": "code"}
        continues = self.continues(view)
        is_requested = continues and (self.is_restored and name not in self.gone or any(
            kept["view"] == name and kept["type"] == "refresh" for kept in self.outbox))
        if requests_items and not is_requested:
            self.check(request)
        if not continues and name in self.restored:  # `hello` does not describe it, so the daemon detaches it
            self.forget(name)
            self.gone[name] = None
        if continues:
            self.replace_queries(view)
            self.restore_edits(view)
        self.restored.pop(name, None)
        self.views = {**self.views, name: view}
        if self.socket:
            await self.send_attach(self.socket, view)
        if requests_items and not is_requested and self.views.get(name) is view:
            await self.send_together(*view.sight_message(), request)
        if continues and name in self.hidden and not self.is_in_background:
            await self.appear(name)
        return view

    def restore_edits(self, view: View) -> None:
        """Continues the edits of another process."""
        if saved := self.restored_edits.pop(view.name, None):
            view.listing.edits.restore(saved)
            view.listing.apply_edits()

    def continues(self, view: View) -> bool:
        """Whether a view is one of the restored session, so that its messages concern this one."""
        return self.opening is None and self.restored.get(view.name, "") in (None, view.kind)

    async def detach(self, name: str) -> None:
        """Removes a view, and drops the messages about it, so that they are not repeated."""
        if name not in self.views:
            return
        self.views = {one: view for one, view in self.views.items() if one != name}
        is_refused = name in self.refused
        self.forget(name)
        if is_refused:
            return  # the session does not have the view
        if self.socket:
            await self.send_detach(self.socket, name)
        elif self.resume:
            self.gone[name] = None

    async def background(self) -> None:
        """Ends the connection, because the app goes to the background. The daemon keeps the session for a while.

        The views disappear. The last sealed snapshot contains all that was sent, so that the session can also resume
        later, or elsewhere.
        """
        if self.is_closed:
            return
        self.is_in_background = True
        self.change.set()
        for name in [name for name in self.views if name not in self.covered]:
            with contextlib.suppress(OutboxFull):
                await self.disappear(name)
            if name in self.covered:
                self.hidden.add(name)
        if self.socket and self.snapshot and self.is_in_background:
            await self.last_snapshot(self.socket)
        if self.opening and self.is_in_background:
            with contextlib.suppress(ConnectionLost, OSError):
                await self.opening.close()

    async def last_snapshot(self, socket: Transport) -> None:
        """Requests a snapshot, and waits for it. The calling task may be the one that iterates, so it also receives."""
        reading: asyncio.Future[None] | None = None
        self.snapshot_arrived.clear()
        await self.transmit(socket, {"type": "snapshot"})
        if self.iteration:
            reading = asyncio.ensure_future(self.iteration.read_ahead(self.snapshot_arrived))
        try:
            await first_of(self.clock, self.snapshot_arrived, SNAPSHOT_SECONDS)
        finally:
            self.snapshot_arrived.set()
        if reading:
            await reading

    async def foreground(self) -> None:
        """Connects again at once, because the app is in the foreground again. The views that disappeared appear."""
        if self.is_closed:
            return
        was_in_background, self.is_in_background = self.is_in_background, False
        for name in sorted(self.hidden & self.views.keys()):
            await self.appear(name)
        self.is_hurried = was_in_background and self.opening is not None
        self.backoff.reset()
        self.change.set()

    async def reconnect(self) -> None:
        """Connects again at once, because the network has changed. The present connection ends."""
        self.is_hurried = self.opening is not None
        self.backoff.reset()
        self.change.set()
        if self.opening:
            self.opening.abort()

    async def close(self) -> None:
        """Ends the session. Afterwards `attach` and a new iteration raise SessionClosed; other calls have no effect."""
        if self.is_closed:
            return
        self.is_closed = True
        self.change.set()
        if self.socket:
            await self.transmit(self.socket, {"type": "bye"})
        elif self.opening:
            self.opening.abort()

    # Connections

    async def messages(self) -> AsyncGenerator[Message, None]:
        """Yields all messages of the daemon, instead of events."""
        async for event in self:
            if event.message is not None:
                yield event.message

    async def events(self) -> AsyncGenerator[Event, None]:
        """Yields what happens, until the session is closed. Raises Refused if the session cannot go on."""
        while not self.is_closed:
            if self.is_in_background:
                self.change.clear()
                await self.change.wait()
                continue
            code: int | None = None
            explanation, retry_after = "the connection ended", 0.0
            try:
                await self.renew_token()
                self.opening = await self.connector(self.url)
                if self.is_closed or self.is_in_background:  # it happened while the connection was made
                    continue
                async with contextlib.aclosing(self.exchange(self.opening)) as events:
                    async for event in events:
                        yield event
            except ConnectionLost as lost:
                code = lost.code
                if lost.reason and self.opening:  # the client itself ends the connection
                    self.opening.abort()
                is_known = code in CLOSES and code != 1006 and not lost.reason
                explanation = CLOSES[code].meaning if is_known else str(lost)
            except ConnectFailed as failure:
                explanation, retry_after = str(failure), failure.retry_after
                if self.is_first and is_refusal(failure):
                    raise Refused(refusal(self.url, failure)) from failure
            finally:
                if self.opening and code is None:
                    self.opening.abort()
                self.socket = self.opening = None
            if self.is_closed:
                return
            if self.was_welcomed and not self.resume:
                self.reset()
            wait = self.wait_after(code, explanation, retry_after)
            self.change.clear()
            while self.own_events:
                yield self.present(self.own_events.pop(0))
            yield Disconnected(
                code=code, explanation=explanation, retry_seconds=None if self.is_in_background else wait)
            if not self.is_in_background:
                await self.pause(wait)

    def wait_after(self, code: int | None, explanation: str, retry_after: float) -> float:
        """Returns the seconds to wait before the next attempt. Raises Refused if there is to be none."""
        if code is not None and is_final(code):
            raise Refused(f"closed with {code}: {explanation}", code)
        if self.welcomed_at is not None and self.clock.time() - self.welcomed_at >= HEALTHY_SECONDS:
            self.backoff.reset()
        self.welcomed_at = None
        if self.is_hurried:
            self.is_hurried = False
            return 0
        is_at_once = code is not None and 4200 <= code < 4300
        wait = self.backoff.next(is_at_once=is_at_once, at_least=retry_after)
        if self.attempts_max is not None and self.backoff.attempts > self.attempts_max:
            raise Refused(f"the daemon cannot be reached: {explanation}", code)
        return wait

    async def pause(self, seconds: float) -> None:
        """Waits before the next attempt. `foreground`, `reconnect` and `close` end the wait."""
        if seconds > 0:
            await first_of(self.clock, self.change, seconds)

    async def renew_token(self) -> None:
        """Gets the present token, because each connection is authenticated anew."""
        if callable(self.token_source):
            try:
                token = self.token_source()
                self.token = await token if inspect.isawaitable(token) else token
            except RefreshError:
                raise
            except Exception as error:  # whatever the library of the program raises without a network
                raise ConnectFailed(str(error) or type(error).__name__) from error

    async def exchange(self, socket: Transport) -> AsyncGenerator[Event, None]:
        """Yields the events of one connection. A frame is one message or an array of messages: all of them are applied
        before the first event of the frame.

        Raises ConnectionLost at the end of the connection, and Refused if the daemon refuses `hello` for good.
        """
        described, first_frame = self.described(), self.hello()
        self.ping_sent_at = None
        watching = asyncio.ensure_future(self.limit_welcome(socket))
        is_welcomed = is_refused = False
        try:
            await self.transmit(socket, first_frame)
            while True:
                events: list[Event] = []
                failure: RefreshError | None = None
                try:
                    for message in await self.next_messages(socket):
                        self.apply(self.handle, message)
                        if message["type"] == "snapshot":
                            self.snapshot_arrived.set()
                        if message["type"] == "welcome" and not is_welcomed:
                            is_welcomed = True
                            watching.cancel()
                            self.welcomed_at = self.clock.time()
                            watching = asyncio.ensure_future(self.send_pings(socket))
                            await self.send_rest(socket, max((message.get("ack", 0), *self.repeated)), described)
                        is_refused = not is_welcomed and len(first_frame) > 1 and is_frame_refused(message)
                        if is_refused:
                            self.refuse_frame(first_frame)
                        events.append(self.event(message))
                        if is_refused:
                            raise ConnectionLost(1002, "the daemon has refused the frame with hello and requests")
                        if not is_welcomed:
                            check_hello(message)
                    await self.send_waiting()
                except RefreshError as error:
                    failure = error
                for event in [*events, *self.own_events]:
                    self.own_events = [one for one in self.own_events if one is not event]
                    yield self.present(event)
                self.is_hurried = self.is_hurried or is_refused
                if failure:
                    raise failure
        except ConnectionLost as lost:
            if not is_welcomed and watching.done():
                raise ConnectionLost(lost.code, f"no welcome has arrived within {WELCOME_SECONDS} s") from lost
            raise
        finally:
            watching.cancel()

    def present(self, event: Event) -> Event:
        """Returns an event without its view if the program has detached the view at an earlier event of the frame."""
        if event.view is None or self.views.get(event.view.name) is event.view:
            return event
        return dataclasses.replace(event, view=None) if isinstance(event, Faulted | Ignored) else Event(message=event.message)

    async def limit_welcome(self, socket: Transport) -> None:
        """Cuts the connection if no `welcome` arrives in time."""
        await self.clock.sleep(WELCOME_SECONDS)
        socket.abort()

    async def next_messages(self, socket: Transport) -> list[Message]:
        """Returns the messages of the next frame. A frame that is not JSON was damaged, and ends the connection."""
        text = await socket.receive()
        try:
            return decoded(text)
        except (ValueError, RecursionError) as error:
            raise ConnectionLost(1002, f"a frame of the daemon is not JSON: {error}") from error

    def apply(self, function: Callable[[Message], Applied], message: Message) -> Applied:
        """Applies a message. If it does not have what its type has, it was damaged, and ends the connection."""
        try:
            return function(message)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            if message["type"] == "items" and isinstance(message.get("view"), str):
                self.received.pop(message["view"], None)  # so that the daemon sends them again
            raise ConnectionLost(1002, f"a message of the daemon was damaged: {message['type']}: {error!r}") from error

    async def send_waiting(self) -> None:
        """Requests the whole list of each view whose patch could not be applied, and sends what waited until a view was
        attached: its edits, and the rows in sight.
        """
        for view in list(self.views.values()):
            requests = view.list_requests()
            if view.access.must_report and self.uses("visibleRange"):
                requests += view.sight_message()
                view.access.note(None, requests[-1])
            if kept := [self.store(request) for request in requests]:
                await self.send_kept(kept)
            await self.send_edits(view)

    async def send_pings(self, socket: Transport) -> None:
        """Sends `ping` after a silence, to keep the connection open. Cuts the connection if no `pong` arrives."""
        while True:
            due = self.last_sent_at + self.heartbeat
            if self.ping_sent_at is not None:
                due = min(due, self.ping_sent_at + PONG_SECONDS)
            await self.clock.sleep(max(due - self.clock.time(), STEP_SECONDS))
            now = self.clock.time()
            if self.ping_sent_at is not None and now - self.ping_sent_at >= PONG_SECONDS:
                socket.abort()
                return
            if now - self.last_sent_at >= self.heartbeat:
                self.ping_sent_at = self.ping_sent_at or now
                await self.transmit(socket, self.ping())

    def event(self, message: Message) -> Event:
        """Applies a message to its view, and returns its event."""
        event, dropped = self.apply(self.viewed, message), self.dropped
        self.dropped = []
        return dataclasses.replace(event, dropped=dropped) if isinstance(event, Faulted) and dropped else event

    def viewed(self, message: Message) -> Event:
        name = message.get("view")
        view = self.views.get(name) if isinstance(name, str) else None
        if view and not view.concerns(message):
            view = None
        previous = view.items if view else []
        if view and message["type"] == "edited" and message["edit"] not in view.pending_edits:
            return Event(message=message, view=view)  # the answer was repeated
        if view:
            view.handle(message, self.is_back)
        if message["type"] == "welcome":
            is_first, self.is_first = self.is_first, False
            return Connected(
                message=message, session=message["session"], is_resumed=self.is_back, is_first=is_first,
                reason=message.get("reason"))
        return event_of(message, view, previous)
