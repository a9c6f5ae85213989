"""A connection to a NATS server, as far as worker.py needs it.
https://docs.nats.io/reference/reference-protocols/nats-protocol describes the protocol."""
import asyncio
import json
import urllib.parse


class Connection:
    """A connection to one server. Use it as `async with Connection(url) as nats`."""

    def __init__(self, url):
        self.url = urllib.parse.urlsplit(url)
        self.handlers = {}
        self.latest = 0  # the number of the last subscription

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection(
            self.url.hostname, self.url.port or 4222, limit=1 << 20)
        json.loads((await self.reader.readuntil(b"\r\n"))[5:])  # INFO
        options = {"verbose": False, "pedantic": False, "lang": "python", "version": "1", "headers": False}
        if self.url.username:
            options |= {"user": urllib.parse.unquote(self.url.username),
                        "pass": urllib.parse.unquote(self.url.password or "")}
        self.send(f"CONNECT {json.dumps(options)}\r\nPING")
        answer = await self.reader.readuntil(b"\r\n")
        if answer != b"PONG\r\n":
            raise ConnectionError(answer.decode().strip())
        return self

    async def __aexit__(self, *_):
        self.writer.close()

    def send(self, line, payload=None):
        self.writer.write(line.encode() + b"\r\n" + (b"" if payload is None else payload + b"\r\n"))

    def subscribe(self, subject, handler, group=""):
        """Calls handler(payload, reply subject) for each message. Returns the number of the subscription."""
        self.latest += 1
        number = str(self.latest)
        self.handlers[number] = handler
        self.send(f"SUB {subject} {group} {number}")
        return number

    def unsubscribe(self, number):
        """Ends a subscription. Messages that the server has already sent still reach the handler."""
        self.send(f"UNSUB {number}")
        asyncio.get_running_loop().call_later(10, self.handlers.pop, number, None)

    def publish(self, subject, payload, reply=""):
        self.send(f"PUB {subject} {reply} {len(payload)}", payload)

    async def receive(self):
        """Handles messages until the connection ends."""
        while True:
            words = (await self.reader.readuntil(b"\r\n")).decode().split()
            if words[0] == "MSG":
                payload = (await self.reader.readexactly(int(words[-1]) + 2))[:-2]
                if handler := self.handlers.get(words[2]):
                    handler(payload, words[3] if len(words) == 5 else "")
            elif words[0] == "PING":
                self.send("PONG")
            elif words[0] == "-ERR":
                raise ConnectionError(" ".join(words))
            await self.writer.drain()
