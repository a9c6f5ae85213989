#!/usr/bin/env python3
"""The backend of all nodes: a list of packages that grows, on the port in the first argument.

    GET  /packages?page=1&size=20   a page of the list, the newest package first
    POST /packages                  adds a package, and answers with its name
    GET  /calls                     the number of pages that were requested so far
"""
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

lock = threading.Lock()
packages = []  # the newest one is the first
calls = 0


def add():
    number = len(packages) + 1
    packages.insert(0, {
        "name": f"package-{number}", "version": "1.0", "description": f"Package number {number}",
        "section": "example", "installedKiB": 100 + number})


class Backend(BaseHTTPRequestHandler):
    def do_GET(self):
        global calls
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path == "/calls":
            return self.answer(calls)
        if url.path != "/packages":
            return self.send_error(404)
        page, size = int(query.get("page", 1)), int(query.get("size", 20))
        with lock:
            calls += 1
            items = packages[(page - 1) * size:page * size]
            answer = {"items": items, "more": page * size < len(packages), "total": len(packages)}
        self.answer(answer)

    def do_POST(self):
        if self.path != "/packages":
            return self.send_error(404)
        with lock:
            add()
            name = packages[0]["name"]
        self.answer(name)

    def answer(self, value):
        body = json.dumps(value).encode() + b"\n"
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


for _ in range(45):
    add()
server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 9000), Backend)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
