"""Tests the views of the package: what they show, what they send, and the features, in a simulated network."""

import unittest

from simulated import ATTACHED, WELCOME, SessionTestCase

import refreshd
from refreshd.protocol import CLOSES, FAULTS, PROFILES

SIZES = {"viewport": {"width": 390, "height": 800}, "content": {"width": 390, "height": 2000}}


class ShownTest(SessionTestCase):
    async def test_an_update_is_merged_into_the_state_of_its_edge(self):
        await self.welcomed()
        await self.deliver({"type": "update", "view": "list", "ack": 0, "top": {
            "state": "pulling", "progress": 0.5, "indicator": {"progress": 0.5, "alpha": 1}}})
        await self.deliver({"type": "update", "view": "list", "ack": 0, "top": {"indicator": {"progress": 0.7}}})
        self.assertEqual(self.view.edges["top"], {
            "role": "refresh", "state": "pulling", "progress": 0.5, "indicator": {"progress": 0.7, "alpha": 1}})
        await self.deliver({"type": "update", "view": "list", "ack": 0, "top": {"state": "idle"}})
        self.assertNotIn("progress", self.view.edges["top"])

    async def test_the_frames_of_a_stream_client_are_merged_by_layer(self):
        await self.welcomed()
        for frame in ({"arc": {"x": 1, "opacity": 1}, "text": {"x": 0}}, {"arc": {"x": 2}}):
            await self.deliver({"type": "update", "view": "list", "ack": 0, "top": {"frame": frame}})
        self.assertEqual(self.view.edges["top"]["frame"], {"arc": {"x": 2, "opacity": 1}, "text": {"x": 0}})

    async def test_pages_replace_append_and_prepend_and_the_event_has_the_page_and_the_list_before(self):
        await self.welcomed()
        for mode, page in (("replace", ["b"]), ("append", ["c"]), ("prepend", ["a"])):
            await self.deliver({
                "type": "items", "view": "list", "load": "1.1", "mode": mode, "items": page, "more": True})
        self.assertEqual(self.view.items, ["a", "b", "c"])
        event = self.event(refreshd.ItemsReceived)
        self.assertEqual((event.items, event.previous, event.view), (["a"], ["b", "c"], self.view))
        self.assertTrue(self.view.has_more)

    async def test_a_horizontal_view_has_the_edges_and_insets_of_its_axis(self):
        await self.opened(view={"axis": "horizontal"})
        await self.deliver(WELCOME, ATTACHED | {"axis": "horizontal", "leading": {"state": "idle"}})
        await self.deliver({"type": "update", "view": "list", "ack": 0, "inset": {"leading": 60, "top": 9}})
        self.assertEqual(list(self.view.edges), ["leading"])
        self.assertEqual(self.view.inset, {"leading": 60, "trailing": 0})

    async def test_an_offset_command_for_an_earlier_movement_is_void(self):
        await self.welcomed()
        command = {"type": "update", "view": "list", "offset": {"to": -60, "duration": 0}}
        await self.view.scroll(-10, "began")
        await self.deliver(command | {"ack": 0})
        self.assertEqual(self.view.offset, -10)
        await self.deliver(command | {"ack": 1})
        self.assertEqual(self.view.offset, -60)

    async def test_each_kind_of_movement_begins_with_its_own_sample(self):
        await self.welcomed()
        steps = [
            ("began", None, 1), ("dragging", None, 1), ("ended", None, 1), ("decelerating", None, 1), ("idle", None, 1),
            ("decelerating", "wheel", 6), ("decelerating", "wheel", 7), ("idle", "wheel", 7),
            ("decelerating", "code", 9), ("idle", "code", 9)]
        for phase, cause, began in steps:
            await self.view.scroll(0, phase, cause=cause)
            self.assertEqual((phase, cause, self.view.began), (phase, cause, began))

    async def test_a_list_rests_within_its_content_the_insets_of_the_host_and_the_open_rooms(self):
        await self.opened(view={"geometry": SIZES | {"insets": {"top": 88, "bottom": 34}}})
        for offset, rest in ((-200, -88), (500, 500), (9000, 1234)):
            self.view.offset = offset
            self.assertEqual(self.view.rest(), rest)
        self.view.inset = {"top": 60, "bottom": 40}
        for offset, rest in ((-200, -148), (9000, 1274)):
            self.view.offset = offset
            self.assertEqual(self.view.rest(), rest)

    async def test_the_bars_and_the_safe_area_cover_the_top_and_only_the_safe_area_covers_the_other_sides(self):
        await self.opened(view={"geometry": SIZES | {
            "insets": {"top": 10}, "safeArea": {"top": 47, "bottom": 34},
            "bars": {"status": 20, "navigation": {"y": 20, "height": 44}, "search": {"height": 52, "active": True}}}})
        self.assertEqual((self.view.covered("top"), self.view.covered("bottom")), (10 + 64 + 52, 34))
        await self.view.resize(bars={"search": {"active": False}}, safeArea={"bottom": None})
        self.assertEqual((self.view.covered("top"), self.view.covered("bottom")), (10 + 64, 0))
        self.assertEqual(self.view.geometry["safeArea"], {"top": 47})

    async def test_messages_for_an_unknown_view_and_of_an_unknown_type_are_plain_events(self):
        await self.welcomed()
        await self.deliver({"type": "update", "view": "gone", "ack": 0}, {"type": "weather"})
        self.assertEqual([type(event) for event in self.events[-2:]], [refreshd.Event] * 2)

    async def test_faults_and_diagnostics_are_events_with_their_codes(self):
        await self.welcomed()
        await self.deliver(
            {"type": "error", "code": "unknownFeed", "message": "No.", "temporary": False, "view": "list"},
            {"type": "diagnostic", "code": "coolingDown", "message": "Later."})
        fault, ignored = self.event(refreshd.Faulted), self.event(refreshd.Ignored)
        self.assertEqual((fault.code, fault.view, fault.is_temporary), ("unknownFeed", self.view, False))
        self.assertEqual((ignored.code, ignored.explanation), ("coolingDown", "Later."))


class SentTest(SessionTestCase):
    async def test_each_request_has_the_message_of_the_protocol(self):
        await self.welcomed()
        requests = [
            (self.view.refresh(), {"type": "refresh", "cause": "code"}),
            (self.view.load_more(cause="key"), {"type": "loadMore", "cause": "key"}),
            (self.view.show_refresh(animated=True), {"type": "begin", "animated": True}),
            (self.view.hide_refresh(), {"type": "end"}),
            (self.view.retry("bottom"), {"type": "retry", "edge": "bottom"}),
            (self.view.cancel(), {"type": "cancel"}),
            (self.view.reset("top"), {"type": "reset", "edge": "top"}),
            (self.view.open_floor(False), {"type": "floor", "open": False}),
            (self.view.begin_load("1.1", accepted=False), {"type": "loadBegan", "load": "1.1", "accepted": False}),
            (self.view.report_progress("1.1", 0.5), {"type": "loadProgress", "load": "1.1", "progress": 0.5}),
            (self.view.finish_load("1.1", "failed", code="x"), {
                "type": "loadFinished", "load": "1.1", "result": "failed", "code": "x"}),
            (self.view.pan(12, "began"), {"type": "pan", "translation": 12, "phase": "began"}),
        ]
        for number, (request, expected) in enumerate(requests, 1):
            await request
            self.assertEqual(self.connection.messages[-1], expected | {"view": "list", "seq": number})

    async def test_options_that_were_changed_describe_the_view_in_later_sessions(self):
        await self.welcomed(view={"top": {"length": 80}})
        await self.view.configure(edges={"top": {"coolDown": 500}, "bottom": None}, paging={"size": 10})
        await self.view.enable("top", False)
        self.assertEqual(self.connection.of("configure")[0]["top"], {"coolDown": 500})
        await self.lost()
        body = self.connection.frames[0][0]["views"][0]
        self.assertEqual((body["top"], body["bottom"], body["paging"]),
                         ({"length": 80, "coolDown": 500, "enabled": False}, None, {"size": 10}))

    async def test_changed_sizes_are_merged_and_describe_the_view_from_then_on(self):
        await self.welcomed(view={"geometry": SIZES})
        await self.view.resize(content={"width": 390, "height": 3000}, offset=40)
        self.assertEqual(self.connection.of("geometry"), [{
            "type": "geometry", "view": "list", "content": {"width": 390, "height": 3000}, "offset": 40, "seq": 1}])
        body = self.view.body()
        sizes = body["geometry"]
        self.assertEqual(
            (sizes["content"]["height"], sizes["viewport"]["height"], body["offset"]), (3000, 800, 40))

    async def test_the_messages_of_a_removed_view_are_not_repeated(self):
        await self.welcomed()
        await self.view.refresh()
        await self.view.detach()
        self.assertEqual(self.connection.messages[-1], {"type": "detach", "view": "list", "seq": 2})
        await self.lost()
        self.assertEqual([one["type"] for one in self.connection.frames[0]], ["hello"])
        self.assertEqual(self.connection.frames[0][0]["views"], [])


class FeaturesTest(SessionTestCase):
    async def served(self, names, served):
        await self.welcomed(features=names, welcome={} if served is None else {"features": served})

    async def test_a_query_is_sent_and_describes_the_view_from_then_on(self):
        await self.served(["query"], ["query"])
        self.view.items = ["a"]
        self.assertTrue(await self.view.query({"q": "a"}, debounce_ms=250, shown="clear"))
        self.assertEqual(self.connection.messages[-1], {
            "type": "configure", "view": "list", "parameters": {"q": "a"}, "debounceMs": 250, "shown": "clear",
            "seq": 1})
        self.assertEqual(self.view.items, [])
        self.assertEqual(self.view.body()["parameters"], {"q": "a"})

    async def test_without_the_feature_there_is_no_query_no_reveal_and_no_read_mark(self):
        for names, served in ((None, None), ([], ["query", "unread"]), (["query", "unread"], [])):
            with self.subTest(names=names, served=served):
                self.setUp()
                await self.served(names, served)
                self.assertFalse(await self.view.query({"q": "a"}))
                self.assertFalse(await self.view.reveal())
                await self.view.mark_read("m42")
                self.assertEqual(len(self.connection.messages), 1)
                await self.ended()

    async def test_a_reveal_and_a_read_mark_are_sent_if_the_feature_is_in_use(self):
        await self.served(["unread"], ["unread"])
        self.assertTrue(await self.view.reveal(item="m42", position=700))
        await self.view.mark_read("m42")
        self.assertEqual(self.connection.messages[1:], [
            {"type": "reveal", "view": "list", "id": "m42", "position": 700, "seq": 1},
            {"type": "read", "view": "list", "id": "m42", "seq": 2}])
        await self.deliver({
            "type": "update", "view": "list", "ack": 2, "newerCount": 3, "away": True, "read": "m42", "newer": True})
        self.assertEqual((self.view.newer_count, self.view.is_away, self.view.read_mark, self.view.is_newer),
                         (3, True, "m42", True))

    async def test_a_query_that_the_daemon_refuses_does_not_describe_the_view(self):
        await self.served(["query"], ["query"])
        await self.view.query({"q": "a"})
        await self.view.query({"q": "b"})
        refused = {"type": "error", "code": "invalidParameter", "message": "", "temporary": False, "view": "list"}
        for seq, parameters in ((1, {"q": "b"}), (2, None)):
            await self.deliver(refused | {"seq": seq})
            self.assertEqual(self.view.body().get("parameters"), parameters)
        for text in ("c", "d", "e"):
            await self.view.query({"q": text})
        for seq, text in ((4, "e"), (5, "c")):
            await self.deliver(refused | {"seq": seq})
            self.assertEqual(self.view.body()["parameters"], {"q": text})

    async def test_a_view_disappears_and_appears_once_for_each_change(self):
        await self.served([], [])
        for change in (self.view.appear, self.view.disappear, self.view.disappear, self.view.appear, self.view.appear):
            await change()
        self.assertEqual([one["type"] for one in self.connection.messages[1:]], ["disappear", "appear"])

    async def patches(self):
        """Serves a view with patches and four items, of which the key is `id`."""
        await self.served(["patch"], ["patch"])
        await self.deliver({"type": "attached", "view": "list", "ack": 0, "generation": 1, "itemKey": "/id",
                            "top": {"role": "refresh", "state": "idle"}})
        await self.items("replace", [{"id": number} for number in (1, 2, 3, "1")])

    async def items(self, mode, items, count=None):
        member = {"runs": items, "count": count} if mode == "patch" else {"items": items, "count": len(items)}
        await self.deliver({"type": "items", "view": "list", "load": "1.1", "mode": mode, "more": True} | member)

    async def test_a_patch_makes_the_new_list_of_the_same_objects(self):
        await self.patches()
        first, _, third, fourth = self.view.items
        new = {"id": 2, "title": "new"}
        await self.items("patch", [{"from": "1", "count": 1}, {"from": 1, "count": 1}, {"items": [new]}], 3)
        self.assertEqual(self.view.items, [fourth, first, new])
        self.assertIs(self.view.items[1], first)
        await self.items("append", [third, {"id": 5}])
        await self.items("patch", [{"from": 2, "count": 2}], 2)
        self.assertEqual(self.view.items, [new, third])
        self.assertEqual(len(self.connection.messages), 1)

    async def test_a_patch_that_does_not_fit_changes_nothing_and_the_whole_list_is_requested_once(self):
        unfit = (([{"from": 9, "count": 1}], 1), ([{"from": 3, "count": 3}], 3), ([{"from": 1, "count": 2}], 3),
                 ([{"from": True, "count": 1}], 1), ([{"from": None, "count": 1}], 1))
        for runs, count in unfit:
            with self.subTest(runs=runs):
                self.setUp()
                await self.patches()
                before = list(self.view.items)
                await self.items("patch", runs, count)
                await self.items("append", [{"id": 7}])
                await self.items("patch", [{"from": 1, "count": 1}], 1)
                self.assertEqual(self.view.items, before)
                self.assertEqual(self.connection.messages[1:], [
                    {"type": "reset", "view": "list", "seq": 1},
                    {"type": "refresh", "view": "list", "cause": "code", "seq": 2}])
                await self.items("replace", [{"id": 8}])
                await self.items("patch", [{"items": [{"id": 9}]}, {"from": 8, "count": 1}], 2)
                self.assertEqual(self.view.items, [{"id": 9}, {"id": 8}])
                await self.ended()

    async def test_several_items_with_the_key_of_a_run_do_not_fit(self):
        await self.patches()
        await self.items("append", [{"id": 1}])
        before = list(self.view.items)
        await self.items("patch", [{"from": 1, "count": 1}], 1)
        self.assertEqual(self.view.items, before)
        self.assertEqual(self.connection.messages[-1]["type"], "refresh")

    async def test_a_key_within_an_item_is_found_by_its_pointer(self):
        await self.patches()
        await self.deliver({"type": "attached", "view": "list", "ack": 0, "generation": 1, "itemKey": "/a~1b/1"})
        await self.items("replace", [{"a/b": [0, "x"]}, {"a/b": [0, "y"]}, {"a/b": [0]}, 5])
        await self.items("patch", [{"from": "y", "count": 1}], 1)
        self.assertEqual(self.view.items, [{"a/b": [0, "y"]}])

    async def operate(self, operations, count, **members):
        await self.deliver({"type": "items", "view": "list", "load": "1.2", "mode": "patch", "more": True,
                            "operations": operations, "count": count} | members)

    def ids(self):
        return [item["id"] for item in self.view.items]

    async def test_operations_are_applied_in_order_and_unchanged_items_are_the_same_objects(self):
        await self.patches()
        first, second, third, _ = self.view.items
        changed = {"id": 2, "title": "new"}
        await self.operate([
            {"insert": {"id": 5}, "at": "start"}, {"insert": {"id": 6}, "after": 5}, {"update": changed}, {"remove": "1"},
            {"move": 3, "before": 1}, {"move": 5, "at": "end"}, {"insert": {"id": "1"}, "before": 2}], 6)
        self.assertEqual(self.ids(), [6, 3, 1, "1", 2, 5])
        self.assertIs(self.view.items[1], third)
        self.assertIs(self.view.items[2], first)
        self.assertEqual((self.view.items[4], second), (changed, {"id": 2}))
        event = self.event(refreshd.ItemsReceived)
        self.assertEqual((event.items, [item["id"] for item in event.previous]), (self.view.items, [1, 2, 3, "1"]))
        self.assertEqual(len(self.connection.messages), 1)

    async def test_an_item_that_moves_next_to_itself_or_to_its_own_place_stays(self):
        await self.patches()
        await self.operate([
            {"move": 2, "before": 2}, {"move": 2, "after": 2}, {"move": 2, "after": 1}, {"move": 2, "before": 3},
            {"move": 1, "at": "start"}, {"move": "1", "at": "end"}], 4)
        self.assertEqual(self.ids(), [1, 2, 3, "1"])

    async def test_operations_pages_and_runs_follow_each_other(self):
        await self.patches()
        await self.operate([{"remove": 1}, {"remove": 2}], 2)
        await self.items("append", [{"id": 7}])
        await self.operate([{"move": 7, "at": "start"}], 3)
        self.assertEqual(self.ids(), [7, 3, "1"])
        await self.items("patch", [{"from": 7, "count": 2}], 2)
        await self.operate([{"remove": 7}, {"remove": 3}], 0)
        await self.operate([{"insert": {"id": 8}, "at": "end"}], 1)
        self.assertEqual(self.ids(), [8])

    async def test_the_load_of_operations_is_received_although_no_loading_has_come_before_it(self):
        await self.patches()
        await self.operate([{"remove": 1}], 3, load="1.9")
        await self.lost()
        self.assertEqual(self.connection.messages[0]["resume"]["received"], ["1.9"])

    async def test_operations_that_do_not_fit_change_nothing_and_the_whole_list_is_requested_once(self):
        new = {"id": 9}
        unfit = (
            [{"remove": 9}], [{"remove": "2"}], [{"remove": None}], [{"remove": 1.0}], [{"remove": True}], [{"remove": [1]}],
            [{"insert": {"id": 2}, "at": "end"}], [{"insert": {"name": 2}, "at": "end"}], [{"insert": None, "at": "end"}],
            [{"update": new}], [{"move": 1, "after": 9}], [{"move": 9, "at": "end"}], [{"insert": new}],
            [{"insert": new, "at": "start", "before": 1}], [{"move": 1, "at": "middle"}], [{"move": 1, "at": ["start"]}],
            [{"remove": 1, "update": {"id": 1}}], [{"at": "end"}], [{}], [None], [1], ["remove"], [[]], {"remove": 1}, None,
            "remove", 5, [{"remove": 1}, {"insert": new, "at": "start"}, {"remove": 1}],
            [{"remove": 1}, {"insert": new, "before": 1}])
        counts = [(operations, {"count": 4}) for operations in unfit]
        counts += [([{"remove": 1}], {"count": count}) for count in (4, "3", None, float("nan"))]
        counts += [([{"remove": 9}], {"count": 4, "items": [new]})]
        for operations, members in counts:
            with self.subTest(operations=operations, **members):
                self.setUp()
                await self.patches()
                before = list(self.view.items)
                await self.operate(operations, **members)
                await self.operate([{"remove": 1}], 3)
                await self.items("append", [{"id": 7}])
                self.assertEqual(self.view.items, before)
                self.assertEqual(sum(isinstance(event, refreshd.ItemsReceived) for event in self.events), 1)
                self.assertEqual(self.connection.frames[1:], [[
                    {"type": "reset", "view": "list", "seq": 1},
                    {"type": "refresh", "view": "list", "cause": "code", "seq": 2}]])
                await self.items("replace", [{"id": 8}])
                await self.operate([{"insert": new, "before": 8}], 2)
                self.assertEqual(self.ids(), [9, 8])
                await self.ended()

    async def test_a_key_that_several_items_have_is_not_found_and_is_not_free(self):
        for operation in ({"remove": 1}, {"insert": {"id": 1}, "at": "end"}, {"move": 2, "before": 1}):
            with self.subTest(operation=operation):
                self.setUp()
                await self.patches()
                await self.items("append", [{"id": 1}])
                await self.operate([{"insert": {"id": 9}, "at": "end"}, {"move": 3, "at": "start"}], 6)
                self.assertEqual(self.ids(), [3, 1, 2, "1", 1, 9])
                await self.operate([operation], 5)
                self.assertEqual(self.ids(), [3, 1, 2, "1", 1, 9])
                self.assertEqual(self.connection.messages[-1]["type"], "refresh")
                await self.ended()

    async def test_a_daemon_without_features_gets_no_message_of_them(self):
        await self.served(["query", "unread"], ["query", "unread"])
        self.connection.is_aborted = True
        await self.view.disappear()
        await self.view.query({"q": "a"})
        await self.view.mark_read("m1")
        await self.view.refresh()
        self.connection.end(1006)
        await self.clock.advance(1)
        await self.deliver(WELCOME | {"resumed": True, "ack": 0})
        self.assertEqual([kept["type"] for kept in self.session.outbox], ["refresh"])

    async def test_a_covered_view_disappears_again_in_a_fresh_session(self):
        await self.served([], [])
        await self.view.disappear()
        await self.lost()
        await self.deliver(WELCOME | {"session": "77aa", "resumed": False, "features": []})
        self.assertEqual(len(self.connection.of("disappear")), 2, "once with `hello`, and once in the fresh session")


class LayoutTest(SessionTestCase):
    async def laid_out(self, before, after, offset):
        """Returns the messages that a list at the offset sends when its items change. Each item is 100 points long."""
        self.setUp()
        content = {"width": 390, "height": 100 * len(before)}
        await self.welcomed(view={"offset": offset, "geometry": {"content": content}})
        rows = [[(name, 100 * index) for index, name in enumerate(names)] for names in (before, after)]
        await self.view.lay_out(*rows, {"width": 390, "height": 100 * len(after)})
        frame = self.connection.frames[-1]
        await self.ended()
        return frame

    async def test_the_item_that_is_read_is_named_with_both_positions_in_one_frame(self):
        named, laid = await self.laid_out("abc", "nabc", 150)
        self.assertEqual(named["anchor"], {"id": "b", "position": 100})
        self.assertNotIn("content", named)
        self.assertEqual(laid["anchor"], {"id": "b", "position": 200})
        self.assertEqual(laid["content"], {"width": 390, "height": 400})
        self.assertEqual(self.view.geometry["content"]["height"], 400)

    async def test_the_nearest_neighbour_is_named_if_the_item_is_gone(self):
        named, laid = await self.laid_out("abcd", "nad", 150)
        self.assertEqual((named["anchor"]["id"], laid["anchor"]["position"]), ("a", 100))

    async def test_no_item_is_named_at_the_start_or_if_none_is_left(self):
        for before, after, offset in (("abc", "nabc", 0), ("abc", "xyz", 150), ("", "abc", 0)):
            frame = await self.laid_out(before, after, offset)
            self.assertEqual([set(one) for one in frame], [{"type", "view", "content", "seq"}])


class TablesTest(unittest.TestCase):
    def test_the_tables_of_the_protocol_have_their_meaning(self):
        self.assertEqual(CLOSES[4200].action, "reconnectAtOnce")
        self.assertTrue(all(close.action == "stop" for code, close in CLOSES.items() if 4000 <= code < 4100))
        self.assertEqual(FAULTS["draining"].closes, 4100)
        self.assertEqual(PROFILES["default"].refresh["length"], 64)
        self.assertEqual(PROFILES["iqpulltorefresh"].view["attention"], "movement")


if __name__ == "__main__":
    unittest.main()
