"""Measures how much clients that read nothing (frozen clients) slow down other clients. It compares the latency of busy
clients with and without frozen clients.

All limits have their defaults. A frozen client has a small receive buffer and never reads. There are two kinds. A
client of the kind `finger` continues a pull, so that the daemon merges its updates. A client of the kind `flood` sends
`ping` messages without end, so that its queue in the daemon is as long as possible.
"""

import pathlib
import re
import resource
import selectors
import statistics
import tempfile
import time
import urllib.request

import pacing
import traffic
from client import Client

FROZEN = 1_000
BUSY = 50
RATE = 60
KINDS = ("finger", "flood")
# Somewhat less than the default limits allow: the connections of one address, the frames of a session per second, and
# the frames in a burst.
PER_ADDRESS = 200
MESSAGES_PER_SECOND = 900
MESSAGES_AT_ONCE = 1_900
# The number of messages that a frozen client sends at once.
BATCH = 32
# The number of samples of a continued pull.
FINGER_SAMPLES = 4_000
# The default of `queueAgeMs`, in seconds. Within this time, the daemon disconnects no client because of unread output.
QUEUE_AGE_S = 30


def measure(servers, repetitions, seconds):
    allow(FROZEN + BUSY + 100)
    alone = []
    results = {"frozen_clients": FROZEN, "frozen_runs": {}}
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write("demo: false\n")
        file.flush()
        for kind in KINDS:
            runs = [run(servers, file.name, kind, seconds) for _ in range(repetitions)]
            results["frozen_runs"][kind] = runs
            alone += [one["alone"] for one in runs]
            for name in ("p50", "p99"):
                results[f"frozen_{kind}_{name}_us"] = statistics.median(
                    one["beside"][name] for one in runs) * 1e6
                results[f"frozen_{kind}_{name}_ratio"] = statistics.median(
                    one["beside"][name] / one["alone"][name] for one in runs)
            results[f"frozen_{kind}_kib"] = statistics.median(one["grown"] for one in runs) / 1024
    for name in ("p50", "p99"):
        results[f"frozen_alone_{name}_us"] = statistics.median(one[name] for one in alone) * 1e6
    return results


def run(servers, configuration, kind, seconds):
    """Runs one daemon with its busy clients alone, and then together with frozen clients of this kind."""
    with servers.daemon(config=configuration) as server:
        busy = [server.client() for _ in range(BUSY)]
        latencies(server, busy, 1, 0)
        alone = percentiles(latencies(server, busy, seconds, 1))
        before = resident(server.pid)
        begin = time.monotonic()
        frozen = freeze(server, kind)
        grown = (resident(server.pid) - before) / FROZEN
        beside = percentiles(latencies(server, busy, seconds, 2))
        values = metrics(server)
        if values["refreshd_sessions"] != BUSY + FROZEN or values['refreshd_faults_total{code="slowClient"}']:
            raise RuntimeError(
                f"frozen clients were cut off, {time.monotonic() - begin:.0f} s after the first froze; "
                f"the default `queueAgeMs` allows {QUEUE_AGE_S}")
        for client in busy + frozen:
            client.socket.close()
    return {"alone": alone, "beside": beside, "grown": grown}


def percentiles(times):
    times = sorted(times)
    return {"p50": times[len(times) // 2], "p99": times[len(times) * 99 // 100]}


def freeze(server, kind):
    """Opens sessions whose clients read nothing, and fills the queues of these sessions as far as possible."""
    clients = []
    for number in range(FROZEN):
        # No address may exceed its limit of connections.
        source = f"127.0.1.{number // PER_ADDRESS + 1}"
        client = Client(server.port, server.path, receive_bytes=4096, source=source)
        client.send(server.hello)
        client.socket.setblocking(False)
        clients.append(client)
    if kind == "finger":
        frames = fingers()
        pace(clients, lambda number: frames[number] if number < len(frames) else None)
        rest(server)
        # The answers to the first samples fit in the buffers of the sockets. The daemon merges later answers.
        merged = metrics(server)["refreshd_coalesced_updates_total"] / FROZEN
        if merged < FINGER_SAMPLES / 4:
            raise RuntimeError(f"{merged:.0f} updates merged of each frozen client: they are not frozen")
    else:
        frame = pacing.framed("[" + ",".join(['{"type":"ping","t":1}'] * BATCH) + "]")
        checked_at = [0.0]

        def next_frame(number):
            if time.monotonic() - checked_at[0] > 0.5:
                checked_at[0] = time.monotonic()
                if metrics(server)["refreshd_sessions_held_back"] == FROZEN:
                    return None
            return frame

        pace(clients, next_frame)
        if metrics(server)["refreshd_sessions_held_back"] != FROZEN:
            raise RuntimeError("not all clients that send endlessly are held back")
        rest(server)
    return clients


def fingers():
    """Returns a continued pull with each sample in a frame of its own, because only the last sample of a frame is
    answered.
    """
    texts = [pacing.framed(text) for text in samples(3, FINGER_SAMPLES)]
    return [b"".join(texts[start:start + BATCH]) for start in range(0, FINGER_SAMPLES, BATCH)]


def pace(clients, frame_at):
    """Each client sends the frames `frame_at(0)`, `frame_at(1)`, … as fast as the limits of the daemon permit. The
    sending ends when `frame_at` returns None, when the server reads from no client any more, or after QUEUE_AGE_S.
    """
    begin = time.monotonic()
    number = 0
    while time.monotonic() - begin < QUEUE_AGE_S:
        allowed = MESSAGES_AT_ONCE + (time.monotonic() - begin) * MESSAGES_PER_SECOND
        if (number + 1) * BATCH > allowed:
            time.sleep(0.005)
            continue
        frame = frame_at(number)
        speaking = [client for client in clients if not client.is_full]
        if frame is None or not speaking:
            return
        for client in speaking:
            try:
                client.is_full = client.socket.send(frame) < len(frame)
            except BlockingIOError:
                client.is_full = True
        number += 1


def metrics(server):
    """Returns the values of the metrics page by name and labels. A missing value is 0."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    values = {}
    for name, value in re.findall(r"^([a-z_]+(?:\{[^}]*\})?) (\S+)$", text, re.MULTILINE):
        values[name] = float(value)
    for name in ("refreshd_sessions", 'refreshd_faults_total{code="slowClient"}',
                 "refreshd_sessions_held_back", "refreshd_coalesced_updates_total"):
        values.setdefault(name, 0)
    return values


def rest(server):
    """Waits until the daemon is idle. It becomes idle because clients that do not read cause no work."""
    for _ in range(240):
        before = pacing.cpu_seconds(server.pid)
        time.sleep(0.5)
        if pacing.cpu_seconds(server.pid) - before < 0.02:
            return
    raise RuntimeError("the daemon stays busy while no client reads")


def latencies(server, clients, seconds, turn):
    """Returns the latency of each message of these clients, sent at a constant rate, in seconds."""
    times = []
    count = int(seconds * RATE)
    texts = [pacing.framed(text) for text in samples(turn, count)]
    # The times of the unanswered messages, by client.
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
                    receive(key.data, sent, times)
                if wait <= 0:
                    break
            sent[client].append(time.monotonic())
            client.socket.sendall(texts[number // len(clients)])
        end = time.monotonic() + 2
        while any(sent.values()) and time.monotonic() < end:
            for key, _ in selector.select(0.05):
                receive(key.data, sent, times)
    if len(times) < count * len(clients) * 0.99:
        raise RuntimeError(f"{len(times)} of {count * len(clients)} messages were answered")
    return times


def receive(client, sent, times):
    while True:
        client.receive()
        if sent[client]:
            times.append(time.monotonic() - sent[client].pop(0))
        # The selector does not report messages that arrived together with an earlier one.
        if not client.buffer:
            break


def samples(turn, count):
    """Returns the samples of one client in this round, as texts. `seq` increases over all rounds."""
    offsets = traffic.offsets()
    first = turn * 1_000_000 + 1
    return [
        traffic.sample(first + number, number * 16, offsets[number % len(offsets)])
        for number in range(count)]


def resident(pid):
    fields = pathlib.Path(f"/proc/{pid}/statm").read_text().split()
    return int(fields[1]) * resource.getpagesize()


def allow(files):
    """Raises the limit of open files, because each connection needs one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(files, soft), hard), hard))
