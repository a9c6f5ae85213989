"""Tests edits with a daemon and a backend: each is performed once, and shown once, whatever is lost."""

import asyncio
import unittest

from served import ServedTestCase

import refreshd


class ServedEditsTest(ServedTestCase):
    async def listed(self):
        self.serve([{"id": "a"}, {"id": "b"}])
        await self.connect()
        await self.until(lambda: self.shown() == ["a", "b"])

    async def handle(self, event):
        if isinstance(event, refreshd.ItemsReceived | refreshd.Edited):
            keys = self.shown()
            self.assertEqual(len(keys), len(set(keys)))
            self.steps.append(keys)

    def setUp(self):
        super().setUp()
        self.steps = []

    def results(self):
        return [(event.edit, event.result, event.code) for event in self.of(refreshd.Edited)]

    async def called(self):
        await asyncio.get_running_loop().run_in_executor(None, self.backend.has_call.wait, 60)

    async def test_an_insert_without_a_connection_is_performed_once_after_the_reconnection(self):
        await self.listed()
        self.assertEqual(self.view.accepted_edits, ["insert", "update", "remove", "move"])
        await self.cut()
        name = await self.view.edit({"insert": {"id": "c"}, "at": "start"})
        self.assertEqual(self.shown(), ["c", "a", "b"])
        self.mend()
        await self.until(lambda: self.results() == [(name, "confirmed", None)])
        self.assertEqual((self.shown(), len(self.backend.calls)), (["c", "a", "b"], 1))
        self.assertEqual(self.view.received, [{"id": "c"}, {"id": "a"}, {"id": "b"}])

    async def test_an_edit_whose_connection_is_lost_before_its_answer_is_performed_once(self):
        await self.listed()
        self.backend.goes_on.clear()
        name = await self.view.edit({"insert": {"id": "c"}, "at": "start"})
        await self.called()
        await self.cut()
        self.mend()
        await self.until(lambda: self.of(refreshd.Connected)[1:])
        self.backend.goes_on.set()
        await self.until(lambda: self.results() == [(name, "confirmed", None)])
        self.assertEqual((self.shown(), len(self.backend.calls)), (["c", "a", "b"], 1))

    async def test_an_edit_is_performed_once_though_the_daemon_is_killed_while_it_performs_it(self):
        await self.listed()
        self.backend.goes_on.clear()
        await self.view.edit({"insert": {"id": "c"}, "at": "start"})
        await self.called()
        self.daemon.kill()
        self.backend.goes_on.set()
        self.daemon.start()
        await self.until(lambda: self.of(refreshd.Edited) and self.shown() == ["c", "a", "b"])
        self.assertEqual((len(set(self.backend.calls)), len(self.backend.answers)), (1, 1))
        self.assertEqual([item["id"] for item in self.backend.items], ["c", "a", "b"])

    async def test_the_item_that_the_backend_names_takes_the_place_of_the_edited_one_at_once(self):
        await self.listed()
        self.backend.renames = True
        self.steps.clear()
        name = await self.view.edit({"insert": {"id": "c"}, "at": "start"})
        await self.until(lambda: self.of(refreshd.Edited))
        self.assertEqual(self.results(), [(name, "replaced", None)])
        self.assertEqual(self.of(refreshd.Edited)[0].key, "named-c")
        self.assertEqual(self.steps, [["named-c", "a", "b"]] * 2)

    async def test_an_edit_is_undone_while_it_waits(self):
        await self.listed()
        name = await self.view.edit({"remove": "a"}, delay_ms=60_000)
        self.assertEqual(self.shown(), ["b"])
        self.assertFalse(await self.view.undo(name))
        await self.until(lambda: self.of(refreshd.Edited))
        self.assertEqual(self.results(), [(name, "rolledBack", "undone")])
        self.assertEqual((self.shown(), self.backend.calls), (["a", "b"], []))

    async def test_an_edit_that_the_backend_refuses_is_taken_back(self):
        await self.listed()
        self.backend.refuses = True
        await self.view.edit({"remove": "a"})
        self.assertEqual(self.shown(), ["b"])
        await self.until(lambda: self.of(refreshd.Edited))
        event = self.of(refreshd.Edited)[0]
        self.assertEqual((event.result, event.is_temporary, self.shown()), ("rolledBack", False, ["a", "b"]))
        self.assertTrue(event.code and event.explanation)

    async def test_another_process_continues_the_edits(self):
        await self.listed()
        await self.cut()
        name = await self.view.edit({"remove": "a"})
        await self.session.background()
        state, stored = self.session.saved_state(), self.view.received
        await self.disconnect()
        await self.connect(state=state)
        self.view.items = stored
        self.assertEqual(self.shown(), ["b"])
        await self.until(lambda: self.of(refreshd.Edited))
        self.assertEqual(self.results(), [(name, "confirmed", None)])
        self.assertTrue(self.of(refreshd.Connected)[0].is_resumed)
        self.assertEqual((self.shown(), self.view.received, len(self.backend.calls)), (["b"], [{"id": "b"}], 1))


if __name__ == "__main__":
    unittest.main()
