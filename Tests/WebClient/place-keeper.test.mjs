import assert from "node:assert/strict";
import { test } from "node:test";
import { PlaceKeeper } from "../../clients/web/place-keeper.js";
import { arrangeRows } from "../../clients/web/row-order.js";

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
    ...scrollView, keepAtStart: () => called.push("start"), holdItem: (item) => called.push(item),
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

test("a list leads to its start if it is there or beyond, and is not animated to another place", () => {
  const timeline = { start: 0, duration: 500, curve: "linear" };
  const leads = (isReversed, from, to) => {
    const list = layout(isReversed, from);
    list.setSizes({ viewport: { width: 390, height: 600 }, content: { width: 390, height: 736 } });
    list.offset.animate(to, timeline, 0);
    return list.leadsToStart;
  };
  assert.deepEqual([leads(false, -200, -64), leads(false, -64, -128), leads(false, -128, -64)], [true, true, true]);
  assert.deepEqual([leads(false, -64, 136), leads(false, 50, -64)], [false, false]);
  assert.deepEqual([leads(true, 300, 136), leads(true, 136, 200)], [true, true]);
  assert.deepEqual([leads(true, 136, -64), leads(true, 50, 136)], [false, false]);
});

/** An element with children, that notes which of them are inserted. */
function parent(...children) {
  const inserted = [];
  const insertBefore = (child, next) => {
    if (children.includes(child)) children.splice(children.indexOf(child), 1);
    children.splice(next ? children.indexOf(next) : children.length, 0, child);
    inserted.push(child);
  };
  return { children, inserted, insertBefore };
}

test("rows are put in order, and only those that move or are new are inserted", () => {
  for (const [before, after, inserted] of [
    ["abcde", "abcde", ""], ["abcde", "bcdea", "a"], ["abcde", "eabcd", "e"], ["abcde", "acdbe", "b"], ["abc", "nabc", "n"],
    ["abc", "abnc", "n"], ["", "ab", "ba"], ["abcd", "dnabc", "nd"], ["abcd", "badc", "bd"],
  ]) {
    const list = parent(...before);
    arrangeRows(list, [...after]);
    assert.equal(list.children.join(""), after);
    assert.deepEqual(list.inserted.sort(), [...inserted].sort(), `${before} ${after}`);
  }
});

test("other children of the element do not disturb the order of the rows", () => {
  const list = parent("a", "b", "template");
  arrangeRows(list, ["n", "b", "a"]);
  assert.deepEqual(list.children.filter((child) => child !== "template"), ["n", "b", "a"]);
});
