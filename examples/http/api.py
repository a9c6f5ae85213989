#!/usr/bin/env python3
"""My own API: GET /orders?page=1&size=20&q=text gives a page of orders.csv as JSON."""
import csv
import json
import pathlib
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

ORDERS = pathlib.Path(__file__).with_name("orders.csv")


class API(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path != "/orders":
            return self.send_error(404)
        page, size = int(query.get("page", 1)), int(query.get("size", 20))
        with ORDERS.open(newline="", encoding="utf-8") as file:
            wanted = query.get("q", "").lower()
            orders = [o for o in csv.DictReader(file) if wanted in " ".join(o.values()).lower()]
        items = orders[(page - 1) * size:page * size]
        answer = {"items": items, "more": page * size < len(orders), "total": len(orders)}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 9000), API)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
