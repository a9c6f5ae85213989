import assert from "node:assert/strict";
import { test } from "node:test";
import { Backoff, mayReturn } from "../../clients/web/backoff.js";
import { furnishEvents } from "../../clients/web/conform/screen.js";
import { Outbox } from "../../clients/web/outbox.js";
import { RefreshClient } from "../../clients/web/refresh-client.js";
import { Timers } from "./timers.mjs";

furnishEvents();
globalThis.WebSocket ??= class { static OPEN = 1; };

/** The daemon's end of one connection. */
class Line {
  readyState = 1;
  heard = [];
  send(text) { this.heard.push(...[].concat(JSON.parse(text))); }
  close() { this.readyState = 3; }
  say(...messages) { this.onmessage({ data: JSON.stringify(messages) }); }
  cut(code = 1006) { this.onclose({ code }); }
  get hello() { return this.heard.find(({ type }) => type === "hello"); }
  /** What was said but `hello` and `ping`. */
  get said() { return this.heard.filter(({ seq }) => seq !== undefined); }
}

const WELCOME = { type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {} };
const ATTACHED = { type: "attached", view: "list", ack: 0, generation: 1, top: { role: "refresh", state: "idle" } };

/** A client with one view, and the lines that it has opened. Time stands still: `hurry` is how it returns. */
function client(t, options = {}) {
  const timers = new Timers(t);
  const lines = [];
  const made = new RefreshClient({
    url: "ws://here", random: () => 0.5,
    open: () => {
      lines.push(new Line());
      return lines.at(-1);
    },
    ...options,
  });
  const view = made.view("list", () => ({ profile: "default", feed: "f" }), [{ type: "refresh", cause: "code" }], () => [7]);
  const events = [];
  for (const type of ["attached", "update", "items", "away", "lost", "emptied"]) {
    view.addEventListener(type, () => events.push(view.isComingBack ? `${type} again` : type));
  }
  return { made, view, lines, events, timers };
}

async function open({ made, lines }, ...messages) {
  if (made.status === "connecting" && lines.length === 0) made.connect();
  else made.hurry();
  const line = lines.at(-1);
  await line.onopen();
  if (messages.length > 0) line.say(...messages);
  return line;
}

test("a client comes back with what it has, and repeats what its snapshot does not cover", async (t) => {
  const all = client(t);
  const { made, view, lines, events } = all;
  const first = await open(all, WELCOME, ATTACHED);
  assert.deepEqual(first.said.map(({ type, seq }) => [type, seq]), [["refresh", 1]]);
  first.say({ type: "items", view: "list", load: "1.1" }, { type: "snapshot", ack: 1, sealed: "v1.a" });
  view.send("geometry", {});
  view.send("retry", { edge: "bottom" });
  first.say({ type: "update", view: "list", ack: 3 });
  first.cut();
  assert.equal(made.status, "lost");
  assert.equal(view.send("loadMore"), 4, "it is said behind the next hello");

  const second = await open(all);
  assert.deepEqual(second.hello.resume, {
    session: "5f0c", token: "T1", ack: 3, received: ["1.1"], snapshot: "v1.a",
  });
  assert.deepEqual(second.said.map(({ type, seq }) => [type, seq]), [["retry", 3], ["loadMore", 4]]);
  assert.equal(view.send("refresh"), 5);
  assert.equal(second.said.length, 2, "before its answer nobody knows whose session it is");
  second.say(
    { ...WELCOME, token: "T2", resumed: true, ack: 3 }, { ...ATTACHED, ack: 3 },
    { type: "update", view: "list", ack: 4, list: { count: 1 } });
  assert.deepEqual(second.said.at(-1), { type: "refresh", seq: 5, view: "list" });
  assert.deepEqual(events, ["attached", "items", "update", "away", "attached again", "update again"]);
  second.cut();
  const third = await open(all);
  assert.equal(third.hello.resume.token, "T2");
  assert.equal(lines.length, 3);
  made.close();
});

test("a welcome that was lost leaves the client with what it had", async (t) => {
  const all = client(t);
  (await open(all, WELCOME, ATTACHED)).cut();
  (await open(all)).cut();
  const third = await open(all);
  assert.equal(third.hello.resume.token, "T1");
  all.made.close();
});

test("a refused session begins afresh: with its wishes, other numbers, and no fault of what was repeated", async (t) => {
  const all = client(t);
  const { made, events } = all;
  const errors = [];
  made.addEventListener("error", ({ detail }) => errors.push(detail.code));
  (await open(all, WELCOME, ATTACHED)).cut();
  const second = await open(all);
  assert.deepEqual(second.said.map(({ type, seq }) => [type, seq]), [["refresh", 1]]);
  second.say(
    { ...WELCOME, session: "77aa", token: "U1", resumed: false, reason: "unknownSession", ack: 0 }, ATTACHED,
    { type: "error", code: "nothingToRetry", seq: 1, view: "list" },
    { type: "error", code: "unknownLoad", seq: 2, view: "list" });
  assert.deepEqual(second.said.map(({ type, seq }) => [type, seq]), [["refresh", 1], ["refresh", 2]]);
  assert.deepEqual(events, ["attached", "away", "lost", "attached"]);
  assert.deepEqual(errors, ["unknownLoad"]);
  second.cut();
  const third = await open(all);
  const { session, received, snapshot } = third.hello.resume;
  assert.deepEqual([session, received, snapshot], ["77aa", [], undefined]);
  made.close();
});

test("what was loaded and is not told of any more was given up", async (t) => {
  const all = client(t);
  const first = await open(all, WELCOME, ATTACHED);
  first.say({ type: "items", view: "list", load: "1.1" });
  first.cut();
  const second = await open(all);
  second.say({ ...WELCOME, resumed: true, ack: 1 }, ATTACHED, { type: "update", view: "list", ack: 1 });
  assert.ok(all.events.includes("emptied again"));
  second.cut();
  assert.deepEqual((await open(all)).hello.resume.received, []);
  all.made.close();
});

for (const code of [1007, 1009, 4001, 4002, 4004, 4005, 4099]) {
  test(`a client that was closed with ${code} stays away`, async (t) => {
    const all = client(t);
    const { made, view, lines, timers } = all;
    (await open(all, WELCOME, ATTACHED)).cut(code);
    assert.equal(made.status, "refused");
    made.hurry();
    timers.tick(100_000);
    assert.equal(lines.length, 1);
    assert.equal(view.attached, false);
    assert.equal(view.send("refresh"), 0);
  });
}

for (const code of [1000, 1001, 1006, 1011, 4100, 4101, 4105, 4200]) {
  test(`a client that was closed with ${code} comes back by itself`, async (t) => {
    const all = client(t);
    (await open(all, WELCOME, ATTACHED)).cut(code);
    assert.equal(all.made.status, "lost");
    all.timers.tick(1000);
    assert.equal(all.lines.length, 2);
    assert.ok(mayReturn(code));
    all.made.close();
  });
}

test("a page that is loaded anew goes on with the session, once", async (t) => {
  const text = new Map();
  const storage = {
    getItem: (key) => text.get(key) ?? null, setItem: (key, value) => text.set(key, value),
    removeItem: (key) => text.delete(key),
  };
  const page = new EventTarget();
  globalThis.document = new EventTarget();
  globalThis.addEventListener = page.addEventListener.bind(page);
  t.after(() => {
    delete globalThis.document;
    delete globalThis.addEventListener;
  });
  const before = client(t, { storage });
  const first = await open(before, WELCOME, ATTACHED);
  first.say({ type: "items", view: "list", load: "1.1" }, { type: "snapshot", ack: 1, sealed: "v1.a" });
  before.view.send("retry");
  page.dispatchEvent(new Event("pagehide"));
  assert.equal(text.size, 1);
  before.made.close();

  const after = client(t, { storage });
  assert.equal(text.size, 0, "another page would take the session away");
  assert.deepEqual(after.view.kept, [7]);
  const second = await open(after);
  assert.deepEqual(second.hello.resume, {
    session: "5f0c", token: "T1", ack: 1, received: ["1.1"], snapshot: "v1.a",
  });
  assert.deepEqual(second.said.map(({ type, seq }) => [type, seq]), [["retry", 2]]);
  after.made.close();
});

test("a token is asked for at each hello", async (t) => {
  const tokens = ["a", "b"];
  const all = client(t, { token: async () => tokens.shift() });
  const first = await open(all, WELCOME, ATTACHED);
  first.cut(4200);
  const second = await open(all);
  assert.deepEqual([first.hello.token, second.hello.token], ["a", "b"]);
  all.made.close();
});

test("attempts are farther and farther apart, until a session has lasted", () => {
  const backoff = new Backoff(() => 1);
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7].map(() => backoff.lost(1006, 0)), [1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  backoff.opened(0);
  assert.equal(backoff.lost(1006, 4999), 30000);
  backoff.opened(10_000);
  assert.equal(backoff.lost(1006, 15_000), 1000);
  assert.equal(backoff.lost(1006, 15_000, 7000), 8750, "what the daemon advises wins");
  assert.equal(new Backoff(() => 0).lost(1006, 0), 100);
});

test("a token that has expired is renewed at once, but not over and over", () => {
  const backoff = new Backoff(() => 1);
  assert.equal(backoff.lost(4200, 0), 0);
  assert.equal(backoff.lost(4200, 0), 2000);
});

test("of samples those of the last movement are kept, of intents all", () => {
  const outbox = new Outbox();
  let seq = 0;
  const note = (type, phase, view = "list") => outbox.note({ type, phase, view, seq: ++seq });
  for (const phase of ["began", "dragging", "ended"]) note("scroll", phase);
  note("refresh");
  note("geometry");
  note("loadProgress");
  for (const phase of ["began", "dragging"]) note("pan", phase);
  note("scroll", "decelerating", "other");
  assert.deepEqual(outbox.messages.map((one) => one.seq), [4, 7, 8, 9]);
  outbox.forget(7);
  assert.deepEqual(outbox.messages.map((one) => one.seq), [8, 9]);
});

test("what is too much for a frame loses samples under way, and never how a movement began and ended", () => {
  const outbox = new Outbox();
  outbox.note({ type: "pan", phase: "began", view: "list", seq: 1 });
  for (let seq = 2; seq <= 99; seq += 1) outbox.note({ type: "pan", phase: "dragging", view: "list", seq });
  outbox.note({ type: "pan", phase: "ended", view: "list", seq: 100 });
  outbox.note({ type: "refresh", view: "list", seq: 101 });
  assert.deepEqual(outbox.fitting(5).map((one) => one.seq), [1, 98, 99, 100, 101]);
  assert.deepEqual(outbox.fitting(5, 190).map((one) => one.seq), [1, 100, 101]);
});

test("a view that is taken away is said to be, whenever the daemon can have it", async (t) => {
  const all = client(t);
  const { made, view, events } = all;
  made.view("other", () => ({ profile: "default" }));
  const first = await open(all, WELCOME, ATTACHED, { ...ATTACHED, view: "other" });
  made.detach("other");
  assert.deepEqual(first.said.at(-1), { type: "detach", seq: 2, view: "other" });
  view.send("retry", { edge: "bottom" });
  first.cut();
  const second = await open(all);
  assert.deepEqual(second.hello.views.map(({ view: name }) => name), ["list"]);
  // It was named by this `hello`, and is detached as soon as it is known whose session it is.
  made.detach("list");
  assert.equal(events.at(-1), "lost");
  assert.equal(second.said.at(-1).type, "retry");
  second.say({ ...WELCOME, token: "T2", resumed: true, ack: 2 });
  assert.deepEqual(second.said.at(-1), { type: "detach", seq: 4, view: "list" });
  second.cut();
  const third = await open(all);
  assert.deepEqual(third.hello.views, []);
  assert.deepEqual(third.said, [], "nothing is said again of a view that is gone");
  made.close();
});
