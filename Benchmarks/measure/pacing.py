"""Many clients in one process, each with its own schedule. Sent messages are prepared before, and received ones are
counted.
"""

import heapq
import os
import selectors
import struct
import time

from client import Client


class Talker:
    """One connection that sends each given message at its time."""

    def __init__(self, client):
        self.socket = client.socket
        self.socket.setblocking(False)
        self.buffer = client.buffer
        self.heard = 0
        self.heard_bytes = 0

    def learn(self, schedule):
        """Sets the messages to send, as (milliseconds, text)."""
        self.schedule = [(at, framed(text), len(text.encode())) for at, text in schedule]
        self.next = 0

    def say(self):
        frame = self.schedule[self.next][1]
        self.next += 1
        if self.socket.send(frame) != len(frame):
            raise RuntimeError("the server does not read")

    def hear(self, keep=None):
        """Counts the received messages, and passes their texts to `keep`."""
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
                self.heard += 1
                self.heard_bytes += size
                if keep:
                    keep(data[start + head:start + head + size].decode())
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


def talk(server, schedules, settle=0.5, keep=None, warm_up=None, done=None):
    """Runs all schedules of (milliseconds, text) at once. Returns the sent and received counts, and the server's CPU
    time.

    `settle` is the number of seconds after the last message in which answers may arrive. `keep` receives every text.
    `warm_up` are schedules that run before and do not count. When all messages were sent and `done` returns true, the
    run ends.
    """
    clients = [server.client() for _ in schedules]
    talkers = [Talker(client) for client in clients]
    with selectors.DefaultSelector() as selector:
        for talker in talkers:
            selector.register(talker.socket, selectors.EVENT_READ, talker)
        # The answer to `hello` does not count.
        time.sleep(0.2)
        while drain(selector, 0, None):
            pass
        if warm_up:
            run(talkers, warm_up, selector, settle, None)
        for talker in talkers:
            talker.heard = talker.heard_bytes = 0
        cpu = cpu_seconds(server.pid)
        late = run(talkers, schedules, selector, settle, keep, done)
        cpu = cpu_seconds(server.pid) - cpu
    for client in clients:
        client.socket.close()
    said = [entry[2] for talker in talkers for entry in talker.schedule]
    return {
        "cpu_us": cpu * 1e6, "said": len(said), "said_bytes": sum(said),
        "heard": sum(talker.heard for talker in talkers),
        "heard_bytes": sum(talker.heard_bytes for talker in talkers),
        "late_ms": late * 1e3,
    }


def run(talkers, schedules, selector, settle, keep, done=None):
    """Sends all messages. Returns the largest delay of a message in seconds."""
    for talker, schedule in zip(talkers, schedules):
        talker.learn(schedule)
    begin = time.monotonic() + 0.05
    due = [(begin + talker.schedule[0][0] / 1e3, number) for number, talker in enumerate(talkers)]
    heapq.heapify(due)
    latest = 0.0
    end = None
    while due or time.monotonic() < end:
        now = time.monotonic()
        while due and due[0][0] <= now:
            at, number = heapq.heappop(due)
            latest = max(latest, now - at)
            talker = talkers[number]
            talker.say()
            if talker.next < len(talker.schedule):
                heapq.heappush(due, (begin + talker.schedule[talker.next][0] / 1e3, number))
        if not due and end is None:
            end = now + settle
        drain(selector, max(0, (due[0][0] if due else end) - time.monotonic()), keep)
        if done and not due and done():
            break
    return latest


def drain(selector, timeout, keep):
    """Handles the received messages. Returns whether there were any."""
    ready = selector.select(timeout)
    for key, _ in ready:
        key.data.hear(keep)
    return bool(ready)
