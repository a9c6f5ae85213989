"""The cost of a pull to refresh for a server, by the kind of its clients."""

import json
import statistics

import gesture
import pacing
import traffic

# The numbers of clients. Each server gets about the same message rate, because at a low rate a server sleeps between
# messages and uses most of its CPU time for waking up.
CONNECTIONS = {"stream": 100, "local": 1300, "node": 100}
GESTURES = 3


def measure(servers, program, repetitions):
    """Messages, bytes and CPU time of one gesture of each kind, measured alternately in one run."""
    scripts = {
        "stream": gesture.script(program, "stream"), "local": gesture.script(program, "local"),
        "node": gesture.node()}
    items = {kind: check(servers, kind, script) for kind, script in scripts.items()}
    runs = {kind: [] for kind in scripts}
    for _ in range(repetitions):
        for kind, script in scripts.items():
            with start(servers, kind) as server:
                runs[kind].append(run_gestures(server, script, CONNECTIONS[kind]))
                runs[kind][-1]["bytes_without_items"] = runs[kind][-1]["bytes"] - items[kind]
    results = {"gesture_runs": runs}
    figures = (
        "messages", "up", "down", "bytes", "bytes_up", "bytes_down", "bytes_without_items", "cpu_us")
    for kind in scripts:
        for figure in figures:
            results[f"gesture_{figure}_{kind}"] = statistics.median(
                run[figure] for run in runs[kind])
    for figure in ("messages", "bytes", "bytes_without_items", "cpu_us"):
        for kind in ("stream", "local"):
            results[f"gesture_{figure}_{kind}_ratio"] = (
                results[f"gesture_{figure}_{kind}"] / results[f"gesture_{figure}_node"])
    return results


def start(servers, kind):
    if kind == "node":
        return servers.node()
    return servers.daemon(hello=traffic.compact(gesture.hello(kind)))


def run_gestures(server, script, connections):
    # The first gesture on a connection differs from later ones, and does not count.
    first, rest = (
        [schedule(script, number, connections, range(*those)) for number in range(connections)]
        for those in ((0, 1), (1, 1 + GESTURES)))
    counts = pacing.exchange(server, rest, settle=2, warm_up=first)
    gestures = connections * GESTURES
    up, down = counts["sent"] / gestures, counts["received"] / gestures
    bytes_up, bytes_down = counts["sent_bytes"] / gestures, counts["received_bytes"] / gestures
    return {
        "messages": up + down, "up": up, "down": down, "bytes": bytes_up + bytes_down,
        "bytes_up": bytes_up, "bytes_down": bytes_down, "cpu_us": counts["cpu_us"] / gestures,
        "late_ms": counts["late_ms"],
    }


def schedule(script, number, connections, gestures):
    """Returns the messages of one client. The touches of all clients are spread over the period."""
    begin = gesture.PERIOD * number / connections
    return [
        (begin + place * gesture.PERIOD + time, text)
        for place, index in enumerate(gestures)
        for time, text in gesture.repeated(script, index)]


def check(servers, kind, script):
    """Runs one client alone. Each gesture must refresh, without a fault or a misprediction.

    Returns the bytes of a gesture that concern items: the request for the page, and the page.
    """
    received = []
    with start(servers, kind) as server:
        pacing.exchange(
            server, [schedule(script, 0, 1, range(2))], settle=2, on_text=received.append)
    request_bytes = len(traffic.compact(script[-1][1]))
    if kind == "node":
        # The end of the load is sent in a frame of its own.
        return request_bytes + len(received[-1])
    messages = [each for text in received for each in gesture.batch(json.loads(text))]
    states = [each["top"]["state"] for each in messages if "state" in each.get("top", {})]
    wrong = [each for each in messages if each["type"] == "error" or "blend" in each]
    if states != ["pulling", "eligible", "refreshing", "idle"] * 2 or wrong:
        raise RuntimeError(f"a {kind} client received {states} and {wrong}: {received}")
    load = next(each for each in messages if each["type"] == "load")
    # The `load` message is in a batch with the update, so it adds a comma and two brackets.
    return request_bytes + len(traffic.compact(load)) + 3
