"""Measures the CPU time of the daemon when all clients refresh one feed at the same time. The daemon then calls the
backend once, and sends the page to each client.

For comparison, it measures the cost of sending the items with a bare libwebsockets server. Its clients send one
request, and receive as many bytes as an `items` message has.
"""

import contextlib
import json
import re
import resource
import statistics
import tempfile
import urllib.request

import pacing
import traffic

CLIENTS = 10_000
ITEMS = 20
# The time until the backend answers. At this time, all clients have sent their requests.
ANSWERED_MS = 6000
# The time over which all requests are spread.
SPREAD_MS = 2000


def configuration(answered_ms, *keys):
    """Returns the configuration with the feed `news`, which all clients use. `keys` are further lines of the feed. The
    limits for an address are raised, because all clients have the same address.
    """
    items = [
        {"id": number, "title": f"Item {number} of a list", "text": "Lorem ipsum dolor sit amet"}
        for number in range(ITEMS)]
    return "\n".join((f"""\
limits:
  sessionsMax: {CLIENTS + 100}
  connectionsPerAddressMax: {CLIENTS + 100}
  handshakesPerAddressMax: {CLIENTS}
feeds:
  news:
    backend: script
    paging: offset
    size: {ITEMS}
    shared: true
    steps: [{{ afterMs: {answered_ms}, items: {json.dumps(items)} }}]
    then: last""", *(f"    {key}" for key in keys), ""))


def hello():
    return traffic.compact({
        "type": "hello", "protocol": 1, "client": "bench", "views": [{
            "view": traffic.VIEW, "profile": "default", "feed": "news", "geometry": {
                "viewport": {"width": 390, "height": 800},
                "content": {"width": 390, "height": 4000}, "scale": traffic.SCALE}}]})


def refresh(seq):
    return traffic.compact({"type": "refresh", "view": traffic.VIEW, "seq": seq, "animated": False})


def measure(servers, repetitions):
    allow(CLIENTS + 200)
    runs = {"crowd": [], "bare": []}
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(configuration(ANSWERED_MS))
        file.flush()
        page = items_bytes(servers, file.name)
        for _ in range(repetitions):
            with servers.daemon(hello=hello(), config=file.name) as server:
                runs["crowd"].append(measure_server(server))
            with servers.bare(page) as server:
                runs["bare"].append(answered(server))
    crowd = statistics.median(run["cpu_us"] for run in runs["crowd"]) / CLIENTS
    bare = statistics.median(run["cpu_us"] for run in runs["bare"]) / CLIENTS
    return {
        "crowd_runs": runs, "crowd_clients": CLIENTS, "crowd_items_bytes": page,
        "crowd_calls": max(run["calls"] for run in runs["crowd"]),
        "crowd_cpu_us": crowd, "crowd_bare_cpu_us": bare, "crowd_cpu_ratio": crowd / bare,
    }


def measure_server(server):
    """Measures the daemon while each client refreshes once and receives the page."""
    messages = []
    counts = pacing.exchange(
        server, schedules(), settle=(ANSWERED_MS - SPREAD_MS) / 1e3 + 4,
        on_text=lambda text: messages.append('"type":"items"' in text),
        done=lambda: sum(messages) == CLIENTS)
    if sum(messages) != CLIENTS:
        raise RuntimeError(f"{sum(messages)} of {CLIENTS} clients got the items")
    return {**counts, "calls": calls(server)}


def answered(server):
    """Sends the same requests to a server that answers each request with as many bytes as the items have."""
    received = []
    counts = pacing.exchange(
        server, schedules(), settle=2, on_text=received.append, done=lambda: len(received) == CLIENTS)
    if counts["received"] != CLIENTS:
        raise RuntimeError(f"{counts['received']} of {CLIENTS} clients were answered")
    return counts


def schedules():
    return [[(number * SPREAD_MS / CLIENTS, refresh(1))] for number in range(CLIENTS)]


def items_bytes(servers, config):
    """Returns the length of the frame that contains the page."""
    received = []
    with servers.daemon(hello=hello(), config=config) as server:
        pacing.exchange(
            server, [[(0, refresh(1))]], settle=ANSWERED_MS / 1e3 + 1, on_text=received.append)
    return max(len(text.encode()) for text in received if '"type":"items"' in text)


def calls(server):
    """Returns the number of backend calls of the feed so far, from the daemon's metrics."""
    with contextlib.closing(
            urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics")) as page:
        text = page.read().decode()
    found = re.search(r'^refreshd_backend_calls_total\{[^}]*feed="news"[^}]*\} (\d+)', text, re.M)
    if not found:
        raise RuntimeError("the daemon does not count the calls of the feed `news`")
    return int(found[1])


def allow(files):
    """Raises the limit of open files, because each connection needs one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(files, soft), hard), hard))
