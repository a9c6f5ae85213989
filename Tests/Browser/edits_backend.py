"""A backend with a list that clients edit. It performs each edit once, and records all requests."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from json_reply import send_json


class EditsBackend:
    """`items` is the list, the first item first. `insert` returns the item as the backend keeps it."""

    def __init__(self, items, insert=lambda item: item):
        self.items = items
        self.insert = insert
        self.pages = []  # the offsets of the requested pages
        self.edits = []  # the operations that were performed
        self.fails = False  # whether edits are refused
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.answers = {}  # by idempotency key
        self.lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/"

    @property
    def keys(self):
        return [item["id"] for item in self.items]

    def close(self):
        self.may_answer.set()
        self.server.shutdown()
        self.server.server_close()

    def page(self, offset, size):
        self.pages.append(offset)
        items = self.items[offset:offset + size]
        return {"items": items, "more": offset + size < len(self.items), "total": len(self.items)}

    def place(self, operation):
        """Returns the index at which an operation puts its item."""
        if "at" in operation:
            return 0 if operation["at"] == "start" else len(self.items)
        if "before" in operation:
            return self.keys.index(operation["before"])
        return self.keys.index(operation["after"]) + 1

    def perform(self, operation):
        """Performs an operation. Returns the item as it is now, if it is not that of the operation."""
        self.edits.append(operation)
        if "insert" in operation:
            kept = self.insert(operation["insert"])
            self.items.insert(self.place(operation), kept)
            return kept
        if "update" in operation:
            self.items[self.keys.index(operation["update"]["id"])] = operation["update"]
            return None
        moved = self.items.pop(self.keys.index(operation["remove" if "remove" in operation else "move"]))
        if "move" in operation:
            self.items.insert(self.place(operation), moved)
        return None

    def answer(self, key, operation):
        with self.lock:
            if key not in self.answers:
                item = self.perform(operation)
                self.answers[key] = {} if item is None else {"item": item}
            return self.answers[key]

    def handler(backend):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                query = {name: int(values[0]) for name, values in parse_qs(urlsplit(self.path).query).items()}
                offset = query.get("offset", (query.get("page", 1) - 1) * query["size"])
                answer = backend.page(offset, query["size"])
                backend.may_answer.wait()
                send_json(self, 200, answer)

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                backend.may_answer.wait()
                if backend.fails:
                    return send_json(self, 409, {})
                return send_json(self, 200, backend.answer(self.headers["Idempotency-Key"], request["operation"]))

            def log_message(self, *arguments):
                pass

        return Handler
