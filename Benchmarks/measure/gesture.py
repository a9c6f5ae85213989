"""One pull to refresh from touch to rest, as the three kinds of client say it.

The finger pulls a list at rest by 40 samples of a display of 60 Hz beyond the threshold, lets go, and the list
springs back to the room that opened in 16 more; half a second after the release the page has come, and that is
all. Then the list is back at rest.
"""

import math

import traffic

PROFILE = "default"
VIEW = traffic.VIEW
LENGTH = 64
FRAME = 1000 / 60
DRAGGED = 40
SPRUNG = 16
TURN = -96
# Milliseconds after the release, and from touch to touch: by then all that follows a refresh has been shown.
LOADED_AFTER = 500
PERIOD = 3000


def hello(frames):
    hello = {
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
    return traffic.compact(hello)


def trace():
    """(milliseconds since touch, phase, offset in points, velocity in points per second), frame by frame."""
    samples = [(0.0, "began", 0.0, 0.0)]
    for index in range(1, DRAGGED + 1):
        samples.append((index * FRAME, "dragging", dragged(index), velocity(index)))
    samples.append(((DRAGGED + 1) * FRAME, "ended", dragged(DRAGGED), 0.0))
    for index in range(1, SPRUNG + 1):
        way = math.exp(-index / 3.5)
        offset = pixels(-LENGTH + (TURN + LENGTH) * way)
        samples.append(((DRAGGED + 1 + index) * FRAME, "decelerating", offset, 0.0))
    samples.append(((DRAGGED + SPRUNG + 2) * FRAME, "idle", float(-LENGTH), 0.0))
    return samples


def dragged(index):
    """A finger that starts fast and comes to rest."""
    return pixels(TURN * math.sin(math.pi / 2 * index / DRAGGED))


def velocity(index):
    return round((dragged(index) - dragged(index - 1)) / FRAME * 1000, 2)


def pixels(offset):
    return round(round(offset * traffic.SCALE) / traffic.SCALE, 2)


def streamed(number, seq):
    """Every frame, as a `stream` client sends it: (milliseconds, text). `number`: of the gesture, from 0."""
    for time, phase, offset, _ in trace():
        seq += 1
        yield time, sample(number, seq, time, offset, phase)
    yield loaded(number, seq + 1)


def local(number, seq):
    """What changes something, by docs/protocol.md, "What a local client sends"."""
    samples = trace()
    pulled = next(each for each in samples if each[2] < 0)
    armed = next(each for each in samples if each[2] <= -LENGTH)
    ended = next(each for each in samples if each[1] == "ended")
    idle = samples[-1]
    yield pulled[0], sample(
        number, seq + 1, pulled[0], pulled[2], "began",
        {"from": 0, "velocity": pace(pulled[0]), "predicted": "pulling"})
    yield armed[0], sample(
        number, seq + 2, armed[0], armed[2], "dragging",
        {"velocity": pace(armed[0]), "predicted": "eligible"})
    yield ended[0], sample(
        number, seq + 3, ended[0], ended[2], "ended", {"predicted": "refreshing"})
    yield idle[0], sample(number, seq + 4, idle[0], idle[2], "idle")
    yield loaded(number, seq + 5)


def pace(time):
    """The speed that a local client measures: a quarter of each frame's over three of what it was."""
    speed = 0.0
    for at, phase, _, way in trace():
        if phase == "dragging" and at <= time:
            speed += (way - speed) / 4
    return speed


def node(number, seq):
    """The same frames in the words of the Node server."""
    for time, phase, offset, way in trace():
        seq += 1
        yield time, traffic.compact({
            "type": "scroll", "seq": seq, "t": clock(number, time), "list": VIEW,
            "offset": offset, "velocity": way, "phase": phase})
    yield released() + LOADED_AFTER, traffic.compact({"type": "done", "seq": seq + 1})


def released():
    return (DRAGGED + 1) * FRAME


def loaded(number, seq):
    # Loads are numbered from 1, in a view of the generation 1.
    return released() + LOADED_AFTER, traffic.compact({
        "type": "loadFinished", "view": VIEW, "seq": seq, "load": f"1.{number + 1}",
        "result": "success", "count": 50})


def sample(number, seq, time, offset, phase, more=None):
    return traffic.compact({
        "type": "scroll", "view": VIEW, "seq": seq, "t": clock(number, time), "offset": offset,
        "phase": phase, **(more or {})})


def clock(number, time):
    """The client's own clock, to a tenth of a millisecond."""
    return round(number * PERIOD + time, 1)
