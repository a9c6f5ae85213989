"""Measures a refresh of ten pages with the option `depth: keep`: its duration, and its CPU time if many sessions share
the feed.

For comparison, it measures the CPU time of a refresh that replaces the list by one page with the same items.
"""

import json
import statistics
import time

import crowd
import pacing
import traffic

PAGES = 10
SIZE = 20
ITEMS = PAGES * SIZE
# The duration of a call of the backend, and the maximum number of calls at the same time.
CALL_MS = 10
CALLS = 4
# The shortest time in which the backend can answer all calls.
FEED_MS = -(-PAGES // CALLS) * CALL_MS
DURATIONS = 50
CLIENTS = 1_000
ROUNDS = 4
# All requests of a round are sent in this time. The backend answers later, when all clients wait.
SPREAD_MS = 500
ANSWERED_MS = 1000
ROUND_MS = 2500
# Before the rounds, each client requests the pages of its list one after the other, at this interval.
PAGE_MS = 200
# The compared kinds of refresh, and the page size of the feed of each.
KINDS = {"keep": SIZE, "replace": ITEMS}


def configuration(kind, with_keys):
    """Returns the configuration. The first calls are those for the first session of the feed. They are answered at
    once, and the pages are cached.
    """
    size = KINDS[kind]
    steps = [{"generate": 10 * ITEMS}] * (ITEMS // size)
    steps.append({"afterMs": ANSWERED_MS, "generate": 10 * ITEMS})
    return f"""\
limits:
  sessionsMax: {CLIENTS + 100}
  connectionsPerAddressMax: {CLIENTS + 100}
  handshakesPerAddressMax: {CLIENTS}
feeds:
  news:
    backend: script
    paging: offset
    size: {size}
    shared: true
    cache: {{ lifetimeMs: 3600000 }}
    {"itemKey: /id" if with_keys else ""}
    steps: {json.dumps(steps)}
    then: last
"""


SLOW = f"""\
feeds:
  news:
    backend: script
    paging: offset
    size: {SIZE}
    calls: {CALLS}
    steps: [{{ afterMs: {CALL_MS}, generate: {10 * ITEMS} }}]
    then: last
"""


def hello(initial):
    return traffic.compact({
        "type": "hello", "protocol": 1, "client": "bench", "features": [], "views": [{
            "view": traffic.VIEW, "profile": traffic.PROFILE, "feed": "news", "initial": initial,
            "top": {"depth": "keep"}, "geometry": {
                "viewport": {"width": 390, "height": 800},
                "content": {"width": 390, "height": 4000}, "scale": traffic.SCALE}}]})


def request(kind, seq):
    return traffic.compact({"type": kind, "view": traffic.VIEW, "seq": seq})


def measure(servers, folder, repetitions):
    results = {}
    path = folder / "depth.yaml"
    path.write_text(SLOW)
    with servers.daemon(hello=hello("load"), config=str(path)) as server:
        results.update(durations(server))
    for name, with_keys in (("depth", False), ("depth_keyed", True)):
        runs = {kind: [] for kind in KINDS}
        for _ in range(repetitions):
            for kind in KINDS:
                path.write_text(configuration(kind, with_keys))
                with servers.daemon(hello=hello("kept"), config=str(path)) as server:
                    runs[kind].append(refreshes(server, kind))
        results[f"{name}_runs"] = runs
        for kind in KINDS:
            results[f"{name}_{kind}_cpu_us"] = statistics.median(
                run["cpu_us"] for run in runs[kind]) / CLIENTS / ROUNDS
        results[f"{name}_cpu_ratio"] = (
            results[f"{name}_keep_cpu_us"] / results[f"{name}_replace_cpu_us"])
    return results


def durations(server):
    """Returns the times from the message `refresh` to the items, if the daemon has only one client."""
    times = []
    with server.client() as client:
        take(client, SIZE)
        for seq in range(1, PAGES):
            client.send(request("loadMore", seq))
            take(client, SIZE)
        for seq in range(PAGES, PAGES + DURATIONS):
            begin = time.perf_counter()
            client.send(request("refresh", seq))
            take(client, ITEMS)
            times.append((time.perf_counter() - begin) * 1e3)
    median = statistics.median(times)
    return {"depth_times_ms": times, "depth_ms": median, "depth_ms_ratio": median / FEED_MS}


def take(client, count):
    """Receives messages until items arrive. All requested items must arrive in one message."""
    while True:
        frame = json.loads(client.receive())
        messages = frame if isinstance(frame, list) else [frame]
        items = [message for message in messages if message["type"] == "items"]
        if not items:
            continue
        if [message["count"] for message in items] != [count]:
            raise RuntimeError(f"{count} items were expected, not {frame}")
        return


def refreshes(server, kind):
    """Returns the CPU time of the refreshes of all clients. Before the first refresh, each client loads all items of
    its list.
    """
    pages = ITEMS // KINDS[kind]
    # If the list has only one page, the warm-up only waits for this page, which is cached.
    warm_up = [
        [(page * PAGE_MS + number % PAGE_MS, request("loadMore", page)) for page in range(1, pages)]
        or [(PAGE_MS, traffic.compact({"type": "ping", "t": 1}))]
        for number in range(CLIENTS)]
    with server.client() as first:
        take(first, KINDS[kind])
        for seq in range(1, pages):
            first.send(request("loadMore", seq))
            take(first, KINDS[kind])
        lists = []
        counts = pacing.exchange(
            server, [schedule(number) for number in range(CLIENTS)], settle=ROUND_MS / 1e3,
            warm_up=warm_up,
            on_text=lambda text: lists.append(whole_list(text, pages)))
    expected = CLIENTS * ROUNDS
    calls = crowd.calls(server)
    if sum(lists) != expected or calls != pages * (1 + ROUNDS):
        raise RuntimeError(f"{sum(lists)} of {expected} refreshes ended, with {calls} calls")
    return {**counts, "calls": calls}


def whole_list(text, pages):
    """Whether the frame has the items of a whole list."""
    if '"type":"items"' not in text:
        return False
    if f'"count":{ITEMS}' not in text or (pages > 1) != (f'"pages":{pages}' in text):
        raise RuntimeError(f"other items were expected: {text[:400]}")
    return True


def schedule(number):
    """Returns the refreshes of one client."""
    begin = number * SPREAD_MS / CLIENTS
    return [(begin + turn * ROUND_MS, request("refresh", 100 + turn)) for turn in range(ROUNDS)]
