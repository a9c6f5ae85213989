"""The commands of `python -m refreshd`."""

import argparse
import asyncio
import sys
from collections.abc import Sequence

from .errors import Refused
from .events import (
    Connected, Disconnected, Draining, Event, Faulted, Ignored, ItemsReceived, LoadChanged, ViewChanged)
from .protocol import PROFILES, VERSION, Size
from .session import Session
from .timing import Clock
from .transport import checked
from .view import View

ATTEMPTS_MAX = 8
FRAME_SECONDS = 1 / 60
PULL_POINTS = 80
PULL_POINTS_MAX = 600
STEP_POINTS = 4
SPRING_STEPS = 15
FIRED = ("triggered", "refreshing", "succeeded", "failed", "finishing")
VIEWPORT: Size = {"width": 390, "height": 800}


async def drag(view: View, clock: Clock) -> None:
    """Pulls a list by 80 points in a third of a second, and then on until the pull is far enough, by at most 600
    points. Lifts the finger. The list springs back to its room.

    The room may open while the list springs back. So each step asks again where the list comes to rest.
    """
    await view.scroll(0, "began")
    pulled = 0
    while pulled < PULL_POINTS or (pulled < PULL_POINTS_MAX and view.state("top") in ("idle", "pulling")):
        await clock.sleep(FRAME_SECONDS)
        pulled += STEP_POINTS
        await view.scroll(-pulled, "dragging")
    await clock.sleep(FRAME_SECONDS)
    await view.scroll(-pulled, "ended")
    for step in range(SPRING_STEPS, -1, -1):
        await clock.sleep(FRAME_SECONDS)
        rest = view.rest()
        offset = rest + (view.offset - rest) * step / (step + 1)
        await view.scroll(offset, "decelerating" if step else "idle")


class Pull:
    """A list that is pulled once. It prints its feed, the states of the refresh edge and the number of items."""

    def __init__(self, session: Session, name: str = "list") -> None:
        self.session = session
        self.name = name
        self.finger: asyncio.Task[None] | None = None
        self.feeds: list[str] = []  # of the last `welcome`
        self.profile = ""
        self.printed = ""  # the last state
        self.has_fired = False  # whether the edge has left the states of a pull
        self.count: int | None = None  # the number of items that have arrived

    async def run(self, profile: str, feed: str) -> int:
        """Pulls the list until its items have arrived and the edge is idle again. Returns the exit status."""
        self.profile = profile
        print(f"pulling the feed {feed} with the profile {profile} (see --feed and --profile)", flush=True)
        await self.session.attach(
            self.name, profile, feed=feed, geometry={"viewport": VIEWPORT, "content": {"width": 390, "height": 0}})
        try:
            async for event in self.session:
                status = await self.handle(event)
                if status is not None:
                    return status
        finally:
            if self.finger:
                self.finger.cancel()
        return 1

    async def handle(self, event: Event) -> int | None:
        """Prints an event. Returns the exit status if the pull has ended."""
        match event:
            case Connected(message=dict(message)):
                self.feeds = message.get("feeds", [])
                if event.reason:
                    warn(f"new session: {event.reason}")
                if self.finger and self.finger.done():
                    await self.ping()
            case Disconnected(explanation=explanation, retry_seconds=float(seconds)):
                warn(f"no connection: {explanation} (next attempt in {seconds:.1f} s)")
            case Draining():
                warn("the daemon stops; the session continues elsewhere")
            case Ignored():
                warn(described(event))
            case ViewChanged(view=view, message={"type": "attached"}):
                if not self.session.is_back:
                    if self.finger:
                        self.finger.cancel()
                    self.finger = asyncio.ensure_future(self.pull(view))
            case ViewChanged(view=view, message={"top": _}):
                self.show(view)
            case ItemsReceived(items=items):
                self.count = len(items)
            case Event(message={"type": "pong"}) if (
                    self.finger and self.finger.done() and not self.has_fired and self.count is None):
                warn(f"a pull of {PULL_POINTS_MAX} points at most does not refresh the list with the profile "
                     f"{self.profile}")
                return 1
            case LoadChanged(phase="failed" | "timedOut", explanation=explanation):
                warn(explanation or "the load has failed")
                return 1
            case Faulted(is_temporary=False, code=code, explanation=explanation):
                warn(f"{explanation}{self.advice(code)}")
                return 1
        return self.end()

    async def pull(self, view: View) -> None:
        """Pulls the list. The answer to `ping` arrives after the daemon has handled the whole pull."""
        await drag(view, self.session.clock)
        await self.ping()

    async def ping(self) -> None:
        if self.session.socket:
            await self.session.transmit(
                self.session.socket, {"type": "ping", "t": self.session.clock.time() * 1000})

    def show(self, view: View) -> None:
        """Prints the state of the refresh edge if it differs from the last line."""
        self.has_fired = self.has_fired or view.state("top") in FIRED
        if state(view) != self.printed:
            self.printed = state(view)
            print(self.printed, flush=True)

    def end(self) -> int | None:
        """Returns the exit status if the items have arrived, the list rests and the edge is idle again."""
        view = self.session.views[self.name]
        if self.count is None or not (self.finger and self.finger.done()) or view.state("top") in FIRED:
            return None
        print(f"{self.count} items received")
        return 0

    def advice(self, code: str) -> str:
        """Returns the names of the feeds, if the daemon does not have the one that was requested."""
        if code != "unknownFeed" or not self.feeds:
            return ""
        if len(self.feeds) == 1:
            return f" It has the feed {self.feeds[0]}: pass --feed {self.feeds[0]}."
        return f" It has the feeds {', '.join(self.feeds)}: choose one by --feed."


def state(view: View) -> str:
    progress = view.edges["top"].get("progress")
    is_pulled = view.state("top") in ("pulling", "eligible") and progress is not None
    return f"{view.state('top')} {progress:.2f}" if is_pulled else str(view.state("top"))


def described(ignored: Ignored) -> str:
    """Returns what the daemon has ignored, and where, or a mistake of the client, and the page about it."""
    message = ignored.message or {}
    place = [f"{name} {message[name]}" for name in ("field", "view", "seq") if name in message]
    place += [f"see {message['page']}"] if "page" in message else []
    meant = f"; did you mean {message['suggestion']}?" if "suggestion" in message else ""
    return f"{ignored.code}: {message.get('message')} ({', '.join(place)}{meant})"


def warn(text: str) -> None:
    print(text, file=sys.stderr)


async def pull(url: str, *, profile: str, feed: str, token: str | None, diagnostics: bool) -> int:
    async with Session(url, token=token, diagnostics=diagnostics, attempts_max=ATTEMPTS_MAX) as session:
        return await Pull(session).run(profile, feed)


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    found = argparse.ArgumentParser(prog="python -m refreshd", description="A client of refreshd.")
    found.add_argument("--version", action="version", version=f"refreshd {VERSION}")
    commands = found.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser(
        "pull", help="pull a list once, and print what the daemon decides",
        description="Pulls a list once, and prints the states of its refresh edge and the number of items that arrive. "
        "After a lost connection the session resumes. Exit status: 0 items have arrived, 1 they have not, 2 the "
        "command line is wrong.")
    one.add_argument("url", metavar="URL", help="the daemon, such as ws://127.0.0.1:8080/v1/session")
    one.add_argument(
        "--feed", default="packages", help="the feed of the list (%(default)s, which only a daemon with the demo has)")
    one.add_argument(
        "--profile", default="iqpulltorefresh",
        help=f"the profile of the list (%(default)s); the built-in ones are {', '.join(PROFILES)}")
    one.add_argument("--token", help="the token that authenticates the client")
    one.add_argument("--diagnostics", action="store_true", help="print what the daemon ignores, on standard error")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Returns its exit status."""
    options = parser().parse_args(arguments)
    try:
        checked(options.url)
    except ValueError as error:
        warn(str(error))
        return 2
    try:
        return asyncio.run(pull(
            options.url, profile=options.profile, feed=options.feed, token=options.token,
            diagnostics=options.diagnostics))
    except Refused as refused:
        warn(str(refused))
        return 1
    except KeyboardInterrupt:
        return 130
