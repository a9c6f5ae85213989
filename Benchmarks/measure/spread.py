"""Measures the CPU time of the daemon in short periods (windows) after a change of a feed that 10,000 sessions show."""

import hashlib
import http.client
import selectors
import statistics
import subprocess
import sys
import time

import crowd
import pacing
import traffic

SECONDS = 5
WINDOW_MS = 250
# All clients must receive their items within this time.
END_S = 15
TOKEN = "bench"
# A program that prints the CPU time of a process at regular intervals. It reads the CPU clock of the process.
SAMPLER = """\
import sys, time
pid, begin, step, count = int(sys.argv[1]), *map(float, sys.argv[2:])
for number in range(int(count) + 1):
    time.sleep(max(0, begin + number * step - time.monotonic()))
    print(time.monotonic(), time.clock_gettime((~pid << 3) | 2))
"""


def configuration(spread_ms):
    return crowd.configuration(
        20, "cache: { lifetimeMs: 3600000 }", f"changes: {{ spreadMs: {spread_ms} }}") + token()


def token():
    """Returns the configuration of the token that may report changes."""
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    return f'tokens: [{{ name: bench, sha256: "{digest}", may: [change] }}]\n'


def hello():
    return traffic.compact({
        "type": "hello", "protocol": 1, "client": "bench", "views": [{
            "view": traffic.VIEW, "profile": "default", "feed": "news",
            "top": {"changes": "visible"}, "geometry": {
                "viewport": {"width": 390, "height": 800},
                "content": {"width": 390, "height": 4000}, "scale": traffic.SCALE}}]})


def measure(servers, folder, repetitions):
    """Returns the ratio of the largest CPU time of a window to the mean of all windows of the five seconds."""
    crowd.allow(crowd.CLIENTS + 200)
    results = {}
    for name, spread_ms in (("spread", SECONDS * 1000), ("at_once", 0)):
        path = folder / "spread.yaml"
        path.write_text(configuration(spread_ms))
        runs = []
        for _ in range(repetitions):
            with servers.daemon(hello=hello(), config=str(path)) as server:
                runs.append(windows(server))
        results[f"{name}_windows_cpu_us"] = runs
        results[f"{name}_peak_ratio"] = statistics.median(
            max(run) / statistics.mean(run) for run in runs)
        results[f"{name}_cpu_us"] = statistics.median(sum(run) for run in runs) / crowd.CLIENTS
    return results


def windows(server):
    """The CPU time of the daemon in each window after the change, in microseconds."""
    connections = [server.client() for _ in range(crowd.CLIENTS)]
    lists = []
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            client = pacing.PacedClient(connection)
            selector.register(client.socket, selectors.EVENT_READ, client)
        time.sleep(1)
        begin = time.monotonic() + 0.5
        sampler = subprocess.Popen(
            [sys.executable, "-c", SAMPLER, str(server.pid), str(begin), str(WINDOW_MS / 1e3),
             str(SECONDS * 1000 / WINDOW_MS)], stdout=subprocess.PIPE, text=True)
        time.sleep(max(0, begin - time.monotonic()))
        change(server)
        while len(lists) < crowd.CLIENTS and time.monotonic() < begin + END_S:
            pacing.drain(
                selector, 0.05, lambda text: lists.append(1) if '"type":"items"' in text else None)
        output = sampler.communicate(timeout=END_S)[0]
    for connection in connections:
        connection.socket.close()
    if len(lists) != crowd.CLIENTS:
        raise RuntimeError(f"{len(lists)} of {crowd.CLIENTS} clients received the items")
    samples = [[float(value) for value in line.split()] for line in output.splitlines()]
    late = max(at - begin - number * WINDOW_MS / 1e3 for number, (at, _) in enumerate(samples))
    if late > WINDOW_MS / 1e3 / 10:
        raise RuntimeError(f"the CPU time was read {late * 1e3:.0f} ms late")
    return [(after[1] - before[1]) * 1e6 for before, after in zip(samples, samples[1:])]


def change(server):
    """Reports a change of the feed."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request(
        "POST", "/v1/feeds/news/changed", headers={"Authorization": f"Bearer {TOKEN}"})
    answer = connection.getresponse()
    connection.close()
    if answer.status != 204:
        raise RuntimeError(f"the change was answered by {answer.status}")
