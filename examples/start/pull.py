#!/usr/bin/env python3
"""The minimum client (docs/start.md): pull.py [URL]. Type p to pull, m to load more, q to quit."""
import asyncio, contextlib, itertools, json, random, sys
import websockets

URL = sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8080/v1/session"
HELLO = {"type": "hello", "protocol": 1, "views": [{"view": "list", "profile": "default",
         "feed": "items", "geometry": {"viewport": {"width": 390, "height": 800}}}]}

class List:
    items, edges, socket, pause, seqs = [], {"top": {}, "bottom": {}}, None, 0.5, itertools.count(1)

    async def send(self, type, **fields):  # Without a connection, the message is dropped.
        message = {"type": type, "view": "list", "seq": next(self.seqs), **fields}
        self.offset = fields.get("offset", self.offset)
        with contextlib.suppress(websockets.ConnectionClosed):
            await self.socket.send(json.dumps(message))

    async def drag(self, end):  # Then the finger is lifted, and the list springs back to its start.
        path = (self.offset, "began"), (end / 2, "dragging"), (end, "dragging"), (end, "ended")
        for offset, phase in path:
            await self.send("scroll", offset=offset, phase=phase)
            await asyncio.sleep(0.05)
        await self.send("scroll", offset=max(end, -self.inset), phase="idle")

    async def apply(self, message):
        match message:
            case {"type": "welcome"}:
                self.pause = 0.5
            case {"type": "attached" | "update"}:
                self.edges = {edge: self.edges[edge] | message.get(edge, {}) for edge in self.edges}
                old, self.inset = self.inset, message.get("inset", {}).get("top", self.inset)
                self.offset = message.get("offset", {}).get("to", self.offset)
                if self.inset != old and self.offset == -old and "offset" not in message:
                    await self.send("scroll", offset=-self.inset, phase="idle")
                print(*[f"{edge} {self.edges[edge]['state']}" for edge in self.edges], flush=True)
            case {"type": "items", "mode": mode, "items": items}:
                self.items = (self.items if mode == "append" else []) + items
                last = [item["title"] for item in items[-1:]]
                print(len(self.items), "items, the last is", *last, flush=True)
                await self.send("geometry", content={"width": 390, "height": len(self.items) * 60})
            case {"type": "error"}:
                print(message["code"], message["message"], flush=True)

    async def stay_connected(self):  # Each connection has a new session. The old items stay.
        while not self.socket or self.socket.close_code not in {1007, 1009, *range(4000, 4100)}:
            try:
                self.inset = self.offset = 0
                async with websockets.connect(URL, subprotocols=["refresh.v1"]) as self.socket:
                    await self.socket.send(json.dumps(HELLO))
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

    async def run(self):
        self.connecting = asyncio.create_task(self.stay_connected())
        while (line := await asyncio.to_thread(sys.stdin.readline)) not in ("", "q\n"):
            if line in ("p\n", "m\n") and self.socket:
                await self.drag(-72 if line == "p\n" else max(0, len(self.items) * 60 - 800))

asyncio.run(List().run())
