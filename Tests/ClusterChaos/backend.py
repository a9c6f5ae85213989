"""The backend of all nodes: lists that grow, and a list that is edited. It records each call with its key and its time."""

import asyncio
import collections
import dataclasses
import json
import random
import time
import urllib.parse

import network
from board import Board

PORT = 9000
# The lists of the feed `news`. Their owners are different nodes.
SHELVES = ("red", "green", "blue", "grey")
# The number of changes before the run. Each change has added one item to each list.
FIRST_VERSION = 45


@dataclasses.dataclass
class Call:
    at: float
    peer: str  # the address of the node
    key: str
    feed: str
    shelf: str
    page: int


class Backend:
    """Serves `/FEED?shelf=…&page=…&size=…`. The item of the newest change is the first one of each list."""

    def __init__(self, seed):
        self.version = FIRST_VERSION
        self.calls = []
        self.is_broken = False
        self.random = random.Random(f"backend {seed}")
        self.board = Board(random.Random(f"board {seed}"))

    async def start(self):
        self.server = await asyncio.start_server(self.serve, network.BACKEND, PORT)

    def item(self, shelf, number):
        return {
            "id": f"{shelf}-{number}", "name": f"{shelf}-{number}", "version": "1.0",
            "description": f"Item {number}", "section": shelf, "installedKiB": number}

    def answer(self, path, key, peer):
        url = urllib.parse.urlsplit(path)
        query = {name: values[0] for name, values in urllib.parse.parse_qs(url.query).items()}
        shelf, page, size = query.get("shelf", "all"), int(query["page"]), int(query["size"])
        self.calls.append(Call(time.monotonic(), peer, key, url.path[1:], shelf, page))
        if url.path == "/board":
            return self.board.page(page, size)
        first = self.version - (page - 1) * size
        last = max(first - size, 0)
        return {
            "items": [self.item(shelf, number) for number in range(first, last, -1)],
            "more": last > 0, "total": self.version}

    async def serve(self, reader, writer):
        peer = writer.get_extra_info("peername")[0]
        try:
            while line := await reader.readline():
                path = line.split()[1].decode()
                key, length = "", 0
                while (header := await reader.readline()).strip():
                    name, _, value = header.partition(b":")
                    if name.lower() == b"idempotency-key":
                        key = value.strip().decode()
                    if name.lower() == b"content-length":
                        length = int(value)
                if length:
                    request = json.loads(await reader.readexactly(length))
                    status, body = self.board.edit(key, request["operation"]), b"{}"
                else:
                    status, body = "200 OK", json.dumps(self.answer(path, key, peer)).encode()
                # Most calls are quick. Some take so long that a fault begins while they run.
                await asyncio.sleep(self.random.choice([0.005] * 15 + [0.3, 0.8]))
                if self.is_broken and not length:
                    status, body = "404 Not Found", b"{}"
                writer.write(
                    f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                    + body)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError, IndexError):
            pass  # the node has closed the connection, or is gone
        finally:
            writer.close()

    def first_pages(self, start):
        """Returns the number of calls for the first page of each list of `news` since a time."""
        return collections.Counter(
            call.shelf for call in self.calls if call.at >= start and call.feed == "news" and call.page == 1)
