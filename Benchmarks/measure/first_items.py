"""Measures the CPU time of a view that gets its first items from the cache, compared with one without items."""

import statistics

import crowd
import pacing
import traffic

CLIENTS = 200
CYCLES = 30
# In this time, a view is attached and then detached. If the detach overtakes the look-up in the cache, no list arrives.
CYCLE_MS = 160


def configuration():
    return crowd.configuration(0, "cache: { lifetimeMs: 3600000 }")


def hello(initial):
    """`initial` is that of the view which is attached from the start."""
    return traffic.compact({
        "type": "hello", "protocol": 1, "client": "bench", "features": [],
        "views": [view("first", initial)]})


def view(name, initial):
    fields = {
        "view": name, "profile": traffic.PROFILE, "feed": "news", "geometry": {
            "viewport": {"width": 390, "height": 800}, "content": {"width": 390, "height": 4000},
            "scale": traffic.SCALE}}
    return {**fields, "initial": initial} if initial else fields


def measure(servers, folder, repetitions):
    path = folder / "first_items.yaml"
    path.write_text(configuration())
    runs = {"kept": [], None: []}
    # The load of this client fills the cache.
    with servers.daemon(hello=hello("load"), config=str(path)) as server:
        with server.client() as first:
            while '"type":"items"' not in first.receive():
                pass
        server.hello = hello(None)
        for _ in range(repetitions):
            for initial, results in runs.items():
                results.append(attached(server, initial))
        calls = crowd.calls(server)
    attaches = CLIENTS * CYCLES
    bare, kept = (
        statistics.median(run["cpu_us"] for run in runs[initial]) / attaches
        for initial in (None, "kept"))
    return {
        "first_items_runs": {"kept": runs["kept"], "bare": runs[None]},
        "first_items_calls": calls - 1, "first_items_cpu_us": kept,
        "first_items_bare_cpu_us": bare, "first_items_added_cpu_us": kept - bare,
    }


def attached(server, initial):
    """Each client repeatedly attaches and detaches a view."""
    lists = []
    counts = pacing.exchange(
        server, [schedule(number, initial) for number in range(CLIENTS)], settle=0.3,
        on_text=lambda text: lists.append('"type":"items"' in text))
    expected = CLIENTS * CYCLES if initial else 0
    if sum(lists) != expected:
        raise RuntimeError(f"{sum(lists)} lists arrived, not {expected}")
    return counts


def schedule(number, initial):
    begin = number * CYCLE_MS / CLIENTS
    messages = []
    for cycle in range(CYCLES):
        at = begin + cycle * CYCLE_MS
        messages.append((at, traffic.compact(
            {"type": "attach", "seq": 2 * cycle + 1, **view(traffic.VIEW, initial)})))
        messages.append((at + CYCLE_MS / 2, traffic.compact(
            {"type": "detach", "seq": 2 * cycle + 2, "view": traffic.VIEW})))
    return messages
