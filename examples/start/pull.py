#!/usr/bin/env python3
"""The minimum client (docs/start.md): pull.py [URL], then p (pull), m (more) or q (quit) on standard input."""
import asyncio, contextlib, json, random, sys
import websockets

URL = sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8080/v1/session"
VIEW = {"view": "list", "profile": "default", "feed": "items", "geometry": {"viewport": {"width": 390, "height": 800}}}
FINAL = {1007, 1009, *range(4000, 4100)}  # The close codes after which a further attempt would fail too.

class List:
    def __init__(self):
        self.items, self.edges, self.inset, self.offset = [], {"top": {}, "bottom": {}}, 0, 0
        self.socket, self.seq, self.pause = None, 0, 0.5

    async def send(self, type, **fields):  # Without a connection, the message is dropped.
        self.seq, self.offset = self.seq + 1, fields.get("offset", self.offset)
        if self.socket:
            with contextlib.suppress(websockets.ConnectionClosed):
                await self.socket.send(json.dumps({"type": type, "view": "list", "seq": self.seq, **fields}))

    async def apply(self, message):
        if message["type"] == "welcome":
            self.pause = 0.5
        elif message["type"] in ("attached", "update"):
            for edge in message.keys() & self.edges.keys():
                self.edges[edge] |= message[edge]
            old, self.inset = self.inset, message.get("inset", {}).get("top", self.inset)
            self.offset = message.get("offset", {}).get("to", self.offset)
            if self.inset != old and "offset" not in message and self.offset == -old:  # The list rests at its start.
                await self.send("scroll", offset=-self.inset, phase="idle")
            print("top", self.edges["top"].get("state"), "bottom", self.edges["bottom"].get("state"), flush=True)
        elif message["type"] == "items":
            self.items = (self.items if message["mode"] == "append" else []) + message["items"]
            print(len(self.items), "items, the last is", *[item["title"] for item in self.items[-1:]], flush=True)
            await self.send("geometry", content={"width": 390, "height": len(self.items) * 60})
        elif message["type"] == "error":
            print(message["code"], message["message"], flush=True)

    async def pull(self):
        for offset, phase in (0, "began"), (-30, "dragging"), (-72, "dragging"), (-72, "ended"):
            await self.send("scroll", offset=offset, phase=phase)
            await asyncio.sleep(0.05)
        await self.send("scroll", offset=-self.inset, phase="idle")  # The list springs back.

    async def show_more(self):
        end = max(0, len(self.items) * 60 - 800)
        for offset, phase in (self.offset, "began"), (end, "dragging"), (end, "ended"), (end, "idle"):
            await self.send("scroll", offset=offset, phase=phase)

    async def run(self):  # Each connection has a new session. The old items stay until the new ones come.
        while not self.socket or self.socket.close_code not in FINAL:
            try:
                async with websockets.connect(URL, subprotocols=["refresh.v1"]) as self.socket:
                    self.inset = self.offset = 0
                    await self.socket.send(json.dumps({"type": "hello", "protocol": 1, "views": [VIEW]}))
                    await self.send("refresh")
                    async for text in self.socket:
                        messages = json.loads(text)
                        for message in messages if isinstance(messages, list) else [messages]:
                            await self.apply(message)
            except (OSError, websockets.WebSocketException) as error:
                print("no connection:", error, flush=True)
            await asyncio.sleep(self.pause * random.random())
            self.pause = min(2 * self.pause, 30)
        print("stopped by the close code", self.socket.close_code, flush=True)

async def main():
    shown = List()
    asyncio.create_task(shown.run())
    while (line := await asyncio.to_thread(sys.stdin.readline)) not in ("", "q\n"):
        if line in ("p\n", "m\n"):
            await (shown.pull() if line == "p\n" else shown.show_more())

asyncio.run(main())
