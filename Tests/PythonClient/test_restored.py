"""Tests how another process continues a session of the package from its saved state."""

import asyncio
import json
import unittest

from simulated import SNAPSHOT, WELCOME, SessionTestCase, settle

import refreshd

RESUMED = WELCOME | {"token": "T2", "resumed": True}
ITEMS = {"type": "items", "view": "list", "load": "1.1", "mode": "replace", "items": [{"id": "a"}]}


def order(messages):
    return [(one["type"], one.get("view")) for one in messages]


class RestoredTest(SessionTestCase):
    async def restored(self, *, served=(), change=None):
        """Returns the state of a session that has gone to the background with two views in sight and one covered."""
        await self.welcomed(features=list(served), welcome={"features": list(served)})
        await self.session.attach("second")
        await (await self.session.attach("covered")).disappear()
        if change:
            await change()
        await self.deliver(ITEMS, SNAPSHOT | {"ack": self.session.seq})
        going = asyncio.create_task(self.session.background())
        await self.clock.advance(1)
        await going
        await self.ended()
        return self.session.saved_state()

    async def test_views_that_were_hidden_by_the_background_appear_after_a_restore_and_covered_ones_do_not(self):
        state = await self.restored()
        self.network.is_open.clear()
        await self.opened(state=state, features=[])
        covered = await self.session.attach("covered")
        self.assertEqual(self.session.covered, {"covered", "second"}, "the second view was not attached yet")
        self.network.is_open.set()
        await settle()
        await self.deliver(RESUMED | {"features": []})
        kept = [one for one in self.connection.messages if one["type"] in ("appear", "disappear")]
        self.assertEqual(order(kept), [("disappear", "list"), ("appear", "list")])
        await covered.appear()
        self.assertEqual(order(self.connection.messages[-1:]), [("appear", "covered")])

    async def test_a_state_that_was_saved_after_the_restore_still_knows_what_is_hidden(self):
        state = await self.restored()
        session = refreshd.Session("ws://test", connector=self.network, state=state)
        again = json.loads(session.saved_state())
        self.assertEqual((again["hidden"], again["covered"]), (["list", "second"], ["covered"]))
        self.assertEqual(sorted(again["views"]), ["covered", "list", "second"])

    async def test_a_view_that_was_attached_again_before_the_state_was_saved_does_not_continue_the_earlier_one(self):
        async def change():
            await self.session.detach("second")
            self.network.refusals = [refreshd.ConnectFailed("no route")] * 99
            self.connection.end(1006)
            await settle()
            await self.session.detach("list")
            again = await self.session.attach("list", feed="items")
            await again.retry()
        state = await self.restored(change=change)
        self.network.refusals = []
        await self.opened(state=state)
        self.assertEqual(self.connection.frames[0][0]["views"], [])
        await self.deliver(RESUMED)
        self.assertEqual(order(self.connection.messages[1:]), [
            ("attach", "list"), ("retry", "list"), ("appear", "list")])

    async def test_a_view_that_the_saved_session_does_not_have_requests_its_items(self):
        state = await self.restored()
        session = refreshd.Session("ws://test", connector=self.network, state=state)
        for name in ("list", "new"):
            await session.attach(name, feed="items", requests_items=True)
        self.assertEqual(order(one for one in session.outbox if one["type"] == "refresh"), [("refresh", "new")])

    async def test_a_view_with_another_feed_than_in_the_saved_session_is_a_new_view(self):
        state = await self.restored()
        self.network.is_open.clear()
        await self.opened(state=state, features=[])
        await self.session.attach("second", feed="other", requests_items=True)
        self.network.is_open.set()
        await settle()
        self.assertEqual([one["view"] for one in self.connection.frames[0][0]["views"]], ["list"])
        await self.deliver(RESUMED | {"features": []})
        self.assertEqual(
            order(self.connection.messages[-2:]), [("attach", "second"), ("refresh", "second")])

    async def test_a_view_of_the_saved_session_that_is_attached_after_welcome_is_a_new_view_in_sight(self):
        await self.opened(state=await self.restored(), features=[])
        await self.deliver(RESUMED | {"features": []})
        second = await self.session.attach("second", requests_items=True)
        await second.disappear()
        self.assertEqual(order(self.connection.messages[-3:]), [
            ("attach", "second"), ("refresh", "second"), ("disappear", "second")])
        self.assertEqual(self.session.covered, {"second"})

    async def test_the_parameters_of_a_restored_view_are_those_with_which_it_is_attached(self):
        state = json.loads(await self.restored(served=["query"]))
        state["outbox"].insert(0, {"type": "configure", "view": "list", "parameters": {"q": "old"}, "seq": 1})
        session = refreshd.Session("ws://test", connector=self.network, state=json.dumps(state), features=["query"])
        await session.attach("list", feed="items", parameters={"q": "of this process"})
        messages = session.hello()[1:]
        self.assertEqual([one["type"] for one in messages], ["disappear", "configure", "appear"])
        self.assertEqual(messages[1]["parameters"], {"q": "of this process"})

    async def test_a_state_that_was_saved_before_welcome_has_the_requests_of_its_views_once(self):
        await self.opened(view={"requests_items": True})
        await self.view.retry()
        await self.ended()
        state = self.session.saved_state()
        for feed, requests in (("items", ["refresh", "retry"]), ("other", ["refresh"])):
            session = refreshd.Session("ws://test", connector=self.network, state=state)
            await session.attach("list", feed=feed, requests_items=True)
            self.assertEqual([one["type"] for one in session.hello()[1:]], requests)

    async def test_a_view_of_the_saved_session_that_is_attached_after_hello_is_a_new_view(self):
        await self.opened(state=await self.restored())
        await self.session.attach("second", requests_items=True)
        await self.deliver(RESUMED)
        self.assertEqual(
            order(self.connection.messages[-2:]), [("attach", "second"), ("refresh", "second")])

    async def test_requests_of_a_feature_are_possible_before_the_welcome_of_a_restored_session(self):
        await self.opened(state=await self.restored(served=["query"]), features=["query"])
        self.assertTrue(await self.view.query({"q": "a"}))

    async def test_a_state_of_an_earlier_version_of_the_package_is_accepted(self):
        state = json.loads(await self.restored())
        for name in ("hidden", "views", "gone", "served", "limits"):
            del state[name]
        session = refreshd.Session("ws://test", connector=self.network, state=json.dumps(state))
        self.assertEqual((session.covered, session.restored), ({"covered"}, {"list": None}))


if __name__ == "__main__":
    unittest.main()
