"""What the clients of the benchmark say: one endless pull that never fires.

Every sample moves the finger between 0 and just under the threshold of 60 points, so every one changes
the progress and the indicator and is answered by exactly one update. The offsets are what a screen of
three pixels per point reports: thirds of a point, two decimals.
"""

import json

VIEW = "list"
PROFILE = "iqpulltorefresh"
THRESHOLD = 60
SCALE = 3
STEP = 3.5


def hello(indicator=None):
    """One frame: the session and a view whose backend is the client, so nothing loads by itself.

    `indicator`: what a `stream` client has at the top; without one the client is a `plain` one.
    """
    view = {"view": VIEW, "profile": PROFILE}
    if indicator:
        # The way to the threshold is the same whatever an indicator is made for.
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
    """A pull and its way back in steps of three and a half pixels; no two neighbours are equal."""
    turn = (THRESHOLD - 1) * SCALE - 1
    steps = range(int(turn / STEP))
    down = [1 + STEP * step for step in steps]
    back = [turn - 2 - STEP * step for step in steps]
    return [round(-round(pixel) / SCALE, 2) for pixel in down + back]


def sample(seq, time, offset):
    """One sample as text; `seq` and `time` are text too, so that they can be placeholders."""
    return (
        f'{{"type":"scroll","view":"{VIEW}","seq":{seq},"t":{time},'
        f'"offset":{offset:.10g},"phase":"dragging"}}')


def template():
    """The lines of the generator's messages file.

    The generator counts from 0, a session's `seq` from 1; a 1 before the count makes it grow from 10.
    """
    return "".join(sample("1%seq%", "%ts%.7", offset) + "\n" for offset in offsets())


def samples(count):
    """`count` samples as a client with a display of 60 Hz sends them."""
    way = offsets()
    for index in range(count):
        yield index + 1, sample(index + 1, f"{index * 16.7:.1f}", way[index % len(way)])


def trouble(text, seq):
    """What is wrong with the answer to sample `seq`, or nothing."""
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
