"""Clients that hold a list, come back after a lost connection, and check what they receive."""

import asyncio
import collections
import pathlib
import random
import sys
import time

import network
from machines import FRONT, LISTEN
from network import NODES, PROXY, address

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients/python"))
import refreshd  # noqa: E402
import websockets  # noqa: E402

# Seconds. A client whose connection is silent notices this after the heartbeat (3 s) and `PONG_SECONDS` of the package (5 s).
OPEN_SECONDS = 3
PAUSE_SECONDS = (0.1, 1)
GEOMETRY = {"viewport": {"width": 390, "height": 800}, "content": {"width": 390, "height": 0}}
# The number of received messages that a message about a violation shows.
RECENT_MAX = 12


class Observer:
    """One client with one view of the feed `news`. A client with a home connects to that node, and goes to the next one
    if it is not served there. A client without a home connects to the proxy."""

    def __init__(self, name, shelf, home, world, broken=None):
        self.name, self.shelf, self.home, self.world, self.broken = name, shelf, home, world, broken
        self.random = random.Random(f"{name} {world.seed}")
        self.place = home
        self.node = None  # the node of the present connection, once it was welcomed
        self.version = 0  # the newest item that the view shows
        self.shown_at = 0.0  # when that item was shown first
        self.resumes = 0
        self.is_leaving = False
        self.socket = None
        self.recent = collections.deque(maxlen=RECENT_MAX)  # what the client has received, for messages about violations
        self.session = self.make_session()
        self.reset()

    @staticmethod
    def make_session():
        """Returns the session. Each connection is opened here, not by the session."""
        return refreshd.Session("")

    def state(self):
        """Describes the view, for a message about a violation."""
        return (f"session {(self.session.resume or {}).get('session')}, {len(self.items)} items, last messages: "
                + ", ".join(self.recent))

    def reset(self):
        self.items = []
        self.loads = set()
        self.count = None  # what the daemon states about the list
        self.has_more = False
        self.is_back = False
        self.awaits_state = False

    def url(self):
        if self.home is None:
            return f"ws://{address(PROXY)}:{FRONT}/v1/session"
        return f"ws://{address(self.place)}:{LISTEN}/v1/session"

    async def attach(self):
        await self.session.attach(
            "list", "iqpulltorefresh", feed="news", parameters={"shelf": self.shelf}, top={"changes": "visible"},
            geometry=GEOMETRY)

    async def run(self):
        await self.attach()
        while not self.world.is_over:
            opened = time.monotonic()
            self.is_leaving = False
            reason = "its connection ended"
            try:
                async with websockets.connect(
                        self.url(), subprotocols=["refresh.v1"], max_size=None, open_timeout=OPEN_SECONDS,
                        close_timeout=1) as self.socket:
                    node = self.node_of(self.socket)
                    async for event in self.session.exchange(refreshd.WebSocketTransport(self.socket)):
                        if event.message["type"] == "welcome":
                            self.node = node
                        self.note(event.message)
                        await self.handle(event)
            except refreshd.ConnectionLost as lost:
                reason = f"closed with {lost.code}"
            except (OSError, websockets.InvalidHandshake, websockets.InvalidMessage) as error:
                reason = f"not connected: {error!r}"
            finally:
                self.session.socket = None
            if self.node is not None and not self.is_leaving and not self.world.is_over:
                # A silent connection was lost at most a heartbeat and the wait for `pong` before this moment.
                self.world.lost(self, reason, opened)
            elif self.home is not None and self.node is None:
                self.place = self.place % NODES[-1] + 1
            self.node = None
            if not self.is_leaving:
                await asyncio.sleep(self.random.uniform(*PAUSE_SECONDS))

    def node_of(self, socket):
        if self.home is not None:
            return self.place
        # The last address is the one that has accepted the connection.
        last = socket.response_headers.get("X-Node", "").split(",")[-1].strip()
        return int(last.split(":")[0].rsplit(".", 1)[-1]) if last else None

    async def go_home(self):
        """Ends the connection without a `bye` and resumes at the home node, as after a change of networks."""
        if self.home is not None and self.node is not None and self.node != self.home:
            self.place = self.home
            self.is_leaving = True
            self.socket.transport.abort()

    async def act(self):
        """Requests something now and then, as a user does, but only while there are faults. Afterwards each view must
        become current without a user."""
        while not self.world.is_over:
            await asyncio.sleep(self.random.uniform(1, 5))
            if self.node is None or not self.world.is_disturbed:
                continue
            kind = "loadMore" if self.has_more and self.random.random() < 0.3 else "refresh"
            message = {"type": kind, "view": "list"}
            if kind == "refresh":
                message["cause"] = "code"
            await self.session.send(message)

    def note(self, message):
        """Keeps the last messages, for a message about a violation."""
        kind = message["type"]
        if kind != "pong":
            detail = {name: message[name] for name in ("phase", "load", "resumed", "newer") if name in message}
            state = (message.get("top") or {}).get("state")
            self.recent.append(f"{time.monotonic() - self.world.began:.2f} {kind} {detail or ''} {state or ''}".strip())

    async def handle(self, event):
        message = event.message
        kind = message["type"]
        check = self.world.verdicts.check
        if kind == "welcome":
            self.welcomed(message)
        elif kind == "attached" and not self.is_back:
            await self.session.send({"type": "refresh", "view": "list", "cause": "code"})
        elif kind == "update":
            if self.awaits_state:
                self.awaits_state = False
                check("resume", not self.items or "list" in message,
                      f"{self.name} resumed at node {self.node} without its {len(self.items)} items")
            if "list" in message:
                self.count = message["list"].get("count")
                self.has_more = message["list"].get("more", False)
        elif kind == "items":
            self.receive(message)
            if self.broken == "items":
                self.receive(message)
        else:
            self.check_failure(message)

    def check_failure(self, message):
        """No load fails, and only a node that drains sends an error."""
        kind = message["type"]
        if kind == "error" and message["code"] == "draining":
            self.world.verdicts.check(
                "sessions", self.world.harms.explain(self.node, time.monotonic(), time.monotonic()),
                f"node {self.node} drains")
        elif kind == "error":
            self.world.verdicts.fail("loads", f"{self.name} received the error {message}")
        elif kind == "loading" and message["phase"] in ("failed", "timedOut"):
            self.world.verdicts.fail("loads", f"a load of {self.name} at node {self.node} failed: {message}")

    def welcomed(self, message):
        self.is_back = message.get("resumed", False)
        self.awaits_state = self.is_back
        if self.is_back:
            self.resumes += 1
            self.world.moves[message["session"]] += 1
        if self.items:
            self.world.verdicts.check(
                "resume", self.is_back,
                f"{self.name} did not resume at node {self.node}: {message.get('reason')}")
        if not self.is_back:
            self.reset()

    def receive(self, message):
        """Checks and applies `items`."""
        check = self.world.verdicts.check
        load, page = message["load"], message["items"]
        check("items", load not in self.loads, f"{self.name} received the items of the load {load} twice")
        self.loads.add(load)
        if message["mode"] == "replace":
            self.items = []
        self.items += page
        names = [item["id"] for item in self.items]
        check("items", len(set(names)) == len(names), f"{self.name} shows an item twice after the load {load}")
        check("items", all(name.startswith(f"{self.shelf}-") for name in names),
              f"{self.name} shows items of another list after the load {load}")
        self.count = len(names)
        self.has_more = message.get("more", False)
        newest = max((item["installedKiB"] for item in page), default=0)
        if newest > self.version:
            self.version = newest
            self.shown_at = time.monotonic()

    def check_count(self):
        """Checks, while nothing happens, that the daemon and the client have the same list."""
        self.world.verdicts.check(
            "resume", self.count == len(self.items),
            f"{self.name} has {len(self.items)} items, and node {self.node} states {self.count}")


def crew(world, shelves, broken=None):
    """Returns the clients: one at each node for each list, and two behind the proxy for each list."""
    direct = [Observer(f"{shelf}-{node}", shelf, node, world, broken) for shelf in shelves for node in NODES]
    behind = [Observer(f"{shelf}-proxy-{n}", shelf, None, world, broken) for shelf in shelves for n in (1, 2)]
    return direct + behind
