"""Counts the calls of a backend while many users type the same text."""

import contextlib
import http.server
import json
import threading
import time
import urllib.parse

import crowd
import pacing
import traffic

CLIENTS = 100
KEYSTROKES = 12
KEYSTROKE_MS = 50
DEBOUNCE_MS = 250
# The time that a call of the backend takes. This is longer than the time over which the same keystroke of all clients
# is spread.
CALL_MS = 100
TEXTS = ("refreshd and", "pull to load", "search types")


def measure(servers, folder):
    """Returns the number of calls for each text, with and without `debounceMs`, the time that the daemon waits for
    further keystrokes.
    """
    results = {}
    with backend() as (port, calls):
        path = folder / "query.yaml"
        path.write_text(f"""\
feeds:
  news:
    backend: http
    url: "http://127.0.0.1:{port}/?q={{parameter:q}}&page={{page}}"
    paging: page
    parameters: [q]
    shared: true
""")
        for name, debounce_ms in (("query_calls", DEBOUNCE_MS), ("query_calls_at_once", 0)):
            runs = []
            for text in TEXTS:
                with servers.daemon(hello=hello(), config=str(path)) as server:
                    calls.clear()
                    typed(server, text, debounce_ms)
                    if crowd.calls(server) != len(calls):
                        raise RuntimeError(f"the daemon counts other calls than {calls}")
                    runs.append(len(calls))
            results[name] = max(runs)
            results[f"{name}_runs"] = runs
    return results


@contextlib.contextmanager
def backend():
    """Runs a backend whose only item has the text of the query. Yields its port and its calls."""
    calls = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            calls.append(self.path)
            time.sleep(CALL_MS / 1e3)
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
            body = traffic.compact({"items": [{"text": query["q"][0]}], "more": False}).encode()
            # The daemon cancels the call if a further keystroke follows.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port, calls
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def hello():
    return traffic.compact({
        "type": "hello", "protocol": 1, "client": "bench", "features": ["query"], "views": [{
            "view": traffic.VIEW, "profile": traffic.PROFILE, "feed": "news", "geometry": {
                "viewport": {"width": 390, "height": 800},
                "content": {"width": 390, "height": 4000}, "scale": traffic.SCALE}}]})


def typed(server, text, debounce_ms):
    """Each client types the text. The last items that each client receives must be those for the whole text."""
    lists = []

    def on_text(frame):
        messages = json.loads(frame)
        for message in messages if isinstance(messages, list) else [messages]:
            if message["type"] == "items":
                lists.append(message["items"][0]["text"])

    pacing.exchange(
        server, [keystrokes(number, text, debounce_ms) for number in range(CLIENTS)],
        settle=(DEBOUNCE_MS + CALL_MS) / 1e3 + 0.5, on_text=on_text)
    if lists[-CLIENTS:] != [text] * CLIENTS or lists.count(text) != CLIENTS:
        raise RuntimeError(f"the clients received {lists}")


def keystrokes(number, text, debounce_ms):
    begin = number * KEYSTROKE_MS / CLIENTS
    return [
        (begin + place * KEYSTROKE_MS, traffic.compact({
            "type": "configure", "view": traffic.VIEW, "seq": place + 1,
            "parameters": {"q": text[:place + 1]}, "debounceMs": debounce_ms}))
        for place in range(KEYSTROKES)]
