"""The catalogue feeds of docs/conformance.md. As a program, this file serves them over standard input and output
(docs/backends.md, "exec"). As a module, it makes the configuration of a daemon that starts the program.

The feeds `board` and `rows` are served over HTTP, because only such a backend accepts edits, and answers several slow
loads at a time. `Pages` serves them, and so does the program with the argument `http`.
"""

import collections
import contextlib
import http.server
import json
import pathlib
import queue
import sys
import threading
import time
import urllib.parse

PARAMETERS = "{ q: text, sort: text, above: integer, tag: text, once: text, news: text, edits: text }"
# The feeds, and the keys of their configuration.
FEEDS = {
    "catalogue": "paging: page, cache: { lifetimeMs: 6000, staleMs: 60000 }",
    "catalogue-offset": "paging: offset",
    "catalogue-cursor": "paging: cursor",
    "ticker": "paging: page, changes: { spreadMs: 200 }",
    "crowd": "paging: page, changes: { spreadMs: 600000 }",
    "edited": "paging: page, itemKey: /id",
    "letters": "paging: page, itemKey: /id, sectionKey: /letter",
}
# The feeds that are served over HTTP: their parameters, and the other keys of their configuration.
PAGES = {
    "board": (
        "{ tag: text, report: text, slow: integer, answers: text, editMs: integer }",
        'paging: page, itemKey: /id, changes: { url: "ADDRESS/changes" }, '
        'edits: { operations: [insert, update, remove, move, refresh], url: "ADDRESS/edits" }'),
    "rows": ("{ tag: text, total: text, slow: integer, fails: integer }", "paging: offset"),
}
ROWS_COUNT = 1000
ROWS_COUNT_LATER = 900
# The interval of the comments that keep a stream of changes open.
COMMENT_SECONDS = 20
WORDS = [f"{word} {number}" for word in ("apple", "banana", "cherry", "date", "elder", "fig") for number in range(1, 11)]


def configuration(pages=""):
    """A configuration file with these feeds. `pages` has the lines of feeds that `Pages` serves."""
    program = json.dumps([sys.executable, "-B", str(pathlib.Path(__file__).resolve())])
    lines = ["backends:", f"  fruits: {{ kind: exec, command: {program} }}", "feeds:"]
    for name, keys in FEEDS.items():
        lines.append(f"  {name}: {{ backend: fruits, {keys}, size: 20, parameters: {PARAMETERS} }}")
    return "\n".join(lines) + "\n" + pages


def items(parameters):
    """Returns the items that the parameters select, sorted as the parameters state."""
    found = [
        {"id": number, "word": word} for number, word in enumerate(WORDS)
        if word.startswith(parameters.get("q", "")) and number > int(parameters.get("above", -1))]
    return found[::-1] if parameters.get("sort") == "down" else found


def edited(edit):
    """Returns the items of the feed `edited` after the edit with this letter."""
    found = [{"id": number, "word": word} for number, word in enumerate(WORDS)]
    match edit:
        case "c":
            found[5] = {"id": 5, "word": "apple 6 again"}
        case "i":
            found.insert(0, {"id": 100, "word": "new"})
        case "r":
            del found[3:5]
        case "m":
            found = found[10:20] + found[:10] + found[20:]
        case "a":
            found = [{"id": item["id"], "word": f"{item['word']} again"} for item in found]
        case "d":
            found.insert(9, found[7])
        case "n":
            del found[3]["id"]
    return found


def answer_edited(load, counts):
    """Answers a load of the feed `edited`. `counts` has the number of first pages for each `tag`."""
    tag = load.get("parameters", {}).get("tag")
    if load["page"] <= 1:
        counts[tag] += 1
    edits = load.get("parameters", {}).get("edits") or "o"
    found = edited(edits[min(max(counts[tag], 1), len(edits)) - 1])
    first = (load["page"] - 1) * load["size"]
    last = first + load["size"]
    return {"type": "page", "id": load["id"], "items": found[first:last], "more": last < len(found)}


def answer(load, answered):
    """Returns the answer to a load. `answered` collects the pages that were loaded with the parameter `once`. If such a
    page is loaded a second time, the load fails. The first page can be loaded again.
    """
    parameters = load.get("parameters", {})
    first = {
        "catalogue-offset": load["offset"], "catalogue-cursor": int(load.get("cursor") or 0),
    }.get(load["feed"], (load["page"] - 1) * load["size"])
    once = (parameters.get("once"), first)
    if parameters.get("q") == "fault" or (first > 0 and once in answered):
        return {"type": "failed", "id": load["id"], "message": "The catalogue is closed."}
    if "once" in parameters:
        answered.add(once)
    found = items(parameters)
    if load["feed"] == "letters":
        found = [item | {"letter": item["word"][0]} for item in found]
    last = first + load["size"]
    has_more = last < len(found)
    return {
        "type": "page", "id": load["id"], "items": found[first:last], "more": has_more,
        "next": str(last) if has_more and load["feed"] == "catalogue-cursor" else None}


def serve():
    """Answers the loads of a daemon until it sends `bye`."""
    answered = set()
    counts = collections.Counter()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        if message["type"] != "load":
            continue
        if "news" in message.get("parameters", {}):
            print(json.dumps({"type": "changed", "feed": message["feed"]}), flush=True)
        is_edited = message["feed"] == "edited"
        print(json.dumps(answer_edited(message, counts) if is_edited else answer(message, answered)), flush=True)


# The feeds that are served over HTTP

def report_of(text):
    """Returns the report of a change that the parameter `report` describes."""
    text = text.replace("'", '"')
    if text.isdigit():
        return json.dumps({"operations": [{"update": {"id": 0, "word": "again"}}] * int(text)})
    return f'{{"operations":{text}}}' if text.startswith("[") else text


def board_page(query):
    """Returns the answer to a load of the feed `board`."""
    size = int(query["size"])
    first = (int(query["page"]) - 1) * size
    found = edited("o")
    return {"items": found[first:first + size], "more": first + size < len(found), "total": len(found)}


def rows_page(query):
    """Returns the answer to a load of the feed `rows`; None if the load must fail."""
    first, size = int(query["offset"]), int(query["size"])
    if query.get("fails") == str(first):
        return None
    total = ROWS_COUNT_LATER if query.get("total") == "less" and first > 0 else ROWS_COUNT
    last = min(first + size, total)
    page = {"items": [{"id": row, "word": f"row {row}"} for row in range(first, last)], "more": last < total}
    return page if query.get("total") == "none" else page | {"total": total}


def edit_answer(edit):
    """Returns the status and the body of the answer to an edit."""
    operation = edit["operation"]
    match edit.get("parameters", {}).get("answers"):
        case "same":
            value = next(value for kind, value in operation.items() if kind not in ("at", "before", "after"))
            return 200, {"item": {"id": value["id"] if isinstance(value, dict) else value, "word": "as stored"}}
        case "renamed":
            return 200, {"item": {"id": 900, "word": "renamed"}}
        case "refused":
            return 409, {}
    return 200, {}


class Pages(http.server.ThreadingHTTPServer):
    """The backend of the feeds `board` and `rows`, on a port that it chooses."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), PagesHandler)
        self.streams = set()
        self.lock = threading.Lock()

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    @property
    def feeds(self):
        """The lines of a configuration file with these feeds."""
        address = f"http://127.0.0.1:{self.server_port}"
        lines = []
        for name, (parameters, keys) in PAGES.items():
            names = [part.split(":")[0].strip() for part in parameters.strip("{} ").split(",")]
            query = "".join(f"&{parameter}={{parameter:{parameter}}}" for parameter in names)
            url = f"{address}/{name}?page={{page}}&offset={{offset}}&size={{size}}{query}"
            lines.append(
                f'  {name}: {{ backend: http, url: "{url}", {keys.replace("ADDRESS", address)}, size: 20, '
                f"parameters: {parameters} }}\n")
        return "".join(lines)

    def report(self, text):
        """Reports a change to each daemon that listens."""
        with self.lock:
            for stream in self.streams:
                stream.put(text)


class PagesHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):  # noqa: N802: the name that the class requires
        place = urllib.parse.urlsplit(self.path)
        if place.path == "/changes":
            self.stream_changes()
            return
        query = dict(urllib.parse.parse_qsl(place.query))
        if query.get("slow") and not (place.path == "/rows" and query["offset"] == "0"):
            time.sleep(int(query["slow"]) / 1000)
        page = board_page(query) if place.path == "/board" else rows_page(query)
        self.answer(404 if page is None else 200, page or {})
        if "report" in query:
            self.server.report(report_of(query["report"]))

    def do_POST(self):  # noqa: N802
        edit = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(int(edit.get("parameters", {}).get("editMs", 0)) / 1000)
        self.answer(*edit_answer(edit))

    def answer(self, status, body):
        data = json.dumps(body).encode()
        with contextlib.suppress(OSError):  # the daemon has cancelled the load
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    def stream_changes(self):
        """Sends the reports of changes until the daemon leaves."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        reports = queue.SimpleQueue()
        with self.server.lock:
            self.server.streams.add(reports)
        with contextlib.suppress(OSError):
            self.wfile.write(b": begin\n\n")
            while True:
                try:
                    self.wfile.write(f"data: {reports.get(timeout=COMMENT_SECONDS)}\n\n".encode())
                except queue.Empty:
                    self.wfile.write(b": still here\n\n")
        with self.server.lock:
            self.server.streams.discard(reports)

    def log_message(self, *_):
        """Requests are not logged."""


def serve_pages():
    """Serves the feeds over HTTP until standard input ends. Prints the lines of their configuration first."""
    with Pages() as pages:
        print(json.dumps(pages.feeds), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    serve_pages() if sys.argv[1:] == ["http"] else serve()
