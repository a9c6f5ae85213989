import assert from "node:assert/strict";
import { test } from "node:test";
import { PlaceKeeper } from "../../clients/web/place-keeper.js";

// `list-layout.js` imports a module that reads the user's preference from the browser.
globalThis.matchMedia = () => ({ matches: false });
const { ListLayout } = await import("../../clients/web/list-layout.js");

/** A list of rows of 100 points each, whose content begins at the top of the window. */
function content(...ids) {
  const rows = ids.map((id, index) => ({
    dataset: { id }, getBoundingClientRect: () => ({ top: index * 100, height: 100 }),
  }));
  return { children: rows, getBoundingClientRect: () => ({ top: 0 }) };
}

/** Inserts `n` before the rows `a b c` of a list. Returns the calls of the scroll view. */
function calls(scrollView) {
  const called = [];
  const list = content("a", "b", "c");
  const keeper = new PlaceKeeper({
    ...scrollView, moveToStart: () => called.push("start"), holdItem: (item) => called.push(item),
  }, list);
  keeper.keep(() => { list.children = content("n", "a", "b", "c").children; });
  return called;
}

test("a list that is away from its start keeps the first item in sight", () => {
  assert.deepEqual(calls({ isReversed: false, isAtStart: false, offset: 150 }), [{ id: "b", from: 100, to: 200 }]);
  assert.deepEqual(calls({ isReversed: true, isAtStart: false, offset: -20 }), [{ id: "a", from: 0, to: 100 }]);
});

test("a list at its start shows what is new there", () => {
  assert.deepEqual(calls({ isReversed: false, isAtStart: true, offset: 0 }), []);
  assert.deepEqual(calls({ isReversed: true, isAtStart: true, offset: 150 }), ["start"]);
});

/** The layout of a list that has a room of 64 points above its content, and can scroll by 200. */
function layout(isReversed, offset) {
  const scroller = { scrollHeight: 800, getBoundingClientRect: () => ({ width: 390, height: 600 }) };
  const created = new ListLayout({ scroller }, { top: 64, bottom: 0 }, isReversed);
  created.offset.set(offset);
  return created;
}

test("the start of a reversed list is the lower end of its content", () => {
  assert.equal(layout(false, 0).startOffset, -64);
  assert.equal(layout(true, 0).startOffset, 136);
  const ends = (list) => [list.isAtStart, list.isAtEnd];
  assert.deepEqual(ends(layout(true, 136)), [true, false]);
  assert.deepEqual(ends(layout(true, 150)), [true, false], "pulled beyond the content");
  assert.deepEqual(ends(layout(true, -64)), [false, true]);
  assert.deepEqual(ends(layout(true, 50)), [false, false]);
  assert.deepEqual(ends(layout(false, -64)), [true, false]);
  assert.deepEqual(ends(layout(false, 136)), [false, true]);
});
