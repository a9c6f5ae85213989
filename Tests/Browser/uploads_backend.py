"""A backend with a list of uploads that a test changes, searches, filters and sorts. It records all requests."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from json_reply import send_json

TOTAL = 100
SECTIONS = ("libs", "utils", "python", "admin")
WORDS = ("compass", "letters", "spinner", "path", "indicator")


class UploadsBackend:
    """The newest 100 uploads. The number of an upload is its `id`, and larger numbers are newer."""

    def __init__(self):
        self.numbers = list(range(1000, 1000 - TOTAL, -1))
        self.requests = []
        self.fails = False
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return (f"http://127.0.0.1:{self.server.server_port}/?page={{page}}&size={{size}}&q={{parameter:q}}"
                "&section={parameter:section}&urgent={parameter:urgent}&sort={parameter:sort}")

    def close(self):
        self.may_answer.set()
        self.server.shutdown()
        self.server.server_close()

    def add(self, count):
        """Adds the newest uploads, and removes as many of the oldest. Returns the new numbers, the newest first."""
        newest = self.numbers[0]
        added = list(range(newest + count, newest, -1))
        self.numbers = (added + self.numbers)[:TOTAL]
        return added

    def remove(self, number):
        self.numbers.remove(number)

    def matching(self, q="", section="", urgent="", sort=""):
        """Returns the numbers of the uploads that match, in the order that `sort` requires."""
        found = [number for number in self.numbers
                 if q in name(number) and section in ("", item(number)["section"])
                 and (urgent != "true" or item(number)["urgency"] == "high")]
        if sort == "name":
            found.sort(key=name)
        if sort == "size":
            found.sort(key=lambda number: -item(number)["installedKiB"])
        return found

    def answer(self, page, size, **query):
        found = self.matching(**query)
        first = (page - 1) * size
        shown = found[first:first + size]
        return {"items": [item(number) for number in shown], "more": first + size < len(found), "total": len(found)}

    def handler(backend):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                query = {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()}
                page, size = int(query.pop("page")), int(query.pop("size"))
                backend.requests.append({"page": page, **query})
                backend.may_answer.wait()
                send_json(self, 503 if backend.fails else 200, backend.answer(page, size, **query))

            def log_message(self, *arguments):
                pass

        return Handler


def name(number):
    return f"{WORDS[number % len(WORDS)]}-{number}"


def item(number):
    return {
        "id": number, "time": number * 1000, "urgency": "high" if number % 7 == 0 else "low", "name": name(number),
        "version": "1.0", "description": "One of many", "section": SECTIONS[number % len(SECTIONS)],
        "installedKiB": number * 37 % 1000,
    }
