"""Tests `python -m refreshd pull` with the daemon, over connections that are lost, and with a simulated daemon."""

import asyncio
import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "clients/python"), str(ROOT / "Tests/Browser")]

import refreshd  # noqa: E402
import websockets  # noqa: E402
from simulated import ATTACHED, WELCOME  # noqa: E402
from daemon import Daemon, PackageList  # noqa: E402
from refreshd import commands  # noqa: E402
from relay import Relay  # noqa: E402


class Printed(io.StringIO):
    """The client's output. `at` is called when the output contains the text for the first time."""

    def __init__(self, text, at):
        super().__init__()
        self.text, self.at = text, at

    def write(self, text):
        if self.at and self.text in text:
            at, self.at = self.at, None
            at()
        return super().write(text)


class PullTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        folder = pathlib.Path(folder.name)
        packages = PackageList(folder / "status", 60)
        # With a delay of 0, the daemon drains at once. With the default delay, it would drain only after the pull.
        for name, value in {"RESUME_STATEFOLDER": str(folder), "DRAIN_DELAYMS": "0"}.items():
            os.environ[f"REFRESHD_{name}"] = value
            self.addCleanup(os.environ.pop, f"REFRESHD_{name}")
        self.daemon = Daemon(
            ROOT / ".build/debug/refreshd", packages.path, folder / "refreshd.log")
        self.daemon.start()
        self.addCleanup(lambda: self.daemon.process.poll() is None and self.daemon.kill())
        self.relay = Relay(self.daemon.port)
        self.addCleanup(self.relay.close)

    def pulled(self, at):
        """Runs a client and checks its output. `at` is called in the middle of its pull."""
        printed, trouble = Printed("pulling", at), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(trouble):
            status = commands.main(["pull", f"ws://127.0.0.1:{self.relay.port}/v1/session"])
        self.assertEqual(status, 0, trouble.getvalue())
        lines = printed.getvalue().splitlines()
        self.assertEqual(lines[-1], "50 items received")
        self.assertEqual(lines.count("50 items received"), 1)
        self.assertIn("refreshing", lines)
        self.assertNotIn("new session:", trouble.getvalue())

    def test_after_a_connection_is_lost_during_a_pull_the_pull_continues(self):
        self.pulled(self.relay.cut)

    def test_a_session_moves_from_a_daemon_that_drains_during_a_pull_to_another(self):
        other = Daemon(
            self.daemon.executable, None, self.daemon.log_path)
        other.sources = self.daemon.sources

        def drain():
            other.start()
            self.addCleanup(other.kill)
            self.relay.target = other.port
            self.daemon.stop()

        self.pulled(drain)
        self.daemon.ended()


    def test_another_process_continues_a_session_also_after_a_restart_of_the_daemon(self):
        async def first(url):
            async with refreshd.connect(url) as session:
                view = await session.attach("list", feed="packages", requests_items=True)
                async for event in session:
                    if isinstance(event, refreshd.ItemsReceived):
                        break
                while not session.snapshot:
                    await anext(aiter(session))
                await session.background()
                return session.saved_state(), view.items

        async def second(url, state, items):
            async with refreshd.connect(url, state=state) as session:
                view = await session.attach("list", feed="packages", requests_items=True)
                view.items = items
                await view.load_more()
                events = [event async for event in self.until_items(session)]
                return events[0], view.items

        url = f"ws://127.0.0.1:{self.relay.port}/v1/session"
        state, items = asyncio.run(first(url))
        self.daemon.kill()
        self.daemon.start()
        connected, after = asyncio.run(second(url, state, items))
        self.assertTrue(connected.is_resumed, connected.reason)
        self.assertEqual((len(items), after[:50], len(after)), (50, items, 60))

    async def until_items(self, session):
        async for event in session:
            yield event
            if isinstance(event, refreshd.ItemsReceived):
                return

    def test_a_list_is_pulled_as_far_as_each_profile_needs_and_the_command_ends_when_the_edge_is_idle(self):
        for profile in refreshd.protocol.PROFILES:
            with self.subTest(profile=profile), contextlib.redirect_stdout(io.StringIO()) as printed:
                url = f"ws://127.0.0.1:{self.daemon.port}/v1/session"
                self.assertEqual(commands.main(["pull", url, "--profile", profile]), 0)
                lines = printed.getvalue().splitlines()
                self.assertEqual(lines[-2:], ["idle", "50 items received"])
                self.assertEqual(lines.count("refreshing"), 1)

    def test_a_path_that_the_daemon_does_not_serve_ends_the_command_at_once(self):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as trouble:
            status = commands.main(["pull", f"ws://127.0.0.1:{self.daemon.port}/session"])
        self.assertEqual(status, 1)
        self.assertRegex(trouble.getvalue(), "^ws://.*/session was refused with the status 404 \\(notFound: .*; .* /v1/session\n$")

    def test_a_feed_that_the_daemon_does_not_have_is_answered_with_the_feeds_that_it_has(self):
        with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(io.StringIO()) as trouble:
            status = commands.main(["pull", f"ws://127.0.0.1:{self.daemon.port}/v1/session", "--feed", "nothing"])
        self.assertEqual(status, 1)
        self.assertIn("pulling the feed nothing", printed.getvalue())
        self.assertRegex(trouble.getvalue(), "It has the feeds .*packages.*: choose one by --feed")


class DiagnosticsTest(unittest.TestCase):
    """Tests the command with a simulated daemon."""

    def test_with_diagnostics_the_command_requests_and_prints_what_the_daemon_ignores(self):
        welcome = {"type": "welcome", "protocol": 1, "session": "5f0c", "token": "T1", "time": 0}
        ignored = {"type": "diagnostic", "code": "unknownOption", "message": "The object has no option of this name.",
                   "field": "top.triger", "suggestion": "trigger", "seq": 4, "view": "list"}
        mistake = {"type": "diagnostic", "code": "idleMissing", "message": "There was no idle.", "view": "list",
                   "page": "docs/start.md#idle"}
        received = []

        async def serve(socket):
            received.append(json.loads(await socket.recv()))
            await socket.send(json.dumps([welcome, ignored, mistake]))
            await socket.close(4005)

        async def play():
            async with websockets.serve(serve, "127.0.0.1", 0, subprotocols=["refresh.v1"]) as server:
                port = server.sockets[0].getsockname()[1]
                return await commands.pull(
                    f"ws://127.0.0.1:{port}/", profile="default", feed="packages", token=None, diagnostics=True)

        with contextlib.redirect_stderr(io.StringIO()) as printed, self.assertRaisesRegex(refreshd.Refused, "4005"):
            asyncio.run(play())
        self.assertIs(received[0][0]["diagnostics"], True)
        self.assertEqual(
            printed.getvalue(), "unknownOption: The object has no option of this name. "
            "(field top.triger, view list, seq 4; did you mean trigger?)\n"
            "idleMissing: There was no idle. (view list, see docs/start.md#idle)\n")

    def test_a_pull_that_refreshes_nothing_ends_with_a_sentence_and_the_status_1(self):
        async def serve(socket):
            async for frame in socket:
                messages = json.loads(frame)
                for message in messages if isinstance(messages, list) else [messages]:
                    if message["type"] == "hello":
                        await socket.send(json.dumps([WELCOME, ATTACHED]))
                    elif message["type"] == "ping":
                        await socket.send(json.dumps({"type": "pong", "t": message["t"], "time": 0, "ack": 0}))
                    elif message["type"] == "bye":
                        await socket.close()
                    elif message["type"] == "scroll":
                        offsets.append(message["offset"])

        async def play():
            async with websockets.serve(serve, "127.0.0.1", 0, subprotocols=["refresh.v1"]) as server:
                port = server.sockets[0].getsockname()[1]
                return await commands.pull(
                    f"ws://127.0.0.1:{port}/", profile="far", feed="packages", token=None, diagnostics=False)

        offsets = []
        with contextlib.redirect_stderr(io.StringIO()) as printed, contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(asyncio.run(play()), 1)
        self.assertEqual(min(offsets), -600)
        self.assertEqual(
            printed.getvalue(), "a pull of 600 points at most does not refresh the list with the profile far\n")

    def test_the_advice_about_an_unknown_feed_has_one_feed_or_several(self):
        pull = commands.Pull(None)
        pull.feeds = ["items"]
        self.assertEqual(pull.advice("unknownFeed"), " It has the feed items: pass --feed items.")
        pull.feeds = ["items", "news"]
        self.assertEqual(pull.advice("unknownFeed"), " It has the feeds items, news: choose one by --feed.")
        self.assertEqual(pull.advice("unknownProfile"), "")

    def test_a_url_that_is_not_one_of_a_websocket_is_a_wrong_command_line(self):
        with contextlib.redirect_stderr(io.StringIO()) as printed:
            self.assertEqual(commands.main(["pull", "http://127.0.0.1:8080/v1/session"]), 2)
        self.assertRegex(printed.getvalue(), "^http://.* is not the URL of a session: it must begin with ws:// or wss://, such as ws://.*\n$")

    def test_a_wrong_command_line_ends_with_the_status_2(self):
        for arguments in ([], ["push", "ws://127.0.0.1"], ["pull"]):
            with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as end:
                commands.main(arguments)
            self.assertEqual(end.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
