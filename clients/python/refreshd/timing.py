"""Time and chance: the clock of a session, and the waits between its attempts to connect."""

import asyncio
import random
from collections.abc import Callable
from typing import Protocol

WAIT_SECONDS_MAX = 30.0
JITTER = 10  # the longest wait of an attempt is this multiple of its shortest wait


class Clock(Protocol):
    """A clock that only goes forward, in seconds."""

    def time(self) -> float:
        """Returns the present time in seconds, from any beginning."""

    async def sleep(self, seconds: float) -> None:
        """Returns after this time."""


class LoopClock:
    """The clock of the running event loop."""

    def time(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def first_of(clock: Clock, event: asyncio.Event, seconds: float) -> None:
    """Returns when the event is set, or after this time."""
    waits = [asyncio.ensure_future(event.wait()), asyncio.ensure_future(clock.sleep(seconds))]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waits:
            one.cancel()


class Backoff:
    """The waits between attempts: 0.1 to 1 s before the first, and twice both bounds each time, up to 30 s.

    Source: docs/protocol.md, Coming back.
    """

    def __init__(self, uniform: Callable[[float, float], float] = random.uniform) -> None:
        self.uniform = uniform
        self.attempts = 0
        """The number of attempts since the last connection that was healthy."""

    def reset(self) -> None:
        """Makes the next attempt the first one."""
        self.attempts = 0

    def next(self, *, is_at_once: bool = False, at_least: float = 0) -> float:
        """Counts an attempt, and returns the seconds to wait before it. Only a first attempt can be at once."""
        self.attempts += 1
        if is_at_once and self.attempts == 1:
            return 0
        # The exponent is bounded, because a power of two with thousands of digits is no number of seconds.
        most = min(2.0 ** min(self.attempts - 1, 16), WAIT_SECONDS_MAX)
        return max(self.uniform(most / JITTER, most), at_least)


def is_final(code: int) -> bool:
    """Whether a client does not connect again after this close code."""
    return code in (1007, 1009) or 4000 <= code < 4100
