"""A simulated network and a simulated clock for the tests of the package, and a session that uses them."""

import asyncio
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "clients/python"))

import refreshd  # noqa: E402

WELCOME = {"type": "welcome", "protocol": 1, "session": "5f0c", "token": "T1", "server": "test", "time": 0,
           "heartbeat": 25000, "limits": {}, "profiles": [], "feeds": [], "indicators": []}
ATTACHED = {"type": "attached", "view": "list", "ack": 0, "generation": 1, "axis": "vertical",
            "top": {"role": "refresh", "state": "idle"}, "bottom": {"role": "loadMore", "state": "idle"}}
SNAPSHOT = {"type": "snapshot", "ack": 0, "expires": 3600000, "sealed": "v2.a"}
# The number of turns of the event loop after which nothing happens any more without the test.
TURNS = 60


class Clock:
    """A clock that moves only by `advance`."""

    def __init__(self):
        self.now = 1000.0
        self.sleepers = []

    def time(self):
        return self.now

    async def sleep(self, seconds):
        sleeper = self.now + seconds, asyncio.get_running_loop().create_future()
        self.sleepers.append(sleeper)
        try:
            await sleeper[1]
        finally:
            self.sleepers.remove(sleeper)

    async def advance(self, seconds):
        """Moves the clock from one deadline to the next, and lets the session do what it does at each."""
        goal = self.now + seconds
        while True:
            await settle()
            due = [deadline for deadline, future in self.sleepers if deadline <= goal and not future.done()]
            if not due:
                break
            self.now = max(self.now, min(due))
            for deadline, future in list(self.sleepers):
                if deadline <= self.now and not future.done():
                    future.set_result(None)
        self.now = goal


class Connection:
    """One connection, on the side of the daemon. `sent` has the frames that the client has sent."""

    def __init__(self, url):
        self.url = url
        self.frames = []
        self.incoming = asyncio.Queue()
        self.is_closed = False
        self.is_aborted = False

    # The interface of a transport

    async def send(self, text):
        if self.is_closed or self.is_aborted:
            raise refreshd.ConnectionLost(1006)
        self.frames.append(json.loads(text))

    async def receive(self):
        received = await self.incoming.get()
        if isinstance(received, Exception):
            raise received
        return received

    async def close(self):
        self.is_closed = True
        self.end(1000)

    def abort(self):
        if not self.is_aborted:
            self.is_aborted = True
            self.end(1006)

    # The daemon

    def deliver(self, *messages):
        """Sends messages to the client, in one frame."""
        self.incoming.put_nowait(json.dumps(messages[0] if len(messages) == 1 else messages))

    def end(self, code):
        self.incoming.put_nowait(refreshd.ConnectionLost(code))

    @property
    def messages(self):
        """All messages that the client has sent."""
        return [one for frame in self.frames for one in (frame if isinstance(frame, list) else [frame])]

    def of(self, *kinds):
        return [message for message in self.messages if message["type"] in kinds]


class Network:
    """Opens simulated connections. `refusals` are the errors of the next attempts. A connection opens when `is_open`
    is set.
    """

    def __init__(self):
        self.connections = []
        self.refusals = []
        self.is_open = asyncio.Event()
        self.is_open.set()

    async def __call__(self, url):
        await self.is_open.wait()
        if self.refusals:
            raise self.refusals.pop(0)
        self.connections.append(Connection(url))
        return self.connections[-1]


async def settle():
    for _ in range(TURNS):
        await asyncio.sleep(0)


class SessionTestCase(unittest.IsolatedAsyncioTestCase):
    """A test with a session in a simulated network. A wait between attempts takes the middle of its range."""

    def setUp(self):
        self.network = Network()
        self.clock = Clock()
        self.waits = []
        self.events = []
        self.error = None
        self.running = None

    def uniform(self, least, most):
        self.waits.append((round(least, 3), most))
        return most / 2

    async def opened(self, **options):
        """Makes a session with one view, and begins to iterate it."""
        view_options = options.pop("view", {})
        self.session = refreshd.Session(
            "ws://test", connector=self.network, clock=self.clock, backoff=refreshd.Backoff(self.uniform), **options)
        self.view = await self.session.attach("list", feed="items", **view_options)
        self.running = asyncio.create_task(self.iterate())
        self.addAsyncCleanup(self.ended)
        await settle()
        return self.session

    async def attached_iteration(self):
        """Returns the iteration of a session whose view is attached, and whose next event is awaited by nobody."""
        self.session = refreshd.Session("ws://test", connector=self.network, clock=self.clock)
        self.view = await self.session.attach("list")
        iteration = aiter(self.session)
        reading = asyncio.ensure_future(anext(iteration))
        await settle()
        await self.deliver(WELCOME, ATTACHED, SNAPSHOT)
        await reading
        for _ in range(2):
            await anext(iteration)
        self.addAsyncCleanup(self.session.stop)
        return iteration

    async def iterate(self):
        try:
            async for event in self.session:
                self.events.append(event)
        except refreshd.Refused as refused:
            self.error = refused

    async def ended(self):
        self.running.cancel()
        await settle()

    @property
    def connection(self):
        return self.network.connections[-1]

    async def deliver(self, *messages):
        self.connection.deliver(*messages)
        await settle()

    async def welcomed(self, **options):
        """Opens a session, and answers its first `hello`. `welcome` has members of the answer."""
        welcome = options.pop("welcome", {})
        await self.opened(**options)
        await self.deliver(WELCOME | welcome, ATTACHED)
        return self.session

    async def lost(self, code=1006, seconds=1):
        """Ends the connection. After this time the client has connected again."""
        self.connection.end(code)
        await self.clock.advance(seconds)

    def event(self, kind):
        """Returns the last event of this kind."""
        return next(event for event in reversed(self.events) if isinstance(event, kind))


def applied(items, operation):
    """Returns the items after an operation, in the simplest way; None if it does not fit."""
    keys = [item["id"] for item in items]
    kind, value = next(iter(operation.items()))
    key = value["id"] if kind in ("insert", "update") else value
    neighbour = operation.get("before", operation.get("after"))
    if (key in keys) == (kind == "insert") or (neighbour is not None and neighbour not in keys):
        return None
    if kind == "update":
        return [value if item["id"] == key else item for item in items]
    if neighbour == key:
        return items
    moved = value if kind == "insert" else items[keys.index(key)]
    rest = [item for item in items if item["id"] != key]
    if kind == "remove":
        return rest
    if "at" in operation:
        return [moved, *rest] if operation["at"] == "start" else [*rest, moved]
    place = [item["id"] for item in rest].index(neighbour) + ("after" in operation)
    return [*rest[:place], moved, *rest[place:]]
