"""Tests the edits of a view: what is shown, what is sent, and what another process continues."""

import asyncio
import json
import os
import random
import re
import time
import unittest

from simulated import ATTACHED, WELCOME, SessionTestCase, applied, settle

import refreshd

FEATURES = ["patch", "live", "edits"]
EDITS = ["insert", "update", "remove", "move"]
VIEW = ATTACHED | {"itemKey": "/id", "edits": EDITS}
BACK = WELCOME | {"features": FEATURES, "resumed": True}


def items(*keys):
    return [{"id": key} for key in keys]


class EditTestCase(SessionTestCase):
    """A test with a view whose feed accepts edits. `seen` has each event with what is shown at it."""

    def setUp(self):
        super().setUp()
        self.seen = []

    async def iterate(self):
        async for event in self.session:
            self.events.append(event)
            self.seen.append((type(event).__name__, self.shown()))

    async def listed(self, keys="ab", **view):
        await self.opened(features=FEATURES, view=view)
        await self.deliver(WELCOME | {"features": FEATURES}, VIEW, self.replaced(keys))

    @staticmethod
    def replaced(keys):
        return {"type": "items", "view": "list", "load": "1.1", "mode": "replace", "items": items(*keys),
                "count": len(keys), "more": False}

    @staticmethod
    def operated(count, *operations):
        return {"type": "items", "view": "list", "load": "1.2", "mode": "patch", "operations": list(operations),
                "count": count, "more": False}

    @staticmethod
    def edited(edit, result="confirmed", **members):
        return {"type": "edited", "view": "list", "edit": edit, "result": result} | members

    def shown(self, view=None):
        return "".join(str(item["id"]) for item in (view or self.view).items)

    def sent(self, *kinds):
        return [one.get("edit") for one in self.connection.of(*(kinds or ("edit", "undo")))]


class ShownEditsTest(EditTestCase):
    async def test_an_edit_is_shown_at_once_and_sent_with_a_new_name(self):
        await self.listed()
        name = await self.view.edit({"insert": {"id": "c"}, "at": "end"}, delay_ms=500)
        self.assertRegex(name, r"^[0-9a-f]{8}-[0-9a-f-]{27}$")
        self.assertEqual(self.shown(), "abc")
        self.assertEqual(self.view.received, items("a", "b"))
        self.assertEqual(self.connection.of("edit"), [{
            "type": "edit", "view": "list", "edit": name, "operation": {"insert": {"id": "c"}, "at": "end"},
            "delayMs": 500, "seq": 1}])
        self.assertEqual((self.view.pending_edits, self.view.accepted_edits), ([name], EDITS))

    async def test_edits_are_applied_in_order_and_one_that_does_not_fit_is_left_out_while_it_does_not_fit(self):
        await self.listed()
        await self.view.edit({"move": "z", "at": "start"}, edit="edit-move")
        await self.view.edit({"remove": "b"}, edit="edit-remove")
        await self.view.edit({"insert": {"id": "c"}, "before": "a"}, edit="edit-insert")
        self.assertEqual(self.shown(), "ca")
        await self.deliver(self.replaced("abz"))
        self.assertEqual(self.shown(), "zca")
        await self.deliver(self.replaced("b"))
        self.assertEqual(self.shown(), "")
        await self.deliver(self.edited("edit-remove", "rolledBack", code="undone", message="", temporary=False))
        self.assertEqual(self.shown(), "b")

    async def test_an_insert_of_an_item_that_the_list_has_counts_as_update(self):
        await self.listed()
        await self.view.edit({"insert": {"id": "b", "text": "new"}, "at": "start"})
        self.assertEqual(self.view.items, [{"id": "a"}, {"id": "b", "text": "new"}])

    async def test_the_refresh_of_one_item_changes_nothing_until_its_answer(self):
        await self.opened(features=FEATURES)
        await self.deliver(WELCOME | {"features": FEATURES}, VIEW | {"edits": ["refresh"]}, self.replaced("ab"))
        refreshed = await self.view.edit({"refresh": "a"})
        gone = await self.view.edit({"refresh": "b"})
        self.assertEqual((self.view.items, self.view.pending_edits), (items("a", "b"), [refreshed, gone]))
        self.assertEqual([one["operation"] for one in self.connection.of("edit")], [{"refresh": "a"}, {"refresh": "b"}])
        await self.deliver(
            self.operated(2, {"update": {"id": "a", "text": "new"}}), self.edited(refreshed, "replaced", key="a"))
        self.assertEqual(self.view.items, [{"id": "a", "text": "new"}, {"id": "b"}])
        await self.deliver(self.operated(1, {"remove": "b"}), self.edited(gone))
        self.assertEqual((self.shown(), self.view.pending_edits), ("a", []))

    async def test_in_a_reversed_view_the_start_is_behind_the_last_item(self):
        await self.listed(reversed=True)
        await self.view.edit({"insert": {"id": "c"}, "at": "start"})
        await self.view.edit({"move": "a", "at": "start"})
        await self.view.edit({"insert": {"id": "d"}, "at": "end"})
        await self.view.edit({"insert": {"id": "e"}, "before": "b"})
        self.assertEqual(self.shown(), "debca")
        self.assertEqual(self.connection.of("edit")[0]["operation"]["at"], "start")

    async def test_an_item_and_the_answer_of_a_frame_are_shown_together(self):
        await self.listed()
        name = await self.view.edit({"insert": {"id": "mine"}, "at": "start"})
        self.seen.clear()
        await self.deliver(
            {"type": "update", "view": "list", "ack": 1, "list": {"count": 3, "more": False}},
            self.operated(3, {"insert": {"id": "real"}, "at": "start"}), self.edited(name, "replaced", key="real"))
        self.assertEqual(self.seen, [("ViewChanged", "realab"), ("ItemsReceived", "realab"), ("Edited", "realab")])

    async def test_the_answer_of_an_edit_is_an_event_and_a_repeated_answer_is_not(self):
        await self.listed()
        name = await self.view.edit({"remove": "a"})
        answer = self.edited(name, "rolledBack", code="backendUnavailable", message="It is down.", temporary=True)
        await self.deliver(answer)
        event = self.event(refreshd.Edited)
        self.assertEqual(
            (event.view, event.edit, event.result, event.key, event.code, event.explanation, event.is_temporary),
            (self.view, name, "rolledBack", None, "backendUnavailable", "It is down.", True))
        self.assertEqual((self.shown(), event.previous), ("ab", items("b")))
        await self.deliver(answer)
        self.assertEqual(sum(isinstance(one, refreshd.Edited) for one in self.events), 1)

    async def test_a_view_that_is_detached_at_an_event_has_no_later_event_of_the_frame(self):
        iteration = await self.attached_iteration()
        update = {"type": "update", "view": "list", "ack": 0, "newer": True}
        fault = {"type": "error", "view": "list", "code": "unknownEdge", "message": "", "temporary": False}
        self.connection.deliver(update, update, fault)
        self.assertIs((await anext(iteration)).view, self.view)
        await self.view.detach()
        events = [await anext(iteration) for _ in range(2)]
        self.assertEqual([(type(event), event.view) for event in events], [(refreshd.Event, None), (refreshd.Faulted, None)])

    async def test_a_change_of_the_shown_items_by_the_app_changes_no_edit(self):
        await self.listed()
        await self.view.edit({"insert": {"id": "c"}, "at": "end"})
        self.view.items[2]["id"] = "x"
        await self.lost()
        await self.deliver(BACK, VIEW)
        self.assertEqual(self.connection.of("edit")[0]["operation"]["insert"], {"id": "c"})


class RefusedEditsTest(EditTestCase):
    async def test_a_wrong_edit_is_refused_and_changes_nothing(self):
        await self.listed()
        place = {"at": "end"}
        wrong = [
            ({"insert": {"text": "no key"}} | place, "no key at /id"), ({"insert": {"id": 1.5}} | place, "no key at /id"),
            ({"insert": {"id": "c"}}, "one of at, before, after"), ({"insert": {"id": "c"}, "at": "top"}, "'start' or 'end'"),
            ({"insert": {"id": "c"}, "at": "end", "before": "a"}, "one of at"), ({"remove": "a"} | place, "have none"),
            ({"remove": None}, "remove has no key"), ({"move": "a", "after": True}, "after has no key"),
            ({"update": "a"}, "is an object"), ({}, "with one of insert"), ({"remove": "a", "move": "b"}, "with one of"),
            ({"update": {"id": "a", "list": ["x" * 900] * 20}}, "the daemon accepts 16384"),
            ({"update": {"id": "a", "text": "x" * 1025}}, "strings of 1024"), (["remove"], "with one of"),
            ({"update": {"id": "a", "number": float("nan")}}, "JSON")]
        for operation, why in wrong:
            with self.subTest(operation=str(operation)[:60]), self.assertRaisesRegex(
                    (ValueError, TypeError), re.escape(why)):
                await self.view.edit(operation)
        for options in ({"delay_ms": -1}, {"delay_ms": 60_001}, {"delay_ms": True}, {"edit": "short"}, {"edit": "ä" * 9}):
            with self.assertRaises(ValueError):
                await self.view.edit({"remove": "a"}, **options)
        self.assertEqual((self.shown(), self.sent(), self.view.pending_edits), ("ab", [], []))

    async def test_an_edit_that_the_feed_does_not_accept_is_refused(self):
        await self.listed()
        await self.deliver(VIEW | {"edits": ["insert"]})
        with self.assertRaisesRegex(ValueError, "does not accept remove; it accepts insert"):
            await self.view.edit({"remove": "a"})
        await self.deliver(ATTACHED | {"itemKey": "/id"})
        with self.assertRaisesRegex(ValueError, "no edits"):
            await self.view.edit({"remove": "a"})

    async def test_edits_need_their_features(self):
        await self.welcomed(features=["patch", "edits"], welcome={"features": FEATURES})
        with self.assertRaisesRegex(ValueError, "without live"):
            await self.view.edit({"remove": "a"})
        await self.ended()
        await self.welcomed(features=FEATURES, welcome={"features": ["patch", "live"]})
        with self.assertRaisesRegex(ValueError, "does not serve edits"):
            await self.view.edit({"remove": "a"})

    async def test_an_edit_that_causes_a_fault_is_dropped(self):
        await self.listed()
        await self.view.edit({"insert": {"id": "c"}, "at": "end"})
        fault = {"type": "error", "view": "list", "seq": 1, "code": "unknownView", "message": "", "temporary": False}
        for code in ("unknownView", "staleGeneration", "staleSequence"):
            await self.deliver(fault | {"code": code})
            self.assertEqual(self.shown(), "abc")
        [edit] = self.view.pending_edits
        await self.deliver(fault | {"code": "invalidField", "field": "operation"})
        self.assertEqual((self.shown(), self.view.pending_edits), ("ab", []))
        event = self.event(refreshd.Edited)
        self.assertEqual((event.edit, event.result, event.code), (edit, "rolledBack", "invalidField"))

    async def test_too_many_edits_are_refused(self):
        await self.opened(features=FEATURES)
        for number in range(1000):
            await self.view.edit({"remove": number})
        with self.assertRaises(refreshd.OutboxFull):
            await self.view.edit({"remove": "a"})


class SentEditsTest(EditTestCase):
    async def test_edits_without_an_answer_are_sent_again_in_order_after_each_welcome_once_the_view_is_attached(self):
        for welcome in (BACK, WELCOME | {"features": FEATURES}):
            self.setUp()
            await self.listed()
            first = await self.view.edit({"remove": "a"})
            await self.lost()
            second = await self.view.edit({"remove": "b"})
            self.assertEqual([one["type"] for one in self.connection.messages], ["hello"])
            await self.deliver(welcome)
            third = await self.view.edit({"remove": "c"})
            self.assertEqual(self.sent(), [])
            await self.deliver(VIEW)
            self.assertEqual(self.sent(), [first, second, third])
            await self.deliver(self.edited(second))
            await self.lost()
            await self.deliver(welcome, VIEW)
            self.assertEqual(self.sent(), [first, third])
            await self.ended()

    async def test_at_most_32_edits_are_sent_before_one_has_an_answer(self):
        await self.listed()
        names = [await self.view.edit({"remove": number}) for number in range(40)]
        self.assertEqual(self.sent(), names[:32])
        await self.deliver(self.edited(names[5]), self.edited(names[6]))
        self.assertEqual(self.sent(), names[:34])

    async def test_an_edit_that_was_never_sent_is_undone_at_once(self):
        await self.listed()
        await self.lost()
        name = await self.view.edit({"remove": "a"})
        self.assertTrue(await self.view.undo(name))
        self.assertEqual((self.shown(), self.view.pending_edits), ("ab", []))
        await self.deliver(BACK, VIEW)
        self.assertEqual(self.sent(), [])
        self.assertEqual([(one.edit, one.result, one.code, one.previous) for one in self.events
                          if isinstance(one, refreshd.Edited)], [(name, "rolledBack", "undone", items("b"))])

    async def test_the_event_of_an_undone_edit_comes_at_the_latest_when_the_next_connection_is_lost(self):
        await self.listed()
        await self.lost()
        await self.view.undo(await self.view.edit({"remove": "a"}))
        await self.lost()
        self.assertEqual([kind for kind, _ in self.seen[-2:]], ["Edited", "Disconnected"])

    async def test_edits_are_rolled_back_if_the_daemon_does_not_serve_them(self):
        await self.opened(features=FEATURES)
        name = await self.view.edit({"remove": "a"})
        await self.deliver(WELCOME | {"features": ["patch", "live"]}, ATTACHED)
        event = self.event(refreshd.Edited)
        self.assertEqual((event.edit, event.result, event.code), (name, "rolledBack", "editNotAccepted"))
        self.assertEqual((self.view.pending_edits, self.sent()), ([], []))

    async def test_an_undo_is_sent_and_sent_again_behind_its_edit_until_the_edit_has_its_answer(self):
        await self.listed()
        name = await self.view.edit({"remove": "a"}, delay_ms=5000)
        self.assertFalse(await self.view.undo(name))
        self.assertFalse(await self.view.undo(name))
        self.assertEqual((self.sent("edit"), self.sent("undo"), self.shown()), ([name], [name], "b"))
        await self.lost()
        await self.deliver(BACK, VIEW)
        self.assertEqual(
            [(one["type"], one.get("repeated")) for one in self.connection.of("edit", "undo")],
            [("edit", True), ("undo", None)])
        await self.deliver(self.edited(name, "rolledBack", code="undone", message="", temporary=False))
        self.assertEqual(self.shown(), "ab")
        self.assertFalse(await self.view.undo(name))
        self.assertEqual(len(self.sent("undo")), 1)

    async def test_edits_are_a_part_of_the_saved_state(self):
        await self.listed(reversed=True)
        first = await self.view.edit({"insert": {"id": "c"}, "at": "start"}, delay_ms=100)
        second = await self.view.edit({"remove": "a"})
        await self.view.undo(second)
        await self.session.background()
        state, stored = self.session.saved_state(), self.view.received
        await self.ended()
        for _ in range(2):  # also the state of a session that was not continued yet
            session = refreshd.Session("ws://test", connector=self.network, clock=self.clock, features=FEATURES, state=state)
            state = session.saved_state()
        view = await session.attach("list", feed="items", reversed=True)
        view.items = stored
        self.assertEqual((self.shown(view), view.pending_edits), ("bc", [first, second]))
        self.assertEqual(json.loads(session.saved_state())["edits"], json.loads(state)["edits"])
        self.session, self.view = session, view
        iteration = aiter(session)
        reading = asyncio.ensure_future(anext(iteration))
        await settle()
        await self.deliver(WELCOME | {"features": FEATURES}, VIEW)
        await reading
        self.assertEqual(
            [(one["type"], one["edit"]) for one in self.connection.of("edit", "undo")],
            [("edit", first), ("edit", second), ("undo", second)])
        self.assertEqual(self.connection.of("edit")[0]["delayMs"], 100)
        self.assertEqual([one["repeated"] for one in self.connection.of("edit")], [True, True])
        await session.stop()

    async def test_edits_of_a_view_that_the_next_process_does_not_have_are_dropped(self):
        await self.listed()
        await self.view.edit({"remove": "a"})
        await self.session.background()
        state = self.session.saved_state()
        await self.ended()
        session = refreshd.Session("ws://test", connector=self.network, features=FEATURES, state=state)
        view = await session.attach("list", feed="others")
        self.assertEqual(view.pending_edits, [])

    async def test_a_damaged_state_of_edits_is_refused(self):
        await self.listed()
        await self.session.background()
        state = json.loads(self.session.saved_state())
        for edits in ({"list": {}}, {"list": 5}, 5, {"list": {"itemKey": "/id", "accepted": None, "edits": [{}]}}):
            with self.assertRaisesRegex(ValueError, "not the state"):
                refreshd.Session("ws://test", features=FEATURES, state=json.dumps(state | {"edits": edits}))


class RandomEditsTest(EditTestCase):
    """Edits, live items, losses and resumes in random order, against a daemon that keeps its list as a plain list."""

    STEPS = 900

    def setUp(self):
        super().setUp()
        self.random = random.Random()

    def operation(self):
        key, neighbour = self.random.sample(range(12), 2)
        self.number += 1
        item = {"id": key, "number": self.number}
        place = self.random.choice(({"at": "start"}, {"at": "end"}, {"before": neighbour}, {"after": neighbour}))
        return self.random.choice(({"insert": item} | place, {"update": item}, {"remove": key}, {"move": key} | place))

    def expected(self):
        """Returns what the view must show: the list of the daemon with the edits that it has not answered."""
        shown = self.client_list
        for name, operation in self.pending.items():
            if "insert" in operation and operation["insert"]["id"] in [item["id"] for item in shown]:
                operation = {"update": operation["insert"]}
            elif self.is_reversed and "at" in operation:
                operation = operation | {"at": "end" if operation["at"] == "start" else "start"}
            after = applied(shown, operation)
            shown = shown if after is None else after
        return shown

    async def test_after_random_steps_the_view_shows_the_list_of_the_daemon_with_the_edits_without_an_answer(self):
        seed = int(os.environ.get("SEED", time.time_ns() % 10**9))
        print(f"SEED={seed}", flush=True)
        self.random.seed(seed)
        self.number, self.pending, self.client_list = 0, {}, items(0, 1, 2)
        self.is_reversed = self.random.random() < 0.5
        await self.listed((0, 1, 2), reversed=self.is_reversed)
        self.is_open, self.begun = True, set()
        ways = [self.edit] * 5 + [self.operate] * 4 + [self.answer] * 4 + [self.lose, self.come_back, self.come_back, self.undo]
        for step in range(self.STEPS):
            way = self.random.choice(ways)
            await way()
            self.assertEqual(self.view.items, self.expected(), f"step {step} ({way.__name__}) of SEED={seed}")
            self.assertEqual(self.view.pending_edits, list(self.pending), f"step {step} of SEED={seed}")
            if self.is_open:
                sent = [one["edit"] for one in self.connection.of("edit")]
                self.assertEqual(len(sent), len(set(sent)), f"step {step} of SEED={seed}: an edit was sent twice")
                waiting = [name for name in sent if name in self.pending]
                self.assertEqual(waiting, list(self.pending)[:32], f"step {step} of SEED={seed}")

    async def edit(self):
        operation = self.operation()
        self.pending[await self.view.edit(operation)] = operation

    async def undo(self):
        if self.pending:
            name = self.random.choice(list(self.pending))
            if await self.view.undo(name):
                del self.pending[name]

    def operations(self):
        """Changes the list of the daemon. Returns the operations that fit it."""
        found = []
        for _ in range(self.random.randrange(1, 4)):
            operation = self.operation()
            if (after := applied(self.client_list, operation)) is not None:
                found.append(operation)
                self.client_list = after
        return found

    async def operate(self):
        if self.is_open and (operations := self.operations()):
            await self.deliver(self.operated(len(self.client_list), *operations))

    async def answer(self):
        """The daemon answers one of the edits that it has received, with the change of the list in the same frame."""
        sent = [one["edit"] for one in self.connection.of("edit") if one["edit"] in self.pending] if self.is_open else []
        if sent:
            name = self.random.choice(sent)
            del self.pending[name]
            operations = self.operations()
            frame = [self.operated(len(self.client_list), *operations)] if operations else []
            await self.deliver(*frame, self.edited(name))

    async def lose(self):
        if self.is_open:
            self.is_open = False
            await self.lost(seconds=40)

    async def come_back(self):
        if not self.is_open:
            self.is_open = True
            if self.random.random() < 0.5:
                await self.deliver(BACK, VIEW)
            else:
                self.client_list = items(*self.random.sample(range(12), 4))
                await self.deliver(WELCOME | {"features": FEATURES, "resumed": False}, VIEW, {
                    "type": "items", "view": "list", "load": "2.1", "mode": "replace", "items": self.client_list,
                    "count": 4, "more": False})


if __name__ == "__main__":
    unittest.main()
