"""The demo page in headless Chromium: the actions of a user, and the state that a user can see."""

import base64
import os
import time

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

from frames import LOG, Frames

WAIT_SECONDS = 12  # a test fails if an expected event does not occur in this time
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
DESKTOP = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}

# Records every state of an edge, even the shortest. `oldValue` contains a state that was replaced in the same turn of
# the event loop. Each loaded page begins a new record. If the name of its window does not begin with `resumes`, the
# page also begins a fresh session.
RECORDER = """
if (!window.name.startsWith("resumes") && location.protocol.startsWith("http")) sessionStorage.clear();
window.seenStates = {top: [], bottom: []};
document.addEventListener("DOMContentLoaded", () => {
  const observer = new MutationObserver((records) => {
    for (const {oldValue, target} of records) seenStates[target.dataset.edge].push(oldValue);
    for (const target of new Set(records.map((record) => record.target)))
      seenStates[target.dataset.edge].push(target.dataset.state);
  });
  for (const edge of document.querySelectorAll("[data-edge]"))
    observer.observe(edge, {attributeFilter: ["data-state"], attributeOldValue: true});
});
"""


class Page:
    frames_file = None  # set by __main__: the file to which all messages of pages and daemons are written

    def __init__(self, frames_file=None):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        arguments = [
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--no-proxy-server",
        ]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # Chromium does not run its sandbox as root.
        for argument in arguments:
            options.add_argument(argument)
        file = frames_file or self.frames_file
        options.set_capability(
            "goog:loggingPrefs", {"browser": "ALL"} | ({LOG: "ALL"} if file else {}))
        self.browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.browser.set_script_timeout(WAIT_SECONDS)
        self.sockets = Frames(self.browser, file) if file else None
        self.command("Page.addScriptToEvaluateOnNewDocument", source=RECORDER)

    def command(self, method, **parameters):
        return self.browser.execute_cdp_cmd(method, parameters)

    def close(self):
        try:
            if self.sockets:
                self.sockets.record()
        finally:
            self.browser.quit()

    def show(self, url, window=PHONE, scheme="light", motion="no-preference"):
        """Loads the page in a window of this size, and waits for the first rows."""
        self.command("Emulation.setDeviceMetricsOverride", **window)
        self.command("Emulation.setTouchEmulationEnabled", enabled=True)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
        ])
        self.browser.get(url)
        self.until(lambda: self.rows > 0, "the first rows")
        self.settle()
        self.forget()

    # Reading the page

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def until(self, condition, what):
        """Waits for a condition. `what` is the name of the condition in the text of a failure."""
        try:
            WebDriverWait(self.browser, WAIT_SECONDS, poll_frequency=0.03).until(
                lambda _: condition())
        except TimeoutException:
            raise AssertionError(f"waited {WAIT_SECONDS} s for {what}; {self.summary()}") from None

    def summary(self):
        return self.run("""
            const log = [...document.querySelectorAll("#log li")].map((line) =>
              [...line.children].map((part) => part.textContent).join(" ").trim());
            return JSON.stringify({seen: seenStates, offset: document.getElementById("figure-offset")?.textContent,
              connection: document.getElementById("connection-text")?.textContent, log}, null, 1);""")

    def state(self, edge):
        return self.run("return document.getElementById(arguments[0]).dataset.state", f"edge-{edge}")

    def progress(self, edge):
        return float(self.run(
            "return document.getElementById(arguments[0]).dataset.progress", f"edge-{edge}"))

    def seen(self, edge):
        return self.run("return seenStates[arguments[0]]", edge)

    def forget(self):
        self.run("for (const edge in seenStates) seenStates[edge] = []")

    def text(self, element):
        return self.run("return document.getElementById(arguments[0]).textContent", element)

    def is_shown(self, element):
        return self.run(
            "return document.getElementById(arguments[0]).checkVisibility()", element)

    @property
    def rows(self):
        return self.run("return document.querySelectorAll('.row').length")

    @property
    def names(self):
        return self.run("return [...document.querySelectorAll('.row')].map((row) => row.dataset.name)")

    def version(self, index=0):
        return self.run(
            "return document.querySelectorAll('.version')[arguments[0]]?.textContent", index)

    @property
    def shift(self):
        """Returns the distance in pixels from the top of the scroller to the list."""
        return self.run("""
            const top = (id) => document.getElementById(id).getBoundingClientRect().top;
            return top("list") - top("scroller");""")

    @property
    def is_at_end(self):
        return self.run("""
            const {scrollTop, scrollHeight, clientHeight} = document.getElementById("scroller");
            return scrollTop + clientHeight >= scrollHeight - 2;""")

    @property
    def last_scroll(self):
        """Returns the phase and the offset of the newest `scroll` that the page has sent, as its panel shows it."""
        return self.run("""
            const line = [...document.querySelectorAll("#log .sent")].find(
              (line) => line.querySelector(".what").textContent === "scroll");
            return line?.querySelector(".gist").textContent ?? "";""")

    @property
    def console_errors(self):
        return [entry["message"] for entry in self.browser.get_log("browser")
                if entry["level"] == "SEVERE"]

    def settle(self):
        """Waits until both edges are at rest and no command moves the list."""
        self.until(
            lambda: self.state("top") == "idle" and self.state("bottom") in ("idle", "noMore", "approaching")
            and self.text("figure-top") == "0" and self.text("figure-bottom") == "0" and self.shift <= 0.5,
            "rest")

    def screenshot(self, path):
        data = self.command("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    # Actions

    @property
    def start(self):
        """Returns a point on the first rows of the list."""
        x, y = self.run("""
            const {left, top} = document.getElementById("scroller").getBoundingClientRect();
            return [left + 60, top + 40];""")
        return x, y

    def touch(self, kind, point=None):
        points = [] if point is None else [{"x": point[0], "y": point[1]}]
        self.command("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def slide(self, start, travel_from, travel_to, steps=10):
        """Moves the finger, which is down, from one distance below `start` to another."""
        for step in range(1, steps + 1):
            travel = travel_from + (travel_to - travel_from) * step / steps
            self.touch("touchMove", (start[0], start[1] + travel))

    def throw(self, start, travel_from, travel_to, steps=5):
        """Moves the finger, which is down, and lifts it. The timestamp of each step is 10 ms later than that of the step
        before, even if the step takes longer.
        """
        now = time.time()
        for step in range(1, steps + 1):
            travel = travel_from + (travel_to - travel_from) * step / steps
            point = {"x": start[0], "y": start[1] + travel}
            self.command("Input.dispatchTouchEvent", type="touchMove", touchPoints=[point],
                         timestamp=now + step / 100)
        self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[],
                     timestamp=now + (steps + 1) / 100)

    def mouse(self, kind, point, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=point[0], y=point[1], **more)

    def wheel(self, travel):
        """Turns the wheel by one notch. A negative value scrolls up."""
        x, y = self.start
        self.mouse("mouseWheel", (x, y), deltaX=0, deltaY=travel)

    def press(self, key, code, text=None):
        names = {"key": key, "windowsVirtualKeyCode": code}
        self.command("Input.dispatchKeyEvent", type="keyDown", **names, **({"text": text} if text else {}))
        self.command("Input.dispatchKeyEvent", type="keyUp", **names)

    def press_end(self):
        self.press("End", 35)

    def click(self, element):
        self.browser.find_element("id", element).click()
