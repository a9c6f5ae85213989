"""Tests the items of a view: what the app shows, and what the patches of the daemon refer to."""

import os
import random
import time
import unittest

from simulated import ATTACHED, WELCOME, SessionTestCase, applied

import refreshd


class ItemsOfTheAppTest(SessionTestCase):
    async def listed(self):
        features = ["patch", "query"]
        await self.welcomed(features=features, welcome={"features": features}, view={"parameters": {"q": "old"}})
        await self.deliver(ATTACHED | {"itemKey": "/id"})
        await self.items("replace", ["a", "b"])

    async def items(self, mode, keys, **members):
        items = [{"id": key} for key in keys]
        await self.deliver({
            "type": "items", "view": "list", "load": "1.1", "mode": mode, "items": items, "count": len(items)} | members)

    async def patch(self, key, count):
        await self.deliver({
            "type": "items", "view": "list", "load": "1.1", "mode": "patch", "runs": [{"from": key, "count": count}],
            "count": count})

    def shown(self):
        return "".join(item["id"] for item in self.view.items)

    async def test_a_change_of_the_list_by_the_app_does_not_affect_a_later_patch(self):
        changes = (
            lambda: self.view.items.pop(0), lambda: self.view.items.clear(),
            lambda: self.event(refreshd.ItemsReceived).items.reverse(), lambda: setattr(self.view, "items", []))
        for change in changes:
            self.setUp()
            await self.listed()
            change()
            await self.patch("a", 2)
            self.assertEqual((self.shown(), len(self.connection.messages)), ("ab", 1))
            await self.items("append", ["c"])
            change()
            await self.patch("b", 2)
            self.assertEqual((self.shown(), len(self.connection.messages)), ("bc", 1))
            await self.ended()

    async def test_what_the_app_has_removed_stays_removed_when_the_next_page_arrives(self):
        await self.listed()
        del self.view.items[0]
        await self.items("append", ["c"])
        await self.items("prepend", ["z"])
        self.assertEqual(self.shown(), "zbc")

    async def test_the_stored_items_of_an_earlier_process_are_the_base_of_a_patch(self):
        await self.welcomed(features=["patch"], welcome={"features": ["patch"]})
        stored = [{"id": "a"}, {"id": "b"}]
        self.view.items = stored
        stored.pop()
        await self.deliver(ATTACHED | {"itemKey": "/id"})
        await self.patch("b", 1)
        self.assertEqual(self.shown(), "b")

    async def refuse(self, seq):
        await self.deliver({"type": "error", "code": "invalidParameter", "message": "", "temporary": False,
                            "view": "list", "seq": seq})

    async def test_a_query_that_clears_the_list_keeps_the_base_of_patches_until_the_daemon_has_handled_it(self):
        await self.listed()
        await self.view.query({"q": "new"}, shown="clear")
        self.assertEqual(self.shown(), "")
        await self.items("append", ["c"])
        self.assertEqual(self.shown(), "", "the page belongs to the list before the query")
        await self.refuse(1)
        self.assertEqual(self.shown(), "abc")
        await self.patch("b", 2)
        self.assertEqual((self.shown(), len(self.connection.messages)), ("bc", 2))

    async def test_after_the_answer_of_the_daemon_the_items_of_the_new_list_are_shown(self):
        await self.listed()
        await self.view.query({"q": "new"}, shown="clear")
        await self.deliver({"type": "update", "view": "list", "ack": 1, "list": {"count": 0, "more": True}})
        self.assertEqual(self.shown(), "")
        await self.items("replace", ["x", "y"])
        self.assertEqual(self.shown(), "xy")
        await self.items("append", ["z"])
        await self.patch("y", 2)
        self.assertEqual((self.shown(), len(self.connection.messages)), ("yz", 2))

    async def test_of_two_queries_that_clear_the_list_one_is_refused(self):
        for refused, shown in ((1, ""), (2, "ab")):
            self.setUp()
            await self.listed()
            await self.view.query({"q": "one"}, shown="clear")
            await self.view.query({"q": "two"}, shown="clear")
            await self.refuse(refused)
            self.assertEqual(self.view.parameters["q"], "two" if refused == 1 else "one")
            if refused == 1:
                self.assertEqual(self.shown(), shown)
            else:
                await self.refuse(1)
                self.assertEqual((self.shown(), self.view.parameters["q"]), (shown, "old"))
            await self.ended()

    async def test_the_refusal_of_a_second_query_shows_what_the_first_one_has_found(self):
        await self.listed()
        await self.view.query({"q": "one"}, shown="clear")
        await self.view.query({"q": "two"}, shown="clear")
        await self.deliver({"type": "update", "view": "list", "ack": 1, "list": {"count": 0, "more": True}})
        await self.items("replace", ["x"])
        self.assertEqual(self.shown(), "")
        await self.refuse(2)
        self.assertEqual(self.shown(), "x")

    async def test_a_query_is_equal_to_the_present_one_if_the_one_between_them_is_refused(self):
        await self.listed()
        await self.view.query({"q": "wrong"}, shown="clear")
        await self.view.query({"q": "old"}, shown="clear")
        self.assertEqual(self.shown(), "")
        await self.refuse(1)
        self.assertEqual((self.shown(), self.view.parameters), ("ab", {"q": "old"}))
        await self.items("append", ["c"])
        self.assertEqual(self.shown(), "abc")

    async def test_the_items_are_shown_again_if_the_daemon_has_handled_a_query_and_the_list_has_stayed(self):
        await self.listed()
        await self.view.query({"q": "wrong"}, shown="clear")
        await self.deliver({"type": "update", "view": "list", "ack": 0, "newer": True})
        self.assertEqual(self.shown(), "")
        await self.deliver({"type": "update", "view": "list", "ack": 1, "newer": True})
        self.assertEqual(self.shown(), "ab")

    async def test_a_query_between_hello_and_a_fresh_welcome_is_sent_again(self):
        await self.listed()
        await self.lost()
        await self.view.query({"q": "new"})
        self.assertEqual(self.connection.messages[0]["views"][0]["parameters"], {"q": "old"})
        await self.deliver(WELCOME | {"features": ["query", "patch"], "resumed": False}, ATTACHED)
        self.assertEqual([one["parameters"] for one in self.connection.of("configure")], [{"q": "new"}])
        await self.refuse(self.connection.of("configure")[0]["seq"])
        self.assertEqual(self.view.parameters, {"q": "old"})

    async def test_a_query_with_the_same_parameters_clears_nothing_because_the_daemon_does_nothing(self):
        await self.listed()
        await self.view.query({"q": "old"}, shown="clear")
        self.assertEqual(self.shown(), "ab")


class RandomOperationsTest(SessionTestCase):
    MESSAGES = 600

    def setUp(self):
        super().setUp()
        self.random = random.Random()

    def operation(self, number):
        """Returns a random operation. Its item is different from all others."""
        key, neighbour = (self.random.choice((value, str(value))) for value in self.random.choices(range(12), k=2))
        place = self.random.choice(({"at": "start"}, {"at": "end"}, {"before": neighbour}, {"after": neighbour}))
        item = {"id": key, "number": number}
        return self.random.choice(({"insert": item} | place, {"update": item}, {"remove": key}, {"move": key} | place))

    async def test_after_random_operations_the_list_is_that_of_a_simple_model(self):
        seed = int(os.environ.get("SEED", time.time_ns() % 10**9))
        print(f"SEED={seed}", flush=True)
        self.random.seed(seed)
        await self.welcomed(features=["patch", "live"], welcome={"features": ["patch", "live"]})
        await self.deliver(ATTACHED | {"itemKey": "/id"})
        items = {"type": "items", "view": "list", "load": "1.1", "more": True}
        model = [{"id": 0}, {"id": "0"}]
        await self.deliver(items | {"mode": "replace", "items": model, "count": 2})
        unfit = 0
        for number in range(self.MESSAGES):
            operations = [self.operation(number) for _ in range(self.random.randrange(1, 5))]
            after = model
            for operation in operations:
                after = after if after is None else applied(after, operation)
            frames = len(self.connection.frames)
            await self.deliver(items | {
                "mode": "patch", "operations": operations, "count": len(model if after is None else after)})
            model = model if after is None else after
            # Now and then the client asks by `ping` what the daemon has handled.
            sent = [[one["type"] for one in frame]
                    for frame in self.connection.frames[frames:] if isinstance(frame, list)]
            place = f"message {number} of SEED={seed}"
            self.assertEqual(self.view.items, model, place)
            self.assertEqual(sent, [["reset", "refresh"]] if after is None else [], place)
            if after is None:
                unfit += 1
                await self.deliver(items | {"mode": "replace", "items": model, "count": len(model)})
        self.assertTrue(30 < unfit < self.MESSAGES - 30, unfit)


if __name__ == "__main__":
    unittest.main()
