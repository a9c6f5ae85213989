"""Tests that the package loses no request around `welcome`, and that a session always comes back."""

import asyncio
import json
import unittest

from simulated import ATTACHED, SNAPSHOT, WELCOME, SessionTestCase, settle

import refreshd
from refreshd.state import OUTBOX_MAX

RESUMED = WELCOME | {"token": "T2", "resumed": True}
ITEMS = {"type": "items", "view": "list", "load": "1.1", "mode": "replace", "items": [{"id": "a"}]}
LONG = "x" * 1025


def order(messages):
    return [(one["type"], one.get("view")) for one in messages]


class AroundWelcomeTest(SessionTestCase):
    async def numbers(self):
        found = [one["seq"] for one in self.connection.messages if "seq" in one]
        self.assertEqual(found, sorted(set(found)), "the numbers grow")
        return found

    async def test_requests_before_welcome_come_before_the_attach_of_a_view_and_its_requests_after_it(self):
        await self.opened()
        await self.view.refresh()
        other = await self.session.attach("other")
        await other.scroll(0, "began")
        await self.view.load_more()
        await self.deliver(WELCOME)
        self.assertEqual(order(self.connection.messages[1:]), [
            ("refresh", "list"), ("loadMore", "list"), ("attach", "other"), ("scroll", "other")])
        await self.numbers()
        self.assertEqual(other.began, self.connection.messages[-1]["seq"], "the movement begins with its new number")

    async def blocked(self):
        """Answers `hello` while the connection takes no message. Returns the event that ends this."""
        gate, send = asyncio.Event(), self.connection.send

        async def wait_and_send(text):
            await gate.wait()
            await send(text)
        self.connection.send = wait_and_send
        await self.view.refresh()
        await self.deliver(WELCOME)
        return gate

    async def test_views_that_are_attached_and_removed_while_the_rest_is_sent_are_reported_too(self):
        await self.opened()
        gate = await self.blocked()
        other = await self.session.attach("other", requests_items=True)
        await self.view.detach()
        gate.set()
        await settle()
        self.assertEqual(order(self.connection.messages[1:]), [
            ("refresh", "list"), ("detach", "list"), ("attach", "other"), ("refresh", "other")])
        await other.retry()
        self.assertEqual(order(self.connection.messages[-1:]), [("retry", "other")])
        await self.numbers()

    async def test_a_send_that_is_cancelled_ends_the_connection_so_that_the_message_is_repeated(self):
        await self.welcomed()
        first = self.connection
        first.send = lambda text: asyncio.Event().wait()
        sending = asyncio.create_task(self.view.refresh())
        await settle()
        sending.cancel()
        await self.clock.advance(1)
        self.assertTrue(first.is_aborted)
        self.assertEqual(order(self.connection.messages[1:]), [("refresh", "list")])

    async def test_a_view_that_is_attached_again_without_a_connection_does_not_continue_the_earlier_one(self):
        await self.welcomed()
        await self.deliver(ITEMS)
        self.network.refusals = [refreshd.ConnectFailed("no route")]
        await self.lost(seconds=0)
        await self.view.detach()
        new = await self.session.attach("list", feed="news")
        await new.refresh()
        await self.clock.advance(3)
        hello = self.connection.frames[0]
        self.assertEqual((len(hello), hello[0]["views"], hello[0]["resume"]["received"]), (1, [], []))
        await self.deliver(RESUMED)
        self.assertEqual(order(self.connection.messages[1:]), [("attach", "list"), ("refresh", "list")])
        self.assertEqual(self.connection.of("attach")[0]["feed"], "news")
        await self.lost(seconds=9)
        self.assertEqual([one["feed"] for one in self.connection.frames[0][0]["views"]], ["news"])

    async def test_the_same_is_true_if_the_detach_was_sent_but_not_handled(self):
        await self.welcomed()
        await self.view.detach()
        await self.session.attach("list", feed="news")
        await self.lost()
        self.assertEqual(self.connection.frames[0][0]["views"], [])
        await self.deliver(RESUMED)
        self.assertEqual(order(self.connection.messages[1:]), [("attach", "list")])

    async def test_requests_of_a_view_that_hello_leaves_out_are_repeated_although_the_daemon_has_handled_them(self):
        await self.welcomed()
        await self.view.detach()
        await self.session.attach("list", feed="news", requests_items=True)
        handled = self.session.seq
        await self.lost()
        self.assertEqual(self.connection.frames[0][0]["views"], [])
        await self.deliver(RESUMED | {"ack": handled})
        self.assertEqual(order(self.connection.messages[1:]), [("attach", "list"), ("refresh", "list")])
        numbers = [one["seq"] for one in self.connection.messages[1:]]
        self.assertTrue(handled < numbers[0] < numbers[1], numbers)

    async def test_the_names_of_detached_views_are_forgotten_when_no_session_can_have_them(self):
        await self.welcomed()
        await self.deliver(SNAPSHOT | {"ack": 0})
        for number in range(100):
            await (await self.session.attach(f"view {number}")).detach()
        await self.deliver({"type": "update", "view": "list", "ack": self.session.seq})
        self.assertEqual(len(self.session.detached_seqs), 100, "the snapshot may have these views")
        await self.deliver(SNAPSHOT | {"ack": self.session.seq})
        self.assertEqual((self.session.detached_seqs, self.session.gone), ({}, {}))

    async def test_messages_about_an_earlier_view_of_the_same_name_do_not_concern_a_new_one(self):
        await self.welcomed()
        await self.view.detach()
        middle = await self.session.attach("list", feed="middle")
        await middle.detach()
        new = await self.session.attach("list", feed="news")
        update = {"type": "update", "view": "list", "top": {"state": "pulling"}}
        await self.deliver(update | {"ack": 0}, ITEMS)
        await self.deliver(ATTACHED | {"ack": 2}, update | {"ack": 2})
        self.assertEqual((new.items, new.edges, self.session.received), ([], {}, {}))
        await self.deliver(ATTACHED | {"ack": 4}, update | {"ack": 4}, ITEMS)
        self.assertEqual((new.items, new.state("top")), ([{"id": "a"}], "pulling"))

    async def test_a_detach_that_was_handled_lets_the_new_view_resume(self):
        await self.welcomed()
        await self.view.detach()
        await self.session.attach("list", feed="news")
        await self.deliver(ATTACHED | {"ack": 2})
        await self.lost()
        self.assertEqual([one["feed"] for one in self.connection.frames[0][0]["views"]], ["news"])

    async def test_a_snapshot_that_may_have_an_earlier_view_of_the_same_name_is_not_used(self):
        await self.welcomed()
        await self.deliver(SNAPSHOT)
        await self.view.detach()
        await self.session.attach("list", feed="news")
        await self.deliver(ATTACHED | {"ack": 2})
        await self.lost()
        self.assertNotIn("snapshot", self.connection.frames[0][0]["resume"])
        self.assertIsNone(json.loads(self.session.saved_state())["snapshot"])
        await self.deliver(RESUMED | {"ack": 2}, SNAPSHOT | {"ack": 2})
        await self.lost(seconds=9)
        self.assertEqual(self.connection.frames[0][0]["resume"]["snapshot"], "v2.a")

    async def test_a_snapshot_from_before_the_hello_that_has_detached_a_view_is_not_used_for_a_new_one(self):
        await self.welcomed()
        await self.deliver(SNAPSHOT)
        self.network.refusals = [refreshd.ConnectFailed("no route")]
        await self.lost(seconds=0)
        await self.view.detach()
        await self.clock.advance(3)
        await self.deliver(RESUMED)
        await self.session.attach("list", feed="news")
        await self.deliver(ATTACHED | {"ack": 1})
        await self.lost(seconds=9)
        self.assertEqual([one["feed"] for one in self.connection.frames[0][0]["views"]], ["news"])
        self.assertNotIn("snapshot", self.connection.frames[0][0]["resume"])
        await self.deliver(RESUMED | {"ack": 1}, SNAPSHOT | {"ack": 1})
        await self.lost(seconds=9)
        self.assertEqual(self.connection.frames[0][0]["resume"]["snapshot"], "v2.a")

    async def test_a_view_that_is_detached_before_welcome_does_not_end_the_connection(self):
        await self.opened()
        await self.session.attach("other", feed="news")
        await self.view.detach()
        await self.deliver(WELCOME, ATTACHED, {"type": "update", "view": "list", "ack": 0})
        self.assertEqual(order(self.connection.messages[1:]), [("detach", "list"), ("attach", "other")])
        self.assertIsNotNone(self.session.socket)
        self.assertEqual(len(self.network.connections), 1)

    async def test_a_connection_on_which_hello_is_not_answered_in_ten_seconds_is_given_up(self):
        await self.opened()
        first = self.connection
        await self.clock.advance(9.9)
        self.assertFalse(first.is_aborted)
        await self.clock.advance(0.2)
        self.assertTrue(first.is_aborted)
        self.assertEqual(self.event(refreshd.Disconnected).explanation, "no welcome has arrived within 10 s")
        await self.clock.advance(1)
        await self.deliver(WELCOME)
        await self.clock.advance(20)
        self.assertEqual((len(self.network.connections), self.connection.is_aborted), (2, False))


class LimitsTest(SessionTestCase):
    async def refused(self, words, call):
        before = self.session.hello(), json.dumps(self.view.options), self.view.loads
        with self.assertRaisesRegex(ValueError, words):
            await call
        self.assertEqual((self.session.hello(), json.dumps(self.view.options), self.view.loads), before)

    async def test_a_message_that_the_daemon_would_refuse_with_its_frame_is_not_kept_and_changes_nothing(self):
        await self.welcomed(features=["query", "unread"], welcome={"features": ["query", "unread"]})
        self.view.loads = ["1.1"]
        view = self.view
        await self.refused("configure.parameters.q has 1025 bytes", view.query({"q": LONG}, shown="clear"))
        await self.refused("a name in configure.parameters has 1025 bytes", view.query({LONG: "q"}))
        await self.refused("loadFinished.message has 1025 bytes", view.finish_load("1.1", "failed", message=LONG))
        await self.refused("read.id has 1030 bytes", view.mark_read('"' * 515))
        await self.refused("reveal.id has 1026 bytes", view.reveal(item="é" * 513))
        await self.refused("configure.top.indicator has 1025 bytes", view.configure(edges={"top": {"indicator": LONG}}))
        await self.refused("Out of range|not JSON compliant", view.resize(offset=float("nan")))
        await self.refused("Out of range|not JSON compliant", view.scroll(float("inf"), "began"))
        await self.refused("does not fit a double", view.resize(content={"height": 10 ** 400}))
        await self.refused("not Unicode text", view.mark_read("\ud800"))
        await self.refused("geometry.anchor.id has 1025 bytes", view.resize(anchor={"id": LONG, "position": 0}))
        await self.refused("nested deeper", self.session.send({"type": "retry", "view": "list", "a": nested(16)}))
        await self.refused("a frame with this message has", self.session.send(
            {"type": "retry", "view": "list", "a": ["x" * 1000] * 70}))
        with self.assertRaisesRegex(ValueError, "the view.parameters.q has 1025 bytes"):
            await self.session.attach("other", parameters={"q": LONG})
        self.assertEqual((list(self.session.views), self.session.outbox), (["list"], []))
        self.assertEqual(len(self.connection.messages), 1)

    async def test_a_hello_with_all_views_fits_into_a_frame(self):
        await self.welcomed()
        big = {f"p{number}": "x" * 1000 for number in range(16)}
        with self.assertRaisesRegex(ValueError, "hello with all views has .* bytes, and the daemon accepts 65536"):
            for number in range(9):
                await self.session.attach(f"v{number}", parameters=big)
        self.assertEqual(list(self.session.views), ["list", "v0", "v1", "v2", "v3"])

    async def test_a_frame_with_hello_and_requests_that_is_refused_is_repeated_without_them_once(self):
        await self.welcomed()
        await self.view.refresh()
        await self.lost()
        refusal = {"type": "error", "code": "stringTooLong", "message": "It is too long.", "temporary": False}
        await self.deliver(refusal)
        await settle()
        fault = self.event(refreshd.Faulted)
        self.assertEqual([one["type"] for one in fault.dropped], ["refresh"])
        self.assertEqual((order(self.connection.messages), len(self.network.connections)), ([("hello", None)], 3))
        await self.view.load_more()
        await self.deliver(RESUMED | {"ack": 0})
        self.assertEqual(order(self.connection.messages[1:]), [("loadMore", "list")])
        await self.lost()
        self.assertEqual(order(self.connection.messages), [("hello", None), ("loadMore", "list")])
        await self.deliver(refusal)
        await self.deliver(refusal)
        self.assertEqual(str(self.error), "the daemon refuses hello: stringTooLong: It is too long.")
        self.assertEqual(len(self.network.connections), 5)

    async def test_a_query_that_is_dropped_with_its_frame_does_not_describe_the_view(self):
        await self.welcomed(features=["query"], welcome={"features": ["query"]}, view={"parameters": {"q": "a"}})
        self.view.items = ["shown"]
        await self.view.query({"q": "b"}, shown="clear")
        await self.lost()
        await self.deliver({"type": "error", "code": "stringTooLong", "message": "", "temporary": False})
        await settle()
        self.assertEqual(self.connection.frames[0][0]["views"][0]["parameters"], {"q": "a"})
        self.assertEqual(self.view.items, ["shown"])

    async def test_a_query_that_is_dropped_but_was_handled_before_precedes_the_next_query(self):
        for ack, expected in ((0, "a"), (1, "b")):
            await self.welcomed(features=["query"], welcome={"features": ["query"]}, view={"parameters": {"q": "a"}})
            await self.view.query({"q": "b"})
            await self.lost()
            await self.view.query({"q": "c"})
            refusal = {"type": "error", "code": "stringTooLong", "message": "", "temporary": False}
            await self.deliver(refusal)
            await settle()
            self.assertEqual(self.connection.frames[0][0]["views"][0]["parameters"], {"q": "c"})
            await self.deliver(RESUMED | {"ack": ack, "features": ["query"]})
            self.assertEqual(order(self.connection.messages[1:]), [("configure", "list")])
            await self.deliver(refusal | {"code": "invalidParameter", "view": "list", "seq": 2})
            self.assertEqual(self.view.parameters, {"q": expected})

    async def test_messages_in_one_frame_are_kept_together_or_not_at_all(self):
        await self.welcomed()
        with self.assertRaises(ValueError):
            await self.session.send_together({"type": "retry", "view": "list"}, {"type": "retry", "view": LONG})
        with self.assertRaises(ValueError):
            await self.session.send_together(
                {"type": "retry", "view": "list"}, {"type": "retry", "view": "list", "a": LONG})
        self.assertEqual(self.session.outbox, [])

    async def test_a_message_of_the_app_that_is_sent_twice_has_two_numbers(self):
        await self.welcomed()
        message = {"type": "retry", "view": "list"}
        await self.session.send(message)
        await self.session.send(message)
        self.assertEqual([kept["seq"] for kept in self.session.outbox], [1, 2])
        self.assertNotIn("seq", message)

    async def test_a_change_of_what_the_app_has_passed_does_not_describe_the_view(self):
        top, parameters = {"length": 80}, {"q": "a"}
        await self.welcomed(
            features=["query"], welcome={"features": ["query"]}, view={"top": top, "parameters": parameters})
        parameters["q"] = top["length"] = LONG
        self.assertEqual(self.view.body()["parameters"], {"q": "a"})
        self.assertEqual(self.view.body()["top"], {"length": 80})
        later = {"q": "b"}
        await self.view.query(later)
        later["q"] = LONG
        self.assertEqual(self.view.body()["parameters"], {"q": "b"})
        self.assertEqual(self.session.outbox[-1]["parameters"], {"q": "b"})

    async def test_an_outbox_that_is_full_does_not_end_the_iteration_when_a_patch_does_not_fit(self):
        await self.welcomed(features=["patch"], welcome={"features": ["patch"]})
        await self.deliver(ATTACHED | {"itemKey": "/id"}, ITEMS)
        for _ in range(OUTBOX_MAX - len(self.session.outbox)):
            self.session.keep({"type": "retry", "view": "list"})
        await self.deliver({"type": "items", "view": "list", "load": "1.2", "mode": "patch", "count": 1,
                            "runs": [{"from": "z", "count": 1}]})
        self.assertFalse(self.running.done())
        self.assertEqual(
            order(self.connection.of("reset", "refresh")), [("reset", "list"), ("refresh", "list")])

    async def test_a_full_outbox_prevents_neither_the_background_nor_the_foreground(self):
        await self.welcomed(features=[], welcome={"features": []})
        await (await self.session.attach("other")).disappear()
        for _ in range(OUTBOX_MAX - len(self.session.outbox)):
            self.session.keep({"type": "retry", "view": "list"})
        with self.assertRaises(refreshd.OutboxFull):
            await self.view.disappear()
        await self.session.background()
        self.assertTrue(self.connection.is_closed)
        self.assertEqual((self.session.covered, self.session.hidden), ({"other"}, set()))
        await self.session.views["other"].appear()
        self.assertEqual(self.session.covered, set())
        await self.session.foreground()
        self.assertFalse(self.session.is_in_background)

    async def test_a_client_with_many_kept_messages_asks_the_daemon_what_it_has_handled(self):
        await self.welcomed()
        await self.deliver(SNAPSHOT)
        for _ in range(2100):
            await self.view.retry()
        self.assertEqual(len(self.connection.of("snapshot")), 2)
        await self.deliver(SNAPSHOT | {"ack": 2100})
        self.assertEqual(self.session.outbox, [])


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


class DamageTest(SessionTestCase):
    async def test_a_damaged_frame_ends_the_connection_and_the_session_resumes(self):
        frames = (
            "", "{", "[" * 100_000, '{"type":"items","view":"list"}', '{"type":"update","view":"list","top":7}',
            '{"type":"items","view":"list","load":"1","mode":"replace","items":7}', '{"type":"error"}',
            '{"type":"update","view":"list","ack":"7"}', '{"type":"update","view":["list"],"ack":0}')
        for text in frames:
            with self.subTest(text=text[:50]):
                self.setUp()
                await self.welcomed()
                await self.deliver(ITEMS)
                first = self.connection
                first.incoming.put_nowait(text)
                await self.clock.advance(1)
                self.assertTrue(first.is_aborted)
                self.assertIn("of the daemon", self.event(refreshd.Disconnected).explanation)
                self.assertIn("resume", self.connection.frames[0][0])
                await self.ended()

    async def test_items_that_were_damaged_do_not_count_as_received(self):
        await self.welcomed()
        await self.deliver(ITEMS)
        await self.deliver(ITEMS | {"load": "1.2", "items": None})
        await self.clock.advance(1)
        self.assertEqual(self.connection.frames[0][0]["resume"]["received"], [])

    async def test_a_token_function_ends_the_session_by_refused(self):
        def token():
            raise refreshd.Refused("the user has signed out")
        await self.opened(token=token)
        self.assertEqual(str(self.error), "the user has signed out")


class OtherTasksTest(SessionTestCase):
    async def test_a_task_that_continues_the_iteration_while_another_goes_to_the_background_gets_its_event(self):
        iteration = await self.attached_iteration()
        going = asyncio.create_task(self.session.background())
        await settle()
        reading = asyncio.ensure_future(anext(iteration))
        await settle()
        await self.deliver(ITEMS)
        self.assertIsInstance(await reading, refreshd.ItemsReceived)
        await self.clock.advance(1)
        await going
        self.assertIsInstance(await anext(iteration), refreshd.Disconnected)

    async def test_the_foreground_ends_a_background_that_waits_for_its_snapshot(self):
        iteration = await self.attached_iteration()
        going = asyncio.create_task(self.session.background())
        await settle()
        await self.session.foreground()
        await self.clock.advance(1)
        self.assertTrue(going.done())
        self.assertFalse(self.connection.is_closed)
        reading = asyncio.ensure_future(anext(iteration))
        await self.deliver(ITEMS)
        self.assertIsInstance(await reading, refreshd.ItemsReceived)

    async def test_a_view_that_is_removed_while_the_views_disappear_is_not_covered_later(self):
        await self.welcomed(features=[], welcome={"features": []})
        await self.session.attach("second")
        send = self.connection.send

        async def detach_and_send(text):
            self.connection.send = send
            await self.session.detach("second")
            await send(text)
        self.connection.send = detach_and_send
        await self.session.background()
        self.assertEqual((self.session.covered, self.session.hidden), ({"list"}, {"list"}))

    async def test_the_calls_of_a_removed_view_and_of_a_closed_session_have_no_effect(self):
        await self.welcomed(features=["query", "unread"], welcome={"features": ["query", "unread"]})
        old = self.view
        await old.detach()
        new = await self.session.attach("list")
        count = len(self.connection.messages)
        for end in (None, self.session.close):
            if end:
                await end()
                count += 1
            for view in (old, new) if end else (old,):
                for call in (
                        view.refresh(), view.scroll(-9, "began"), view.pan(9, "began"), view.resize(offset=7),
                        view.lay_out([], [], {"width": 1, "height": 1}), view.disappear(), view.appear(),
                        view.enable("top", False), view.query({"q": "a"}), view.reveal(item="a"), view.mark_read("a"),
                        view.configure(paging={"size": 3}), view.finish_load("1.1"), view.report_progress("1.1", 1)):
                    await call
                self.assertEqual((view.offset, view.geometry, "top" in view.options), (0, {}, False))
        await old.detach()
        self.assertEqual(len(self.connection.messages), count)

    async def test_a_message_about_a_view_that_does_not_exist_is_a_mistake(self):
        await self.welcomed()
        with self.assertRaisesRegex(ValueError, "^there is no view other$"):
            await self.session.send({"type": "refresh", "view": "other"})


if __name__ == "__main__":
    unittest.main()
