"""The iteration of a session. There is one at a time, which a program can leave and continue."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator

from .errors import RefreshError
from .events import Disconnected, Event


class Iteration:
    """Yields the events of a session to one task at a time.

    `break` leaves the iteration as it is: the next `async for` continues it, without a new connection. It is over
    when the session ends, when an error has ended it, and when its task is cancelled.
    """

    def __init__(self, events: AsyncGenerator[Event, None]) -> None:
        self.events = events
        self.is_awaited = False  # whether a task waits for the next event
        self.is_over = False
        self.waiting: deque[Event] = deque()  # events that were received ahead
        self.failure: Exception | None = None  # the end of the events, if it was met ahead
        self.step: asyncio.Task[Event] | None = None  # receives the next event ahead

    def __aiter__(self) -> "Iteration":
        return self

    async def __anext__(self) -> Event:
        """Returns the next event. Raises RuntimeError if another task already waits for it."""
        if self.is_awaited:
            raise RuntimeError("another task already iterates this session: let one task iterate it, and share events")
        self.is_awaited = True
        try:
            if self.waiting:
                return self.waiting.popleft()
            if self.failure:
                raise self.failure
            if self.step:
                step = self.step
                event = await step
                self.step = None
                return event
            return await anext(self.events)
        except BaseException:
            self.is_over = True  # a generator that has raised an error yields nothing more
            raise
        finally:
            self.is_awaited = False

    async def read_ahead(self, until: asyncio.Event) -> None:
        """Receives events until this one is set or the connection has ended, for the task that asks for them next.

        If a task waits for the next event, this task receives them.
        """
        ending = asyncio.ensure_future(until.wait())
        try:
            while not (self.is_awaited or self.is_over or self.failure or until.is_set()):
                step = self.step = self.step or asyncio.ensure_future(self.next_event())
                await asyncio.wait((step, ending), return_when=asyncio.FIRST_COMPLETED)
                if not step.done() or self.step is not step or self.is_awaited or not self.take(step):
                    return
        finally:
            ending.cancel()

    async def next_event(self) -> Event:
        return await anext(self.events)

    def take(self, step: asyncio.Task[Event]) -> bool:
        """Stores what was received ahead. Returns whether the connection continues."""
        self.step = None
        if step.cancelled():
            self.is_over = True
            return False
        failure = step.exception()
        if failure is None:
            self.waiting.append(step.result())
            return not isinstance(self.waiting[-1], Disconnected)
        if isinstance(failure, RefreshError | StopAsyncIteration):
            self.failure = failure
            return False
        self.is_over = True
        raise failure

    async def stop(self) -> None:
        """Ends the iteration, unless a task waits for its next event: this task ends it then."""
        if self.is_awaited:
            return
        self.is_over = True
        if self.step:
            self.step.cancel()
            await asyncio.wait((self.step,))
            self.step = None
        await self.events.aclose()
