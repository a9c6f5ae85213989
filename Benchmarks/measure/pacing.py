"""Many clients in one process, each with its own schedule. The messages to send are prepared before the run,
and received messages are counted.
"""

import heapq
import os
import selectors
import struct
import time

from client import Client


class PacedClient:
    """One connection that sends each given message at its time."""

    def __init__(self, client):
        self.socket = client.socket
        self.socket.setblocking(False)
        self.buffer = client.buffer
        self.received = 0
        self.received_bytes = 0

    def set_schedule(self, schedule):
        """Sets the messages to send, as (milliseconds, text)."""
        self.schedule = [(at, framed(text), len(text.encode())) for at, text in schedule]
        self.next = 0

    def send(self):
        frame = self.schedule[self.next][1]
        self.next += 1
        if self.socket.send(frame) != len(frame):
            raise RuntimeError("the server does not read")

    def receive(self, on_text=None):
        """Counts the received messages, and passes their texts to `on_text`."""
        data = self.socket.recv(65536)
        if not data:
            raise RuntimeError("the server closed the connection")
        data = self.buffer + data
        start = 0
        while len(data) - start >= 2:
            opcode, size, head = data[start] & 15, data[start + 1] & 127, 2
            if size == 126:
                if len(data) - start < 4:
                    break
                size, head = struct.unpack_from(">H", data, start + 2)[0], 4
            elif size == 127:
                raise RuntimeError("the server sent 64 KiB at once")
            if len(data) - start < head + size:
                break
            if opcode == 8:
                raise RuntimeError(f"the server closed the session: {data[start + head:]!r}")
            if opcode == 1:
                self.received += 1
                self.received_bytes += size
                if on_text:
                    on_text(data[start + head:start + head + size].decode())
            start += head + size
        self.buffer = data[start:]


def framed(text):
    """Returns a masked text frame."""
    payload = text.encode()
    mask = os.urandom(4)
    size = len(payload)
    head = bytes([0x81, 0x80 | size]) if size < 126 else struct.pack(">BBH", 0x81, 0xFE, size)
    repeated = (mask * (size // 4 + 1))[:size]
    masked = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
    return head + mask + masked.to_bytes(size, "big")


def cpu_seconds(pid):
    """Returns the user and system time of a process so far, by its CPU clock."""
    return time.clock_gettime((~pid << 3) | 2)


def exchange(server, schedules, settle=0.5, on_text=None, warm_up=None, done=None):
    """Runs all schedules of (milliseconds, text) at the same time, each over its own connection. Returns the sent and
    received counts, and the server's CPU time.

    `settle` is the number of seconds after the last message in which answers may arrive. `on_text` receives every text.
    `warm_up` are schedules that run first and do not count. When all messages were sent and `done` returns true, the
    run ends.
    """
    connections = [server.client() for _ in schedules]
    paced = [PacedClient(connection) for connection in connections]
    with selectors.DefaultSelector() as selector:
        for client in paced:
            selector.register(client.socket, selectors.EVENT_READ, client)
        # The answer to `hello` does not count.
        time.sleep(0.2)
        while drain(selector, 0, None):
            pass
        if warm_up:
            run(paced, warm_up, selector, settle, None)
        for client in paced:
            client.received = client.received_bytes = 0
        cpu = cpu_seconds(server.pid)
        late = run(paced, schedules, selector, settle, on_text, done)
        cpu = cpu_seconds(server.pid) - cpu
    for connection in connections:
        connection.socket.close()
    sent = [entry[2] for client in paced for entry in client.schedule]
    return {
        "cpu_us": cpu * 1e6, "sent": len(sent), "sent_bytes": sum(sent),
        "received": sum(client.received for client in paced),
        "received_bytes": sum(client.received_bytes for client in paced),
        "late_ms": late * 1e3,
    }


def run(paced, schedules, selector, settle, on_text, done=None):
    """Sends all messages. Returns the largest delay of a message in seconds."""
    for client, schedule in zip(paced, schedules):
        client.set_schedule(schedule)
    begin = time.monotonic() + 0.05
    due = [(begin + client.schedule[0][0] / 1e3, number) for number, client in enumerate(paced)]
    heapq.heapify(due)
    latest = 0.0
    end = None
    while due or time.monotonic() < end:
        now = time.monotonic()
        while due and due[0][0] <= now:
            at, number = heapq.heappop(due)
            latest = max(latest, now - at)
            client = paced[number]
            client.send()
            if client.next < len(client.schedule):
                heapq.heappush(due, (begin + client.schedule[client.next][0] / 1e3, number))
        if not due and end is None:
            end = now + settle
        drain(selector, max(0, (due[0][0] if due else end) - time.monotonic()), on_text)
        if done and not due and done():
            break
    return latest


def drain(selector, timeout, on_text):
    """Handles the received messages. Returns whether there were any."""
    ready = selector.select(timeout)
    for key, _ in ready:
        key.data.receive(on_text)
    return bool(ready)
