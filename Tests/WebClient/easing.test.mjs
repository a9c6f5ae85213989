import assert from "node:assert/strict";
import { test } from "node:test";
import { easing } from "../../clients/web/easing.js";

const near = (actual, expected, error = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= error, `${actual} is not ${expected}`);

test("the value of a cubic Bézier curve is exact to 1e-8, whatever its slope", () => {
  const random = generator(4);
  for (let round = 0; round < 500; round += 1) {
    const [x1, y1, x2, y2] = [random(), 3 * random() - 1, random(), 3 * random() - 1];
    const s = random();
    const cubic = (a, b) => 3 * (1 - s) ** 2 * s * a + 3 * (1 - s) * s ** 2 * b + s ** 3;
    near(easing({ cubicBezier: [x1, y1, x2, y2] })(cubic(x1, x2)), cubic(y1, y2), 1e-8);
  }
});

test("the named curves are those of CSS", () => {
  near(easing("ease")(0.5), 0.8024033877399112);
  near(easing("easeIn")(0.25), 0.09346465);
  near(easing("easeOut")(0.25), 0.3781381308251094);
  near(easing("easeInOut")(0.5), 0.5);
  assert.equal(easing()(0.3), 0.3);
  assert.equal(easing("hold")(0.999), 0);
});

test("steps jump at the same positions as in CSS, but at position 0 the value is that of the first key", () => {
  const at = (jump, u) => easing({ steps: [4, jump] })(u);
  assert.deepEqual([0, 0.25, 0.3, 0.99].map((u) => at("end", u)), [0, 0.25, 0.25, 0.75]);
  assert.deepEqual([0, 0.25, 0.3, 0.99].map((u) => at("start", u)), [0, 0.5, 0.5, 1]);
  assert.deepEqual([0, 0.25, 0.3, 0.99].map((u) => at("both", u)), [0, 0.4, 0.4, 0.8]);
  assert.deepEqual([0, 0.25, 0.3, 0.99].map((u) => at("none", u)), [0, 1 / 3, 1 / 3, 1]);
});

test("a spring overshoots and comes to rest", () => {
  const spring = easing({ spring: [0.2, 3] });
  near(spring(0), 0);
  assert.ok(Math.max(...Array.from({ length: 100 }, (_, index) => spring(index / 100))) > 1.3);
  near(spring(1), 1, 0.05);
});

/** Returns a seeded generator of numbers from 0 to 1. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
