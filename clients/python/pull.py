#!/usr/bin/env python3
"""Pulls a list through refreshd and prints what the daemon decides. docs/protocol.md specifies the protocol.

    pull.py [--diagnostics] ws://127.0.0.1:8080/v1/session

After a lost connection the client resumes its session, and repeats the messages that the daemon has not acknowledged.
With --diagnostics it prints what the daemon ignores, on standard error.
"""
import asyncio
import json
import random
import sys

import websockets

LIST = {"view": "list", "profile": "iqpulltorefresh", "feed": "packages", "geometry": {
    "viewport": {"width": 390, "height": 800}, "content": {"width": 390, "height": 0}}}
MOVING = ("dragging", "decelerating")  # the phases of the samples between `began`, `ended` and `idle`
HEALTHY_SECONDS = 5  # a connection that lasts this long resets the number of attempts
ATTEMPTS_MAX = 8  # the maximum number of attempts to connect in a row
PONG_SECONDS = 5  # a connection is lost if a `ping` is unanswered for this long


class Refused(Exception):
    """The client gives up: the daemon rejects it permanently, or cannot be reached."""


class Session:
    """The state that a session keeps when a connection ends: its credentials, and the messages sent and received."""

    def __init__(self, views=(LIST,), diagnostics=False, features=None):
        self.views = list(views)
        self.describe = lambda body: body  # returns the current `hello` member of a view
        self.diagnostics = diagnostics
        self.features = features  # the features of the protocol that the client uses; None: it uses none
        self.served = None  # the features in the last `welcome`
        self.reset()
        self.seq = 0
        self.socket = None
        self.was_welcomed = False
        self.is_closed = False  # whether the client has ended the session
        self.heartbeat = 25.0  # seconds
        self.last_sent_at = 0.0
        self.ping_sent_at = None  # when the unanswered `ping` was sent
        self.limits = {"batchMessagesMax": 64, "frameBytesMax": 65536}  # defaults until the first `welcome`

    def reset(self):
        """Resets the state for a fresh session."""
        self.resume = None  # session and token
        self.ack = 0
        self.received = {}  # by view, the last load whose items were received
        self.returning = set()  # views whose state has not arrived yet after a resumption
        self.snapshot = None
        self.outbox = []  # messages that are not acknowledged, sent or not

    def hello(self):
        """The first frame of a connection: `hello`, and as many unacknowledged messages as fit into the frame."""
        views = [self.describe(view) for view in self.views]
        hello = {"type": "hello", "protocol": 1, "snapshots": True, "views": views}
        if self.diagnostics:
            hello["diagnostics"] = True
        if self.features is not None:
            hello["features"] = list(self.features)
        if self.resume:
            hello["resume"] = self.resume | {"ack": self.ack, "received": list(self.received.values())}
            if self.snapshot:
                hello["resume"]["snapshot"] = self.snapshot["sealed"]
        return next(self.frames([hello, *thinned(self.outbox)]))

    def frames(self, messages):
        """Yields frames that contain the messages in order and respect the limits of the daemon."""
        frame, size = [], 2
        for message in messages:
            length = len(json.dumps(message)) + 2  # with the separator
            is_full = len(frame) >= self.limits["batchMessagesMax"] or size + length > self.limits["frameBytesMax"]
            if frame and is_full:
                yield frame
                frame, size = [], 2
            frame.append(message)
            size += length
        if frame:
            yield frame

    def keep(self, message):
        """Numbers and stores a message. It is sent after the next `welcome` at the latest."""
        self.seq += 1
        message["seq"] = self.seq
        self.outbox.append(message)

    async def send(self, message):
        """Sends a message. Without a connection, the message is sent after the next `hello`."""
        self.keep(message)
        if self.socket:
            await self.transmit(self.socket, message)

    async def detach(self, name):
        """Detaches a view, and drops the messages about it, so that they are not repeated."""
        self.views = [view for view in self.views if view["view"] != name]
        self.outbox = [sent for sent in self.outbox if sent.get("view") != name]
        self.received.pop(name, None)
        self.returning.discard(name)
        if self.socket:
            await self.send_detach(self.socket, name)

    async def send_detach(self, socket, name):
        self.seq += 1
        await self.transmit(socket, {"type": "detach", "seq": self.seq, "view": name})

    async def close(self):
        """Ends the session. It cannot be resumed."""
        self.is_closed = True
        if self.socket:
            await self.transmit(self.socket, {"type": "bye"})

    async def transmit(self, socket, frame):
        self.last_sent_at = asyncio.get_running_loop().time()
        try:
            await socket.send(json.dumps(frame))
        except websockets.ConnectionClosed:
            pass  # `exchange` receives the reason, after all earlier messages

    def handle(self, message):
        """Updates the state with a received message, for a later resumption."""
        kind = message["type"]
        if kind == "welcome":
            self.limits |= message.get("limits", {})
            self.served = message.get("features")
            if self.was_welcomed and not message.get("resumed"):
                self.reset()
            self.was_welcomed = True
            self.heartbeat = message.get("heartbeat", 25000) / 1000
            self.resume = {key: message[key] for key in ("session", "token")} if "token" in message else None
            self.ack = message.get("ack", 0)
            self.returning = {view["view"] for view in self.views} if message.get("resumed") else set()
        elif kind == "snapshot":
            self.snapshot = message if message["sealed"] else None
        elif kind == "pong":
            self.ping_sent_at = None
        elif kind == "items" and any(view["view"] == message["view"] for view in self.views):
            self.received[message["view"]] = message["load"]
        elif kind == "update" and message["view"] in self.returning:
            self.returning.discard(message["view"])
            if "list" not in message:
                self.received.pop(message["view"], None)  # the daemon handled a reset, but its answer was lost
        self.ack = max(self.ack, message.get("ack", 0))
        confirmed = self.snapshot["ack"] if self.snapshot else self.ack
        self.outbox = [sent for sent in self.outbox if sent["seq"] > confirmed]


class View:
    """The display of a list. It merges all updates, and applies motions immediately."""

    def __init__(self, offset=0):
        self.offset = offset
        self.items = []
        self.began = 0  # the `seq` of the last movement's first sample
        self.begin()

    def begin(self):
        """Resets the whole display except the items, which stay until new items arrive."""
        self.is_attached = False
        self.edges = {}
        self.inset = {"top": 0, "bottom": 0}
        self.loads = []
        self.is_newer = False
        self.floor = {"state": "closed"}

    def handle(self, message, is_back=False):
        kind = message["type"]
        if kind == "attached":
            if not is_back:
                self.begin()
                if self.began <= message["ack"] or message["ack"] == 0:
                    self.began = 0  # only a movement that was sent after the attach counts
            self.is_attached = True
            self.loads = []  # the daemon sends the running loads again
            self.floor = {"state": "closed"}
            self.edges = {name: message[name] for name in ("top", "bottom") if name in message}
            self.apply_insets(message)
        elif kind == "update":
            self.change(message)
        elif kind == "items":
            self.end(message["load"])
            page = message["items"]
            self.items = {"append": self.items + page, "prepend": page + self.items}.get(message["mode"], page)
        elif kind == "load" or (kind == "loading" and message["phase"] == "began"):
            self.end(message["load"])
            self.loads.append(message["load"])
        elif kind == "loading" and message["phase"] in ("failed", "cancelled", "timedOut"):
            self.end(message["load"])

    def end(self, load):
        self.loads = [one for one in self.loads if one != load]

    def apply_insets(self, message):
        for name in self.inset.keys() & message.get("inset", {}).keys():
            self.inset[name] = message["inset"][name]

    def change(self, message):
        for name in self.edges.keys() & message.keys():
            self.edges[name] = merged(self.edges[name], message[name])
        self.apply_insets(message)
        if "offset" in message and message["ack"] >= self.began:
            self.offset = message["offset"]["to"]
        self.is_newer = message.get("newer", self.is_newer)
        self.floor = message.get("floor", self.floor)


def merged(edge, change):
    """The state of an edge with a change applied. A new state removes `cause`, `result` and `progress`."""
    lapsed = ("cause", "result", "progress") if "state" in change else ()
    kept = {name: value for name, value in edge.items() if name not in lapsed}
    if isinstance(change.get("indicator"), dict):
        change = change | {"indicator": kept.get("indicator", {}) | change["indicator"]}
    return kept | change


def thinned(kept):
    """The messages without the samples that the next sample of the same movement supersedes."""
    return [one for one, behind in zip(kept, [*kept[1:], {}])
            if not (one.get("phase") in MOVING and behind.get("phase") in MOVING)]


async def messages(url, session):
    """All messages of the daemon, over as many connections as necessary."""
    loop = asyncio.get_running_loop()
    attempt = 0
    while True:
        opened = loop.time()
        code = 1006
        try:
            async with websockets.connect(url, subprotocols=["refresh.v1"], max_size=None) as socket:
                async for message in exchange(socket, session):
                    yield message
                code = socket.close_code
        except websockets.ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else 1006
        except (OSError, websockets.InvalidHandshake, websockets.InvalidMessage) as error:
            print(f"no connection: {error}", file=sys.stderr)
        finally:
            session.socket = None
        if session.is_closed:
            return
        if session.was_welcomed and not session.resume:
            session.reset()
        if code in (1007, 1009) or 4000 <= code < 4100:
            raise Refused(f"closed with {code}")
        attempt = 1 if loop.time() - opened >= HEALTHY_SECONDS else attempt + 1
        if attempt > ATTEMPTS_MAX:
            raise Refused("the daemon cannot be reached")
        is_at_once = 4200 <= code < 4300 and attempt == 1
        most = min(2 ** (attempt - 1), 30)
        await asyncio.sleep(0 if is_at_once else random.uniform(most / 10, most))


async def exchange(socket, session):
    """The messages of one connection. A frame is one message or an array of messages."""
    first_frame = session.hello()
    last = first_frame[-1].get("seq", 0)
    session.ping_sent_at = None
    await session.transmit(socket, first_frame)
    pinging = None
    try:
        async for frame in socket:
            received = json.loads(frame)
            for message in received if isinstance(received, list) else [received]:
                session.handle(message)
                yield message
                if message["type"] == "welcome":
                    # Send the messages that did not fit into the first frame, and later ones. They
                    # wait for `welcome`, which states whether the session is resumed.
                    handled = max(last, message.get("ack", 0))
                    session.socket = socket
                    pinging = asyncio.create_task(send_pings(socket, session))
                    for rest in session.frames([sent for sent in thinned(session.outbox) if sent["seq"] > handled]):
                        await session.transmit(socket, rest)
                    shown = {view["view"] for view in session.views}
                    for removed in [view["view"] for view in first_frame[0]["views"] if view["view"] not in shown]:
                        await session.send_detach(socket, removed)
    finally:
        if pinging:
            pinging.cancel()


async def send_pings(socket, session):
    """Sends `ping` after a silence, to keep the connection open. Cuts the connection if no `pong` arrives."""
    clock = asyncio.get_running_loop().time
    while True:
        due = session.last_sent_at + session.heartbeat
        if session.ping_sent_at is not None:
            due = min(due, session.ping_sent_at + PONG_SECONDS)
        await asyncio.sleep(max(due - clock(), 0.05))
        if session.ping_sent_at is not None and clock() - session.ping_sent_at >= PONG_SECONDS:
            return socket.transport.abort()
        if clock() - session.last_sent_at >= session.heartbeat:
            session.ping_sent_at = session.ping_sent_at or clock()
            await session.transmit(socket, {"type": "ping", "t": clock() * 1000})


async def drag(session, view):
    """Pulls the list by 80 points in a third of a second and lifts the finger. The list springs back to its room."""
    path = [("began", 0), *(("dragging", -4 * step) for step in range(1, 21)), ("ended", -80)]
    view.began = session.seq + 1
    for phase, offset in path:
        await session.send({"type": "scroll", "view": "list", "offset": offset, "phase": phase})
        await asyncio.sleep(1 / 60)
    view.offset = -80
    for step in range(15, -1, -1):
        rest = -view.inset["top"]
        view.offset = rest + (view.offset - rest) * step / (step + 1)
        phase = "decelerating" if step else "idle"
        await session.send({"type": "scroll", "view": "list", "offset": view.offset, "phase": phase})
        await asyncio.sleep(1 / 60)


def warn(ignored):
    """Prints the part of a message that the daemon has ignored."""
    place = [f"{name} {ignored[name]}" for name in ("field", "view", "seq") if name in ignored]
    meant = f"; did you mean {ignored['suggestion']}?" if "suggestion" in ignored else ""
    print(f"{ignored['code']}: {ignored['message']} ({', '.join(place)}{meant})", file=sys.stderr)


async def pull(url, diagnostics=False):
    session = Session(diagnostics=diagnostics)
    finger = None
    view = View()
    async for message in messages(url, session):
        if message["type"] == "welcome":
            is_back = message.get("resumed", False)
        elif message.get("view") == LIST["view"]:
            view.handle(message, is_back)
        if message["type"] == "welcome":
            if "reason" in message:
                print(f"new session: {message['reason']}", file=sys.stderr)
        elif message["type"] == "diagnostic":
            warn(message)
        elif message["type"] == "attached":
            if not is_back:
                if finger:
                    finger.cancel()
                finger = asyncio.create_task(drag(session, view))
        elif message["type"] == "update" and "top" in message:
            top = view.edges["top"]
            progress = f" {top['progress']:.2f}" if top["state"] in ("pulling", "eligible") else ""
            print(top["state"] + progress, flush=True)
        elif message["type"] == "items":
            await finger
            print(f"{message['count']} items received")
            return 0
        elif message.get("phase") in ("failed", "timedOut"):
            print(message.get("message", message), file=sys.stderr)
            return 1
        elif message["type"] == "error" and not message["temporary"]:
            print(message["message"], file=sys.stderr)
            return 1


def main(url, diagnostics=False):
    try:
        return asyncio.run(pull(url, diagnostics))
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--diagnostics"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    sys.exit(main(arguments[0], diagnostics="--diagnostics" in sys.argv))
