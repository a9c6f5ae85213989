"""Records touch traces: journals of real sessions of the demo page, one for each gesture of a user.

Each trace is a complete session. A page is opened in headless Chromium, one gesture is performed at a realistic pace,
and the page is closed. `refresh-probe load` plays the traces, and a test replays each of them byte for byte.
"""

import argparse
import json
import pathlib
import sys
import tempfile
import time

from daemon import PACKAGES, Daemon
from fingers import Fingers, gathering, slowing
from page import DESKTOP, PHONE, WAIT_SECONDS, Page

PAGE_SIZE = 16
ITEM_COUNT = 44
TAIL_SECONDS = 0.7  # the time in which the page may still send messages after the list came to rest
# Without a graphics card, only a page with few pixels keeps the pace of the finger.
UPRIGHT = {**PHONE, "deviceScaleFactor": 1}
SIDEWAYS = {**UPRIGHT, "width": UPRIGHT["height"], "height": UPRIGHT["width"]}

# The pages of items are small, because the traces are stored in the repository. A closed page ends its session, so the
# journal ends too.
CONFIG = f"""
demo: true
listen: ["127.0.0.1:0"]
feeds:
  packages: {{{{ backend: file, path: "{{items}}", paging: page, size: {PAGE_SIZE} }}}}
limits: {{{{ resumeWindowMs: 0 }}}}
"""

# With an `unload` listener, the browser does not keep the page in its back/forward cache, so its connection ends.
UNLOAD_LISTENER = 'addEventListener("unload", () => {});'

TRACES = {}


def trace(function):
    """Registers a gesture under the name of its function, with dashes instead of underscores."""
    TRACES[function.__name__.replace("_", "-")] = function
    return function


@trace
def slow_pull(page, fingers):
    """A slow pull beyond the threshold, followed by a refresh."""
    fingers.down()
    fingers.move(230, 1.4)
    fingers.up()


@trace
def flick(page, fingers):
    """A scroll down the list, and then a fling back. The list decelerates until it reaches its start."""
    fingers.down(below=420)
    fingers.move(-280, 0.4, slowing)
    fingers.rest(0.15)
    fingers.up()
    fingers.rest(0.2)
    fingers.down(below=120)
    fingers.move(160, 0.14, gathering)
    fingers.up()


@trace
def over_pull_and_return(page, fingers):
    """A pull far beyond the threshold. The finger moves the list back before the release, so no refresh begins."""
    fingers.down()
    fingers.move(330, 0.5, slowing)
    fingers.move(10, 0.6)
    fingers.up()


@trace
def pull_and_hold(page, fingers):
    """A pull beyond the threshold. Then the finger rests for longer than the interval of keep-alive samples."""
    fingers.down()
    fingers.move(240, 0.5, slowing)
    fingers.rest(2.6)
    fingers.up()


@trace
def fling_to_the_end(page, fingers):
    """Flings until the list is at its end and all pages are loaded."""
    deadline = time.monotonic() + WAIT_SECONDS
    while page.state("bottom") != "noMore" and time.monotonic() < deadline:
        fingers.down(below=480)
        fingers.move(-420, 0.16, gathering)
        fingers.up()
        fingers.rest(0.5)


@trace
def two_fingers(page, fingers):
    """A second finger touches the list during a pull, and both fingers continue to pull."""
    fingers.down()
    fingers.move(90, 0.3)
    fingers.dispatch("touchStart", 2)
    fingers.move(210, 0.5, count=2)
    fingers.up()


@trace
def wheel(page, fingers):
    """A mouse wheel scrolls down the list, then back, and then beyond the start."""
    for travel in [120] * 5 + [-120] * 12:
        page.wheel(travel)
        fingers.rest(0.05)


@trace
def interrupted_by_a_tap(page, fingers):
    """The finger pulls the list, and then flings it in the other direction. A tap stops the list."""
    fingers.down(below=240)
    fingers.move(70, 0.25, slowing)
    fingers.move(-160, 0.16, gathering)
    fingers.up()
    fingers.rest(0.12)
    fingers.tap()


@trace
def rotation(page, fingers):
    """The phone is rotated during a pull, and rotated back after the refresh."""
    fingers.down()
    fingers.move(110, 0.4)
    fingers.rest(0.2)  # all sent samples are handled before the rotation
    page.command("Emulation.setDeviceMetricsOverride", **SIDEWAYS)
    fingers.rest(0.2)
    fingers.move(230, 0.5, slowing)
    fingers.up()
    fingers.rest(0.6)
    page.command("Emulation.setDeviceMetricsOverride", **UPRIGHT)


@trace
def cancelled(page, fingers):
    """A pull beyond the threshold, which the system cancels."""
    fingers.down()
    fingers.move(240, 0.4, slowing)
    fingers.cancel()


@trace
def short_pull(page, fingers):
    """A pull that does not reach the threshold."""
    fingers.down()
    fingers.move(60, 0.3, slowing)
    fingers.up()


@trace
def impatient(page, fingers):
    """Repeated pulls, also during the refresh."""
    for _ in range(3):
        fingers.down()
        fingers.move(220, 0.25, slowing)
        fingers.up()
        fingers.rest(0.15)


@trace
def reading(page, fingers):
    """A scroll down the list and back, without a fling."""
    for way in (-300, -280, 320):
        fingers.down(below=360 if way < 0 else 60)
        fingers.move(way, 0.5, slowing)
        fingers.rest(0.1)
        fingers.up()
        fingers.rest(0.2)


# A `local` client sends so few samples that traces of two gestures suffice.
LOCAL = ("slow-pull", "fling-to-the-end")


def record(page, daemon, name, mode, journals):
    """Performs one gesture on a new page, and returns the lines of its journal."""
    earlier = set(journals.iterdir())
    page.show(f"{daemon.url}?frames={mode}", DESKTOP if name == "wheel" else UPRIGHT)
    fingers = Fingers(page)
    TRACES[name](page, fingers)
    fingers.finish()
    page.settle()
    time.sleep(TAIL_SECONDS)
    page.browser.get(f"{daemon.url}healthz")
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        # A session with only a `hello` is not the session of the page.
        for path in set(journals.iterdir()) - earlier:
            lines = path.read_text(encoding="utf-8").splitlines()
            if lines and '"end":true' in lines[-1]:
                return lines
        time.sleep(0.05)
    tails = {path.name: path.read_text()[-300:] for path in set(journals.iterdir()) - earlier}
    raise AssertionError(f"{name}: the journal did not end: {tails}")


def main():
    parser = argparse.ArgumentParser(prog="scripts/record-traces", description=__doc__.splitlines()[0])
    parser.add_argument("--refreshd", required=True, type=pathlib.Path, help="the daemon to record with")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder for the journals")
    parser.add_argument("--only", metavar="TEXT", default="", help="only the traces whose name holds this")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        items = folder / "packages.json"
        items.write_text(json.dumps(json.loads(PACKAGES.read_text(encoding="utf-8"))[:ITEM_COUNT]))
        config = folder / "refreshd.yaml"
        config.write_text(CONFIG.format(items=items))
        journals = folder / "journals"
        journals.mkdir()
        daemon = Daemon(options.refreshd.resolve(), None, folder / "refreshd.log", config, journals)
        daemon.start()
        page = None
        try:
            page = Page()
            page.command("Page.addScriptToEvaluateOnNewDocument", source=UNLOAD_LISTENER)
            wanted = [(name, "stream") for name in TRACES] + [(name, "local") for name in LOCAL]
            for name, mode in wanted:
                file = options.out / f"{name}.{mode}.jsonl"
                if options.only not in file.name:
                    continue
                lines = record(page, daemon, name, mode, journals)
                file.write_text("\n".join(lines) + "\n", encoding="utf-8")
                print(f"{file.name}: {len(lines)} lines, {file.stat().st_size} bytes")
        finally:
            if page:
                page.close()
            daemon.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
