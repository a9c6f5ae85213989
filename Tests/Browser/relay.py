"""A relay between browser and daemon. It can cut connections, and can drop the data from the daemon."""

import socket
import threading


class Relay:
    """Listens on its own port and forwards to `port`. The target can be changed to another daemon."""

    def __init__(self, port):
        self.target = port
        self.lines = []
        self.lock = threading.Lock()
        self.passes_answers = True  # whether data from the daemon is forwarded
        self.lost = b""  # data from the daemon that was not forwarded
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
            self.relay(near)

    def relay(self, near):
        """Relays a connection to the daemon."""
        try:
            far = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            near.close()
            return
        with self.lock:
            self.lines.append((near, far))
        # The daemon serves only requests to its own address, so `Host` and `Origin` are rewritten.
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
        """Cuts all connections at both ends. Later connections work normally."""
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
    """Shuts both sockets down, so that every reader reaches the end of the stream before the sockets are closed."""
    for end in ends:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
