"""The site in headless Chromium: what a reader does and sees, and every request that the pages make."""

import base64
import contextlib
import functools
import http.server
import json
import os
import threading

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

WAIT_SECONDS = 120  # a test fails if an expected event does not occur in this time
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
DESKTOP = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the files of a folder, and the texts in `planted` by their paths. Logs nothing."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments, planted, **more):
        self.planted = planted
        super().__init__(*arguments, **more)

    def log_message(self, *_):
        pass

    def do_GET(self):
        page = self.planted.get(self.path)
        if page is None:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(self.path))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)


@contextlib.contextmanager
def served(folder, planted):
    """Serves a folder, and the texts in `planted`, on a free port of 127.0.0.1. Yields the origin."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=folder, planted=planted))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Reader:
    """A browser window. `net_log` is the file to which Chromium writes all events of its network."""

    def __init__(self, net_log):
        self.net_log = net_log
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        arguments = [
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--no-proxy-server",
            # No name is resolved. Pages and Chromium itself reach this machine only, and the log has all requests.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--log-net-log={net_log}",
        ]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # Chromium does not run its sandbox as root.
        for argument in arguments:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))

    def command(self, method, **parameters):
        return self.browser.execute_cdp_cmd(method, parameters)

    def window(self, size, scheme="light"):
        """Sets the size of the window, and the colour scheme of the system."""
        self.command("Emulation.setDeviceMetricsOverride", **size)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])

    def show(self, url):
        self.browser.get(url)

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def until(self, condition, what):
        """Waits for a condition. `what` is the name of the condition in the text of a failure."""
        try:
            return WebDriverWait(self.browser, WAIT_SECONDS, poll_frequency=0.03).until(lambda _: condition())
        except TimeoutException:
            raise AssertionError(f"waited {WAIT_SECONDS} s for {what}") from None

    def screenshot(self, path):
        data = self.command("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self):
        """Ends the browser. Returns the address of each request that it made, with the origin that made the request."""
        self.browser.quit()
        log = json.loads(self.net_log.read_text())
        started = log["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
        return [
            (event["params"]["url"], event["params"].get("initiator", ""))
            for event in log["events"]
            if event["type"] == started and "url" in event.get("params", {})]
