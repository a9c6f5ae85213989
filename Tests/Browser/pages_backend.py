"""A backend with numbered packages. It answers a request when the test allows it, and records all requests."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SIZE = 20
TOTAL = 130


class PagesBackend:
    def __init__(self):
        self.version = 1
        self.requested = []
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/?page={{page}}&size={{size}}"

    def close(self):
        self.may_answer.set()
        self.server.shutdown()
        self.server.server_close()

    def page(self, number, size):
        first = (number - 1) * size
        items = [
            {"name": f"package-{index:03}", "version": str(self.version), "description": "One of many",
             "section": "test", "installedKiB": index}
            for index in range(first, min(first + size, TOTAL))]
        return {"items": items, "more": first + size < TOTAL, "total": TOTAL}

    def handler(backend):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                query = parse_qs(urlsplit(self.path).query)
                number, size = int(query["page"][0]), int(query["size"][0])
                backend.requested.append(number)
                backend.may_answer.wait()
                body = json.dumps(backend.page(number, size)).encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass  # the daemon was killed in the meantime

            def log_message(self, *arguments):
                pass

        return Handler
