import assert from "node:assert/strict";
import { test } from "node:test";
import { EDGES, mergedEdge } from "../../clients/web/edges.js";
import { LocalClient } from "../../clients/web/local-client.js";
import { StreamClient } from "../../clients/web/stream-client.js";

const LAW = {
  rest: [0, 2000],
  top: { pull: [[0, 0], [-64, 1]], arm: -64, fires: "release", room: 64, duration: 250 },
  bottom: { pull: [[1936, 0], [2000, 1]], arm: 2000, fires: "reach", lead: [300, 2000] },
  crossings: [-64, 1936, 2000],
  interest: [[null, 0], [1500, null]],
  resistance: { top: [[0, 0], [400, 200]] },
};
const PROGRAMME = {
  layers: [{ name: "ring", path: "M0 0h1" }],
  pull: { tracks: { ring: { strokeEnd: [[0, 0], [1, 1]] } } },
  run: { duration: 1000, tracks: { ring: { rotation: [[0, 0], [1000, 10]] } } },
};

/**
 * Creates a client of the class `Kind` with an attached view. Returns also the messages that it
 * sends, the frames that it draws, and a function that delivers a message to it.
 */
function attached(Kind, law = LAW) {
  const sent = [];
  const view = {
    localTime: (time) => time,
    send(type, fields) {
      sent.push({ type, seq: sent.length + 1, ...fields });
      return sent.length;
    },
  };
  const frames = [];
  const indicator = { setProgramme() {}, layout() {}, applySpinner() {}, applyFrame: (frame) => frames.push(frame) };
  const client = new Kind(view, { top: indicator });
  client.paint(0, {}, 0);
  const receive = (type, message, now) => {
    for (const name of EDGES) {
      if (message[name]) view[name] = type === "attached" ? message[name] : mergedEdge(view[name], message[name]);
    }
    return client.handle({ type, ...message }, now);
  };
  receive("attached", {
    ack: 0, law, top: { role: "refresh", state: "idle", programme: PROGRAMME },
    bottom: { role: "loadMore", state: "idle" },
  }, 0);
  return { client, view, sent, frames, receive };
}

/**
 * Pulls the list to `depth` by `pan`, one sample per frame, and lifts the finger. Returns the time
 * and the commands of the last sample.
 */
function pull(client, depth, phase = "ended") {
  let t = 100;
  client.pan({ t, translation: 0, phase: "began", offset: 0 });
  for (let step = 1; step <= 27; step += 1) {
    t += 16;
    client.pan({ t, translation: (depth * step) / 27, phase: "dragging" });
  }
  t += 16;
  const commands = client.pan({ t, translation: depth, phase, velocity: 0 });
  return { t, commands };
}

/** Creates a client with a list that rests outside of the ranges of interest. */
function outside(Kind) {
  const all = attached(Kind);
  all.client.scroll({ t: -32, offset: 300, phase: "decelerating", cause: "key" });
  all.client.scroll({ t: -16, offset: 300, phase: "idle", cause: "key" });
  all.sent.length = 0;
  return all;
}

const summary = ({ type, phase, predicted }) => [type, phase, predicted].filter(Boolean).join(" ");

test("a local client sends four messages for a pull that refreshes", () => {
  const { client, sent } = attached(LocalClient);
  pull(client, 200);
  assert.deepEqual(sent.map(summary), [
    "pan began", "pan dragging pulling", "pan dragging eligible", "pan ended refreshing",
  ]);
});

test("a stream client sends every sample of a pan", () => {
  const { client, sent } = attached(StreamClient);
  pull(client, 200);
  assert.equal(sent.length, 1 + 27 + 1);
});

test("a predicted refresh is shown immediately, and its room is opened immediately", () => {
  const { client, frames, receive, sent } = attached(LocalClient);
  const { t, commands } = pull(client, 200);
  assert.equal(client.edge("top").state, "refreshing");
  assert.equal(commands.inset.top, 64);
  assert.equal(commands.offset.to, -64);
  assert.equal(commands.offset.path[0][1], -100);
  client.paint(t + 500, {}, -64);
  assert.equal(frames.at(-1).ring.rotation, 5);
  // The daemon agrees later, and the animations continue.
  const answer = receive("update", {
    ack: sent.at(-1).seq, top: { state: "refreshing", cause: "finger" },
    inset: { top: 64, start: t + 300, duration: 250 },
    offset: { to: -64, start: t + 300, duration: 300, path: [[0, -100], [300, -64]] }, law: { ...LAW, top: null },
  }, t + 600);
  assert.equal(answer.inset.top, undefined);
  assert.equal(answer.offset.start, t, "the path starts when the finger leaves");
  client.paint(t + 700, {}, -64);
  assert.equal(frames.at(-1).ring.rotation, 7);
});

test("after a wrong prediction, the display changes gradually to the daemon's state", () => {
  const { client, frames, receive, sent } = attached(LocalClient);
  const { t } = pull(client, 200);
  client.paint(t + 300, {}, -64);
  receive("update", { ack: sent.at(-1).seq - 1, top: { state: "eligible" } }, t + 310);
  assert.equal(client.edge("top").state, "refreshing", "the update has the state before the prediction");
  const answer = receive("update", {
    ack: sent.at(-1).seq, top: { state: "idle", result: "refused" },
    inset: { top: 0, bottom: 0, duration: 250, start: t },
    offset: { to: 0, duration: 250, start: t }, blend: 150,
  }, t + 400);
  assert.deepEqual([answer.inset.top, answer.inset.duration, answer.offset.duration], [0, 150, 150]);
  assert.equal(client.edge("top").state, "idle");
  client.paint(t + 475, {}, -20);
  assert.equal(frames.at(-1).ring.rotation, 2);
  assert.equal(client.isAnimating(t + 475), true);
  client.paint(t + 551, {}, 0);
  assert.equal(frames.at(-1).ring.rotation, 0);
  assert.equal(client.isAnimating(t + 552), false);
});

test("for a short pull, the client does not predict a refresh", () => {
  const { client, sent } = attached(LocalClient);
  const { commands } = pull(client, 100);
  assert.deepEqual(sent.map(summary), ["pan began", "pan dragging pulling", "pan ended idle"]);
  assert.equal(client.edge("top").state, "idle");
  assert.equal(commands.offset.to, 0);
  assert.equal(commands.inset, undefined);
});

test("nothing is sent outside of the ranges of interest", () => {
  for (const Kind of [StreamClient, LocalClient]) {
    const { client, sent } = outside(Kind);
    for (const [offset, phase] of [[400, "began"], [500, "dragging"], [600, "dragging"], [700, "ended"],
      [800, "decelerating"], [900, "idle"]]) client.scroll({ t: offset, offset, phase });
    assert.deepEqual(sent, []);
  }
});

test("the end of a reported movement is sent, even outside of the ranges of interest", () => {
  for (const Kind of [StreamClient, LocalClient]) {
    const { client, sent } = attached(Kind);
    for (const [offset, phase] of [[600, "decelerating"], [700, "decelerating"], [700, "idle"]]) {
      client.scroll({ t: offset, offset, phase, cause: "wheel" });
    }
    assert.deepEqual(sent.map(({ phase, offset }) => [phase, offset]), [["decelerating", 600], ["idle", 700]]);
  }
});

test("a movement that enters a range of interest is reported from there on, even after its finger is lifted", () => {
  for (const Kind of [StreamClient, LocalClient]) {
    const { client, sent } = outside(Kind);
    client.scroll({ t: 0, offset: 1400, phase: "began" });
    client.scroll({ t: 16, offset: 1450, phase: "dragging" });
    client.scroll({ t: 32, offset: 1480, phase: "ended" });
    client.scroll({ t: 48, offset: 1520, phase: "decelerating" });
    assert.deepEqual(sent.map(({ phase, offset }) => [phase, offset]), [
      ["began", 1520], ["ended", 1520], ["decelerating", 1520],
    ]);
  }
});

test("the phase began is sent only when a sample enters a range of interest, with the offset of that sample", () => {
  const { client, sent } = attached(LocalClient);
  client.scroll({ t: -16, offset: 1600, phase: "decelerating", cause: "key" });
  client.scroll({ t: -8, offset: 1600, phase: "idle", cause: "key" });
  sent.length = 0;
  client.scroll({ t: 0, offset: 1600, phase: "began" });
  client.scroll({ t: 16, offset: 1610, phase: "dragging" });
  client.scroll({ t: 32, offset: 1940, phase: "dragging" });
  assert.deepEqual(sent.map(({ phase, from, offset }) => [phase, from, offset]), [["began", 1600, 1940]]);
  assert.ok(sent[0].velocity > 0, "the daemon needs the velocity");
});

test("a resting finger sends a keep-alive sample every two seconds", () => {
  const { client, sent } = attached(LocalClient);
  client.pan({ t: 0, translation: 0, phase: "began", offset: 0 });
  client.pan({ t: 16, translation: 40, phase: "dragging" });
  const before = sent.length;
  for (let t = 100; t < 6500; t += 250) client.sendKeepAlive(t);
  assert.equal(sent.length - before, 3);
  assert.equal(sent.at(-1).translation, 40);
});

test("an offset that was not reported is sent before the next message", () => {
  const { client, view, sent } = outside(LocalClient);
  client.scroll({ t: 0, offset: 600, phase: "decelerating", cause: "wheel" });
  client.scroll({ t: 16, offset: 700, phase: "idle", cause: "wheel" });
  assert.deepEqual(sent, []);
  view.beforeSend();
  assert.deepEqual(sent.map(({ phase, offset }) => [phase, offset]), [["idle", 700]]);
  view.beforeSend();
  assert.equal(sent.length, 1);
});

test("an offset that was reported is not sent again before the next message", () => {
  for (const Kind of [StreamClient, LocalClient]) {
    const { client, view, sent } = attached(Kind);
    client.scroll({ t: 0, offset: 1950, phase: "decelerating", cause: "key" });
    client.scroll({ t: 16, offset: 2000, phase: "decelerating", cause: "key" });
    const before = sent.length;
    view.beforeSend();
    assert.equal(sent.length, before);
  }
});

test("the daemon's offset for a pan that is already drawn is ignored, but a correction with blend is applied", () => {
  const { client, receive } = attached(LocalClient);
  client.pan({ t: 0, translation: 0, phase: "began", offset: 0 });
  client.pan({ t: 16, translation: 40, phase: "dragging" });
  assert.equal(receive("update", { ack: 2, offset: { to: -20, duration: 0, start: 10 } }, 300).offset, undefined);
  const answer = receive("update", { ack: 2, offset: { to: 30, duration: 0, start: 10 }, blend: 150 }, 310);
  assert.deepEqual(answer.offset, { to: 30, duration: 150, start: 310 });
  assert.equal(client.pan({ t: 320, translation: 50, phase: "dragging" }).offset.to, 20);
});

test("after a pull that the client could not predict, the load-more edge keeps its progress", () => {
  const law = {
    ...LAW, rest: [0, 0], top: null, bottom: { pull: [[-64, 0], [0, 1]] }, crossings: [], follow: [[null, null]],
    interest: [[null, null]],
  };
  const { client, sent, receive } = attached(LocalClient, law);
  client.scroll({ t: 0, offset: 0, phase: "began" });
  receive("update", { ack: sent.at(-1).seq, bottom: { state: "approaching", progress: 1 } }, 0);
  client.scroll({ t: 16, offset: -16, phase: "dragging" });
  assert.equal(client.edge("bottom").progress, 0.75);
  client.scroll({ t: 32, offset: -48, phase: "dragging" });
  assert.equal(client.edge("bottom").progress, 0.25);
  receive("update", { ack: sent.at(-1).seq, top: { state: "pulling", progress: 0.75 }, law: { top: LAW.top } }, 32);
  assert.equal(client.edge("bottom").progress, 0.75);
  client.scroll({ t: 48, offset: -56, phase: "dragging" });
  assert.equal(client.edge("bottom").progress, 0.75);
});

test("an offset that answers a message before the last movement is dropped", () => {
  for (const Kind of [StreamClient, LocalClient]) {
    const { client, view, sent, receive } = attached(Kind);
    view.beforeSend(0, "refresh");
    view.send("refresh", {});
    client.scroll({ t: 0, offset: -40, phase: "began" });
    client.scroll({ t: 16, offset: -50, phase: "dragging" });
    client.scroll({ t: 32, offset: 20, phase: "dragging" });
    client.scroll({ t: 48, offset: 20, phase: "ended" });
    client.scroll({ t: 64, offset: 20, phase: "idle" });
    const late = receive("update", { ack: 1, inset: { top: 64 }, offset: { to: -64, duration: 250, start: 10 } }, 80);
    assert.equal(late.offset, undefined, Kind.name);
    assert.equal(late.inset.top, 64);
    // The daemon knows the offset of the movement, so the client does not report it again.
    const before = sent.length;
    view.beforeSend(96, "loadMore");
    assert.equal(sent.length, before, Kind.name);
    const answer = receive("update", { ack: sent.at(-1).seq, offset: { to: 0, duration: 250, start: 100 } }, 112);
    assert.equal(answer.offset.to, 0);
  }
});

test("each step of a wheel makes earlier offsets outdated", () => {
  for (const Kind of [StreamClient, LocalClient]) {
    const { client, sent, receive } = attached(Kind);
    client.scroll({ t: 0, offset: 1600, phase: "decelerating", cause: "wheel" });
    client.scroll({ t: 16, offset: 1700, phase: "decelerating", cause: "wheel" });
    const { seq } = sent.at(-1);
    assert.equal(receive("update", { ack: seq - 1, offset: { to: 0, duration: 0 } }, 32).offset, undefined);
    assert.equal(receive("update", { ack: seq, offset: { to: 1650, duration: 0 } }, 48).offset.to, 1650);
  }
});

test("a movement that was not reported makes no offset outdated", () => {
  for (const Kind of [StreamClient, LocalClient]) {
    const { client, sent, receive } = outside(Kind);
    client.scroll({ t: 0, offset: 300, phase: "began" });
    client.scroll({ t: 16, offset: 310, phase: "dragging" });
    assert.equal(sent.length, 0);
    assert.equal(receive("update", { ack: 2, offset: { to: 500, duration: 0 } }, 32).offset.to, 500);
  }
});

test("the idle that reports an unreported movement makes earlier offsets outdated", () => {
  for (const Kind of [StreamClient, LocalClient]) {
    const { client, view, sent, receive } = outside(Kind);
    client.scroll({ t: 0, offset: 300, phase: "began" });
    client.scroll({ t: 16, offset: 310, phase: "dragging" });
    client.scroll({ t: 32, offset: 310, phase: "ended" });
    client.scroll({ t: 48, offset: 310, phase: "idle" });
    view.beforeSend(64, "refresh");
    assert.deepEqual(sent.map(summary), ["scroll idle"]);
    assert.equal(receive("update", { ack: sent[0].seq - 1, offset: { to: 500, duration: 0 } }, 80).offset, undefined);
  }
});

test("after a fresh attached, only a movement that was sent after the attach makes offsets outdated", () => {
  for (const Kind of [StreamClient, LocalClient]) {
    const { client, view, sent, receive } = attached(Kind);
    view.send("refresh", {});
    client.scroll({ t: 0, offset: 1600, phase: "decelerating", cause: "wheel" });
    const { seq } = sent.at(-1);
    // The daemon has sent this `attached` before the step of the wheel.
    receive("attached", { ack: seq - 1 }, 16);
    assert.equal(receive("update", { ack: seq - 1, offset: { to: 0, duration: 0 } }, 32).offset, undefined, Kind.name);
    receive("attached", { ack: seq }, 48);
    assert.equal(receive("update", { ack: seq, offset: { to: 5, duration: 0 } }, 64).offset.to, 5, Kind.name);
    // In a new session, the numbers of the old one do not count.
    client.scroll({ t: 80, offset: 1600, phase: "decelerating", cause: "wheel" });
    receive("attached", { ack: 0 }, 96);
    assert.equal(receive("update", { ack: 0, offset: { to: 7, duration: 0 } }, 112).offset.to, 7, Kind.name);
  }
});

test("a list that moved between hello and attached reports its offset", () => {
  for (const Kind of [StreamClient, LocalClient]) {
    const { client, view, sent, receive } = outside(Kind);
    client.recordDescribedOffset(300);
    client.scroll({ t: 0, offset: 300, phase: "began" });
    client.scroll({ t: 16, offset: 310, phase: "dragging" });
    client.scroll({ t: 32, offset: 310, phase: "ended" });
    client.scroll({ t: 48, offset: 310, phase: "idle" });
    view.isResuming = true;
    receive("attached", {
      ack: 2, law: LAW, top: { role: "refresh", state: "idle", programme: PROGRAMME },
      bottom: { role: "loadMore", state: "idle" },
    }, 64);
    view.isResuming = false;
    view.beforeSend(80, "refresh");
    assert.deepEqual(sent.map(summary), ["scroll idle"], Kind.name);
    assert.equal(sent[0].offset, 310);
  }
});
