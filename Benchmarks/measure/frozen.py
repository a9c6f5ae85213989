"""What clients that read nothing cost the others: the answer times of busy clients, beside frozen ones and without.

All limits are the default ones. A frozen client has a small receive buffer and never reads. There are two kinds: one
whose finger goes on, so that its updates merge, and one that asks without end, so that as much waits for it as may.
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
# Of the default limits: what one address may connect, and a session say in a second and at once.
PER_ADDRESS = 200
MESSAGES_PER_SECOND = 900
MESSAGES_AT_ONCE = 1_900
# So many messages of a frozen client are said at once.
BATCH = 32
# A finger goes on for so long; samples of each client.
FINGER_SAMPLES = 4_000
# Nobody is cut off for its age before the default `queueAgeMs`.
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
    """One daemon: its busy clients alone, and then beside frozen ones of this kind."""
    with servers.daemon(config=configuration) as server:
        busy = [server.client() for _ in range(BUSY)]
        latencies(server, busy, 1, 0)
        alone = percentiles(latencies(server, busy, seconds, 1))
        before = resident(server.pid)
        begin = time.monotonic()
        frozen = freeze(server, kind)
        grown = (resident(server.pid) - before) / FROZEN
        beside = percentiles(latencies(server, busy, seconds, 2))
        told = metrics(server)
        if told["refreshd_sessions"] != BUSY + FROZEN or told['refreshd_faults_total{code="slowClient"}']:
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
    """So many sessions that read nothing, and for which all waits that will."""
    clients = []
    for number in range(FROZEN):
        # No address may have more than its share.
        source = f"127.0.1.{number // PER_ADDRESS + 1}"
        client = Client(server.port, server.path, receive_bytes=4096, source=source)
        client.send(server.hello)
        client.socket.setblocking(False)
        clients.append(client)
    if kind == "finger":
        frames = fingers()
        pace(clients, lambda number: frames[number] if number < len(frames) else None)
        rest(server)
        # The sockets' buffers have room for the answers of some samples, and what comes then merges.
        merged = metrics(server)["refreshd_coalesced_updates_total"] / FROZEN
        if merged < FINGER_SAMPLES / 4:
            raise RuntimeError(f"{merged:.0f} updates merged of each frozen client: they are not frozen")
    else:
        frame = pacing.framed("[" + ",".join(['{"type":"ping","t":1}'] * BATCH) + "]")
        looked = [0.0]

        def ask(number):
            if time.monotonic() - looked[0] > 0.5:
                looked[0] = time.monotonic()
                if metrics(server)["refreshd_sessions_held_back"] == FROZEN:
                    return None
            return frame

        pace(clients, ask)
        if metrics(server)["refreshd_sessions_held_back"] != FROZEN:
            raise RuntimeError("not all clients that send endlessly are held back")
        rest(server)
    return clients


def fingers():
    """A pull that goes on, each sample in a frame of its own: of those of one frame only the last is answered."""
    texts = [pacing.framed(text) for text in samples(3, FINGER_SAMPLES)]
    return [b"".join(texts[start:start + BATCH]) for start in range(0, FINGER_SAMPLES, BATCH)]


def pace(clients, frame_at):
    """Each client says what `frame_at` gives for 0, 1, …, as fast as it may, until that is nothing or nobody reads it."""
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
    """The figures of its page by name and labels; what is not there is 0."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    told = {}
    for name, value in re.findall(r"^([a-z_]+(?:\{[^}]*\})?) (\S+)$", text, re.MULTILINE):
        told[name] = float(value)
    for name in ("refreshd_sessions", 'refreshd_faults_total{code="slowClient"}',
                 "refreshd_sessions_held_back", "refreshd_coalesced_updates_total"):
        told.setdefault(name, 0)
    return told


def rest(server):
    """Waits until the daemon has done with what was asked: it does nothing for those who do not read."""
    for _ in range(240):
        before = pacing.cpu_seconds(server.pid)
        time.sleep(0.5)
        if pacing.cpu_seconds(server.pid) - before < 0.02:
            return
    raise RuntimeError("the daemon stays busy while no client reads")


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
    """The samples of one client in this turn, as texts; its `seq` grows over all turns."""
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
