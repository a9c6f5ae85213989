"""Tests how the session of the package connects, resumes, keeps its requests and ends, in a simulated network."""

import asyncio
import json
import unittest

from simulated import ATTACHED, WELCOME, SessionTestCase, settle

import refreshd
from refreshd.state import OUTBOX_MAX, thinned

RESUMED = WELCOME | {"token": "T2", "resumed": True}
SNAPSHOT = {"type": "snapshot", "ack": 1, "expires": 3600000, "sealed": "v2.a"}


class ConnectTest(SessionTestCase):
    async def test_the_first_frame_describes_the_view_and_has_the_requests_made_so_far(self):
        await self.opened(
            client="test/1", token="secret", view={"requests_items": True, "geometry": {"viewport": {"height": 800}}})
        hello, refresh = self.connection.frames[0]
        self.assertEqual(
            (hello["protocol"], hello["client"], hello["token"], hello["snapshots"]), (1, "test/1", "secret", True))
        self.assertEqual(hello["views"], [{
            "view": "list", "profile": "default", "feed": "items", "geometry": {"viewport": {"height": 800}},
            "offset": 0}])
        self.assertEqual(refresh, {"type": "refresh", "view": "list", "cause": "code", "seq": 1})
        self.assertNotIn("features", hello)

    async def test_nothing_is_sent_between_hello_and_welcome_and_all_of_it_afterwards(self):
        await self.opened()
        await self.view.refresh()
        await self.view.load_more()
        await settle()
        self.assertEqual(len(self.connection.frames), 1)
        await self.deliver(WELCOME)
        self.assertEqual([one["type"] for one in self.connection.frames[1]], ["refresh", "loadMore"])

    async def test_a_view_that_is_attached_or_removed_before_welcome_is_reported_after_it(self):
        await self.opened()
        await self.session.attach("other", "uikit", feed="news")
        await self.session.detach("list")
        await self.deliver(WELCOME)
        self.assertEqual(
            [(one["type"], one["view"]) for one in self.connection.messages[1:]],
            [("detach", "list"), ("attach", "other")])
        self.assertEqual(self.connection.of("attach")[0]["profile"], "uikit")

    async def test_an_option_that_attach_does_not_have_is_refused_with_the_names_of_all_options(self):
        await self.opened()
        with self.assertRaisesRegex(TypeError, "no option fed; it has feed, parameters"):
            await self.session.attach("other", fed="items")
        self.assertNotIn("other", self.session.views)

    async def test_an_upgrade_that_is_refused_before_the_first_welcome_ends_the_session(self):
        for status in (400, 403, 404):
            self.network.refusals = [refreshd.ConnectFailed("refused", status=status, answer="no: It is wrong.")]
            await self.opened()
            hint = "; a daemon serves sessions at the path /v1/session" if status == 404 else ""
            self.assertEqual(
                str(self.error), f"ws://test was refused with the status {status} (no: It is wrong.){hint}")
            self.assertEqual((self.events, self.network.connections), ([], []))

    async def test_other_statuses_and_refusals_after_a_welcome_are_tried_again(self):
        self.network.refusals = [refreshd.ConnectFailed("busy", status=503)]
        await self.opened()
        await self.clock.advance(1)
        await self.deliver(WELCOME)
        self.network.refusals = [refreshd.ConnectFailed("not found", status=404)]
        await self.lost(seconds=3)
        self.assertIsNone(self.error)
        self.assertEqual(len(self.network.connections), 2)

    async def test_a_connection_without_a_close_frame_is_explained_in_words(self):
        await self.welcomed()
        await self.lost(1006)
        self.assertEqual(
            self.event(refreshd.Disconnected).explanation, "the connection ended without a close frame (1006)")

    async def test_two_views_of_one_name_are_refused(self):
        await self.opened()
        with self.assertRaisesRegex(ValueError, "list"):
            await self.session.attach("list")

    async def test_a_token_is_asked_for_on_each_connection_and_a_token_that_expires_reconnects_at_once(self):
        tokens = iter(["one", "two"])

        async def token():
            return next(tokens)
        await self.welcomed(token=token)
        await self.lost(4200, seconds=0)
        self.assertEqual(
            [one.frames[0][0]["token"] for one in self.network.connections], ["one", "two"])
        self.assertEqual(self.waits, [])


    async def test_a_token_that_cannot_be_fetched_is_tried_again(self):
        for failure, explanation in (OSError("offline"), "offline"), (KeyError("offline"), "'offline'"):
            with self.subTest(failure=failure):
                self.setUp()
                answers = iter([failure, "one"])

                async def token():
                    answer = next(answers)
                    if isinstance(answer, Exception):
                        raise answer
                    return answer
                await self.opened(token=token)
                self.assertEqual(self.event(refreshd.Disconnected).explanation, explanation)
                await self.clock.advance(1)
                self.assertEqual(self.connection.frames[0][0]["token"], "one")
                await self.ended()


class ResumeTest(SessionTestCase):
    async def test_a_lost_session_resumes_with_its_token_its_items_and_its_snapshot(self):
        await self.welcomed()
        await self.view.refresh()
        await self.deliver({"type": "items", "view": "list", "load": "1.1", "mode": "replace", "items": [{"id": "a"}]})
        await self.deliver(SNAPSHOT)
        await self.deliver({"type": "update", "view": "list", "ack": 1})
        await self.view.load_more()
        await self.lost()
        hello, more = self.connection.frames[0]
        self.assertEqual(hello["resume"], {
            "session": "5f0c", "token": "T1", "ack": 1, "received": ["1.1"], "snapshot": "v2.a"})
        self.assertEqual((more["type"], more["seq"]), ("loadMore", 2))
        await self.deliver(RESUMED | {"ack": 2}, ATTACHED, {
            "type": "update", "view": "list", "ack": 2, "list": {"count": 1, "more": True}})
        connected = self.event(refreshd.Connected)
        self.assertTrue(connected.is_resumed)
        self.assertEqual(self.view.items, [{"id": "a"}])
        self.assertEqual(len(self.connection.frames), 1, "a message that was handled is not sent again")

    async def test_after_a_snapshot_only_the_messages_that_it_covers_are_dropped(self):
        await self.welcomed()
        for _ in range(3):
            await self.view.retry()
        await self.deliver(SNAPSHOT | {"ack": 2})
        await self.deliver({"type": "update", "view": "list", "ack": 3})
        self.assertEqual([one["seq"] for one in self.session.outbox], [3])

    async def test_a_fresh_session_drops_the_old_requests_and_requests_the_items_again(self):
        await self.welcomed(view={"requests_items": True})
        await self.deliver({"type": "items", "view": "list", "load": "1.1", "mode": "replace", "items": [{"id": "a"}]})
        await self.lost()
        await self.view.load_more()
        fresh = {"session": "77aa", "resumed": False, "reason": "unknownSession", "ack": 0}
        await self.deliver(WELCOME | fresh, ATTACHED)
        event = self.event(refreshd.Connected)
        self.assertEqual((event.session, event.is_resumed, event.is_first, event.reason),
                         ("77aa", False, False, "unknownSession"))
        self.assertEqual([one["type"] for one in self.connection.frames[-1]], ["refresh"])
        self.assertEqual(self.view.items, [{"id": "a"}], "the items stay until new ones arrive")
        self.assertEqual(self.session.received, {})

    async def test_a_daemon_that_keeps_no_sessions_gets_a_fresh_hello(self):
        await self.opened()
        await self.deliver({name: value for name, value in WELCOME.items() if name != "token"}, ATTACHED)
        await self.view.refresh()
        await self.lost()
        self.assertEqual([one["type"] for one in self.connection.frames[0]], ["hello"])
        self.assertNotIn("resume", self.connection.frames[0][0])

    async def test_a_reset_whose_answer_was_lost_empties_what_the_client_has_received(self):
        await self.welcomed()
        await self.deliver({"type": "items", "view": "list", "load": "1.1", "mode": "replace", "items": []})
        await self.lost()
        await self.deliver(RESUMED | {"ack": 0}, ATTACHED, {"type": "update", "view": "list", "ack": 0})
        self.assertEqual(self.session.received, {})

    async def test_what_is_repeated_is_divided_into_frames_within_the_limits_of_the_daemon(self):
        await self.welcomed(welcome={"limits": {"batchMessagesMax": 4, "frameBytesMax": 65536}})
        self.connection.is_aborted = True
        for _ in range(9):
            await self.view.retry()
        self.connection.end(1006)
        await self.clock.advance(1)
        await self.deliver(RESUMED | {"ack": 0})
        numbers = [[one.get("seq") for one in frame] for frame in self.connection.frames]
        self.assertEqual(numbers, [[None, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
        self.session.limits["frameBytesMax"] = 512
        for frame in self.session.frames(self.session.outbox * 9):
            self.assertLessEqual(len(json.dumps(frame, separators=(",", ":"))), 512)

    async def test_of_a_long_movement_the_start_the_newest_sample_and_the_end_are_repeated(self):
        await self.welcomed()
        await self.view.scroll(0, "began")
        for offset in range(1, 91):
            await self.view.scroll(-offset, "dragging")
        await self.view.scroll(-90, "ended")
        self.assertEqual([one["seq"] for one in self.session.outbox], [1, 91, 92])
        self.assertEqual(len(self.connection.of("scroll")), 92, "each sample is sent once")

    async def test_samples_of_two_views_do_not_supersede_each_other(self):
        samples = [{"type": "scroll", "view": view, "phase": "dragging"} for view in ("a", "b", "b")]
        self.assertEqual([one["view"] for one in thinned(samples)], ["a", "b"])

    async def test_the_messages_that_wait_are_bounded(self):
        await self.opened()
        for _ in range(OUTBOX_MAX):
            self.session.keep({"type": "retry", "view": "list"})
        with self.assertRaises(refreshd.OutboxFull):
            await self.view.refresh()
        self.assertEqual(self.session.seq, OUTBOX_MAX, "a message that is not kept has no number")

    async def test_a_number_that_json_does_not_have_is_refused_before_it_is_kept(self):
        await self.opened()
        with self.assertRaises(ValueError):
            await self.view.scroll(float("nan"), "dragging")
        self.assertEqual(self.session.outbox, [])


class BackoffTest(SessionTestCase):
    async def test_both_bounds_of_the_wait_double_up_to_thirty_seconds(self):
        self.network.refusals = [refreshd.ConnectFailed("no route") for _ in range(7)]
        await self.opened()
        await self.clock.advance(50)
        self.assertEqual(self.waits, [
            (0.1, 1), (0.2, 2), (0.4, 4), (0.8, 8), (1.6, 16), (3, 30), (3, 30)])
        self.assertEqual(len(self.network.connections), 1)

    async def test_a_session_that_was_open_for_five_seconds_begins_with_the_shortest_wait_again(self):
        await self.welcomed()
        await self.lost(1006)
        await self.deliver(RESUMED | {"ack": 0})
        await self.clock.advance(4)
        await self.lost(1006, seconds=2)
        await self.deliver(RESUMED | {"ack": 0})
        await self.clock.advance(5)
        await self.lost(1006)
        self.assertEqual(self.waits, [(0.1, 1), (0.2, 2), (0.1, 1)])

    async def test_a_refused_upgrade_waits_as_long_as_the_daemon_asks(self):
        self.network.refusals = [refreshd.ConnectFailed("503", retry_after=20)]
        await self.opened()
        event = self.event(refreshd.Disconnected)
        self.assertEqual((event.code, event.explanation, event.retry_seconds), (None, "503", 20))
        await self.clock.advance(19)
        self.assertEqual(self.network.connections, [])
        await self.clock.advance(1)
        self.assertEqual(len(self.network.connections), 1)

    async def test_the_client_gives_up_after_the_permitted_number_of_attempts(self):
        self.network.refusals = [refreshd.ConnectFailed("no route") for _ in range(9)]
        await self.opened(attempts_max=3)
        await self.clock.advance(100)
        self.assertIn("no route", str(self.error))
        self.assertEqual(len(self.waits), 4)

    async def test_after_a_close_code_that_blames_the_client_it_does_not_reconnect(self):
        for code in (1007, 1009, 4001, 4002, 4004, 4005, 4099):
            with self.subTest(code=code):
                self.setUp()
                await self.welcomed()
                await self.lost(code, seconds=100)
                self.assertEqual(self.error.code, code)
                self.assertEqual(len(self.network.connections), 1)
                await self.ended()

    async def test_after_any_other_close_code_it_reconnects(self):
        for code in (1000, 1001, 1006, 1011, 4100, 4101, 4102, 4103, 4104, 4105):
            with self.subTest(code=code):
                self.setUp()
                await self.welcomed()
                await self.lost(code)
                self.assertEqual(len(self.network.connections), 2)
                await self.ended()

    async def test_a_frame_that_is_not_json_ends_the_connection_and_the_session_resumes(self):
        await self.welcomed()
        first = self.connection
        first.incoming.put_nowait("{")
        await self.clock.advance(1)
        self.assertTrue(first.is_aborted)
        self.assertIn("resume", self.connection.frames[0][0])


class LivenessTest(SessionTestCase):
    async def test_a_silent_client_pings_at_the_heartbeat_and_goes_on_after_the_pong(self):
        await self.welcomed(welcome={"heartbeat": 3000})
        await self.clock.advance(2.9)
        self.assertEqual(self.connection.of("ping"), [])
        await self.clock.advance(0.2)
        self.assertEqual(len(self.connection.of("ping")), 1)
        await self.deliver({"type": "pong", "t": 0, "time": 0, "ack": 0})
        await self.clock.advance(2.8)
        self.assertEqual(len(self.connection.of("ping")), 1)
        await self.clock.advance(0.2)
        self.assertEqual(len(self.connection.of("ping")), 2)
        self.assertFalse(self.connection.is_aborted)

    async def test_a_connection_whose_ping_is_unanswered_for_five_seconds_is_cut_and_the_session_resumes(self):
        await self.welcomed(welcome={"heartbeat": 3000})
        first = self.connection
        await self.clock.advance(7.9)
        self.assertFalse(first.is_aborted)
        await self.clock.advance(0.2)
        self.assertTrue(first.is_aborted)
        await self.clock.advance(1)
        self.assertIn("resume", self.connection.frames[0][0])

    async def test_a_client_that_sends_something_does_not_ping(self):
        await self.welcomed(welcome={"heartbeat": 3000})
        for _ in range(5):
            await self.clock.advance(2)
            await self.view.retry()
        self.assertEqual(self.connection.of("ping"), [])


class BackgroundTest(SessionTestCase):
    async def test_the_background_waits_for_a_snapshot_and_closes_the_connection_without_a_bye(self):
        await self.welcomed()
        await self.deliver(SNAPSHOT)
        going = asyncio.create_task(self.session.background())
        await settle()
        self.assertEqual(len(self.connection.of("snapshot")), 1)
        self.assertFalse(self.connection.is_closed)
        await self.deliver(SNAPSHOT | {"sealed": "v2.b"})
        await going
        self.assertTrue(self.connection.is_closed)
        self.assertEqual(self.connection.of("bye"), [])
        await self.clock.advance(1000)
        self.assertEqual(len(self.network.connections), 1, "there is no connection in the background")
        self.assertIsNone(self.event(refreshd.Disconnected).retry_seconds)
        await self.view.refresh()
        await self.session.foreground()
        await settle()
        hello, *repeated = self.connection.frames[0]
        self.assertEqual(hello["resume"]["snapshot"], "v2.b")
        self.assertEqual([one["type"] for one in repeated], ["refresh", "appear"])

    async def test_with_features_the_views_disappear_in_the_background_but_for_those_that_are_covered_already(self):
        await self.welcomed(features=[], welcome={"features": []})
        other = await self.session.attach("other")
        await other.disappear()
        await self.session.background()
        self.assertEqual([one["view"] for one in self.connection.of("disappear")], ["other", "list"])
        await self.session.foreground()
        self.assertEqual(self.session.covered, {"other"})

    async def test_a_daemon_without_snapshots_is_not_asked_for_one(self):
        await self.welcomed()
        await self.session.background()
        self.assertEqual(self.connection.of("snapshot"), [])
        self.assertTrue(self.connection.is_closed)

    async def test_a_snapshot_that_does_not_arrive_delays_the_background_for_a_second(self):
        await self.welcomed()
        await self.deliver(SNAPSHOT)
        going = asyncio.create_task(self.session.background())
        await self.clock.advance(1)
        await going
        self.assertTrue(self.connection.is_closed)

    async def test_a_connection_that_opens_in_the_background_is_given_up(self):
        self.network.is_open.clear()
        await self.opened()
        await self.session.background()
        self.network.is_open.set()
        await settle()
        self.assertTrue(self.connection.is_aborted)
        self.assertEqual(self.connection.frames, [])
        await self.session.foreground()
        await settle()
        self.assertEqual(len(self.network.connections), 2)

    async def test_the_task_that_iterates_can_go_to_the_background_and_loses_no_event(self):
        iteration = await self.attached_iteration()
        going = asyncio.create_task(self.session.background())
        await settle()
        await self.deliver({"type": "items", "view": "list", "load": "1.1", "mode": "replace", "items": [{"id": "a"}]},
                           SNAPSHOT | {"sealed": "v2.b"})
        await going
        self.assertTrue(self.connection.is_closed)
        self.assertEqual(json.loads(self.session.saved_state())["snapshot"]["sealed"], "v2.b")
        kinds = [type(await anext(iteration)) for _ in range(3)]
        self.assertEqual(kinds, [refreshd.ItemsReceived, refreshd.Event, refreshd.Disconnected])

    async def test_the_foreground_ends_a_wait_between_attempts(self):
        self.network.refusals = [refreshd.ConnectFailed("no route")]
        await self.opened()
        self.assertEqual(self.network.connections, [])
        await self.session.foreground()
        await settle()
        self.assertEqual(len(self.network.connections), 1)

    async def test_a_change_of_the_network_reconnects_at_once(self):
        await self.welcomed()
        first = self.connection
        await self.session.reconnect()
        await settle()
        self.assertTrue(first.is_aborted)
        self.assertIn("resume", self.connection.frames[0][0])
        self.assertEqual(self.waits, [])


class EndTest(SessionTestCase):
    async def test_close_sends_bye_and_the_iteration_ends_when_the_daemon_closes(self):
        await self.welcomed()
        await self.session.close()
        await settle()
        self.assertEqual(self.connection.messages[-1], {"type": "bye"})
        await self.deliver({"type": "bye"})
        self.connection.end(1000)
        await settle()
        self.assertTrue(self.running.done())
        self.assertIsNone(self.error)

    async def test_a_connection_that_opens_after_close_is_given_up(self):
        self.network.is_open.clear()
        await self.opened()
        await self.session.close()
        self.network.is_open.set()
        await settle()
        self.assertTrue(self.connection.is_aborted and self.running.done())
        self.assertEqual(self.connection.frames, [])

    async def test_after_close_a_session_neither_attaches_nor_connects_again(self):
        await self.opened()
        await self.session.close()
        with self.assertRaises(refreshd.SessionClosed):
            await self.session.attach("other")
        with self.assertRaises(refreshd.SessionClosed):
            aiter(self.session)

    async def test_close_ends_a_wait_between_attempts(self):
        self.network.refusals = [refreshd.ConnectFailed("no route")]
        await self.opened()
        await self.session.close()
        await settle()
        self.assertTrue(self.running.done())

    async def test_an_iteration_that_was_left_by_break_continues_over_the_same_connection(self):
        session = refreshd.Session("ws://test", connector=self.network, clock=self.clock)
        reading = asyncio.create_task(self.first_event(session))
        await settle()
        await self.deliver(WELCOME)
        self.assertIsInstance(await reading, refreshd.Connected)
        count = len(self.network.connections)
        view = await session.attach("list", feed="items")
        await view.refresh()
        reading = asyncio.create_task(self.first_event(session))
        await self.deliver(ATTACHED | {"ack": 1})
        self.assertIsInstance(await reading, refreshd.ViewChanged)
        self.assertEqual(len(self.network.connections), count)
        self.assertEqual([one["type"] for one in self.connection.messages], ["hello", "attach", "refresh"])
        await session.stop()

    async def first_event(self, session):
        async for event in session:
            return event

    async def test_two_tasks_that_iterate_at_once_are_a_mistake_and_the_first_one_goes_on(self):
        await self.opened()
        with self.assertRaisesRegex(RuntimeError, "another task already iterates"):
            await anext(aiter(self.session))
        await self.deliver(WELCOME)
        self.assertIsInstance(self.event(refreshd.Connected), refreshd.Connected)
        self.assertEqual(len(self.network.connections), 1)

    async def test_an_iteration_whose_task_was_cancelled_begins_again_and_resumes_the_session(self):
        await self.welcomed()
        first = self.connection
        await self.ended()
        self.assertTrue(first.is_aborted)
        self.running = asyncio.create_task(self.iterate())
        await settle()
        self.assertEqual(self.connection.frames[0][0]["resume"]["session"], "5f0c")

    async def test_the_end_of_the_block_closes_the_session_also_after_a_break(self):
        async with refreshd.Session("ws://test", connector=self.network, clock=self.clock) as session:
            await session.attach("list")
            iteration = session.__aiter__()
            reading = asyncio.ensure_future(anext(iteration))
            await settle()
            self.connection.deliver(WELCOME)
            self.assertIsInstance(await reading, refreshd.Connected)
        self.assertEqual(self.connection.messages[-1], {"type": "bye"})
        self.assertTrue(self.connection.is_closed)


if __name__ == "__main__":
    unittest.main()
