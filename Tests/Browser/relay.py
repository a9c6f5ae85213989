"""A line between browser and daemon that can be cut, and that can lose what goes one way."""

import socket
import threading


class Relay:
    """Listens on a port of its own and passes on to `port`, which may become another daemon's."""

    def __init__(self, port):
        self.target = port
        self.lines = []
        self.lock = threading.Lock()
        self.passes_answers = True  # whether what the daemon says is passed on
        self.lost = b""  # what it said and was not
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            with self.lock:
                self.lines.append((near, far))
            # The daemon serves requests to its own address alone: `Host` and `Origin` name that.
            names = (f"127.0.0.1:{self.port}".encode(), f"127.0.0.1:{self.target}".encode())
            def named(data, names=names):
                return data.replace(*names)

            for way in ((near, far, named), (far, near, self.may_lose)):
                threading.Thread(target=pass_on, args=way, daemon=True).start()

    def may_lose(self, data):
        if self.passes_answers:
            return data
        self.lost += data
        return b""

    def cut(self):
        """Both ends find their connection gone; the next one loses nothing."""
        with self.lock:
            lines, self.lines = self.lines, []
        for line in lines:
            hang_up(*line)
        self.passes_answers = True

    def close(self):
        self.listener.close()
        self.cut()


def pass_on(source, sink, change):
    try:
        while data := source.recv(65536):
            sink.sendall(change(data))
    except OSError:
        pass
    hang_up(source, sink)


def hang_up(*ends):
    """Whoever reads of them finds the end, and nobody is cut off while it closes."""
    for end in ends:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
