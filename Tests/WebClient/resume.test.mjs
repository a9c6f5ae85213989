import assert from "node:assert/strict";
import { test } from "node:test";
import { Backoff, mayReconnect } from "../../clients/web/backoff.js";
import { installCustomEvent } from "../../clients/web/conform/fake-screen.js";
import { Outbox } from "../../clients/web/outbox.js";
import { RefreshClient } from "../../clients/web/refresh-client.js";
import { Timers } from "./timers.mjs";

installCustomEvent();
globalThis.WebSocket ??= class { static OPEN = 1; };

/**
 * A fake socket of the client. With its other methods, a test sends messages as the daemon, and
 * reads what the daemon receives.
 */
class ServerConnection {
  readyState = 1;
  received = [];
  send(text) { this.received.push(...[].concat(JSON.parse(text))); }
  close() { this.readyState = 3; }
  deliver(...messages) { this.onmessage({ data: JSON.stringify(messages) }); }
  cut(code = 1006) { this.onclose({ code }); }
  get hello() { return this.received.find(({ type }) => type === "hello"); }
  /** The received messages except `hello` and `ping`. */
  get numbered() { return this.received.filter(({ seq }) => seq !== undefined); }
}

const WELCOME = { type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {} };
const ATTACHED = { type: "attached", view: "list", ack: 0, generation: 1, top: { role: "refresh", state: "idle" } };

/**
 * Creates a client with one view. Time passes only in `timers.tick`, so `open` reconnects by
 * `reconnectNow`.
 */
function createClient(t, options = {}) {
  const timers = new Timers(t);
  const connections = [];
  const client = new RefreshClient({
    url: "ws://here", random: () => 0.5,
    open: () => {
      connections.push(new ServerConnection());
      return connections.at(-1);
    },
    ...options,
  });
  const view = client.view(
    "list", () => ({ profile: "default", feed: "f" }), [{ type: "refresh", cause: "code" }], () => [7]);
  const events = [];
  for (const type of ["attached", "update", "items", "disconnected", "ended", "emptied"]) {
    view.addEventListener(type, () => events.push(view.isResuming ? `${type} again` : type));
  }
  return { client, view, connections, events, timers };
}

async function open({ client, connections }, ...messages) {
  if (client.status === "connecting" && connections.length === 0) client.connect();
  else client.reconnectNow();
  const connection = connections.at(-1);
  await connection.onopen();
  if (messages.length > 0) connection.deliver(...messages);
  return connection;
}

test("a second call of connect has no effect while the client is connecting or connected", async (t) => {
  const all = createClient(t);
  const { client, connections } = all;
  client.connect();
  client.connect();
  assert.equal(connections.length, 1, "while it is connecting");
  const first = connections[0];
  await first.onopen();
  first.deliver(WELCOME, ATTACHED);
  client.connect();
  assert.equal(connections.length, 1, "while it is connected");
  assert.equal(client.status, "open");
  first.cut();
  client.connect();
  assert.equal(connections.length, 2, "after the connection is lost");
  client.close();
});

test("a client resumes with its snapshot, and repeats the messages that the snapshot does not contain", async (t) => {
  const all = createClient(t);
  const { client, view, connections, events } = all;
  const first = await open(all, WELCOME, ATTACHED);
  assert.deepEqual(first.numbered.map(({ type, seq }) => [type, seq]), [["refresh", 1]]);
  first.deliver({ type: "items", view: "list", load: "1.1" }, { type: "snapshot", ack: 1, sealed: "v1.a" });
  view.send("geometry", {});
  view.send("retry", { edge: "bottom" });
  first.deliver({ type: "update", view: "list", ack: 3 });
  first.cut();
  assert.equal(client.status, "lost");
  assert.equal(view.send("loadMore"), 4, "the message follows the next hello");

  const second = await open(all);
  assert.deepEqual(second.hello.resume, {
    session: "5f0c", token: "T1", ack: 3, received: ["1.1"], snapshot: "v1.a",
  });
  assert.deepEqual(second.numbered.map(({ type, seq }) => [type, seq]), [["retry", 3], ["loadMore", 4]]);
  assert.equal(view.send("refresh"), 5);
  assert.equal(second.numbered.length, 2, "nothing is sent between hello and welcome");
  second.deliver(
    { ...WELCOME, token: "T2", resumed: true, ack: 3 }, { ...ATTACHED, ack: 3 },
    { type: "update", view: "list", ack: 4, list: { count: 1 } });
  assert.deepEqual(second.numbered.at(-1), { type: "refresh", seq: 5, view: "list" });
  assert.deepEqual(events, ["attached", "items", "update", "disconnected", "attached again", "update again"]);
  second.cut();
  const third = await open(all);
  assert.equal(third.hello.resume.token, "T2");
  assert.equal(connections.length, 3);
  client.close();
});

test("if a welcome is lost, the next hello resumes with the earlier token", async (t) => {
  const all = createClient(t);
  (await open(all, WELCOME, ATTACHED)).cut();
  (await open(all)).cut();
  const third = await open(all);
  assert.equal(third.hello.resume.token, "T1");
  all.client.close();
});

test("if a session is not resumed, the client uses the new one, and ignores errors of repeated messages", async (t) => {
  const all = createClient(t);
  const { client, events } = all;
  const errors = [];
  client.addEventListener("error", ({ detail }) => errors.push(detail.code));
  (await open(all, WELCOME, ATTACHED)).cut();
  const second = await open(all);
  assert.deepEqual(second.numbered.map(({ type, seq }) => [type, seq]), [["refresh", 1]]);
  second.deliver(
    { ...WELCOME, session: "77aa", token: "U1", resumed: false, reason: "unknownSession", ack: 0 }, ATTACHED,
    { type: "error", code: "nothingToRetry", seq: 1, view: "list" },
    { type: "error", code: "unknownLoad", seq: 2, view: "list" });
  assert.deepEqual(second.numbered.map(({ type, seq }) => [type, seq]), [["refresh", 1], ["refresh", 2]]);
  assert.deepEqual(events, ["attached", "disconnected", "ended", "attached"]);
  assert.deepEqual(errors, ["unknownLoad"]);
  second.cut();
  const third = await open(all);
  const { session, received, snapshot } = third.hello.resume;
  assert.deepEqual([session, received, snapshot], ["77aa", [], undefined]);
  client.close();
});

test("items that the resumed session does not list are dropped", async (t) => {
  const all = createClient(t);
  const first = await open(all, WELCOME, ATTACHED);
  first.deliver({ type: "items", view: "list", load: "1.1" });
  first.cut();
  const second = await open(all);
  second.deliver({ ...WELCOME, resumed: true, ack: 1 }, ATTACHED, { type: "update", view: "list", ack: 1 });
  assert.ok(all.events.includes("emptied again"));
  second.cut();
  assert.deepEqual((await open(all)).hello.resume.received, []);
  all.client.close();
});

for (const code of [1007, 1009, 4001, 4002, 4004, 4005, 4099]) {
  test(`a client does not reconnect after close code ${code}`, async (t) => {
    const all = createClient(t);
    const { client, view, connections, timers } = all;
    (await open(all, WELCOME, ATTACHED)).cut(code);
    assert.equal(client.status, "refused");
    client.reconnectNow();
    timers.tick(100_000);
    assert.equal(connections.length, 1);
    assert.equal(view.attached, false);
    assert.equal(view.send("refresh"), 0);
  });
}

for (const code of [1000, 1001, 1006, 1011, 4100, 4101, 4105, 4200]) {
  test(`a client reconnects after close code ${code}`, async (t) => {
    const all = createClient(t);
    (await open(all, WELCOME, ATTACHED)).cut(code);
    assert.equal(all.client.status, "lost");
    all.timers.tick(1000);
    assert.equal(all.connections.length, 2);
    assert.ok(mayReconnect(code));
    all.client.close();
  });
}

test("a reloaded page resumes the session once", async (t) => {
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
  const before = createClient(t, { storage });
  const first = await open(before, WELCOME, ATTACHED);
  first.deliver({ type: "items", view: "list", load: "1.1" }, { type: "snapshot", ack: 1, sealed: "v1.a" });
  before.view.send("retry");
  page.dispatchEvent(new Event("pagehide"));
  assert.equal(text.size, 1);
  before.client.close();

  const after = createClient(t, { storage });
  assert.equal(text.size, 0, "another page must not resume the same session");
  assert.deepEqual(after.view.savedState, [7]);
  const second = await open(after);
  assert.deepEqual(second.hello.resume, {
    session: "5f0c", token: "T1", ack: 1, received: ["1.1"], snapshot: "v1.a",
  });
  assert.deepEqual(second.numbered.map(({ type, seq }) => [type, seq]), [["retry", 2]]);
  after.client.close();
});

test("each hello has a token that was requested for it", async (t) => {
  const tokens = ["a", "b"];
  const all = createClient(t, { token: async () => tokens.shift() });
  const first = await open(all, WELCOME, ATTACHED);
  first.cut(4200);
  const second = await open(all);
  assert.deepEqual([first.hello.token, second.hello.token], ["a", "b"]);
  all.client.close();
});

test("the delay doubles with each attempt, until a connection has lasted for five seconds", () => {
  const backoff = new Backoff(() => 1);
  const delays = [1, 2, 3, 4, 5, 6, 7].map(() => backoff.delayAfterClose(1006, 0));
  assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  backoff.recordOpen(0);
  assert.equal(backoff.delayAfterClose(1006, 4999), 30000);
  backoff.recordOpen(10_000);
  assert.equal(backoff.delayAfterClose(1006, 15_000), 1000);
  assert.equal(backoff.delayAfterClose(1006, 15_000, 7000), 8750, "the daemon's delay has priority");
  assert.equal(new Backoff(() => 0).delayAfterClose(1006, 0), 100);
});

test("the first attempt after an expired token is immediate, the next one is not", () => {
  const backoff = new Backoff(() => 1);
  assert.equal(backoff.delayAfterClose(4200, 0), 0);
  assert.equal(backoff.delayAfterClose(4200, 0), 2000);
});

test("the outbox keeps requests such as refresh, and the samples of the last movement", () => {
  const outbox = new Outbox();
  let seq = 0;
  const record = (type, phase, view = "list") => outbox.record({ type, phase, view, seq: ++seq });
  for (const phase of ["began", "dragging", "ended"]) record("scroll", phase);
  record("refresh");
  record("geometry");
  record("loadProgress");
  for (const phase of ["began", "dragging"]) record("pan", phase);
  record("scroll", "decelerating", "other");
  assert.deepEqual(outbox.messages.map((one) => one.seq), [4, 7, 8, 9]);
  outbox.acknowledge(7);
  assert.deepEqual(outbox.messages.map((one) => one.seq), [8, 9]);
});

test("if the messages do not fit into a frame, intermediate samples of a movement are dropped", () => {
  const outbox = new Outbox();
  outbox.record({ type: "pan", phase: "began", view: "list", seq: 1 });
  for (let seq = 2; seq <= 99; seq += 1) outbox.record({ type: "pan", phase: "dragging", view: "list", seq });
  outbox.record({ type: "pan", phase: "ended", view: "list", seq: 100 });
  outbox.record({ type: "refresh", view: "list", seq: 101 });
  assert.deepEqual(outbox.fitting(5).map((one) => one.seq), [1, 98, 99, 100, 101]);
  assert.deepEqual(outbox.fitting(5, 190).map((one) => one.seq), [1, 100, 101]);
});

test("a removed view is detached at once, or after the welcome if the hello has named the view", async (t) => {
  const all = createClient(t);
  const { client, view, events } = all;
  client.view("other", () => ({ profile: "default" }));
  const first = await open(all, WELCOME, ATTACHED, { ...ATTACHED, view: "other" });
  client.detach("other");
  assert.deepEqual(first.numbered.at(-1), { type: "detach", seq: 2, view: "other" });
  view.send("retry", { edge: "bottom" });
  first.cut();
  const second = await open(all);
  assert.deepEqual(second.hello.views.map(({ view: name }) => name), ["list"]);
  // This `hello` named the view, so the client sends `detach` only after the `welcome`.
  client.detach("list");
  assert.equal(events.at(-1), "ended");
  assert.equal(second.numbered.at(-1).type, "retry");
  second.deliver({ ...WELCOME, token: "T2", resumed: true, ack: 2 });
  assert.deepEqual(second.numbered.at(-1), { type: "detach", seq: 4, view: "list" });
  second.cut();
  const third = await open(all);
  assert.deepEqual(third.hello.views, []);
  assert.deepEqual(third.numbered, [], "messages about a removed view are not repeated");
  client.close();
});
