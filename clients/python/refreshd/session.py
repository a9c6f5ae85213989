"""A session: connects, resumes after a lost connection, and yields what happens."""

import asyncio
import contextlib
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from types import TracebackType
from typing import Any, Self, Unpack

from .checking import check_attempts, check_options
from .errors import ConnectFailed, ConnectionLost, Refused
from .events import Connected, Disconnected, Event, check_hello, event_of
from .iteration import Iteration
from .protocol import CLOSES, AttachBody, AttachOptions, FramesMode, FrameOptions
from .requests import ViewRequests
from .state import Message, decoded, encoded, thinned
from .timing import Backoff, Clock, LoopClock, first_of, is_final
from .transport import Connector, Transport, is_refusal, refusal, websocket
from .view import View

HEALTHY_SECONDS = 5  # a session that was open for this long makes the next attempt to connect the first one
PONG_SECONDS = 5  # a connection is lost if a `ping` is unanswered for this long
SNAPSHOT_SECONDS = 1  # how long the background waits for a sealed snapshot
STEP_SECONDS = 0.05  # the shortest time between two looks at the heartbeat

Token = str | Callable[[], str | Awaitable[str]]
"""The token that authenticates a client, or a function that returns the present one."""


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
        self.token_source = token
        self.attempts_max = attempts_max
        self.connector = connector or websocket()
        self.clock = clock or LoopClock()
        self.backoff = backoff or Backoff()
        self.socket: Transport | None = None
        """The open connection, from `welcome` on."""
        self.opening: Transport | None = None  # the open connection, also before `welcome`
        self.last_sent_at = 0.0
        self.welcomed_at: float | None = None
        self.is_in_background = False
        self.hidden: set[str] = set()  # the views that disappeared with the app
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
        self, name: str, profile: str = "default", *, requests_items: bool = False, **options: Unpack[AttachOptions],
    ) -> View:
        """Adds a view. `options` are the members of `AttachOptions`, such as `feed`, `geometry`, `top` and `bottom`.

        With `requests_items` the session requests the first page of the view in each new session. Raises ValueError
        if a view of this name exists, and SessionClosed after the end. Raises TypeError if there is no option of a
        name, also within an option such as `top`, and for a value of a wrong type.
        """
        self.check_open()
        check_options(options)
        if name in self.views:
            raise ValueError(f"there is a view {name}")
        body: AttachBody = {"view": name, "profile": profile, **options}
        view = self.view_kind(self, name, body, requests_items=requests_items)
        encoded(view.body())
        self.views = {**self.views, name: view}
        if self.socket:
            await self.send_attach(self.socket, view)
        if requests_items and not self.is_restored:  # a fresh session requests them at `welcome`
            await self.send({"type": "refresh", "view": name, "cause": "code"})
        return view

    async def detach(self, name: str) -> None:
        """Removes a view, and drops the messages about it, so that they are not repeated."""
        self.views = {one: view for one, view in self.views.items() if one != name}
        self.outbox = [sent for sent in self.outbox if sent.get("view") != name]
        self.received.pop(name, None)
        self.returning.discard(name)
        self.covered.discard(name)
        self.queries.pop(name, None)
        if self.socket:
            await self.send_detach(self.socket, name)

    async def send(self, message: Message) -> None:
        """Sends a message of a client. Without a connection, the message is sent on the next one.

        The methods of `View` make these messages. Raises OutboxFull.
        """
        self.keep(message)
        if self.socket:
            await self.transmit(self.socket, message)

    async def send_together(self, *messages: Message) -> None:
        """Sends messages in one frame."""
        for message in messages:
            self.keep(message)
        if self.socket:
            await self.transmit(self.socket, list(messages))

    async def send_once(self, message: Message) -> None:
        """Sends a message that is of no use on a later connection."""
        if self.socket:
            self.seq += 1
            await self.transmit(self.socket, message | {"seq": self.seq})

    async def background(self) -> None:
        """Ends the connection, because the app goes to the background. The daemon keeps the session for a while.

        The views disappear. The last sealed snapshot contains all that was sent, so that the session can also resume
        later, or elsewhere.
        """
        self.is_in_background = True
        reading: asyncio.Future[None] | None = None
        self.change.set()
        for name in [name for name in self.views if name not in self.covered]:
            self.hidden.add(name)
            await self.disappear(name)
        if self.socket and self.snapshot:
            self.snapshot_arrived.clear()
            await self.transmit(self.socket, {"type": "snapshot"})
            if self.iteration:  # the calling task may be the one that iterates
                reading = asyncio.ensure_future(self.iteration.read_ahead(self.snapshot_arrived))
            await first_of(self.clock, self.snapshot_arrived, SNAPSHOT_SECONDS)
        if self.opening and self.is_in_background:
            with contextlib.suppress(ConnectionLost, OSError):
                await self.opening.close()
        if reading:
            await reading

    async def foreground(self) -> None:
        """Connects again at once, because the app is in the foreground again. The views that disappeared appear."""
        self.is_in_background = False
        hidden, self.hidden = self.hidden, set()
        for name in sorted(hidden):
            await self.appear(name)
        self.is_hurried = self.opening is not None
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
                async with contextlib.aclosing(self.exchange(self.opening)) as messages:
                    async for message in messages:
                        event = self.event(message)
                        view = self.views.get(message.get("view", ""))
                        if view and (requests := view.list_requests()):
                            await self.send_together(*requests)
                        yield event
            except ConnectionLost as lost:
                code = lost.code
                explanation = CLOSES[code].meaning if code in CLOSES and code != 1006 else str(lost)
            except ConnectFailed as failure:
                explanation, retry_after = str(failure), failure.retry_after
                if self.is_first and is_refusal(failure):
                    raise Refused(refusal(self.url, failure)) from failure
            except OSError as error:  # the program could not get a token
                explanation = str(error)
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
            token = self.token_source()
            self.token = await token if inspect.isawaitable(token) else token

    async def exchange(self, socket: Transport) -> AsyncGenerator[Message, None]:
        """Yields the messages of one connection. A frame is one message or an array of messages.

        Raises ConnectionLost at the end of the connection, and Refused if the daemon refuses `hello` for good.
        """
        first_frame = self.hello()
        described = dict(self.views)
        sent = first_frame[-1].get("seq", 0)
        self.ping_sent_at = None
        await self.transmit(socket, first_frame)
        pinging = None
        try:
            while True:
                for message in await self.next_messages(socket):
                    self.handle(message)
                    if message["type"] == "snapshot":
                        self.snapshot_arrived.set()
                    if message["type"] == "welcome" and pinging is None:
                        self.welcomed_at = self.clock.time()
                        pinging = asyncio.ensure_future(self.send_pings(socket))
                        await self.send_rest(socket, max(sent, message.get("ack", 0)), described)
                    yield message
                    if pinging is None:
                        check_hello(message)
        finally:
            if pinging:
                pinging.cancel()

    async def next_messages(self, socket: Transport) -> list[Message]:
        """Returns the messages of the next frame. A frame that is not JSON was damaged, and ends the connection."""
        text = await socket.receive()
        try:
            return decoded(text)
        except ValueError as error:
            socket.abort()
            raise ConnectionLost(1002) from error

    async def send_rest(self, socket: Transport, sent: int, described: dict[str, View]) -> None:
        """Sends what did not fit into the first frame, and what was kept since. It had to wait for `welcome`, which
        states whether the session is resumed. The first frame has described these views.
        """
        for name, view in described.items():
            if self.views.get(name) is not view:
                await self.send_detach(socket, name)
        for name, view in list(self.views.items()):
            if described.get(name) is not view:
                await self.send_attach(socket, view)
        while rest := [kept for kept in thinned(self.outbox) if kept["seq"] > sent]:
            sent = rest[-1]["seq"]
            for frame in self.frames(rest):
                await self.transmit(socket, frame)
        self.socket = socket  # from now on, each message is sent at once

    async def send_attach(self, socket: Transport, view: View) -> None:
        self.seq += 1
        await self.transmit(socket, {"type": "attach", "seq": self.seq, **view.body()})

    async def send_detach(self, socket: Transport, name: str) -> None:
        self.seq += 1
        await self.transmit(socket, {"type": "detach", "seq": self.seq, "view": name})

    async def transmit(self, socket: Transport, frame: Message | list[Message]) -> None:
        self.last_sent_at = self.clock.time()
        with contextlib.suppress(ConnectionLost):  # `exchange` receives the reason, after all earlier messages
            await socket.send(encoded(frame))

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
                await self.transmit(socket, {"type": "ping", "t": now * 1000})

    def event(self, message: Message) -> Event:
        """Applies a message to its view, and returns its event."""
        name = message.get("view")
        view = self.views.get(name) if isinstance(name, str) else None
        previous = view.items if view else []
        if view:
            view.handle(message, self.is_back)
        if message["type"] == "welcome":
            is_first, self.is_first = self.is_first, False
            return Connected(
                message=message, session=message["session"], is_resumed=self.is_back, is_first=is_first,
                reason=message.get("reason"))
        return event_of(message, view, previous)
