"""What a pull to refresh costs a server, by the kind of its clients."""

import json
import statistics

import gesture
import pacing

CONNECTIONS = 100
GESTURES = 3


def measure(servers, repetitions):
    """Messages, bytes and CPU time of one gesture of each kind, by turns in one run."""
    kinds = {
        "stream": (lambda: servers.daemon(hello=gesture.hello("stream")), gesture.streamed),
        "local": (lambda: servers.daemon(hello=gesture.hello("local")), gesture.local),
        "node": (servers.node, gesture.node),
    }
    for kind in ("stream", "local"):
        check(kind, *kinds[kind])
    runs = {kind: [] for kind in kinds}
    for _ in range(repetitions):
        for kind, (start, say) in kinds.items():
            with start() as server:
                runs[kind].append(told(server, say))
    results = {"gesture_runs": runs}
    for kind in kinds:
        for figure in ("messages", "up", "down", "bytes", "bytes_up", "bytes_down", "cpu_us"):
            results[f"gesture_{figure}_{kind}"] = statistics.median(
                run[figure] for run in runs[kind])
    for figure in ("messages", "bytes", "cpu_us"):
        for kind in ("stream", "local"):
            results[f"gesture_{figure}_{kind}_ratio"] = (
                results[f"gesture_{figure}_{kind}"] / results[f"gesture_{figure}_node"])
    return results


def told(server, say, connections):
    # The first gesture of a server is not like the others, and does not count.
    first, rest = (
        [schedule(say, number, connections, range(*those)) for number in range(connections)]
        for those in ((0, 1), (1, 1 + GESTURES)))
    counts = pacing.talk(server, rest, settle=2, warm_up=first)
    gestures = connections * GESTURES
    up, down = counts["said"] / gestures, counts["heard"] / gestures
    bytes_up, bytes_down = counts["said_bytes"] / gestures, counts["heard_bytes"] / gestures
    return {
        "messages": up + down, "up": up, "down": down, "bytes": bytes_up + bytes_down,
        "bytes_up": bytes_up, "bytes_down": bytes_down, "cpu_us": counts["cpu_us"] / gestures,
        "late_ms": counts["late_ms"],
    }


def schedule(say, number, connections, gestures):
    """What one client says; the touches of all are spread over the time from touch to touch."""
    begin = gesture.PERIOD * number / connections
    size = len(list(say(0, 0)))
    return [
        (begin + place * gesture.PERIOD + time, text)
        for place, index in enumerate(gestures) for time, text in say(index, index * size)]


def check(kind, start, say):
    """One client alone: each gesture must refresh, and nothing may be at fault or mispredicted."""
    heard = []
    with start() as server:
        pacing.talk(server, [schedule(say, 0, 1, range(2))], settle=2, keep=heard.append)
    messages = [each for text in heard for each in batch(text)]
    states = [each["top"]["state"] for each in messages if "state" in each.get("top", {})]
    wanted = ["refreshing", "succeeded", "finishing", "idle"] * 2
    told = [state for state in states if state in wanted]
    wrong = [each for each in messages if each["type"] == "error" or "blend" in each]
    if told != wanted or wrong:
        raise RuntimeError(f"a {kind} client was told {states} and {wrong}: {heard}")


def batch(text):
    message = json.loads(text)
    return message if isinstance(message, list) else [message]
