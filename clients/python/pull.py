#!/usr/bin/env python3
"""Pulls a list through refreshd and prints what the daemon decides; docs/protocol.md is all it needs.

    pull.py ws://127.0.0.1:8080/v1/session

A connection that breaks costs nothing: the client comes back to its session, and says again what may not have been
heard.
"""
import asyncio
import json
import random
import sys

import websockets

LIST = {"view": "list", "profile": "iqpulltorefresh", "feed": "packages", "geometry": {
    "viewport": {"width": 390, "height": 800}, "content": {"width": 390, "height": 0}}}
MOVING = ("dragging", "decelerating")  # the samples of a gesture between its first and its last
HEALTHY_SECONDS = 5  # a session that lasted so long was a healthy one
ATTEMPTS_MAX = 8  # without one


class Refused(Exception):
    """The daemon will not have this client back unchanged."""


class Session:
    """What outlives a connection: who the client is to the daemon, and what it has said and heard."""

    def __init__(self):
        self.forget()
        self.seq = 0
        self.socket = None
        self.limits = {"batchMessagesMax": 64, "frameBytesMax": 65536}  # until a welcome says others

    def forget(self):
        """Nothing is as it was: a fresh session."""
        self.resume = None  # session and token
        self.ack = 0
        self.received = {}  # by view, the last load that there are items of
        self.snapshot = None
        self.outbox = []  # what was sent and is not known to be handled

    def hello(self):
        """The first frame of a connection: who is there, and what it has said already."""
        hello = {"type": "hello", "protocol": 1, "snapshots": True, "views": [LIST]}
        if self.resume:
            hello["resume"] = self.resume | {"ack": self.ack, "received": list(self.received.values())}
            if self.snapshot:
                hello["resume"]["snapshot"] = self.snapshot["sealed"]
        return next(self.frames([hello, *thinned(self.outbox)]))

    def frames(self, messages):
        """The messages in order, in frames that the daemon takes."""
        frame, size = [], 2
        for message in messages:
            length = len(json.dumps(message)) + 2  # and what stands between two
            is_full = len(frame) >= self.limits["batchMessagesMax"] or size + length > self.limits["frameBytesMax"]
            if frame and is_full:
                yield frame
                frame, size = [], 2
            frame.append(message)
            size += length
        if frame:
            yield frame

    async def send(self, message):
        """Numbers and keeps a message; without a connection it is said behind the next `hello`."""
        self.seq += 1
        message["seq"] = self.seq
        self.outbox.append(message)
        if self.socket:
            await self.transmit(self.socket, message)

    async def transmit(self, socket, frame):
        try:
            await socket.send(json.dumps(frame))
        except websockets.ConnectionClosed:
            pass  # whoever reads finds out why, behind all that came before

    def hear(self, message):
        """Takes what the session is gone on with by."""
        kind = message["type"]
        if kind == "welcome":
            self.limits |= message.get("limits", {})
            if not message.get("resumed"):
                self.forget()
            if "token" in message:
                self.resume = {key: message[key] for key in ("session", "token")}
            self.ack = message.get("ack", 0)
        elif kind == "snapshot":
            self.snapshot = message if message["sealed"] else None
        elif kind == "items":
            self.received[message["view"]] = message["load"]
        self.ack = max(self.ack, message.get("ack", 0))
        settled = self.snapshot["ack"] if self.snapshot else self.ack
        self.outbox = [sent for sent in self.outbox if sent["seq"] > settled]


def thinned(kept):
    """Of samples under way that stand together the newest: the daemon needs no others."""
    return [one for one, behind in zip(kept, [*kept[1:], {}])
            if not (one.get("phase") in MOVING and behind.get("phase") in MOVING)]


async def messages(url, session):
    """All that the daemon says, over as many connections as it takes."""
    loop = asyncio.get_running_loop()
    attempt = 0
    while True:
        opened = loop.time()
        code = 1006
        try:
            async with websockets.connect(url, subprotocols=["refresh.v1"], max_size=None) as socket:
                async for message in converse(socket, session):
                    yield message
                code = socket.close_code
        except websockets.ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else 1006
        except (OSError, websockets.InvalidHandshake, websockets.InvalidMessage) as trouble:
            print(f"no connection: {trouble}", file=sys.stderr)
        finally:
            session.socket = None
        if code in (1007, 1009) or 4000 <= code < 4100:
            raise Refused(f"closed with {code}")
        attempt = 1 if loop.time() - opened >= HEALTHY_SECONDS else attempt + 1
        if attempt > ATTEMPTS_MAX:
            raise Refused("the daemon is not there")
        is_at_once = 4200 <= code < 4300 and attempt == 1
        most = min(2 ** (attempt - 1), 30)
        await asyncio.sleep(0 if is_at_once else random.uniform(most / 10, most))


async def converse(socket, session):
    """One connection. A frame is one message or an array of them."""
    said = session.hello()
    last = said[-1].get("seq", 0)
    await session.transmit(socket, said)
    async for frame in socket:
        received = json.loads(frame)
        for message in received if isinstance(received, list) else [received]:
            session.hear(message)
            yield message
            if message["type"] == "welcome":
                # What had no room behind `hello`, and what was done since: before its answer nobody knows whose
                # session it is.
                told = max(last, message.get("ack", 0))
                session.socket = socket
                for rest in session.frames([sent for sent in thinned(session.outbox) if sent["seq"] > told]):
                    await session.transmit(socket, rest)


async def drag(session):
    """A finger goes down, pulls the list by 80 points in a third of a second, and is lifted."""
    path = [("began", 0), *(("dragging", -4 * step) for step in range(1, 21)), ("ended", -80)]
    for phase, offset in path:
        await session.send({"type": "scroll", "view": "list", "offset": offset, "phase": phase})
        await asyncio.sleep(1 / 60)


async def pull(url):
    session = Session()
    finger = None
    top = {}
    async for message in messages(url, session):
        if message["type"] == "welcome":
            is_back = message.get("resumed", False)
            if "reason" in message:
                print(f"a fresh session: {message['reason']}", file=sys.stderr)
        elif message["type"] == "attached":
            top = message["top"]
            if not is_back:
                if finger:
                    finger.cancel()
                finger = asyncio.create_task(drag(session))
        elif message["type"] == "update" and "top" in message:
            top |= message["top"]  # only what changed is sent: merge it
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


def main(url):
    try:
        return asyncio.run(pull(url))
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
