"""Tests the sections of a list, which follow from the items that are shown."""

import unittest

from simulated import ATTACHED, WELCOME, SessionTestCase

from refreshd import Section
from refreshd.sections import sections_of


class SectionsTest(unittest.TestCase):
    def test_a_section_is_a_run_of_items_with_equal_values(self):
        days = ["mon", "mon", "tue", "mon"]
        self.assertEqual(
            sections_of([{"day": day} for day in days], "/day"),
            [Section("mon", 0, 2), Section("tue", 2, 1), Section("mon", 3, 1)])
        self.assertEqual(sections_of([], "/day"), [])

    def test_values_of_other_kinds_and_missing_ones_count_as_null(self):
        items = [{"at": {"day": 1}}, {"at": {"day": True}}, {"at": {"day": []}}, {"at": {}}, {"at": {"day": None}}, 7, "text"]
        self.assertEqual(
            sections_of(items, "/at/day"), [Section(1, 0, 1), Section(True, 1, 1), Section(None, 2, 5)])
        self.assertIs(sections_of(items, "/at/day")[1].value, True)

    def test_a_placeholder_belongs_to_no_section_and_ends_the_run(self):
        items = [None, {"day": "mon"}, None, {"day": "mon"}, {"day": "mon"}]
        self.assertEqual(sections_of(items, "/day"), [Section("mon", 1, 1), Section("mon", 3, 2)])


class ListWithSectionsTest(SessionTestCase):
    FEATURES = ["patch", "live", "edits"]

    async def test_the_sections_follow_pages_operations_and_edits(self):
        await self.opened(features=self.FEATURES)
        attached = ATTACHED | {"itemKey": "/id", "sectionKey": "/day", "edits": ["insert", "remove"]}
        await self.deliver(WELCOME | {"features": self.FEATURES}, attached)
        self.assertEqual(self.view.sections, [])
        page = {"type": "items", "view": "list", "load": "1.1", "mode": "replace", "count": 2, "more": False,
                "items": [{"id": 1, "day": "mon"}, {"id": 2, "day": "tue"}]}
        await self.deliver(page)
        self.assertEqual(self.view.sections, [Section("mon", 0, 1), Section("tue", 1, 1)])
        await self.deliver({
            "type": "items", "view": "list", "load": "1.2", "mode": "patch", "count": 3, "more": False,
            "operations": [{"insert": {"id": 3, "day": "mon"}, "at": "start"}]})
        self.assertEqual(self.view.sections, [Section("mon", 0, 2), Section("tue", 2, 1)])
        await self.view.edit({"remove": 2})
        self.assertEqual(self.view.sections, [Section("mon", 0, 2)])

    async def test_a_feed_without_sections_has_none(self):
        await self.opened(features=[])
        await self.deliver(WELCOME | {"features": []}, ATTACHED, {
            "type": "items", "view": "list", "load": "1.1", "mode": "replace", "count": 1, "more": False,
            "items": [{"id": 1}]})
        self.assertEqual((self.view.section_key, self.view.sections), (None, []))
