"""A minimal WebSocket client for measurements. It sends and receives one text at a time."""

import base64
import os
import socket
import struct

SUBPROTOCOL = "refresh.v1"


class Client:
    """One connection. It is used where the exact number of messages matters more than their rate."""

    def __init__(self, port, path, receive_bytes=None, source=None):
        """`receive_bytes` is the size of the socket's receive buffer, and `source` its local address. None means the
        default of the system.
        """
        self.socket = socket.socket()
        self.is_full = False
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(60)
        if source:
            self.socket.bind((source, 0))
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise RuntimeError(f"the upgrade was refused: {head.splitlines()[0].decode()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def fill(self):
        piece = self.socket.recv(65536)
        if not piece:
            raise RuntimeError("the server closed the connection")
        self.buffer += piece

    def read(self, count):
        while len(self.buffer) < count:
            self.fill()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def send(self, text, opcode=1):
        payload = text.encode() if isinstance(text, str) else text
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        else:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        repeated = (mask * (size // 4 + 1))[:size]
        masked = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
        self.socket.sendall(head + mask + masked.to_bytes(size, "big"))

    def receive(self):
        """Returns the next text message. Pings are answered."""
        while True:
            first, second = self.read(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.read(8))[0]
            payload = self.read(size)
            opcode = first & 0x0F
            if opcode == 9:
                self.send(payload, opcode=10)
            elif opcode == 8:
                raise RuntimeError(f"the server closed the session: {payload!r}")
            elif opcode == 1:
                if not first & 0x80:
                    raise RuntimeError("the server fragmented a message")
                return payload.decode()
