"""Tests clients/python/features.py with a simulated connection."""

import asyncio
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "clients/python"))

import features  # noqa: E402

WELCOME = {"type": "welcome", "session": "5f0c", "token": "T1", "features": ["query"]}


class Socket:
    """A connection that records what is sent."""

    def __init__(self):
        self.frames = []

    async def send(self, text):
        self.frames.append(json.loads(text))


class FeaturesTest(unittest.TestCase):
    def opened(self, names=("query",), welcome=WELCOME):
        """Returns a session after its `welcome`, and its connection."""
        session = features.Session([{"view": "list", "feed": "items"}], features=names)
        session.handle(welcome)
        session.socket = Socket()
        return session, session.socket

    def test_a_query_is_sent_and_describes_the_view_from_then_on(self):
        session, socket = self.opened()
        self.assertTrue(asyncio.run(session.query("list", {"q": "a"}, debounceMs=250)))
        self.assertEqual(socket.frames, [
            {"type": "configure", "view": "list", "parameters": {"q": "a"}, "debounceMs": 250, "seq": 1}])
        self.assertEqual(session.hello()[0]["views"], [{"view": "list", "feed": "items", "parameters": {"q": "a"}}])

    def test_without_the_feature_there_is_no_query(self):
        for names, welcome in ((None, WELCOME), ([], WELCOME), (["query"], WELCOME | {"features": []})):
            session, socket = self.opened(names, welcome)
            self.assertFalse(asyncio.run(session.query("list", {"q": "a"})))
            self.assertEqual(socket.frames, [])

    def test_a_reveal_and_a_read_mark_are_sent_only_if_the_feature_is_in_use(self):
        session, socket = self.opened(["unread"], WELCOME | {"features": ["unread"]})
        self.assertTrue(asyncio.run(session.reveal("list", id="m42", position=700)))
        asyncio.run(session.mark_read("list", "m42"))
        self.assertEqual(socket.frames, [
            {"type": "reveal", "view": "list", "id": "m42", "position": 700, "seq": 1},
            {"type": "read", "view": "list", "id": "m42", "seq": 2}])
        session, socket = self.opened(["unread"])
        self.assertFalse(asyncio.run(session.reveal("list")))
        asyncio.run(session.mark_read("list", "m42"))
        self.assertEqual(socket.frames, [])

    def test_a_query_that_the_daemon_refuses_does_not_describe_the_view(self):
        session, _ = self.opened()
        asyncio.run(session.query("list", {"q": "a"}))
        asyncio.run(session.query("list", {"q": "b"}))
        for seq, text in ((1, "b"), (2, "a")):
            session.handle({"type": "error", "code": "invalidParameter", "view": "list", "seq": seq})
            self.assertEqual(session.hello()[0]["views"][0]["parameters"], {"q": text})

    def test_a_view_disappears_and_appears_once_for_each_change(self):
        session, socket = self.opened([])

        async def change():
            await session.appear("list")
            for _ in range(2):
                await session.disappear("list")
            for _ in range(2):
                await session.appear("list")
        asyncio.run(change())
        self.assertEqual([frame["type"] for frame in socket.frames], ["disappear", "appear"])

    def test_a_daemon_without_features_gets_no_message_of_them(self):
        session, socket = self.opened()
        session.socket = None

        async def change():
            await session.disappear("list")
            await session.query("list", {"q": "a"})
            await session.send({"type": "refresh", "view": "list"})
        asyncio.run(change())
        session.handle({"type": "welcome", "session": "5f0c", "token": "T2", "resumed": True, "ack": 0})
        self.assertEqual([kept["type"] for kept in session.outbox], ["refresh"])
        self.assertFalse(session.uses("query"))

    def test_a_covered_view_disappears_again_in_a_fresh_session(self):
        session, _ = self.opened([])
        asyncio.run(session.disappear("list"))
        session.handle({"type": "update", "view": "list", "ack": 1})
        self.assertEqual(session.outbox, [])
        session.handle(WELCOME | {"session": "77aa", "resumed": False})
        self.assertEqual([kept["type"] for kept in session.outbox], ["disappear"])

    def list_of(self, *names, offset=0):
        view = features.View(offset)
        view.item_length = 100
        view.items = [{"id": name} for name in names]
        return view

    def laid_out(self, before, after, offset):
        """Returns the messages that a list at the offset sends when its items change."""
        view = self.list_of(*before, offset=offset)
        rows, index = view.rows(), view.in_sight()
        view.items = [{"id": name} for name in after]
        return features.laid_out(view, "list", rows, index, 390)

    def test_the_item_that_is_read_is_named_with_both_positions(self):
        named, laid = self.laid_out("abc", "nabc", 150)
        self.assertEqual(named["anchor"], {"id": "b", "position": 100})
        self.assertNotIn("content", named)
        self.assertEqual(laid["anchor"], {"id": "b", "position": 200})
        self.assertEqual(laid["content"], {"width": 390, "height": 400})

    def test_the_nearest_neighbour_is_named_if_the_item_is_gone(self):
        named, laid = self.laid_out("abcd", "nad", 150)
        self.assertEqual((named["anchor"]["id"], laid["anchor"]["position"]), ("a", 100))

    def test_no_item_is_named_at_the_start_or_if_none_is_left(self):
        for before, after, offset in (("abc", "nabc", 0), ("abc", "xyz", 150), ("", "abc", 0)):
            self.assertEqual([set(one) for one in self.laid_out(before, after, offset)], [{"type", "view", "content"}])

    def test_without_a_length_of_items_nothing_is_laid_out(self):
        view = features.View()
        view.items = [{"id": "a"}]
        self.assertEqual((view.rows(), view.in_sight()), ([], None))


if __name__ == "__main__":
    unittest.main()
