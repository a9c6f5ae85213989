"""Measures the CPU time of the daemon when one item is reported, and 10,000 sessions that show the list receive it.

For comparison, it measures a bare libwebsockets server that sends as many bytes to as many connections.
"""

import contextlib
import http.client
import json
import selectors
import statistics
import time

import crowd
import pacing
import spread
import traffic

# The items that are reported one after another in each run. The figure is the median over all of them.
ITEMS = 9
# All clients must receive an item within this time.
END_S = 20


def configuration():
    return crowd.configuration(
        20, "itemKey: /id", "cache: { lifetimeMs: 3600000 }",
    ) + spread.token()


def hello():
    return traffic.compact({
        "type": "hello", "protocol": 1, "client": "bench", "features": ["patch", "live"], "views": [{
            "view": traffic.VIEW, "profile": "default", "feed": "news", "initial": "load",
            "top": {"arrivals": "insert"}, "geometry": {
                "viewport": {"width": 390, "height": 800},
                "content": {"width": 390, "height": 4000}, "scale": traffic.SCALE}}]})


def measure(servers, folder, repetitions):
    """Returns the CPU time of an item for each session, and of sending it with the bare library."""
    crowd.allow(crowd.CLIENTS + 200)
    path = folder / "live.yaml"
    path.write_text(configuration())
    runs = {"live": [], "bare": []}
    size = 0
    for _ in range(repetitions):
        with servers.daemon(hello=hello(), config=str(path)) as server:
            with connected(server) as clients:
                wait(clients, lambda text: '"type":"items"' in text)
                for number in range(ITEMS):
                    cpu, size = delivered(
                        server, clients, lambda: report(server, number), lambda text: '"operations":' in text)
                    runs["live"].append(cpu)
        with servers.bare(size, to_all=True) as server, server.client() as trigger:
            with connected(server) as clients:
                for _ in range(ITEMS):
                    cpu, _ = delivered(server, clients, lambda: trigger.send("{}"), lambda text: True)
                    trigger.receive()
                    runs["bare"].append(cpu)
    live, bare = (statistics.median(runs[name]) / crowd.CLIENTS for name in ("live", "bare"))
    return {
        "live_runs": runs, "live_bytes": size, "live_cpu_us": live, "live_bare_cpu_us": bare,
        "live_cpu_ratio": live / bare,
    }


@contextlib.contextmanager
def connected(server):
    """Opens the connections of all clients."""
    connections = [server.client() for _ in range(crowd.CLIENTS)]
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            client = pacing.PacedClient(connection)
            selector.register(client.socket, selectors.EVENT_READ, client)
        yield selector
    for connection in connections:
        connection.socket.close()


def wait(clients, counts):
    """Waits until each client has received a text for which `counts` is true. Returns the length of the last text."""
    sizes = []
    end = time.monotonic() + END_S
    while len(sizes) < crowd.CLIENTS and time.monotonic() < end:
        pacing.drain(
            clients, 0.05, lambda text: sizes.append(len(text.encode())) if counts(text) else None)
    if len(sizes) != crowd.CLIENTS:
        raise RuntimeError(f"{len(sizes)} of {crowd.CLIENTS} clients received the item")
    return sizes[-1]


def delivered(server, clients, send, counts):
    """Returns the CPU time of the server until all clients have the item, in microseconds, and the bytes of a frame."""
    # Other messages are not counted.
    time.sleep(0.5)
    while pacing.drain(clients, 0, None):
        pass
    cpu = pacing.cpu_seconds(server.pid)
    send()
    size = wait(clients, counts)
    return (pacing.cpu_seconds(server.pid) - cpu) * 1e6, size


def report(server, number):
    """Reports a new item at the start of the list."""
    operations = [{"insert": {"id": 1000 + number, "title": "A new item", "text": "Lorem ipsum"}, "at": "start"}]
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request(
        "POST", "/v1/feeds/news/changed", json.dumps({"operations": operations}),
        {"Authorization": f"Bearer {spread.TOKEN}", "Content-Type": "application/json"})
    answer = connection.getresponse()
    connection.close()
    if answer.status != 204:
        raise RuntimeError(f"the report was answered by {answer.status}")
