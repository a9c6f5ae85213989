// Tests the sections of a list, which follow from the items that are shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sectionsOf } from "../../clients/web/sections.js";

const texts = (items, pointer = "/day") =>
  sectionsOf(items, pointer).map(({ value, start, count }) => `${value} ${start} ${count}`);

test("a section is a run of items with equal values", () => {
  assert.deepEqual(texts(["mon", "mon", "tue", "mon"].map((day) => ({ day }))), ["mon 0 2", "tue 2 1", "mon 3 1"]);
  assert.deepEqual(texts([]), []);
});

test("values of other kinds and missing ones count as null, and the number 1 is not true", () => {
  const items = [{ at: { day: 1 } }, { at: { day: true } }, { at: { day: [] } }, { at: {} }, { at: { day: null } }, 7, "text"];
  assert.deepEqual(texts(items, "/at/day"), ["1 0 1", "true 1 1", "null 2 5"]);
  assert.equal(sectionsOf(items, "/at/day")[1].value, true);
  assert.deepEqual(texts([{ "a/b": "x" }, { "a/b": "x" }], "/a~1b"), ["x 0 2"]);
  assert.deepEqual(texts([{}], "/toString"), ["null 0 1"], "only own members are values");
});

test("a placeholder belongs to no section, and ends the run", () => {
  assert.deepEqual(texts([null, { day: "mon" }, null, { day: "mon" }, { day: "mon" }]), ["mon 1 1", "mon 3 2"]);
});

test("a feed without sections has none", () => {
  assert.deepEqual(sectionsOf([{ day: "mon" }], null), []);
  assert.deepEqual(sectionsOf([{ day: "mon" }], undefined), []);
});
