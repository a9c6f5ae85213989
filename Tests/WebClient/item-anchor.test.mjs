import assert from "node:assert/strict";
import { test } from "node:test";
import { anchors, ItemAnchor } from "../../clients/web/item-anchor.js";

/** Rows of 100 points each. */
const rows = (...ids) => ids.map((id, index) => ({ id, position: index * 100, length: 100 }));

test("the anchor is the first item in sight, with its old and its new position", () => {
  assert.deepEqual(anchors(rows("a", "b", "c"), rows("n", "a", "b", "c"), 150), {
    before: { id: "b", position: 100 }, after: { id: "b", position: 200 },
  });
  assert.equal(anchors(rows("a", "b"), rows("b", "a"), 100).before.id, "b", "an item that ends at the edge is out of sight");
});

test("if the item is gone, its nearest neighbour in both lists is the anchor", () => {
  assert.deepEqual(anchors(rows("a", "b", "c", "d"), rows("n", "a", "d"), 150), {
    before: { id: "a", position: 0 }, after: { id: "a", position: 100 },
  });
  assert.equal(anchors(rows("a", "b", "c", "d"), rows("d"), 0).before.id, "d");
});

test("without an item in both lists, there is no anchor", () => {
  assert.equal(anchors(rows("a", "b"), rows("c"), 50), null);
  assert.equal(anchors(rows("a", "b"), [], 50), null);
  assert.equal(anchors([], rows("a"), 50), null);
  assert.equal(anchors(rows("a"), rows("a"), 200), null, "nothing is in sight");
});

/**
 * Replaces the items `a b c` by `n a b c` in a list at `offset`. Returns what the view sends, in
 * order.
 */
function replaced(offset) {
  const sent = [];
  const view = {
    send: (type, fields) => sent.push({ type, ...fields }),
    batch: (send) => {
      sent.push("frame");
      send();
    },
  };
  let shown = rows("a", "b", "c");
  const scrollView = { offset, isAtStart: offset <= 0, measure: (more) => sent.push({ measured: shown.length, more }) };
  new ItemAnchor(view, scrollView, () => shown).replace(() => { shown = rows("n", "a", "b", "c"); });
  return sent;
}

test("both positions are reported in one frame, after the new items are laid out", () => {
  assert.deepEqual(replaced(150), [
    "frame", { type: "geometry", anchor: { id: "b", position: 100 } },
    { measured: 4, more: { anchor: { id: "b", position: 200 } } },
  ]);
});

test("a list at its start reports only its sizes", () => {
  assert.deepEqual(replaced(0), ["frame", { measured: 4, more: null }]);
});
