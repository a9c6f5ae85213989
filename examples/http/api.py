#!/usr/bin/env python3
"""An API that serves orders.csv as JSON, by GET /orders?page=1&size=20&q=text and by POST /search.

GET /orders/changes is a stream of server-sent events: what changes in the file."""
import csv
import hashlib
import json
import pathlib
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

ORDERS = pathlib.Path(__file__).with_name("orders.csv")


def orders(text):
    with ORDERS.open(newline="", encoding="utf-8") as file:
        return [o for o in csv.DictReader(file) if text.lower() in " ".join(o.values()).lower()]


def differences(old, new):
    operations = [{"remove": key} for key in old if key not in new]
    place = {"at": "start"}
    for key, order in new.items():
        if key not in old:
            operations.append({"insert": order, **place})
        elif order != old[key]:
            operations.append({"update": order})
        place = {"after": key}
    return operations


class API(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path == "/orders/changes":
            return self.stream()
        if url.path != "/orders":
            return self.send_error(404)
        page, size = int(query.get("page", 1)), int(query.get("size", 20))
        found = orders(query.get("q", ""))
        items = found[(page - 1) * size:page * size]
        self.answer({"items": items, "more": page * size < len(found), "total": len(found)})

    def do_POST(self):
        wish = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/search":
            return self.send_error(404)
        found = [o for o in orders(wish["text"] or "")
                 if wish["after"] is None or int(o["id"]) < int(wish["after"])]
        page = found[:wish["limit"]]
        last = int(page[-1]["id"]) if len(found) > len(page) else None
        self.answer({"result": {"orders": page, "last": last}})

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        known = {o["id"]: o for o in orders("")}
        try:
            while True:
                # The comment proves that the stream is alive.
                self.wfile.write(b":\n\n")
                time.sleep(1)
                current = {o["id"]: o for o in orders("")}
                if operations := differences(known, current):
                    self.wfile.write(f"data: {json.dumps({'operations': operations})}\n\n".encode())
                known = current
        except ConnectionError:
            self.close_connection = True

    def answer(self, value):
        body = json.dumps(value).encode()
        etag = f'"{hashlib.sha256(body).hexdigest()}"'
        known = self.headers["If-None-Match"] == etag
        self.send_response(304 if known else 200)
        self.send_header("ETag", etag)
        if not known:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not known:
            self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 9000), API)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
