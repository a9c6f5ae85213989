import assert from "node:assert/strict";
import { test } from "node:test";
import { Player } from "../../clients/web/player.js";
import { PROPERTIES, Programme, WIDTH } from "../../clients/web/programme.js";

const SOURCE = {
  layers: [
    { name: "ring", path: "M0 0h1", color: "#808080" },
    { name: "label", text: "Pull" },
  ],
  pull: { tracks: { "*": { opacity: [[0, 0], [0.5, 1]] }, ring: { strokeEnd: [[0, 0], [1, 1]] } } },
  run: { duration: 800, step: 200, tracks: { ring: { rotation: [[0, 0], [800, 8]] } } },
  finish: {
    ending: "atStep",
    success: { duration: 200, tracks: { "*": { scale: [[0, 1], [200, 0]] } } },
    failure: { duration: 300, tracks: { ring: { color: [[0, "#000000"], [300, "#ff0000"]] } } },
  },
  states: {
    eligible: {
      enter: [{ duration: 100 }], exit: [{ duration: 100, properties: ["scale"] }],
      set: { ring: { scale: 1.5 } }, text: { label: "Release" },
    },
    refreshing: { text: { label: "Loading" } },
  },
};

const player = (changes = {}, options = {}) => new Player(new Programme({ ...SOURCE, ...changes }), options);
const value = (shown, time, property, layer = 0) =>
  shown.values(time)[layer * WIDTH + PROPERTIES.indexOf(property)];
const withEnding = (ending) => ({ finish: { ...SOURCE.finish, ending } });

test("the pull is shown where it is, and a tint has no colour", () => {
  const shown = player();
  shown.show("pulling", 0.25, null, 0);
  assert.equal(value(shown, 0, "opacity"), 0.5);
  assert.equal(value(shown, 0, "strokeEnd"), 0.25);
  assert.equal(value(shown, 0, "strokeEnd", 1), 1);
  assert.deepEqual([...shown.values(0).slice(15, 18)], [0, 0, 0]);
  assert.deepEqual(shown.texts, [null, "Pull"]);
});

test("a state is come into and left by its transitions, from what is shown", () => {
  const shown = player();
  shown.show("pulling", 1, null, 0);
  shown.show("eligible", 1, null, 100);
  assert.equal(value(shown, 150, "scale"), 1.25);
  assert.deepEqual(shown.texts, [null, "Release"]);
  shown.show("pulling", 0.9, null, 150);
  assert.equal(value(shown, 200, "scale"), 1.125);
  assert.equal(value(shown, 250, "scale"), 1);
});

test("a run ends at its step, and the finish begins then, however rarely anybody looks", () => {
  for (const looks of [[], [450], [599.9, 600, 600.1]]) {
    const shown = player();
    shown.show("refreshing", 1, null, 0);
    shown.show("idle", 0, "success", 410);
    for (const look of looks) shown.values(look);
    assert.equal(value(shown, 700, "scale"), 0.5);
    assert.equal(value(shown, 700, "rotation"), 6);
    assert.equal(value(shown, 801, "scale"), 1, "the rest");
    assert.equal(shown.isMoving(801), false);
  }
});

test("endings: at once, at the end of the cycle, at the release", () => {
  const scaleAt = (ending, state, time) => {
    const shown = player(withEnding(ending));
    shown.show("refreshing", 1, null, 0);
    shown.show(state, 0, "success", 900);
    return value(shown, time, "scale");
  };
  assert.equal(scaleAt("atOnce", "succeeded", 1000), 0.5);
  assert.equal(scaleAt("atCycle", "succeeded", 1599), 1);
  assert.equal(scaleAt("atCycle", "succeeded", 1700), 0.5);
  assert.equal(scaleAt("atRelease", "finishing", 5000), 1);
  const shown = player(withEnding("atRelease"));
  shown.show("refreshing", 1, null, 0);
  shown.show("finishing", 0, "success", 900);
  shown.show("idle", 0, null, 5000);
  assert.equal(value(shown, 5100, "scale"), 0.5);
});

test("a finish stays at its end as long as its state is told", () => {
  const shown = player();
  shown.show("refreshing", 1, null, 0);
  shown.show("succeeded", 0, "success", 200);
  assert.equal(value(shown, 5000, "scale"), 0);
  shown.show("finishing", 0, null, 5000);
  assert.equal(value(shown, 5100, "scale"), 0);
  shown.show("idle", 0, null, 5200);
  assert.equal(value(shown, 5200, "scale"), 1);
});

test("a failure has its own finish", () => {
  const shown = player();
  shown.show("refreshing", 1, null, 0);
  shown.show("failed", 0, "timedOut", 200);
  assert.equal(value(shown, 350, "red"), 127.5);
  assert.equal(value(shown, 350, "scale"), 1);
});

test("a pull or a refresh that begins meanwhile is shown at once", () => {
  const shown = player();
  shown.show("refreshing", 1, null, 0);
  shown.show("idle", 0, "success", 410);
  shown.show("pulling", 0.5, null, 450);
  assert.equal(value(shown, 450, "rotation"), 0);
  assert.equal(value(shown, 450, "strokeEnd"), 0.5);
  shown.show("refreshing", 1, null, 1000);
  shown.show("idle", 0, "success", 1100);
  shown.show("refreshing", 1, null, 1150);
  assert.equal(value(shown, 1300, "rotation"), 3, "a run that was about to end goes on");
  assert.equal(value(shown, 9000, "scale"), 1);
});

test("a load-more edge whose load failed rests once all is played", () => {
  const shown = player({}, { role: "loadMore" });
  shown.show("loading", 0, null, 0);
  shown.show("failed", 0, "failed", 200);
  assert.equal(value(shown, 350, "red"), 127.5);
  assert.equal(value(shown, 501, "red"), 128);
  assert.equal(value(shown, 501, "opacity"), 0);
});

test("of two keys at one place the later one counts there", () => {
  const shown = player({ pull: { tracks: { ring: { x: [[0, 0], [0.5, 10], [0.5, 20], [1, 30, "hold"]] } } } });
  for (const [pull, x] of [[0.25, 5], [0.5, 20], [0.75, 20], [1, 30], [2, 30]]) {
    shown.show("pulling", pull, null, 0);
    assert.equal(value(shown, 0, "x"), x);
  }
});

test("less motion: states and no movement", () => {
  const shown = player({}, { motion: "reduced" });
  shown.show("pulling", 0.25, null, 0);
  assert.equal(value(shown, 0, "opacity"), 0.5);
  shown.show("eligible", 1, null, 10);
  assert.equal(value(shown, 10, "scale"), 1.5);
  shown.show("refreshing", 1, null, 20);
  assert.equal(value(shown, 500, "rotation"), 0);
  assert.equal(shown.isMoving(500), false);
  shown.show("idle", 0, "success", 600);
  assert.equal(value(shown, 600, "opacity"), 0);
  assert.equal(value(shown, 600, "scale"), 1);
});
