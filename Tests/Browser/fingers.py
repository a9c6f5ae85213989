"""The actions of a finger on the demo page, at a realistic pace: 60 moves a second, even if the browser is slower.
"""

import json
import time
import urllib.request

from websockets.sync.client import connect

FRAME_SECONDS = 1 / 60
ANSWER_SECONDS = 120


class Fingers:
    """One or two fingers on the list. Distances are in points below the position at which the finger touched the list."""

    def __init__(self, page):
        self.page = page
        self.sent = 0
        # The events are sent on a separate connection to the page. The driver would wait for the browser after each event,
        # which a finger does not do.
        address = page.browser.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json") as answer:
            target = next(target for target in json.load(answer) if target["type"] == "page")
        self.line = connect(target["webSocketDebuggerUrl"], proxy=None, max_queue=None)
        self.origin = (0.0, 0.0)
        self.travel = 0.0

    def dispatch(self, kind, count=1, spread=90):
        self.touch(kind, [
            {"x": self.origin[0] + spread * index, "y": self.origin[1] + self.travel, "id": index}
            for index in range(count)])

    def touch(self, kind, points=()):
        self.sent += 1
        self.line.send(json.dumps({
            "id": self.sent, "method": "Input.dispatchTouchEvent",
            "params": {"type": kind, "touchPoints": list(points)}}))

    def finish(self):
        """Waits until the browser has handled all events."""
        while self.sent and json.loads(self.line.recv(ANSWER_SECONDS)).get("id") != self.sent:
            pass
        self.line.close()

    def down(self, below=0, count=1):
        x, y = self.page.start
        self.origin, self.travel = (x, y + below), 0.0
        self.dispatch("touchStart", count)

    def move(self, to, seconds, ease=lambda part: part, count=1):
        """Moves to a distance within this time. `ease` converts a fraction of the time to a fraction of the distance."""
        begin, away = time.monotonic(), self.travel
        while True:
            part = min(1.0, (time.monotonic() - begin) / seconds)
            self.travel = away + (to - away) * ease(part)
            self.dispatch("touchMove", count)
            if part >= 1:
                return
            time.sleep(max(0, FRAME_SECONDS - (time.monotonic() - begin) % FRAME_SECONDS))

    def rest(self, seconds):
        time.sleep(seconds)

    def up(self):
        self.touch("touchEnd")

    def cancel(self):
        self.touch("touchCancel")

    def tap(self, below=200):
        self.down(below)
        self.up()

    def tap_on(self, selector):
        """Taps the middle of the first element that matches. No other element may cover this point."""
        x, y = self.page.run("""
            const element = document.querySelector(arguments[0]);
            const {left, top, width, height} = element.getBoundingClientRect();
            const [x, y] = [left + width / 2, top + height / 2];
            if (!element.contains(document.elementFromPoint(x, y))) throw new Error(`${arguments[0]} is covered`);
            return [x, y];""", selector)
        self.touch("touchStart", [{"x": x, "y": y, "id": 0}])
        self.up()


def tap_on(page, selector):
    """Taps the middle of the first element that matches, by a finger that is used for this tap only."""
    fingers = Fingers(page)
    fingers.tap_on(selector)
    fingers.finish()


def slowing(part):
    """An easing for `move`: fast at first, and at rest at the end."""
    return 1 - (1 - part) ** 2


def gathering(part):
    """An easing for `move`: slow at first, and fastest at the end, like a finger that flings the list."""
    return part ** 2
