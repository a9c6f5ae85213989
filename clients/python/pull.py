#!/usr/bin/env python3
"""Pulls a list through refreshd and prints what the daemon decides; docs/protocol.md is all it needs.

    pull.py ws://127.0.0.1:8080/v1/session
"""
import asyncio
import json
import sys

import websockets

LIST = {"view": "list", "profile": "iqpulltorefresh", "feed": "packages", "geometry": {
    "viewport": {"width": 390, "height": 800}, "content": {"width": 390, "height": 0}}}


async def messages(socket):
    """A frame is one message or an array of them."""
    async for frame in socket:
        received = json.loads(frame)
        for message in received if isinstance(received, list) else [received]:
            yield message


async def drag(socket):
    """A finger goes down, pulls the list by 80 points in a third of a second, and is lifted."""
    path = [("began", 0), *(("dragging", -4 * step) for step in range(1, 21)), ("ended", -80)]
    for seq, (phase, offset) in enumerate(path, start=1):
        await socket.send(json.dumps(
            {"type": "scroll", "view": "list", "seq": seq, "offset": offset, "phase": phase}))
        await asyncio.sleep(1 / 60)


async def pull(url):
    async with websockets.connect(url, subprotocols=["refresh.v1"], max_size=None) as socket:
        await socket.send(json.dumps({"type": "hello", "protocol": 1, "views": [LIST]}))
        async for message in messages(socket):
            if message["type"] == "attached":
                top = message["top"]
                finger = asyncio.create_task(drag(socket))
            elif message["type"] == "update" and "top" in message:
                top |= message["top"]  # only what changed is sent: merge it
                progress = f" {top['progress']:.2f}" if top["state"] in ("pulling", "eligible") else ""
                print(top["state"] + progress)
            elif message["type"] == "items":
                await finger
                print(f"{message['count']} items received")
                return 0
            elif message["type"] == "error" or message.get("phase") in ("failed", "timedOut"):
                print(message.get("message", message), file=sys.stderr)
                return 1
        return 1  # the daemon closed the connection before it answered


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(asyncio.run(pull(sys.argv[1])))
