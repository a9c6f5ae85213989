import assert from "node:assert/strict";
import { test } from "node:test";
import { ATTACHED, createSession, WELCOME } from "./session.mjs";

const FRESH = { ...WELCOME, session: "6a1d", token: "T2", resumed: false, reason: "unknownSession", ack: 0 };
const RESUMED = { ...WELCOME, resumed: true, ack: 0 };
const describe = () => ({ profile: "default", feed: "other" });
const REFUSED_QUERY = { type: "error", code: "unknownParameter", message: "No.", view: "list", temporary: false };

/** The numbers of the messages in each frame, without pings. */
const numbersOf = ({ frames }) => frames.map((frame) => frame.map(({ seq }) => seq)).filter(([seq]) => seq);

test("queries between hello and a fresh welcome are made again", async (t) => {
  const { view, open } = createSession(t);
  const first = await open(WELCOME, ATTACHED);
  view.query({ q: "a" });
  first.deliver({ type: "update", view: "list", ack: 1 });
  first.cut();
  const second = await open();
  view.query({ q: "ab" });
  view.query({ q: "abc" }, { debounceMs: 100 });
  view.send("refresh");
  second.deliver(FRESH, ATTACHED);
  assert.equal(second.received[0].views[0].parameters.q, "a");
  assert.deepEqual(second.received.slice(1), [
    { type: "configure", seq: 5, view: "list", parameters: { q: "ab" } },
    { type: "configure", seq: 6, view: "list", parameters: { q: "abc" }, debounceMs: 100 }]);
  assert.deepEqual(view.parameters, { q: "abc" });
  second.deliver({ type: "update", view: "list", ack: 5 }, { ...REFUSED_QUERY, seq: 6 });
  assert.deepEqual(view.parameters, { q: "ab" }, "a refused query does not describe the view");
});

test("the numbers of a batch ascend if a view is attached or detached in it", async (t) => {
  const { client, view, open } = createSession(t);
  const socket = await open(WELCOME, ATTACHED);
  view.batch(() => {
    view.send("refresh");
    client.view("other", describe);
    view.send("reset");
    client.detach("other");
    view.send("refresh");
  });
  assert.deepEqual(socket.numbered,
    [["refresh", 1], ["attach", 2], ["reset", 3], ["detach", 4], ["refresh", 5]]);
});

test("a batch and the messages of a new view are sent in frames that the daemon accepts", async (t) => {
  const { client, view, open } = createSession(t);
  const limits = { batchMessagesMax: 3 };
  const socket = await open({ ...WELCOME, limits }, ATTACHED);
  view.batch(() => { for (let count = 1; count <= 4; count += 1) view.send("refresh"); });
  client.view("other", describe, Array(3).fill({ type: "refresh" }));
  assert.deepEqual(numbersOf(socket), [[1, 2, 3], [4], [5, 6, 7], [8]]);
});

test("a message that is larger than a frame is refused before it is sent", async (t) => {
  const { view, open } = createSession(t);
  const socket = await open({ ...WELCOME, limits: { frameBytesMax: 3000 } }, ATTACHED);
  const items = Array(200).fill("x".repeat(20));
  assert.throws(() => view.send("loadFinished", { load: "1.1", result: "success", items }),
    /the message has \d+ bytes, at most 1976 \(frameBytesMax\)/);
  view.send("loadFinished", { load: "1.1", result: "success", items: items.slice(0, 50) });
  assert.deepEqual(socket.numbered, [["loadFinished", 1]]);
});

test("a listener may close the session while new views are attached", async (t) => {
  const { client, connections, open } = createSession(t);
  (await open(WELCOME, ATTACHED)).cut();
  client.view("one", describe);
  client.view("two", describe);
  client.addEventListener("sent", ({ detail }) => { if (detail.type === "attach") client.close(); });
  await open(RESUMED, ATTACHED);
  assert.equal(client.status, "closed");
  assert.deepEqual(connections[1].received.map(({ type }) => type), ["hello", "attach", "bye"]);
});

test("a listener may replace a view that cannot be attached", async (t) => {
  const { client, open } = createSession(t);
  (await open(WELCOME, ATTACHED)).cut();
  client.view("bad", () => ({ profile: "default", feed: "x".repeat(1025) }));
  client.view("good", describe);
  client.addEventListener("error", () => {
    client.detach("bad");
    client.view("bad", describe);
  });
  const second = await open(RESUMED, ATTACHED);
  const attached = second.received.filter(({ type }) => type === "attach").map(({ view, feed }) => [view, feed]);
  assert.deepEqual(attached, [["good", "other"], ["bad", "other"]]);
});

test("if a socket cannot be created, the first attempt throws, and a later one is repeated", async (t) => {
  const first = createSession(t, { open: () => { throw new SyntaxError("bad url"); } });
  assert.throws(() => first.client.connect(), /bad url/);
  console.warn.mock.restore();
  t.mock.reset();

  let failures = 0;
  const sockets = [];
  const { client, errors, statuses, timers } = createSession(t, {
    open: () => {
      if (sockets.length > 0 && failures < 2) {
        failures += 1;
        throw new Error("no socket");
      }
      const socket = { readyState: 1, send: () => {}, close: () => {} };
      sockets.push(socket);
      return socket;
    },
  });
  client.connect();
  await sockets[0].onopen();
  sockets[0].onmessage({ data: JSON.stringify([WELCOME, ATTACHED]) });
  sockets[0].onclose({ code: 1006 });
  for (let count = 1; count <= 3; count += 1) timers.tick(statuses.at(-1).retryInMs);
  assert.deepEqual(errors.map(({ code, temporary }) => [code, temporary]), Array(2).fill(["openFailed", true]));
  assert.equal(statuses.filter(({ error }) => error?.code === "openFailed").length, 2);
  assert.equal(sockets.length, 2, "the third attempt has a socket");
});

test("a view whose description fails is reported and left out, and the others are attached", async (t) => {
  const { client, view, errors, open } = createSession(t);
  let fails = true;
  const other = client.view("other", () => {
    if (fails) throw new TypeError("no geometry");
    return describe();
  });
  const first = await open(WELCOME, ATTACHED);
  assert.deepEqual(first.received.map(({ type, views }) => [type, views?.map((one) => one.view)]), [["hello", ["list"]]]);
  assert.deepEqual(errors.map((error) => [error.code, error.view, error.message]),
    [["descriptionFailed", "other", "no geometry"]]);
  assert.ok(view.attached);
  assert.equal(other.send("refresh"), 0);
  first.cut();
  fails = false;
  const second = await open(RESUMED, ATTACHED);
  assert.deepEqual(second.numbered, [["attach", 1]]);
});

test("a frame with damaged members ends the connection, and the session resumes", async (t) => {
  const items = { type: "items", view: "list", load: "1.1", mode: "replace", count: 1 };
  for (const damaged of [{ ...items, items: 5 }, { ...items, items: null }, { ...ATTACHED, itemKey: 5 },
    { ...items, mode: "patch", runs: [null] }]) {
    const { client, errors, statuses, open } = createSession(t);
    const first = await open(WELCOME, ATTACHED, { ...items, items: [{ id: 1 }] });
    first.deliver(damaged);
    assert.equal(client.status, "lost");
    assert.deepEqual(errors.map(({ code }) => code), ["damagedFrame"]);
    assert.equal(statuses.at(-1).error.code, "damagedFrame");
    assert.equal((await open()).received[0].resume.token, "T1");
    client.close();
    console.warn.mock.restore();
    t.mock.reset();
  }
});

test("without a connection, at most 1,000 messages are kept, and the dropped ones are reported", async (t) => {
  const { view, errors, open } = createSession(t);
  const limits = { batchMessagesMax: 2000, frameBytesMax: 1e6 };
  (await open({ ...WELCOME, limits }, ATTACHED)).cut();
  for (let count = 1; count <= 1002; count += 1) view.send("refresh");
  assert.deepEqual(errors.map(({ code, temporary, dropped }) => [code, temporary, dropped.map(({ seq }) => seq)]),
    [["outboxFull", true, [1]], ["outboxFull", true, [2]]]);
  const numbers = (await open()).numbered.map(([, seq]) => seq);
  assert.deepEqual([numbers.length, numbers[0], numbers.at(-1)], [1000, 3, 1002]);
});

test("intents of a view that is added without a connection follow its attachment", async (t) => {
  const { client, open } = createSession(t);
  (await open(WELCOME, ATTACHED)).cut();
  const other = client.view("other", describe, [{ type: "refresh" }]);
  other.send("enable", { edge: "bottom", enabled: false });
  other.query({ q: "a" });
  const second = await open(RESUMED, ATTACHED);
  assert.deepEqual(second.numbered, [["attach", 1], ["refresh", 2], ["enable", 3]]);
  assert.deepEqual(second.received.find(({ type }) => type === "attach").parameters, { q: "a" });
  second.cut();
  assert.deepEqual((await open()).numbered, [["refresh", 2], ["enable", 3]], "they are sent once");
});

test("intents before the first connection follow hello", async (t) => {
  const { view, open } = createSession(t);
  assert.equal(view.send("refresh"), 0);
  assert.deepEqual((await open()).numbered, [["refresh", 1]]);
});
