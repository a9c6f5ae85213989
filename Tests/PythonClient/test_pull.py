"""Tests clients/python/pull.py with the daemon, over connections that are lost, and with a simulated daemon."""

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

import pull  # noqa: E402
import websockets  # noqa: E402
from daemon import Daemon, PackageList  # noqa: E402
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
            status = pull.main(f"ws://127.0.0.1:{self.relay.port}/v1/session")
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


WELCOME = {"type": "welcome", "protocol": 1, "session": "5f0c", "token": "T1", "time": 0}


class RulesTest(unittest.TestCase):
    """Tests the client with a simulated daemon, which uses the next entry of `script` for each connection."""

    def talk(self, script, read):
        """Runs the simulated daemon. Each entry of `script` has the messages for a connection, and the code with which the
        connection is closed. Returns the first frame that the client sent on each connection.
        """
        heard = []

        async def serve(socket):
            heard.append(json.loads(await socket.recv()))
            frames, code = script[len(heard) - 1]
            for frame in frames:
                await socket.send(json.dumps(frame))
            await socket.close(code)

        async def play():
            async with websockets.serve(serve, "127.0.0.1", 0, subprotocols=["refresh.v1"]) as server:
                port = server.sockets[0].getsockname()[1]
                await read(f"ws://127.0.0.1:{port}/")

        asyncio.run(asyncio.wait_for(play(), 300))
        return heard

    def test_with_diagnostics_the_client_requests_and_prints_them(self):
        ignored = {"type": "diagnostic", "code": "unknownOption", "message": "The object has no option of this name.",
                   "field": "top.triger", "suggestion": "trigger", "seq": 4, "view": "list"}
        printed = io.StringIO()

        async def read(url):
            with contextlib.redirect_stderr(printed), self.assertRaisesRegex(pull.Refused, "4005"):
                await pull.pull(url, diagnostics=True)

        first, = self.talk([([WELCOME, ignored], 4005)], read)
        self.assertIs(first[0]["diagnostics"], True)
        self.assertEqual(
            printed.getvalue(), "unknownOption: The object has no option of this name. "
            "(field top.triger, view list, seq 4; did you mean trigger?)\n")
        self.assertNotIn("diagnostics", pull.Session().hello()[0])

    def test_the_hello_has_the_features_that_the_client_names(self):
        self.assertEqual(pull.Session(features=["query"]).hello()[0]["features"], ["query"])
        self.assertEqual(pull.Session(features=[]).hello()[0]["features"], [])
        self.assertNotIn("features", pull.Session().hello()[0])

    def test_the_client_stops_if_another_connection_has_resumed_its_session(self):
        async def read(url):
            with self.assertRaisesRegex(pull.Refused, "4005"):
                async for _ in pull.messages(url, pull.Session()):
                    pass

        self.assertEqual(len(self.talk([([WELCOME], 4005)], read)), 1)

    def test_the_client_resumes_and_repeats_the_messages_that_the_snapshot_does_not_contain(self):
        session = pull.Session()
        first = [WELCOME, {"type": "items", "view": "list", "load": "1.1"},
                 {"type": "snapshot", "ack": 1, "sealed": "v1.a"}, {"type": "update", "view": "list", "ack": 2}]
        second = [{**WELCOME, "token": "T2", "resumed": True, "ack": 2}]

        async def read(url):
            welcomes = 0
            with self.assertRaises(pull.Refused):
                async for message in pull.messages(url, session):
                    if message["type"] != "welcome":
                        continue
                    welcomes += 1
                    if welcomes == 1:
                        session.outbox = [{"type": "refresh", "seq": 1}, {"type": "retry", "seq": 2}]
                        session.seq = 2

        heard = self.talk([(first, 4100), (second, 4005)], read)
        hello, *repeated = heard[1]
        self.assertEqual(hello["resume"], {
            "session": "5f0c", "token": "T1", "ack": 2, "received": ["1.1"], "snapshot": "v1.a"})
        self.assertEqual([message["seq"] for message in repeated], [2], "the snapshot covers the first alone")
        self.assertEqual(session.resume["token"], "T2")

    def test_repeated_messages_are_divided_into_frames_within_the_limits(self):
        session = pull.Session()
        session.resume = {"session": "5f0c", "token": "T1"}
        session.limits = {"batchMessagesMax": 8, "frameBytesMax": 65536}
        session.outbox = [{"type": "refresh", "seq": seq} for seq in range(1, 21)]
        hello, *behind = session.hello()
        self.assertEqual((hello["type"], [one["seq"] for one in behind]), ("hello", list(range(1, 8))))
        rest = [[one["seq"] for one in frame] for frame in session.frames(session.outbox[7:])]
        self.assertEqual(rest, [list(range(8, 16)), list(range(16, 21))])
        session.limits = {"batchMessagesMax": 64, "frameBytesMax": 1024}
        for frame in session.frames(session.outbox * 9):
            self.assertLessEqual(len(json.dumps(frame)), 1024)

    def test_of_a_long_movement_the_start_the_newest_samples_and_the_end_are_repeated(self):
        phases = ["began", *["dragging"] * 90, "ended"]
        gesture = [{"type": "scroll", "seq": seq, "phase": phase} for seq, phase in enumerate(phases, 1)]
        kept = pull.thinned([*gesture, {"type": "refresh", "seq": 93}])
        self.assertEqual([one["seq"] for one in kept], [1, 91, 92, 93])

    def test_if_a_session_is_not_resumed_its_state_is_dropped_and_its_numbers_are_not_used_again(self):
        session = pull.Session()

        async def read(url):
            with self.assertRaises(pull.Refused):
                async for message in pull.messages(url, session):
                    if message["type"] == "welcome" and "reason" not in message:
                        session.seq, session.outbox = 7, [{"type": "refresh", "seq": 7}]

        refused = {**WELCOME, "session": "77aa", "token": "U1", "resumed": False, "reason": "unknownSession", "ack": 0}
        self.talk([([WELCOME], 4100), ([refused], 4005)], read)
        self.assertEqual((session.outbox, session.received, session.snapshot, session.seq), ([], {}, None, 7))
        self.assertEqual(session.resume, {"session": "77aa", "token": "U1"})


if __name__ == "__main__":
    unittest.main()
