"""Tests lists with random access: their rows, and how the rows in sight are reported."""

import os
import random
import time
import unittest

from simulated import ATTACHED, WELCOME, SessionTestCase

import refreshd

FEATURES = ["visibleRange"]
SERVED = WELCOME | {"features": FEATURES}
SIZE = 10


def attached(**paging):
    return ATTACHED | {"paging": {"style": "offset", "size": SIZE, "access": "random"} | paging}


def page(row, count=SIZE, mode="fill", **members):
    """Returns the items of some rows. The item of a row is its number."""
    return {"type": "items", "view": "list", "load": "1.1", "mode": mode, "count": count, "offset": row, "more": False,
            "items": list(range(row, row + count))} | members


class RowsTestCase(SessionTestCase):
    async def listed(self, total=100, paging=None, **options):
        view = {"paging": {"access": "random", "style": "offset", "size": SIZE}} | options
        await self.opened(features=FEATURES, view=view)
        await self.deliver(SERVED, attached(**(paging or {})), page(0, mode="replace", total=total))

    def known(self):
        """Returns the rows that have an item."""
        return [row for row, item in enumerate(self.view.items) if item is not None]

    def visible(self):
        return [one["visible"] and (one["visible"]["first"], one["visible"]["last"]) if "visible" in one else None
                for one in self.connection.of("scroll", "geometry")]


class ListOfRowsTest(RowsTestCase):
    async def test_a_list_has_a_placeholder_for_each_row_that_has_not_arrived(self):
        await self.listed()
        self.assertTrue(self.view.is_random)
        self.assertEqual((len(self.view.items), self.known()), (100, list(range(10))))
        event = self.event(refreshd.ItemsReceived)
        self.assertEqual((event.first_row, event.items), (0, list(range(10))))
        await self.deliver(page(50))
        self.assertEqual(self.known(), [*range(10), *range(50, 60)])
        self.assertEqual([self.view.items[row] for row in self.known()], self.known())
        event = self.event(refreshd.ItemsReceived)
        self.assertEqual((event.first_row, event.items, event.previous[50]), (50, list(range(50, 60)), None))

    async def test_a_refresh_begins_a_new_list_at_the_page_in_sight(self):
        await self.listed()
        await self.deliver(page(70, mode="replace", total=80))
        self.assertEqual((len(self.view.items), self.known()), (80, list(range(70, 80))))

    async def test_an_offset_that_begins_at_one_is_the_row_minus_one(self):
        await self.listed(paging={"first": 1})
        await self.deliver(page(11, items=["x"] * 10), page(1, mode="fill", items=["y"]))
        self.assertEqual(self.view.items[:12], ["y"] + self.view.items[1:10] + ["x", "x"])
        self.assertEqual(self.event(refreshd.ItemsReceived).first_row, 0)

    async def test_another_total_changes_the_number_of_rows_and_the_items_of_the_others_stay(self):
        await self.listed()
        await self.deliver(page(50))
        update = {"type": "update", "view": "list", "ack": 0}
        await self.deliver(update | {"list": {"count": 55, "more": False}}, page(20, total=55))
        self.assertEqual((len(self.view.items), self.known()), (55, [*range(10), *range(20, 30), *range(50, 55)]))
        await self.deliver(update | {"list": {"count": 200, "more": False}})
        self.assertEqual((len(self.view.items), len(self.known())), (200, 25))
        await self.deliver(update | {"list": {"count": 0, "more": False}})
        self.assertEqual(len(self.view.items), 200, "the items stay until new ones arrive")

    async def test_a_list_has_at_most_65535_pages(self):
        await self.listed(total=10_000_000)
        self.assertEqual(len(self.view.items), 655_350)

    async def test_without_a_total_the_view_continues_with_sequential_access(self):
        await self.listed()
        await self.deliver(page(0, mode="replace"), page(10, mode="append", total=100))
        self.assertEqual((self.view.items, self.view.is_random), (list(range(20)), False))
        await self.view.configure(paging={"access": "random"})
        await self.deliver(page(30, mode="replace", total=100))
        self.assertEqual((len(self.view.items), self.known()), (100, list(range(30, 40))))

    async def test_the_total_of_a_list_with_sequential_access_makes_no_rows(self):
        await self.welcomed(features=FEATURES, welcome={"features": FEATURES})
        await self.deliver(page(0, mode="replace", total=100))
        self.assertEqual(self.view.items, list(range(10)))
        self.assertIsNone(self.event(refreshd.ItemsReceived).first_row)

    async def test_rows_outlive_a_resume_and_a_fresh_session_until_new_ones_arrive(self):
        await self.listed()
        await self.lost()
        await self.deliver(SERVED | {"resumed": True}, attached(), page(50))
        self.assertEqual(self.known(), [*range(10), *range(50, 60)])
        await self.lost()
        await self.deliver(SERVED, attached())
        self.assertEqual(self.known(), [*range(10), *range(50, 60)])
        await self.deliver(page(20, mode="replace", total=30))
        self.assertEqual((len(self.view.items), self.known()), (30, list(range(20, 30))))

    async def test_a_change_of_the_rows_by_the_app_is_replaced_by_the_next_page(self):
        await self.listed()
        self.view.items.clear()
        await self.deliver(page(50))
        self.assertEqual(self.known(), [*range(10), *range(50, 60)])


class RowsInSightTest(RowsTestCase):
    async def test_rows_are_reported_when_they_have_changed_with_each_idle_and_with_each_geometry(self):
        await self.listed()
        for offset, phase, rows in ((0, "began", (0, 7)), (4, "dragging", (0, 7)), (40, "dragging", (1, 8)), (44, "ended", None),
                                    (50, "idle", None)):
            await self.view.scroll(offset, phase, visible=rows)
        await self.view.resize(content={"width": 390, "height": 4400})
        await self.view.lay_out([("0", 0), ("1", 44)], [("0", 0), ("1", 44)], {"width": 390, "height": 88}, visible=(0, 1))
        self.assertEqual(self.visible(), [(0, 7), None, (1, 8), None, (1, 8), (1, 8), None, (0, 1)])

    async def test_a_view_without_rows_in_sight_reports_none(self):
        await self.welcomed()
        await self.view.scroll(0, "idle")
        await self.view.resize(content={"width": 390, "height": 4400})
        self.assertEqual(self.visible(), [None, None])

    async def test_wrong_rows_are_refused_and_change_nothing(self):
        await self.listed()
        await self.view.scroll(0, "idle", visible=(1, 2))
        for rows, kind in (((3, 2), ValueError), ((-1, 2), ValueError), ((0, 2**31), ValueError), ((0,), TypeError),
                           ((0, 1.5), TypeError), ((True, 2), TypeError), (7, TypeError)):
            for call in (lambda: self.view.scroll(0, "idle", visible=rows), lambda: self.view.resize(visible=rows),
                         lambda: self.session.attach("other", visible=rows)):
                with self.assertRaises(kind):
                    await call()
        await self.view.scroll(0, "idle")
        self.assertEqual(self.visible(), [(1, 2), (1, 2)])

    async def test_a_list_opens_at_the_rows_in_sight_in_each_fresh_session(self):
        await self.opened(features=FEATURES, view={"requests_items": True, "visible": (130, 147)})
        self.assertEqual([one["type"] for one in self.connection.messages], ["hello", "geometry", "refresh"])
        await self.deliver(SERVED, attached(), page(130, mode="replace", total=500))
        await self.view.scroll(0, "idle", visible=(200, 217))
        await self.lost()
        await self.deliver(SERVED | {"resumed": False}, attached())
        kinds = [(one["type"], one.get("visible", {}).get("first")) for one in self.connection.messages[1:]]
        self.assertEqual(kinds[-3:], [("geometry", 200), ("refresh", None), ("geometry", 200)])

    async def test_the_rows_in_sight_are_reported_again_when_the_view_is_attached(self):
        await self.listed()
        await self.view.scroll(0, "dragging", visible=(0, 7))
        await self.lost()
        await self.view.scroll(40, "dragging", visible=(1, 8))
        await self.view.scroll(44, "dragging", visible=(1, 8))
        await self.deliver(SERVED | {"resumed": True}, attached())
        self.assertEqual((self.connection.messages[-1]["type"], self.visible()[-1]), ("geometry", (1, 8)))
        await self.view.scroll(48, "dragging", visible=(1, 8))
        self.assertNotIn("visible", self.connection.messages[-1])
        await self.deliver({"type": "update", "view": "list", "ack": self.session.seq})
        await self.lost()
        await self.deliver(WELCOME | {"features": [], "resumed": True}, ATTACHED)
        self.assertEqual(self.connection.of("geometry"), [])


class RandomRowsTest(RowsTestCase):
    STEPS = 500

    async def test_after_random_pages_and_losses_the_rows_are_those_of_a_simple_model(self):
        seed = int(os.environ.get("SEED", time.time_ns() % 10**9))
        print(f"SEED={seed}", flush=True)
        self.random = random.Random(seed)
        await self.listed()
        self.model = {row: row for row in range(10)}
        self.total, self.is_open, self.number = 100, True, 0
        for step in range(self.STEPS):
            way = self.random.choice((self.fill, self.fill, self.fill, self.replace, self.lose, self.come_back))
            await way()
            place = f"step {step} ({way.__name__}) of SEED={seed}"
            self.assertEqual(self.view.items, [self.model.get(row) for row in range(self.total)], place)

    def message(self, row, mode, total):
        self.number += 1
        items = [f"{self.number}.{one}" for one in range(self.random.randrange(SIZE + 1))][:max(0, total - row)]
        self.model |= {row + index: item for index, item in enumerate(items)}
        return page(row, len(items), mode=mode, items=items, total=total)

    async def fill(self):
        """The daemon sends a page, whose answer may have another total."""
        if self.is_open:
            self.total = max(SIZE, self.total + self.random.choice((0, 0, 0, -15, 15)))
            self.model = {row: item for row, item in self.model.items() if row < self.total}
            update = {"type": "update", "view": "list", "ack": 0, "list": {"count": self.total, "more": False}}
            await self.deliver(update, self.message(self.random.randrange(self.total // SIZE) * SIZE, "fill", self.total))

    async def replace(self):
        if self.is_open and self.random.random() < 0.3:
            self.model, self.total = {}, self.random.randrange(SIZE, 200)
            await self.deliver(self.message(self.random.randrange(self.total // SIZE) * SIZE, "replace", self.total))

    async def lose(self):
        if self.is_open and self.random.random() < 0.3:
            self.is_open = False
            await self.lost(seconds=40)

    async def come_back(self):
        if not self.is_open:
            self.is_open = True
            await self.deliver(SERVED | {"resumed": self.random.random() < 0.5}, attached())


if __name__ == "__main__":
    unittest.main()
