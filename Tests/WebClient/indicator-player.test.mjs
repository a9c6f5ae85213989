import assert from "node:assert/strict";
import { test } from "node:test";
import { IndicatorPlayer } from "../../clients/web/indicator-player.js";
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

const createPlayer = (changes = {}, options = {}) =>
  new IndicatorPlayer(new Programme({ ...SOURCE, ...changes }), options);
const value = (player, time, property, layer = 0) =>
  player.values(time)[layer * WIDTH + PROPERTIES.indexOf(property)];
const withEnding = (ending) => ({ finish: { ...SOURCE.finish, ending } });

test("a pull decides the shown values, and without a colour the values of the colour are 0", () => {
  const player = createPlayer();
  player.setState("pulling", 0.25, null, 0);
  assert.equal(value(player, 0, "opacity"), 0.5);
  assert.equal(value(player, 0, "strokeEnd"), 0.25);
  assert.equal(value(player, 0, "strokeEnd", 1), 1);
  assert.deepEqual([...player.values(0).slice(15, 18)], [0, 0, 0]);
  assert.deepEqual(player.texts, [null, "Pull"]);
});

test("a transition to another state starts from the values that are shown", () => {
  const player = createPlayer();
  player.setState("pulling", 1, null, 0);
  player.setState("eligible", 1, null, 100);
  assert.equal(value(player, 150, "scale"), 1.25);
  assert.deepEqual(player.texts, [null, "Release"]);
  player.setState("pulling", 0.9, null, 150);
  assert.equal(value(player, 200, "scale"), 1.125);
  assert.equal(value(player, 250, "scale"), 1);
});

test("with atStep, a run ends at its next step, and the finish starts then, at any frame rate", () => {
  for (const times of [[], [450], [599.9, 600, 600.1]]) {
    const player = createPlayer();
    player.setState("refreshing", 1, null, 0);
    player.setState("idle", 0, "success", 410);
    for (const time of times) player.values(time);
    assert.equal(value(player, 700, "scale"), 0.5);
    assert.equal(value(player, 700, "rotation"), 6);
    assert.equal(value(player, 801, "scale"), 1, "the rest");
    assert.equal(player.isAnimating(801), false);
  }
});

test("the ending decides whether a finish starts at once, after the cycle, or when the edge is idle", () => {
  const scaleAt = (ending, state, time) => {
    const player = createPlayer(withEnding(ending));
    player.setState("refreshing", 1, null, 0);
    player.setState(state, 0, "success", 900);
    return value(player, time, "scale");
  };
  assert.equal(scaleAt("atOnce", "succeeded", 1000), 0.5);
  assert.equal(scaleAt("atCycle", "succeeded", 1599), 1);
  assert.equal(scaleAt("atCycle", "succeeded", 1700), 0.5);
  assert.equal(scaleAt("atRelease", "finishing", 5000), 1);
  const player = createPlayer(withEnding("atRelease"));
  player.setState("refreshing", 1, null, 0);
  player.setState("finishing", 0, "success", 900);
  player.setState("idle", 0, null, 5000);
  assert.equal(value(player, 5100, "scale"), 0.5);
});

test("after a finish, its last values are shown until the edge is idle", () => {
  const player = createPlayer();
  player.setState("refreshing", 1, null, 0);
  player.setState("succeeded", 0, "success", 200);
  assert.equal(value(player, 5000, "scale"), 0);
  player.setState("finishing", 0, null, 5000);
  assert.equal(value(player, 5100, "scale"), 0);
  player.setState("idle", 0, null, 5200);
  assert.equal(value(player, 5200, "scale"), 1);
});

test("a failed load has a finish of its own", () => {
  const player = createPlayer();
  player.setState("refreshing", 1, null, 0);
  player.setState("failed", 0, "timedOut", 200);
  assert.equal(value(player, 350, "red"), 127.5);
  assert.equal(value(player, 350, "scale"), 1);
});

test("a pull or a refresh that starts during the end of a run is shown immediately", () => {
  const player = createPlayer();
  player.setState("refreshing", 1, null, 0);
  player.setState("idle", 0, "success", 410);
  player.setState("pulling", 0.5, null, 450);
  assert.equal(value(player, 450, "rotation"), 0);
  assert.equal(value(player, 450, "strokeEnd"), 0.5);
  player.setState("refreshing", 1, null, 1000);
  player.setState("idle", 0, "success", 1100);
  player.setState("refreshing", 1, null, 1150);
  assert.equal(value(player, 1300, "rotation"), 3, "a run that was about to end continues");
  assert.equal(value(player, 9000, "scale"), 1);
});

test("after a failed load, the load-more edge shows the values of rest when its finish has ended", () => {
  const player = createPlayer({}, { role: "loadMore" });
  player.setState("loading", 0, null, 0);
  player.setState("failed", 0, "failed", 200);
  assert.equal(value(player, 350, "red"), 127.5);
  assert.equal(value(player, 501, "red"), 128);
  assert.equal(value(player, 501, "opacity"), 0);
});

test("if a track has two keys at one position, the later key applies there", () => {
  const player = createPlayer({ pull: { tracks: { ring: { x: [[0, 0], [0.5, 10], [0.5, 20], [1, 30, "hold"]] } } } });
  for (const [pull, x] of [[0.25, 5], [0.5, 20], [0.75, 20], [1, 30], [2, 30]]) {
    player.setState("pulling", pull, null, 0);
    assert.equal(value(player, 0, "x"), x);
  }
});

test("with reduced motion, the states are shown without animation", () => {
  const player = createPlayer({}, { motion: "reduced" });
  player.setState("pulling", 0.25, null, 0);
  assert.equal(value(player, 0, "opacity"), 0.5);
  player.setState("eligible", 1, null, 10);
  assert.equal(value(player, 10, "scale"), 1.5);
  player.setState("refreshing", 1, null, 20);
  assert.equal(value(player, 500, "rotation"), 0);
  assert.equal(player.isAnimating(500), false);
  player.setState("idle", 0, "success", 600);
  assert.equal(value(player, 600, "opacity"), 0);
  assert.equal(value(player, 600, "scale"), 1);
});
