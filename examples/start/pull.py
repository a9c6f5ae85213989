#!/usr/bin/env python3
"""The minimum client (docs/start.md): pull.py [URL], then p (pull), m (more) or q (quit) on standard input."""
import asyncio, contextlib, json, random, sys
import websockets

ROW, VIEWPORT = 60, 800

class List:
    def __init__(self):
        self.items, self.edges, self.inset, self.offset, self.seq = [], {"top": {}, "bottom": {}}, 0, 0, 0

    async def send(self, type, **fields):
        self.seq += 1
        with contextlib.suppress(websockets.ConnectionClosed):
            await self.socket.send(json.dumps({"type": type, "view": "list", "seq": self.seq, **fields}))

    def scroll(self, offset, phase, **fields):
        self.offset = offset
        return self.send("scroll", offset=offset, phase=phase, **fields)

    async def apply(self, message):
        if message["type"] in ("attached", "update"):
            for edge in message.keys() & self.edges.keys():
                self.edges[edge] |= message[edge]
            self.inset = message.get("inset", {}).get("top", self.inset)
            self.offset = message.get("offset", {}).get("to", self.offset)
            print("top", self.edges["top"].get("state"), "bottom", self.edges["bottom"].get("state"), flush=True)
        elif message["type"] == "items":
            self.items = (self.items if message["mode"] == "append" else []) + message["items"]
            print(len(self.items), "items, the last is", self.items[-1]["title"], flush=True)
            await self.send("geometry", content={"width": 390, "height": len(self.items) * ROW})

    async def pull(self):
        for offset, phase in (0, "began"), (-30, "dragging"), (-72, "dragging"), (-72, "ended"):
            await self.scroll(offset, phase)
            await asyncio.sleep(0.05)
        await self.scroll(-self.inset, "idle")  # The list springs back, and the room of the indicator stays open.

    async def show_more(self):
        end = max(0, len(self.items) * ROW - VIEWPORT)
        for offset, phase in (self.offset, "began"), (end, "dragging"), (end, "ended"), (end, "idle"):
            await self.scroll(offset, phase)

    async def run(self, url):
        pause = 0.5
        while True:  # Each connection has a new session. The old items stay until the new ones come.
            try:
                async with websockets.connect(url, subprotocols=["refresh.v1"]) as self.socket:
                    self.inset = self.offset = 0
                    view = {"view": "list", "profile": "default", "feed": "items",
                            "geometry": {"viewport": {"width": 390, "height": VIEWPORT}}}
                    await self.socket.send(json.dumps({"type": "hello", "protocol": 1, "views": [view]}))
                    await self.send("refresh")
                    async for text in self.socket:
                        pause, messages = 0.5, json.loads(text)
                        for message in messages if isinstance(messages, list) else [messages]:
                            await self.apply(message)
            except (OSError, websockets.WebSocketException) as error:
                print("no connection:", error, flush=True)
            await asyncio.sleep(pause * random.random())
            pause = min(2 * pause, 30)

async def main():
    shown = List()
    asyncio.create_task(shown.run(sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8080/v1/session"))
    while (line := (await asyncio.to_thread(sys.stdin.readline)).strip()) and line != "q":
        await {"p": shown.pull, "m": shown.show_more}[line]()

asyncio.run(main())
