"""The gallery in headless Chromium: two lists for each indicator, and the controls that move them."""

from page import PHONE, Page

INDICATORS = ("spinner", "indicator", "path", "letters", "compass")
KINDS = ("stream", "local")
WIDE = {"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False}

# Records every state that each list shows, and every position of its layers.
WATCH = """
window.seen = {};
window.places = {};
for (const sample of document.querySelectorAll(".sample")) {
  const key = `${sample.dataset.kind} ${sample.dataset.indicator}`;
  seen[key] = [];
  new MutationObserver(() => seen[key].push(sample.dataset.state))
    .observe(sample, {attributeFilter: ["data-state"]});
  for (const layer of sample.querySelectorAll("[data-layer]")) {
    const name = `${key} ${layer.dataset.layer}`;
    places[name] = [layer.getAttribute("transform")];
    new MutationObserver(() => places[name].push(layer.getAttribute("transform")))
      .observe(layer, {attributeFilter: ["transform"]});
  }
}
"""

# Records in each animation frame how far the two lists of an indicator are pulled.
RECORD = """
const [indicator] = arguments;
const shift = (kind) => {
  const sample = document.querySelector(`[data-kind=${kind}][data-indicator=${indicator}]`);
  const top = (part) => sample.querySelector(part).getBoundingClientRect().top;
  return top(".list") - top(".scroller");
};
const own = window.frames = [];
const record = () => {
  if (window.frames !== own) return;
  own.push({t: performance.now(), stream: shift("stream"), local: shift("local")});
  requestAnimationFrame(record);
};
record();
"""

# Controls the simulated network of the gallery. While the network is held, each delayed frame waits until the test
# releases the frame.
# The delay is half of the round trip of `choose_latency(300)`. No other timer of the page has this delay.
LINES = """
window.lines = {isHeld: false, out: [], in: []};
const later = window.setTimeout;
window.setTimeout = (act, ms, ...more) => {
  if (!lines.isHeld || Math.abs(ms - 150) > 1) return later(act, ms, ...more);
  lines[new Error().stack.includes(".send (") ? "out" : "in"].push(act);
};
"""


class GalleryPage(Page):
    def __init__(self):
        super().__init__()
        self.command("Page.addScriptToEvaluateOnNewDocument", source=LINES)

    def show(self, url, window=PHONE, scheme="light", motion="no-preference"):
        """Loads the gallery, and waits until every list has rows and is at rest."""
        self.command("Emulation.setDeviceMetricsOverride", **window)
        self.command("Emulation.setTouchEmulationEnabled", enabled=window["mobile"])
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
        ])
        self.browser.get(f"{url}gallery.html")
        self.settle()
        self.watch()

    def settle(self):
        """Waits until no list moves. A finger that catches a moving list sends more samples."""
        self.until(
            lambda: all(self.state(kind, name) == "idle" and self.rows(kind, name) > 0
                        and abs(self.shift(kind, name)) < 0.01
                        for kind in KINDS for name in INDICATORS),
            "all lists at rest")

    def watch(self):
        self.run(WATCH)

    def summary(self):
        return self.run("""
            return JSON.stringify([...document.querySelectorAll(".sample")].map((sample) => ({
              ...sample.dataset, text: sample.querySelector(".state").textContent,
              rows: sample.querySelectorAll(".entry").length})));""")

    # Reading the page

    def sample(self, kind, indicator, script):
        """Returns the result of a script for one list, whose element is `sample`."""
        return self.run(
            "const sample = document.querySelector("
            "`[data-kind=${arguments[0]}][data-indicator=${arguments[1]}]`);" + script,
            kind, indicator)

    def state(self, kind, indicator):
        return self.sample(kind, indicator, "return sample.dataset.state")

    def rows(self, kind, indicator):
        return self.sample(kind, indicator, "return sample.querySelectorAll('.entry').length")

    def layers(self, kind, indicator):
        return self.sample(
            kind, indicator,
            "return [...sample.querySelectorAll('[data-layer]')].map((layer) => layer.dataset.layer)")

    def drawing(self, kind, indicator):
        """Returns the drawn indicator as text."""
        return self.sample(kind, indicator, "return sample.querySelector('.indicators').innerHTML")

    def shift(self, kind, indicator):
        """Returns the distance in points from the top of the scroller to the list."""
        return self.sample(kind, indicator, """
            const top = (part) => sample.querySelector(part).getBoundingClientRect().top;
            return top(".list") - top(".scroller");""")

    def seen_states(self, kind, indicator):
        return self.run("return seen[`${arguments[0]} ${arguments[1]}`]", kind, indicator)

    def places(self):
        """Returns the positions of each layer so far."""
        return self.run("return places")

    def record(self, indicator):
        self.run(RECORD, indicator)

    @property
    def frames(self):
        return self.run("return window.frames")

    def figure(self, element):
        return int(self.text(element).replace(",", ""))

    @property
    def held(self):
        """Returns the number of waiting frames in each direction."""
        return self.run("return {out: lines.out.length, in: lines.in.length}")

    # Actions

    def hold_frames(self):
        self.run("lines.isHeld = true")

    def release_waiting(self, direction):
        """Releases the frames that wait in this direction. Frames that are sent later wait too."""
        self.run("for (const act of lines[arguments[0]].splice(0)) act()", direction)

    def release_frames(self):
        self.run("""
            lines.isHeld = false;
            for (const way of ["out", "in"]) for (const act of lines[way].splice(0)) act();""")

    def place(self, travel):
        """Returns the position of the slider's thumb at the slider's value `travel`."""
        left, top, width, height, maximum = self.run("""
            const slider = document.getElementById("pull");
            const {left, top, width, height} = slider.getBoundingClientRect();
            return [left, top, width, height, Number(slider.max)];""")
        thumb = 22
        return left + thumb / 2 + (width - thumb) * travel / maximum, top + height / 2

    def press_slider(self):
        self.mouse("mouseMoved", self.place(0))
        self.mouse("mousePressed", self.place(0), button="left", buttons=1, clickCount=1)

    def pull(self, travel_from, travel_to, steps=10):
        """Moves the slider while the mouse holds its thumb."""
        for step in range(1, steps + 1):
            travel = travel_from + (travel_to - travel_from) * step / steps
            self.mouse("mouseMoved", self.place(travel), button="left", buttons=1)

    def release_slider(self, travel):
        self.mouse("mouseReleased", self.place(travel), button="left", clickCount=1)

    def choose_latency(self, milliseconds):
        self.browser.find_element("css selector", f"[name=latency][value='{milliseconds}']").click()
