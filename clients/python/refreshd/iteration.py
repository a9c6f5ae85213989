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
            return await anext(self.events)
        except BaseException:
            self.is_over = True  # a generator that has raised an error yields nothing more
            raise
        finally:
            self.is_awaited = False

    async def read_ahead(self, until: asyncio.Event) -> None:
        """Receives events until this one is set or the connection has ended, for the task that asks for them next.

        If a task already waits for the next event, this task receives them.
        """
        if self.is_awaited:
            return
        self.is_awaited = True
        try:
            while not until.is_set():
                self.waiting.append(await anext(self.events))
                if isinstance(self.waiting[-1], Disconnected):
                    break
        except (RefreshError, StopAsyncIteration) as error:
            self.failure = error
        finally:
            self.is_awaited = False

    async def stop(self) -> None:
        """Ends the iteration, unless a task waits for its next event: this task ends it then."""
        if not self.is_awaited:
            self.is_over = True
            await self.events.aclose()
