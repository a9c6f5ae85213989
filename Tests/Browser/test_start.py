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
# Records every text of the line with the states, the sockets, and the pauses before connections.
STATES = """
window.states = [];
window.sockets = [];
window.pauses = [];
window.WebSocket = class extends WebSocket {
  constructor(...parts) { super(...parts); sockets.push(this); }
};
const later = setTimeout;
window.setTimeout = (action, pause) => { pauses.push(pause); return window.isHeld ? 0 : later(action, pause); };
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
        return self.run("return document.querySelectorAll('#list div').length")

    @property
    def line(self):
        return self.run("return document.getElementById('state').textContent")

    @property
    def refresh_states(self):
        """The states of the refresh edge since the last `forget`."""
        return [line.split(",")[0] for line in self.run("return states")]

    def forget(self):
        self.run("states.length = 0")

    @property
    def offset(self):
        """How far the list is shown beyond its start, as a content offset."""
        return self.run(
            "return -new DOMMatrix(getComputedStyle(document.getElementById('list')).transform).m42")

    def summary(self):
        return self.run("return JSON.stringify({states, line: document.body.innerText.slice(0, 60)})")


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
        config = pathlib.Path(folder.name) / "refreshd.yaml"
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
        self.page.browser.get(f"{origin}/pull.html?url={address}")
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

    def test_a_scroll_to_the_end_loads_pages(self):
        for count in 40, 60:
            self.page.run("scrollTo(0, document.documentElement.scrollHeight)")
            self.page.until(lambda: self.page.rows == count, f"{count} rows")

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
        self.page.run("scrollTo(0, 300)")
        self.page.until(lambda: self.page.run("return scrollY") == 300, "a scrolled page")
        self.daemon.kill()
        self.daemon.start()
        self.page.until(lambda: self.page.run("return scrollY") == 0, "the start of the page")
        self.page.until(
            lambda: self.page.offset == 0 and self.page.line == "top idle, bottom idle", "a list at rest")
