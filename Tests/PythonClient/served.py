"""A daemon with a feed whose backend is in the test, and a session with it whose connections the test can cut."""

import asyncio
import contextlib
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "clients/python"))

import refreshd  # noqa: E402

LIMIT_SECONDS = 60  # more than any machine needs
CONFIGURATION = """
feeds:
  board:
    backend: http
    url: "http://127.0.0.1:{port}/items?offset={{offset}}&size={{size}}"
    paging: offset
    size: {size}
    itemKey: /id
    {edits}
"""
EDITS = 'edits: {{ operations: [insert, update, remove, move], url: "http://127.0.0.1:{port}/edits" }}'


class Backend:
    """A list of items over HTTP. It performs each edit once by its idempotency key, and remembers its answer."""

    def __init__(self, items):
        self.items = items
        self.calls = []  # the keys of all edits, in the order in which they arrived
        self.offsets = []  # of the pages that were requested
        self.answers = {}  # by key, the status and the body
        self.refuses = False  # whether it refuses edits
        self.renames = False  # whether an inserted item gets another key
        self.goes_on = threading.Event()  # edits wait for it
        self.goes_on.set()
        self.has_call = threading.Event()
        self.lock = threading.Lock()
        handler = type("Handler", (Handler,), {"backend": self})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.goes_on.set()
        self.server.shutdown()
        self.server.server_close()

    def page(self, offset, size):
        with self.lock:
            self.offsets.append(offset)
            return {"items": self.items[offset:offset + size], "total": len(self.items)}

    def edit(self, key, operation):
        with self.lock:
            self.calls.append(key)
        self.has_call.set()
        self.goes_on.wait(LIMIT_SECONDS)
        with self.lock:
            if key not in self.answers:
                self.answers[key] = (422, {}) if self.refuses else (200, self.perform(operation))
            return self.answers[key]

    def perform(self, operation):
        if "insert" in operation:
            item = operation["insert"]
            item = item | {"id": f"named-{item['id']}"} if self.renames else item
            self.items.insert(0 if operation.get("at") == "start" else len(self.items), item)
            return {"item": item} if self.renames else {}
        self.items = [item for item in self.items if item["id"] != operation["remove"]]
        return {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    backend = None

    def do_GET(self):  # noqa: N802: the name of the library
        query = {name: int(values[0]) for name, values in urllib.parse.parse_qs(self.path.split("?")[1]).items()}
        self.answer(200, self.backend.page(query["offset"], query["size"]))

    def do_POST(self):  # noqa: N802
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert body["edit"] == self.headers["Idempotency-Key"]
        self.answer(*self.backend.edit(body["edit"], body["operation"]))

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        with contextlib.suppress(ConnectionError):  # of a daemon that was killed
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Daemon:
    """A refreshd process. After `kill`, `start` begins another one at the same port."""

    def __init__(self, configuration):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "refreshd.yaml"
        self.path.write_text(configuration)
        self.port = 0
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [str(ROOT / ".build/debug/refreshd"), "--listen", f"127.0.0.1:{self.port}", "--config", str(self.path)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = json.loads(self.process.stdout.readline())["port"]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        self.kill()
        self.folder.cleanup()


class ServedTestCase(unittest.IsolatedAsyncioTestCase):
    """A test with a daemon, its backend, and a session that iterates in a task. `events` has its events."""

    features = ["patch", "live", "edits"]

    def serve(self, items, *, size=20, accepts_edits=True):
        self.backend = Backend(items)
        self.addCleanup(self.backend.stop)
        port = self.backend.port
        self.daemon = Daemon(CONFIGURATION.format(
            port=port, size=size, edits=EDITS.format(port=port) if accepts_edits else ""))
        self.addCleanup(self.daemon.stop)

    async def connect(self, state=None, **options):
        """Begins a session with one view. `options` are those of the view."""
        self.events, self.failure = [], None
        self.happened = asyncio.Event()
        self.way = asyncio.Event()  # to the daemon
        self.way.set()
        self.session = refreshd.Session(
            f"ws://127.0.0.1:{self.daemon.port}/v1/session", features=self.features, connector=self.open, state=state,
            backoff=refreshd.Backoff(lambda least, most: 0.01))
        self.view = await self.session.attach("list", feed="board", requests_items=True, **options)
        self.running = asyncio.create_task(self.iterate())
        self.addAsyncCleanup(self.disconnect)

    async def disconnect(self):
        self.running.cancel()
        await asyncio.wait((self.running,))

    async def open(self, url):
        await self.way.wait()
        return await refreshd.websocket()(url)

    async def iterate(self):
        try:
            async for event in self.session:
                self.events.append(event)
                await self.handle(event)
                self.happened.set()
        except Exception as error:  # also of `handle`
            self.failure = error
            self.happened.set()

    async def handle(self, event):
        """Does what an app does at an event."""

    async def until(self, condition):
        """Waits for events until a condition is true."""
        async with asyncio.timeout(LIMIT_SECONDS):
            while not condition():
                self.happened.clear()
                if self.failure:
                    raise self.failure
                await self.happened.wait()

    async def cut(self):
        """Cuts the connection, and lets no other one open until `mend`."""
        self.way.clear()
        self.session.socket.abort()
        await self.until(lambda: isinstance(self.events[-1], refreshd.Disconnected))

    def mend(self):
        self.way.set()

    def of(self, kind):
        return [event for event in self.events if isinstance(event, kind)]

    def shown(self):
        return [item["id"] for item in self.view.items]
