"""Tests the client of docs/start.md in a browser: examples/start/pull.html, which a server of its own serves."""

import functools
import http.server
import pathlib
import tempfile
import threading
import unittest

from daemon import Daemon
from fingers import Fingers
from page import PHONE, Page

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples/start"
# Records every text of the line with the states, the sockets, the sent samples, and the pauses before connections.
STATES = """
window.states = [];
window.sockets = [];
window.pauses = [];
window.samples = [];
window.WebSocket = class extends WebSocket {
  constructor(...parts) { super(...parts); sockets.push(this); }
  send(text) {
    super.send(text);
    const {type, phase, offset, cause} = JSON.parse(text);
    if (type === "scroll") samples.push([phase, offset, cause]);
  }
};
const later = setTimeout;
window.setTimeout = (action, pause, ...more) => {
  pauses.push(pause);
  return window.isHeld ? 0 : later(action, pause, ...more);
};
Math.random = () => 1;
document.addEventListener("DOMContentLoaded", () => {
  const line = document.getElementById("state");
  new MutationObserver(() => states.push(line.textContent)).observe(line, {childList: true});
});
"""


class StartPage(Page):
    """examples/start/pull.html, and a finger that touches it at `start`."""

    start = (195, 200)

    @property
    def rows(self):
        return self.run("return document.querySelectorAll('#list p').length")

    @property
    def line(self):
        return self.run("return document.getElementById('state').textContent")

    @property
    def refresh_states(self):
        """The states of the refresh edge since the last `forget`."""
        return [line.split(",")[0] for line in self.run("return states")]

    @property
    def samples(self):
        """The phase, the offset and the cause of each sample that was sent since the last `forget`."""
        return self.run("return samples")

    def forget(self):
        self.run("states.length = samples.length = 0")

    @property
    def offset(self):
        """The offset of the list: 0 at its start, and negative while it is pulled beyond the start."""
        return self.run("return -document.getElementById('list').getBoundingClientRect().top")

    def summary(self):
        return self.run("return JSON.stringify({states, samples: samples.slice(-12), line: document.body.innerText.slice(0, 60)})")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class StartTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    def setUp(self):
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=str(FOLDER)))
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        config = self.config = pathlib.Path(folder.name) / "refreshd.yaml"
        origin = f"http://127.0.0.1:{server.server_port}"
        config.write_text((FOLDER / "refreshd.yaml").read_text().replace("http://127.0.0.1:8000", origin))
        self.daemon = Daemon(self.executable, None, config.with_suffix(".log"), config)
        self.daemon.start()
        self.addCleanup(lambda: self.daemon.process.poll() is None and self.daemon.kill())
        self.page = StartPage()
        self.addCleanup(self.page.close)
        self.page.command("Page.addScriptToEvaluateOnNewDocument", source=STATES)
        self.page.command("Emulation.setDeviceMetricsOverride", **PHONE)
        self.page.command("Emulation.setTouchEmulationEnabled", enabled=True)
        address = self.daemon.url.replace("http", "ws") + "v1/session"
        self.page.browser.get(f"{origin}/pull.html#{address}")
        self.page.until(lambda: self.page.rows == 20, "the first page")
        self.page.until(lambda: self.page.line == "top idle, bottom idle", "a list at rest")

    def test_a_pull_refreshes_the_list_and_springs_back(self):
        self.page.forget()
        fingers = Fingers(self.page)
        fingers.down()
        fingers.move(160, 0.3)
        self.page.until(lambda: "top eligible" in self.page.refresh_states, "a pull that is far enough")
        fingers.up()
        fingers.finish()
        self.page.until(lambda: "top succeeded" in self.page.refresh_states, "the new items")
        self.page.until(
            lambda: self.page.offset == 0 and self.page.line == "top idle, bottom idle", "a list at rest")
        self.assertEqual(self.page.rows, 20)
        states = list(dict.fromkeys(self.page.refresh_states))
        self.assertEqual(states[:3], ["top pulling", "top eligible", "top refreshing"])

    def test_the_list_springs_back_into_the_room_and_reports_it(self):
        # The second load takes so long that the room stays open.
        step = "{ afterMs: 300, generate: 100 }"
        self.config.write_text(
            self.config.read_text().replace(step, f"{step}, {{ afterMs: 600000, generate: 100 }}"))
        self.page.forget()
        self.daemon.kill()
        self.daemon.start()
        self.page.until(lambda: "top succeeded" in self.page.refresh_states, "a refresh by the new daemon")
        self.page.until(
            lambda: self.page.offset == 0 and self.page.line == "top idle, bottom idle", "a list at rest")
        self.page.screenshot(self.screenshots / "start-rest.png")
        self.page.forget()
        fingers = Fingers(self.page)
        fingers.down()
        fingers.move(160, 0.3)
        self.page.until(lambda: "top eligible" in self.page.refresh_states, "a pull that is far enough")
        self.page.screenshot(self.screenshots / "start-pulled.png")
        fingers.up()
        fingers.finish()
        self.page.until(lambda: self.page.samples[-1][:2] == ["idle", -64], "the report of the place")
        self.page.screenshot(self.screenshots / "start-refreshing.png")
        self.assertEqual((self.page.offset, self.page.line), (-64, "top refreshing, bottom idle"))
        phases = [phase for phase, _, _ in self.page.samples]
        self.assertEqual(list(dict.fromkeys(phases))[:3], ["began", "dragging", "ended"])

    def test_a_movement_by_the_daemon_is_not_reported(self):
        self.page.forget()
        refresh = {"type": "refresh", "view": "list", "seq": 1000000}
        self.page.run("sockets.at(-1).send(JSON.stringify(arguments[0]))", refresh)
        self.page.until(lambda: "top succeeded" in self.page.refresh_states, "the new items")
        self.page.until(
            lambda: self.page.offset == 0 and self.page.line == "top idle, bottom idle", "a list at rest")
        self.assertEqual(self.page.samples, [])

    def test_a_resting_finger_repeats_its_sample(self):
        self.page.forget()
        fingers = Fingers(self.page)
        fingers.down()
        fingers.move(60, 0.2)
        self.page.until(
            lambda: len(self.page.samples) > 3 and self.page.samples[-3:] == 3 * self.page.samples[-1:],
            "repeated samples")
        fingers.up()
        fingers.finish()
        self.page.until(lambda: self.page.samples[-1][:2] == ["idle", 0], "the spring-back")

    def test_a_wheel_reports_its_movement_and_its_end(self):
        self.page.forget()
        self.page.mouse("mouseWheel", (195, 300), deltaX=0, deltaY=100)
        self.page.until(lambda: ["idle", 100, "wheel"] in self.page.samples, "the end of the movement")
        self.assertEqual(self.page.offset, 100)
        self.assertEqual({cause for _, _, cause in self.page.samples}, {"wheel"})

    def test_a_tap_ends_with_idle(self):
        self.page.forget()
        fingers = Fingers(self.page)
        fingers.down()
        fingers.up()
        fingers.finish()
        self.page.until(lambda: len(self.page.samples) == 3, "three samples")
        self.assertEqual(
            self.page.samples, [[phase, 0, "finger"] for phase in ("began", "ended", "idle")])

    def test_a_finger_on_a_row_that_is_replaced_can_be_lifted(self):
        self.page.forget()
        fingers = Fingers(self.page)
        fingers.down()
        fingers.move(-30, 0.2)
        self.page.run("for (const row of document.querySelectorAll('#list p')) row.replaceWith(row.cloneNode(true))")
        fingers.up()
        fingers.finish()
        self.page.until(lambda: "ended" in [phase for phase, _, _ in self.page.samples], "the lifted finger")

    def test_a_changed_size_of_the_screen_is_reported(self):
        self.page.run("window.sent = []; sockets.at(-1).send = (text) => sent.push(JSON.parse(text))")
        self.page.command("Emulation.setDeviceMetricsOverride", **{**PHONE, "width": 844, "height": 390})
        viewport = {"width": 844, "height": 390}
        self.page.until(
            lambda: viewport in self.page.run("return sent.map(({viewport}) => viewport)"), "the new size")

    def test_a_scroll_to_the_end_loads_pages(self):
        for count in 40, 60:
            self.page.run("scrollTo(0, document.documentElement.scrollHeight)")
            self.page.until(lambda: self.page.rows == count, f"{count} rows")

    def receive(self, **message):
        """The page receives a message, as if the daemon had sent it."""
        self.page.run("sockets.at(-1).onmessage({data: JSON.stringify(arguments[0])})", message)

    def test_the_list_rests_in_the_room_at_its_end(self):
        self.page.run("sockets.at(-1).send = () => {}")  # The daemon loads no further page.
        for room in 0, 44, 64:
            self.page.forget()
            self.receive(type="update", view="list", inset={"bottom": room})
            self.page.run("scrollTo({top: 1e6, behavior: 'instant'})")
            end = 60 * self.page.rows + room - self.page.run("return innerHeight")
            self.page.until(lambda: self.page.offset == end, f"the end with a room of {room} points")

    def test_a_list_that_became_shorter_reports_its_size_and_its_new_end(self):
        self.test_a_scroll_to_the_end_loads_pages()
        self.page.until(lambda: self.page.line == "top idle, bottom idle", "a list at rest")
        self.page.run("""
            window.sent = [];
            sockets.at(-1).send = (text) => sent.push(JSON.parse(text));
            scrollTo({top: document.getElementById("list").offsetTop + 2000, behavior: "instant"});""")
        self.page.until(lambda: self.page.run("return sent.at(-1)?.phase") == "idle", "the end of the movement")
        self.page.run("sent.length = pauses.length = 0")
        items = [{"title": str(number)} for number in range(20)]
        self.receive(type="items", view="list", mode="replace", items=items)
        self.page.until(lambda: 150 in self.page.run("return pauses"), "the event of the scroll to the new end")
        # This timer ends after the page's own one.
        self.page.browser.execute_async_script("setTimeout(arguments[0], 150)")
        end = 1200 - self.page.run("return innerHeight")
        self.assertEqual(
            self.page.run("return sent.map(({content, phase, offset}) => content ? content.height : [phase, offset])"),
            [1200, ["idle", end]])

    def test_after_a_kill_of_the_daemon_the_page_connects_again(self):
        self.page.forget()
        self.daemon.kill()
        self.daemon.start()
        self.page.until(lambda: "top succeeded" in self.page.refresh_states, "a refresh by the new daemon")
        self.assertEqual(self.page.rows, 20)

    def close(self, code):
        """The page receives this close code. Returns the pauses before connections since the last call."""
        return self.page.run(
            f"pauses.length = 0; sockets.at(-1).onclose({{code: {code}}}); return pauses")

    def test_after_a_final_close_code_the_page_stops(self):
        for code in 1007, 1009, 4000, 4099:
            self.assertEqual(self.close(code), [])
            self.assertEqual(self.page.line, f"stopped by the close code {code}")

    def test_only_welcome_ends_the_growth_of_the_pause(self):
        self.page.run("window.isHeld = true")  # The page makes no connection whose welcome would come meanwhile.
        self.assertEqual(self.close(4100), [500])
        self.page.run("sockets.at(-1).onmessage({data: '{\"type\":\"error\"}'})")
        self.assertEqual(self.close(1001), [1000])
        self.page.run("sockets.at(-1).onmessage({data: '{\"type\":\"welcome\"}'})")
        self.assertEqual(self.close(1006), [500])

    def test_after_a_reconnection_the_page_is_at_its_start(self):
        self.page.run("scrollTo(0, document.getElementById('list').offsetTop + 300)")
        self.page.until(lambda: self.page.offset == 300, "a scrolled page")
        self.daemon.kill()
        self.daemon.start()
        self.page.until(lambda: self.page.offset == 0, "the start of the list")
        self.page.until(
            lambda: self.page.offset == 0 and self.page.line == "top idle, bottom idle", "a list at rest")
