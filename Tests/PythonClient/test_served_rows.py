"""Tests a long list with random access, a daemon and a backend."""

import unittest

from served import ServedTestCase

import refreshd

ROWS = 10_000
SIZE = 50
ROW = 44  # the height of a row, in points
HEIGHT = 800  # of the viewport
FRAME_MS = 16


class ServedRowsTest(ServedTestCase):
    features = ["visibleRange"]

    async def listed(self, **options):
        self.serve([{"id": row} for row in range(ROWS)], size=SIZE, accepts_edits=False)
        await self.connect(
            paging={"access": "random"}, top={"intents": ["code"]},
            geometry={"viewport": {"width": 390, "height": HEIGHT}, "content": {"width": 390, "height": 0}}, **options)
        await self.until(lambda: self.view.is_random and self.view.items)

    async def handle(self, event):
        if isinstance(event, refreshd.ItemsReceived):
            for row, item in enumerate(event.items, event.first_row):
                self.assertEqual(item["id"], row)
                self.assertEqual(self.view.items[row], item)
            await self.view.resize(
                content={"width": 390, "height": ROW * len(self.view.items)}, visible=self.sight(self.view.offset))

    @staticmethod
    def sight(offset):
        return max(0, int(offset // ROW)), min(ROWS - 1, int((offset + HEIGHT - 1) // ROW))

    def is_filled(self):
        first, last = self.sight(self.view.offset)
        return all(item is not None for item in self.view.items[first:last + 1])

    async def test_after_a_fling_over_10000_rows_only_the_rows_where_it_ends_were_requested(self):
        await self.listed()
        self.assertEqual((len(self.view.items), self.view.items[0]), (ROWS, {"id": 0}))
        time, offset, step = 0, 0, 3000
        await self.view.scroll(0, "began", t=time, visible=self.sight(0))
        await self.view.scroll(0, "ended", t=time, velocity=step * 1000 / FRAME_MS)
        while step > 1:
            time, offset, step = time + FRAME_MS, offset + step, step * 0.99
            await self.view.scroll(offset, "decelerating", t=time, visible=self.sight(offset))
        await self.view.scroll(offset, "idle", t=time)
        self.assertGreater(self.sight(offset)[0], ROWS // 2)
        await self.until(self.is_filled)
        self.assertLess(len(set(self.backend.offsets)), 20, "pages that were only passed were requested")
        self.assertLess(sum(item is not None for item in self.view.items), 20 * SIZE)

    async def test_a_list_opens_at_any_row(self):
        await self.listed(visible=(7000, 7017), offset=7000 * ROW)
        await self.until(self.is_filled)
        self.assertIn(7000, self.backend.offsets)
        self.assertLess(len(self.backend.offsets), 5)

    async def test_the_rows_outlive_a_lost_connection(self):
        await self.listed()
        await self.cut()
        await self.view.scroll(5000 * ROW, "idle", cause="code", visible=(5000, 5017))
        self.mend()
        await self.until(self.is_filled)
        self.assertEqual(self.view.items[0], {"id": 0})
        self.assertTrue(self.session.is_back)


if __name__ == "__main__":
    unittest.main()
