"""One pull to refresh from touch to rest, as the messages of three kinds of client: `stream`, `local`, and the client
of the Node server (node.js).

The list is at rest. The finger pulls it beyond the threshold, with 40 samples of a display at 60 Hz. After the release,
the list springs back to the open room within 16 more samples. Half a second after the release, the page arrives. Then
the list is at rest again.
"""

import json
import math
import subprocess

import traffic

PROFILE = traffic.PROFILE
VIEW = traffic.VIEW
LENGTH = traffic.THRESHOLD
FRAME = 1000 / 60
DRAGGED = 40
SPRUNG = 16
# The maximum distance beyond the edge, in points.
TURN = 90
# The time from the release to the page, and from touch to touch, in milliseconds. Before the next touch, the refresh
# has completely ended.
LOADED_AFTER = 500
PERIOD = 3000


def hello(frames):
    return {
        "type": "hello", "protocol": 1, "client": "bench", "frames": frames,
        "views": [{
            "view": VIEW, "profile": PROFILE, "offset": 0,
            "geometry": {
                "viewport": {"width": 390, "height": 800},
                "content": {"width": 390, "height": 4000},
                "scale": traffic.SCALE,
            },
        }],
    }


def trace():
    """Returns (milliseconds since touch, phase, offset in points) for each frame."""
    samples = [(0.0, "began", 0.0)]
    for index in range(1, DRAGGED + 1):
        # The finger starts fast and comes to rest.
        way = math.sin(math.pi / 2 * index / DRAGGED)
        samples.append((index * FRAME, "dragging", pixels(-TURN * way)))
    samples.append((released(), "ended", pixels(-TURN)))
    for index in range(1, SPRUNG + 1):
        way = math.exp(-index / 3.5)
        samples.append(
            (released() + index * FRAME, "decelerating", pixels((LENGTH - TURN) * way - LENGTH)))
    samples.append((released() + (SPRUNG + 1) * FRAME, "idle", float(-LENGTH)))
    return [(round(time, 1), phase, offset) for time, phase, offset in samples]


def released():
    return (DRAGGED + 1) * FRAME


def loaded():
    return round(released() + LOADED_AFTER, 1)


def pixels(offset):
    return round(round(offset * traffic.SCALE) / traffic.SCALE, 2)


def script(program, frames):
    """Returns the messages of a refreshd client as (milliseconds, text). `program` is refresh-bench, which simulates
    such a client.
    """
    output = subprocess.run(
        [str(program), "gesture", traffic.compact({
            "frames": frames, "hello": hello(frames), "samples": trace(),
            "loadedAt": loaded(), "until": PERIOD})],
        check=True, capture_output=True, text=True).stdout
    return [(time, json.loads(text)) for time, text in json.loads(output)]


def node():
    """Returns the same gesture as the messages that a client of the Node server sends."""
    messages = []
    last = 0.0
    for time, phase, offset in trace():
        messages.append((time, {
            "type": "scroll", "seq": len(messages) + 1, "t": time, "list": VIEW,
            "offset": offset, "velocity": round((offset - last) / FRAME * 1000, 2),
            "phase": phase}))
        last = offset
    return messages + [(loaded(), {"type": "done", "seq": len(messages) + 1})]


def repeated(script, number):
    """Returns the gesture for repetition `number`, from 0, with other sequence numbers, times and load identifiers."""
    count = sum(len(batch(frame)) for _, frame in script)
    for time, frame in script:
        messages = [dict(message) for message in batch(frame)]
        for message in messages:
            message["seq"] += number * count
            if "t" in message:
                message["t"] = round(message["t"] + number * PERIOD, 1)
            if "load" in message:
                view, load = message["load"].split(".")
                message["load"] = f"{view}.{int(load) + number}"
        yield time, traffic.compact(messages if isinstance(frame, list) else messages[0])


def batch(frame):
    return frame if isinstance(frame, list) else [frame]
