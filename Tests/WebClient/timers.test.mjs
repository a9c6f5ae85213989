import assert from "node:assert/strict";
import { test } from "node:test";
import { Timers } from "./timers.mjs";

test("fake timers run due callbacks in their order, once or repeatedly", (t) => {
  const timers = new Timers(t);
  const done = [];
  setTimeout(() => done.push("late"), 30);
  setTimeout(() => {
    done.push("early");
    setTimeout(() => done.push("after early"), 5);
  }, 10);
  const beat = setInterval(() => done.push("beat"), 20);
  clearTimeout(setTimeout(() => done.push("never"), 1));
  clearTimeout(undefined);
  timers.tick(9);
  assert.deepEqual(done, []);
  timers.tick(31);
  assert.deepEqual(done, ["early", "after early", "beat", "late", "beat"]);
  clearInterval(beat);
  timers.tick(1000);
  assert.equal(done.length, 5);
});
