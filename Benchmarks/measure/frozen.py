"""What clients that read nothing cost the others: the answer times of busy clients, beside frozen ones and without.

A frozen client has a small receive buffer, asks without end for what it never reads, and so fills every buffer
between it and its session. What is measured is the time from a busy client's message to its answer.
"""

import pathlib
import resource
import selectors
import socket
import statistics
import tempfile
import time

import pacing
import traffic
from client import Client

FROZEN = 1_000
BUSY = 50
RATE = 60
# What a frozen client asks for: each message is answered, and none of the answers is read.
PINGS = 64
QUEUE_BYTES_MAX = 262_144
# Nobody is cut off while it is measured, and all are of one address.
CONFIGURATION = f"""\
limits:
  queueBytesMax: {QUEUE_BYTES_MAX}
  queueAgeMs: 3600000
  connectionsPerAddressMax: 25000
  handshakesPerAddressMax: 10000
  framesPerSecondMax: 1000000
  receivedBytesPerSecondMax: 1073741824
"""


def measure(servers, repetitions, seconds):
    allow(FROZEN + BUSY + 100)
    alone, beside = [], []
    growth = []
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(CONFIGURATION)
        file.flush()
        for _ in range(repetitions):
            with servers.daemon(config=file.name) as server:
                busy = [server.client() for _ in range(BUSY)]
                latencies(server, busy, 1, 0)
                alone.append(statistics.median(latencies(server, busy, seconds, 1)))
                before = resident(server.pid)
                frozen = freeze(server)
                growth.append((resident(server.pid) - before) / FROZEN)
                beside.append(statistics.median(latencies(server, busy, seconds, 2)))
                held = sum(1 for client in frozen if not is_open(client))
                if held:
                    raise RuntimeError(f"{held} of {FROZEN} frozen clients were cut off")
                for client in busy + frozen:
                    client.socket.close()
    ratios = [there / here for here, there in zip(alone, beside)]
    return {
        "frozen_clients": FROZEN, "frozen_alone_us": statistics.median(alone) * 1e6,
        "frozen_beside_us": statistics.median(beside) * 1e6, "frozen_alone_runs": alone,
        "frozen_beside_runs": beside, "frozen_latency_ratio": statistics.median(ratios),
        "frozen_kib": statistics.median(growth) / 1024,
    }


def freeze(server):
    """So many sessions that ask until nobody takes any more from them."""
    ping = "[" + ",".join(['{"type":"ping","t":1}'] * PINGS) + "]"
    frame = pacing.framed(ping)
    clients = []
    for _ in range(FROZEN):
        client = Client(server.port, server.path, receive_bytes=4096)
        client.send(server.hello)
        client.socket.setblocking(False)
        clients.append(client)
    # What they ask for is the same for all, and as much as the daemon takes.
    for _ in range(100_000):
        taken = 0
        for client in clients:
            if client.is_full:
                continue
            try:
                if client.socket.send(frame) == len(frame):
                    taken += 1
                else:
                    client.is_full = True
            except BlockingIOError:
                client.is_full = True
        if not taken:
            break
    rest(server)
    return clients


def rest(server):
    """Waits until the daemon has done with what was asked: it does nothing for those who do not read."""
    for _ in range(240):
        before = pacing.cpu_seconds(server.pid)
        time.sleep(0.5)
        if pacing.cpu_seconds(server.pid) - before < 0.02:
            return
    raise RuntimeError("the daemon does not rest while nobody reads")


def is_open(client):
    """Whether the server still holds the connection: it has not been reset."""
    try:
        return client.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0
    except OSError:
        return False


def latencies(server, clients, seconds, turn):
    """The times from each message of these clients to its answer, at an even rate; seconds."""
    times = []
    count = int(seconds * RATE)
    texts = [pacing.framed(text) for text in samples(turn, count)]
    # By client, the times of the messages that are not answered yet.
    sent = {client: [] for client in clients}
    with selectors.DefaultSelector() as selector:
        for client in clients:
            client.socket.setblocking(True)
            selector.register(client.socket, selectors.EVENT_READ, client)
        begin = time.monotonic() + 0.05
        step = 1 / RATE / len(clients)
        for number in range(count * len(clients)):
            client = clients[number % len(clients)]
            due = begin + number * step
            while True:
                now = time.monotonic()
                wait = due - now
                for key, _ in selector.select(max(0, wait)):
                    hear(key.data, sent, times)
                if wait <= 0:
                    break
            sent[client].append(time.monotonic())
            client.socket.sendall(texts[number // len(clients)])
        end = time.monotonic() + 2
        while any(sent.values()) and time.monotonic() < end:
            for key, _ in selector.select(0.05):
                hear(key.data, sent, times)
    if len(times) < count * len(clients) * 0.99:
        raise RuntimeError(f"{len(times)} of {count * len(clients)} messages were answered")
    return times


def hear(client, sent, times):
    while True:
        client.receive()
        if sent[client]:
            times.append(time.monotonic() - sent[client].pop(0))
        # What has come with it is not seen by the selector.
        if not client.buffer:
            break


def samples(turn, count):
    """The samples of one client in this turn; its `seq` grows over all turns."""
    offsets = traffic.offsets()
    first = turn * 1_000_000 + 1
    return [
        traffic.sample(first + number, number * 16, offsets[number % len(offsets)])
        for number in range(count)]


def resident(pid):
    fields = pathlib.Path(f"/proc/{pid}/statm").read_text().split()
    return int(fields[1]) * resource.getpagesize()


def allow(files):
    """Each connection is an open file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(files, soft), hard), hard))
