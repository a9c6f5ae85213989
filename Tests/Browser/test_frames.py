"""Tests that all messages of a page and its daemon are recorded and checked, and that mistakes are found."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from daemon import Daemon, PackageList
from page import Page

ROOT = pathlib.Path(__file__).parents[2]
# The Python that has Debian's package python3-jsonschema.
PYTHON = "/usr/bin/python3"

# Invalid messages of a page, each in its own frame. The daemon answers each with an error.
MISTAKES = [
    '{"type":"hello","protocol":"one"}',
    '{"type":"ping","t":1,"tt":2}',
    '[{"type":"ping","t":1},{"type":"pull"}]',
]
SEND_MISTAKES = """
const [url, mistakes, done] = arguments;
const socket = new WebSocket(url, "refresh.v1");
const answers = [];
socket.onopen = () => { for (const mistake of mistakes) socket.send(mistake); };
socket.onmessage = ({data}) => {
  answers.push(data);
  if (answers.length === mistakes.length) socket.close();
};
socket.onclose = () => done(answers);
"""


class FramesTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        folder = pathlib.Path(folder.name)
        daemon = Daemon(
            self.executable, PackageList(folder / "status", 20).path,
            self.screenshots / "refreshd-frames.log")
        # The journals of the other tests are validated against the schema, so this daemon's journal must not be among
        # them.
        daemon.sources += ["--journal", str(folder / "journals")]
        daemon.start()
        self.addCleanup(daemon.kill)
        self.url = daemon.url
        self.file = folder / "frames.jsonl"
        self.page = Page(self.file)
        self.addCleanup(self.page.browser.quit)

    def recorded(self, speaker):
        self.page.sockets.record()
        frames = [json.loads(line) for line in self.file.read_text().splitlines()]
        return [frame["text"] for frame in frames if frame["from"] == speaker]

    def check(self):
        return subprocess.run(
            [PYTHON, "-B", "scripts/checks/recorded_messages.py", "--frames", str(self.file)],
            cwd=ROOT, capture_output=True, text=True, timeout=600)

    def test_all_messages_of_a_page_and_its_daemon_are_recorded_and_valid(self):
        self.page.show(self.url)
        self.assertTrue(any('"type":"hello"' in text for text in self.recorded("client")))
        self.assertTrue(any('"type":"items"' in text for text in self.recorded("daemon")))
        result = self.check()
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_invalid_messages_are_recorded_and_fail_the_check(self):
        self.page.show(self.url)
        url = self.url.replace("http", "ws") + "v1/session"
        answers = self.page.browser.execute_async_script(SEND_MISTAKES, url, MISTAKES)
        self.assertEqual(len(answers), len(MISTAKES))
        sent = self.recorded("client")
        for mistake in MISTAKES:
            self.assertIn(mistake, sent)
        for answer in answers:
            self.assertIn(answer, self.recorded("daemon"))
        result = self.check()
        self.assertEqual(result.returncode, 1)
        self.assertIn(f" {len(MISTAKES)} failed", result.stdout)
        for message in ("client.hello.protocol", "'tt' was unexpected", "there is no client.pull"):
            self.assertIn(message, result.stdout)

    def test_a_binary_frame_fails_the_check(self):
        self.page.sockets.add("client", '{"type":"bye"}')
        self.page.sockets.add("daemon", '{"type":"bye"}')
        self.assertEqual(self.check().returncode, 0)
        self.page.sockets.add("client", None)
        self.assertEqual(self.check().returncode, 1)

    def test_a_side_without_recorded_frames_fails_the_check(self):
        self.page.sockets.add("client", '{"type":"bye"}')
        self.assertIn("only frames of ['client']", self.check().stdout)
