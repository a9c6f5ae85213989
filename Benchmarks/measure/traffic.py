"""The messages of the benchmark's clients: one endless pull that never reaches the threshold.

Every sample moves the finger between 0 and just under the threshold of 60 points. Each one therefore changes the
progress and the indicator, and is answered by exactly one update. The offsets are those of a screen with three pixels
per point: thirds of a point, with two decimals.
"""

import json

VIEW = "list"
PROFILE = "iqpulltorefresh"
THRESHOLD = 60
SCALE = 3
STEP = 3.5


def hello(indicator=None):
    """Returns one frame with a `hello` that attaches a view. The client itself loads the items, so the daemon starts no
    load.

    `indicator` is the indicator of a `stream` client at the top edge. If it is None, the client is a `plain` client.
    """
    view = {"view": VIEW, "profile": PROFILE}
    if indicator:
        # The distance to the threshold is the same for every indicator.
        view["top"] = {"indicator": indicator, "length": THRESHOLD, "start": 0}
    return compact({
        "type": "hello", "protocol": 1, "client": "bench",
        "frames": "stream" if indicator else "plain",
        "views": [{
            **view,
            "geometry": {
                "viewport": {"width": 390, "height": 800},
                "content": {"width": 390, "height": 4000},
                "scale": SCALE,
            },
        }],
    })


def offsets():
    """A pull and its return in steps of three and a half pixels. Successive offsets differ."""
    turn = (THRESHOLD - 1) * SCALE - 1
    steps = range(int(turn / STEP))
    down = [1 + STEP * step for step in steps]
    back = [turn - 2 - STEP * step for step in steps]
    return [round(-round(pixel) / SCALE, 2) for pixel in down + back]


def sample(seq, time, offset):
    """Returns one sample as text. `seq` and `time` are texts, so that they can be placeholders."""
    return (
        f'{{"type":"scroll","view":"{VIEW}","seq":{seq},"t":{time},'
        f'"offset":{offset:.10g},"phase":"dragging"}}')


def template():
    """Returns the lines of the file with the messages for the load generator.

    The generator counts from 0, but the `seq` of a session starts at 1. With the digit 1 before the count, `seq`
    increases from 10.
    """
    return "".join(sample("1%seq%", "%ts%.7", offset) + "\n" for offset in offsets())


def samples(count):
    """Returns `count` samples as from a client with a display at 60 Hz."""
    way = offsets()
    for index in range(count):
        yield index + 1, sample(index + 1, f"{index * 16.7:.1f}", way[index % len(way)])


def mistake(text, seq):
    """Returns what is wrong with the answer to sample `seq`. None if the answer is right."""
    try:
        answer = json.loads(text)
        top = answer["top"]
        fine = (
            answer["type"] == "update" and answer["view"] == VIEW and answer["ack"] == seq
            and 0 <= top["progress"] < 1 and {"progress", "alpha"} <= set(top["indicator"]))
    except (ValueError, KeyError, TypeError):
        fine = False
    return "" if fine else f"sample {seq} was answered by {text!r}"


def compact(value):
    return json.dumps(value, separators=(",", ":"))
