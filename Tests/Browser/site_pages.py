"""Serves the pages of the working tree, and relays their sessions to a daemon."""

import functools
import http.server
import pathlib
import socket
import threading

from relay import Relay, hang_up
from web_package import EXAMPLE_DAEMON

PAGES = pathlib.Path(__file__).parents[2] / "clients/web"
PEEKED_BYTES = 64


class Files(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        path = PAGES / self.path.partition("?")[0].lstrip("/")
        if path.parent != PAGES / "examples" or not path.is_file():
            return super().do_GET()
        # The examples connect to a daemon of their own.
        body = path.read_text(encoding="utf-8").replace(EXAMPLE_DAEMON, "/").encode()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Site(Relay):
    """Listens on its own port. Requests for `/v1/` go to the daemon at `port`; the others get the files of `clients/web`."""

    def __init__(self, port):
        self.is_offline = False  # whether sessions are refused
        super().__init__(port)

    def accept(self):
        while True:
            try:
                near, address = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(near, address), daemon=True).start()

    def serve(self, near, address):
        try:
            head = near.recv(PEEKED_BYTES, socket.MSG_PEEK)
            if not head.startswith(b"GET /v1/"):
                functools.partial(Files, directory=PAGES)(near, address, self)
                near.close()
                return
            if self.is_offline:
                return hang_up(near)
            self.relay(near)
        except OSError:
            near.close()
