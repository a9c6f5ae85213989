import assert from "node:assert/strict";
import { test } from "node:test";
import { subpaths } from "../../clients/web/path-data.js";

test("a path is divided into sub-paths, each with an absolute start", () => {
  assert.deepEqual(subpaths("M0 0l10 0zm5 5h3v-2z l 1 1 M-1-2.5.5-3"), [
    "M0 0l10 0z", "M5 5h3v-2z", "M5 5l1 1", "M-1 -2.5L0.5 -3",
  ]);
});

test("the flags of an arc need no separators", () => {
  assert.deepEqual(subpaths("M0 0a2 2 0 01.5.5 2 2 0 1 0 3 4"), ["M0 0a2 2 0 0 1 0.5 0.5a2 2 0 1 0 3 4"]);
});

test("a sub-path that draws nothing is dropped", () => {
  assert.deepEqual(subpaths(""), []);
  assert.deepEqual(subpaths("M1 1M2 2h1"), ["M2 2h1"]);
});
