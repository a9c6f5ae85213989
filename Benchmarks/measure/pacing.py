"""Many clients at their own times in one process: what they say is worked out before, what they hear is counted."""

import heapq
import os
import selectors
import struct
import time

from client import Client


class Talker:
    """One connection that says what it was given, each at its time."""

    def __init__(self, client):
        self.socket = client.socket
        self.socket.setblocking(False)
        self.buffer = client.buffer
        self.heard = 0
        self.heard_bytes = 0

    def learn(self, schedule):
        """What to say: (milliseconds, text)."""
        self.schedule = [(at, framed(text), len(text.encode())) for at, text in schedule]
        self.next = 0

    def say(self):
        frame = self.schedule[self.next][1]
        self.next += 1
        if self.socket.send(frame) != len(frame):
            raise RuntimeError("the server does not read")

    def hear(self, keep=None):
        """Counts the messages that came, and gives their texts to `keep`."""
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
    """A masked text frame."""
    payload = text.encode()
    mask = os.urandom(4)
    size = len(payload)
    head = bytes([0x81, 0x80 | size]) if size < 126 else struct.pack(">BBH", 0x81, 0xFE, size)
    repeated = (mask * (size // 4 + 1))[:size]
    masked = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
    return head + mask + masked.to_bytes(size, "big")


def cpu_seconds(pid):
    """User and system time of a process so far, by its own clock."""
    return time.clock_gettime((~pid << 3) | 2)


def talk(server, schedules, settle=0.5, keep=None, warm_up=None, done=None):
    """Runs all schedules, (milliseconds, text), at once; what was said and heard, and the server's CPU time.

    `settle`: seconds after the last message in which answers may still come. `keep`: gets every text. `warm_up`:
    schedules that come before and do not count. `done`: once it is true, and all was said, it is
    over.
    """
    clients = [server.client() for _ in schedules]
    talkers = [Talker(client) for client in clients]
    with selectors.DefaultSelector() as selector:
        for talker in talkers:
            selector.register(talker.socket, selectors.EVENT_READ, talker)
        # What follows hello is not part of it.
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
    """Says everything; returns by how many seconds the latest was late."""
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
    """Hears what has come; whether anything had."""
    ready = selector.select(timeout)
    for key, _ in ready:
        key.data.hear(keep)
    return bool(ready)
