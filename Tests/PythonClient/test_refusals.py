"""Tests what the session of the package refuses and explains, and how it continues after a break or a restart."""

import asyncio
import unittest

from simulated import ATTACHED, WELCOME, SessionTestCase, settle

import refreshd

RESUMED = WELCOME | {"token": "T2", "resumed": True}
SNAPSHOT = {"type": "snapshot", "ack": 1, "expires": 3600000, "sealed": "v2.a"}
RANGE = {"type": "error", "code": "valueOutOfRange", "message": "It is too large.", "field": "height",
         "temporary": False}


class RefusalTest(SessionTestCase):
    async def test_a_hello_that_is_refused_ends_the_session_at_once_with_the_reason_and_the_field(self):
        await self.opened(view={"geometry": {"viewport": {"height": 1e12}}})
        await self.view.refresh()
        await self.deliver(RANGE, {
            "type": "error", "code": "helloRequired", "message": "Hello first.", "seq": 1, "temporary": False})
        fault = self.event(refreshd.Faulted)
        self.assertEqual((fault.code, fault.field), ("valueOutOfRange", "height"))
        self.assertEqual(str(self.error), "the daemon refuses hello: valueOutOfRange: It is too large. (field height)")
        self.assertIsNone(self.error.code)
        self.assertTrue(self.connection.is_aborted)
        self.assertEqual([one["type"] for one in self.connection.messages], ["hello"])
        await self.clock.advance(100)
        self.assertEqual(len(self.network.connections), 1)

    async def test_a_hello_that_is_refused_for_a_while_is_sent_again(self):
        await self.opened()
        await self.deliver(RANGE | {"code": "tooManySessions", "temporary": True})
        await self.lost(4102)
        self.assertIsNone(self.error)
        self.assertEqual(len(self.network.connections), 2)

    async def test_a_message_that_is_refused_after_welcome_does_not_end_the_session(self):
        await self.welcomed()
        await self.deliver(RANGE)
        self.assertEqual(self.event(refreshd.Faulted).explanation, "It is too large. (field height)")
        self.assertFalse(self.running.done())

    async def test_what_is_ignored_has_its_field_and_a_suggestion_also_in_words(self):
        await self.welcomed()
        await self.deliver({"type": "diagnostic", "code": "unknownOption", "message": "It is unknown.",
                            "field": "top.triger", "suggestion": "trigger", "view": "list"})
        ignored = self.event(refreshd.Ignored)
        self.assertEqual((ignored.field, ignored.suggestion), ("top.triger", "trigger"))
        self.assertEqual(ignored.explanation, "It is unknown. (field top.triger; did you mean trigger?)")

    async def test_an_unknown_name_within_an_option_is_refused_with_the_similar_name(self):
        await self.opened()
        with self.assertRaisesRegex(TypeError, r"^top has no option lenght; it has .*; did you mean length\?$"):
            await self.session.attach("other", top={"lenght": 80})
        with self.assertRaisesRegex(TypeError, "^top.floor has no option lengths"):
            await self.session.attach("other", top={"floor": {"lengths": 80}})
        with self.assertRaisesRegex(TypeError, "^bottom has no option lenght"):
            await self.view.configure(edges={"bottom": {"lenght": 80}})
        self.assertEqual((list(self.session.views), self.session.outbox), (["list"], []))

    async def test_a_value_of_a_wrong_type_is_refused_before_it_is_stored(self):
        await self.opened()
        cause = {
            "^content is an object, such as {'width': …}, not 3000$": self.view.resize(content=3000),
            "^content.height is a number or None, not '3000'$": self.view.resize(content={"height": "3000"}),
            "^resize has no option contents": self.view.resize(contents={"height": 1}),
            "^geometry.viewport is an object": self.session.attach("other", geometry={"viewport": 800}),
            "^feed is a string, not 7$": self.session.attach("other", feed=7),
            "^parameters is an object of strings": self.session.attach("other", parameters={"page": 1}),
            "^haptics is a bool": self.session.attach("other", haptics=1),
            "^top.length is a number, not True$": self.session.attach("other", top={"length": True}),
            "^content is an object.* not 44$": self.view.lay_out([], [], 44),
        }
        for words, call in cause.items():
            with self.subTest(words=words), self.assertRaisesRegex(TypeError, words):
                await call
        self.assertEqual((self.view.geometry, list(self.session.views), self.session.outbox), ({}, ["list"], []))

    async def test_all_kinds_of_values_that_the_protocol_has_are_accepted(self):
        await self.opened()
        await self.session.attach(
            "other", parameters={"q": "a"}, top={"intents": ["finger"], "deadline": None, "hold": True, "length": 80},
            bottom=None, paging={"first": 0}, geometry={"bars": None, "insets": {"top": 0.5, "left": None}})
        await self.view.resize(content={"width": 390, "height": None}, anchor={"id": "a", "position": 3})
        self.assertEqual(self.view.geometry, {"content": {"width": 390}})

    async def test_features_are_a_list_of_names_that_exist(self):
        with self.assertRaisesRegex(TypeError, r'^features is a list of names, such as \["query"\], not .query.$'):
            refreshd.connect("ws://test", features="query")
        with self.assertRaisesRegex(ValueError, "^there is no feature quer; there are query, unread, patch, visibleRange, live, edits$"):
            refreshd.connect("ws://test", features=["quer"])

    async def test_the_number_of_attempts_is_a_whole_number_from_1_on(self):
        for wrong, kind in (("3", TypeError), (1.5, TypeError), (True, TypeError), (0, ValueError)):
            with self.subTest(wrong=wrong), self.assertRaisesRegex(kind, "^attempts_max is .*, not "):
                refreshd.connect("ws://test", attempts_max=wrong)


class LeftIterationTest(SessionTestCase):
    async def test_an_iteration_that_was_left_for_long_loses_its_connection_and_resumes_when_it_continues(self):
        session = refreshd.Session(
            "ws://test", connector=self.network, clock=self.clock, backoff=refreshd.Backoff(self.uniform))
        reading = asyncio.ensure_future(anext(aiter(session)))
        await settle()
        await self.deliver(WELCOME)
        await reading
        first = self.connection
        await self.clock.advance(31)
        self.assertEqual((len(first.of("ping")), first.is_aborted), (1, True))
        self.assertIsInstance(await anext(aiter(session)), refreshd.Disconnected)
        reading = asyncio.ensure_future(anext(aiter(session)))
        await self.clock.advance(1)
        await self.deliver(RESUMED)
        self.assertTrue((await reading).is_resumed)
        self.assertEqual(len(self.network.connections), 2)
        await session.stop()


class SavedStateTest(SessionTestCase):
    async def saved(self):
        """Returns the state of a session that has received an item, and then ended its process."""
        await self.welcomed(view={"requests_items": True})
        await self.deliver({"type": "items", "view": "list", "load": "1.1", "mode": "replace", "items": [{"id": "a"}]},
                           SNAPSHOT)
        await self.view.scroll(0, "began")
        await self.view.load_more()
        going = asyncio.create_task(self.session.background())
        await self.deliver(SNAPSHOT)
        await going
        await self.session.close()
        self.assertEqual(self.connection.of("bye"), [])
        await self.ended()
        return self.session.saved_state()

    async def test_another_process_resumes_the_session_and_repeats_what_was_not_handled(self):
        state = await self.saved()
        await self.opened(state=state, view={"requests_items": True})
        hello, more, appear = self.connection.frames[0]
        self.assertEqual(hello["resume"], {
            "session": "5f0c", "token": "T1", "ack": 1, "received": ["1.1"], "snapshot": "v2.a"})
        self.assertEqual((more["type"], more["seq"]), ("loadMore", 3), "a movement of the other process is over")
        self.assertEqual((appear["type"], appear["seq"]), ("appear", 1004), "the other process may have sent more since")
        self.view.items = [{"id": "a"}]
        await self.deliver(RESUMED | {"ack": 7}, ATTACHED)
        self.assertTrue(self.event(refreshd.Connected).is_resumed)
        self.assertEqual(self.view.items, [{"id": "a"}])
        await self.view.retry()
        self.assertEqual(self.connection.of("retry")[0]["seq"], 1005)

    async def test_a_saved_session_that_the_daemon_does_not_have_begins_anew_and_requests_the_items(self):
        await self.opened(state=await self.saved(), view={"requests_items": True})
        await self.deliver(WELCOME | {"session": "77aa", "resumed": False, "reason": "unknownSession"}, ATTACHED)
        self.assertEqual(self.event(refreshd.Connected).reason, "unknownSession")
        self.assertEqual([one["type"] for one in self.connection.frames[-1]], ["refresh"])
        self.assertEqual(self.session.received, {})

    async def test_the_state_before_the_first_welcome_begins_a_session(self):
        await self.opened()
        await self.ended()
        await self.opened(state=self.session.saved_state(), view={"requests_items": True})
        self.assertEqual([one["type"] for one in self.connection.messages], ["hello", "refresh"])
        self.assertNotIn("resume", self.connection.frames[0][0])

    async def test_a_text_that_is_not_a_saved_state_is_refused(self):
        for text in ("", "{", "[]", "{}", '{"version":2}', '{"version":1,"resume":{}}'):
            with self.subTest(text=text), self.assertRaisesRegex(ValueError, "^this is not the state of a session"):
                refreshd.connect("ws://test", state=text)


class RefusedViewTest(SessionTestCase):
    """The second view has a feed that the daemon does not have."""

    def refusal(self, **more):
        return {"type": "error", "code": "unknownFeed", "message": "", "temporary": False, "view": "wrong"} | more

    async def refused(self, **options):
        """Opens a session whose second view is refused. Returns this view."""
        self.network.is_open.clear()
        await self.opened(features=["query"])
        view = await self.session.attach("wrong", feed="none", requests_items=True, **options)
        self.network.is_open.set()
        await settle()
        await self.deliver(WELCOME | {"features": ["query"]}, ATTACHED, self.refusal())
        self.connection.frames.clear()
        return view

    def sent(self, first=0):
        return [(one["type"], one.get("view")) for one in self.connection.messages[first:]]

    async def test_messages_about_a_refused_view_are_not_sent_because_each_would_be_a_fault(self):
        wrong = await self.refused()
        for offset in range(150):
            await wrong.scroll(offset, "dragging")
        await wrong.resize(content={"width": 1, "height": 2})
        await wrong.disappear()
        await wrong.report_progress("1.1", 0.5)
        await self.view.refresh()
        self.assertEqual(self.sent(), [("refresh", "list")])
        self.assertEqual([one["view"] for one in self.session.outbox], ["list"])

    async def test_the_next_hello_attaches_a_refused_view_with_all_that_has_changed(self):
        wrong = await self.refused()
        await wrong.scroll(40, "dragging")
        await wrong.disappear()
        self.assertTrue(await wrong.query({"q": "new"}, shown="clear"))
        await self.lost()
        body = self.connection.frames[0][0]["views"][1]
        self.assertEqual((body["view"], body["offset"], body["parameters"]), ("wrong", 40, {"q": "new"}))
        await self.deliver(RESUMED | {"features": ["query"]}, ATTACHED | {"view": "wrong"})
        self.assertEqual(self.sent(1), [("disappear", "wrong"), ("refresh", "wrong")])
        await wrong.load_more()
        self.assertEqual(self.sent(3), [("loadMore", "wrong")])

    async def test_requests_without_a_connection_wait_for_the_next_attachment_of_a_refused_view(self):
        wrong = await self.refused()
        self.network.refusals = [refreshd.ConnectFailed("no route")]
        await self.lost(seconds=0)
        await wrong.load_more()
        await self.clock.advance(3)
        self.assertEqual(self.sent(), [("hello", None), ("loadMore", "wrong")])
        await self.deliver(RESUMED | {"features": ["query"]}, ATTACHED, self.refusal())
        await wrong.load_more()
        self.assertEqual(self.sent(2), [("refresh", "wrong")])

    async def test_a_view_that_is_attached_by_a_message_is_refused_by_the_fault_of_this_message_only(self):
        await self.welcomed()
        wrong = await self.session.attach("wrong", feed="none")
        await self.deliver(self.refusal(code="unknownView"), self.refusal(seq=9))
        await wrong.refresh()
        await self.deliver(self.refusal(seq=1))
        await wrong.refresh()
        self.assertEqual(self.sent(1), [("attach", "wrong"), ("refresh", "wrong")])
        await wrong.detach()
        again = await self.session.attach("wrong", feed="items", requests_items=True)
        self.assertEqual(self.sent(3), [("attach", "wrong"), ("refresh", "wrong")])
        await self.deliver(ATTACHED | {"view": "wrong", "ack": self.session.seq}, self.refusal())
        await again.refresh()
        self.assertEqual(self.sent(5), [("refresh", "wrong")])

    async def test_another_process_requests_the_items_of_a_view_that_was_refused(self):
        await self.refused()
        state = self.session.saved_state()
        await self.ended()
        await self.opened(state=state)
        await self.session.attach("wrong", feed="items", requests_items=True)
        await settle()
        self.assertIn(("refresh", "wrong"), [(one["type"], one["view"]) for one in self.session.outbox])

if __name__ == "__main__":
    unittest.main()
