import assert from "node:assert/strict";
import { test } from "node:test";
import { checkStrings } from "../../clients/web/outbox.js";
import { ATTACHED, createSession, WELCOME } from "./session.mjs";

const LONG = "x".repeat(1025);
const REFUSAL = { type: "error", code: "stringTooLong", message: "No.", temporary: false };

test("the bound of a string counts its bytes as encoded in the frame", () => {
  for (const text of ["x".repeat(1024), "é".repeat(512), "\n".repeat(512), "\"".repeat(512), "\\".repeat(512)]) {
    checkStrings({ text });
    assert.throws(() => checkStrings({ text: `${text}y` }), /has 1025 bytes, at most 1024 \(stringBytesMax\)/);
    assert.throws(() => checkStrings({ [`${text}y`]: 1 }), RangeError, "names of members are strings too");
  }
  checkStrings({ texts: ["x".repeat(1000), "x".repeat(1000)] });
  checkStrings({ text: LONG }, 2000);
  checkStrings(undefined);
});

test("a string that is too long is refused before it is sent or kept, and the session goes on", async (t) => {
  const { client, view, errors, open } = createSession(t);
  const first = await open(WELCOME, ATTACHED);
  view.query({ q: "good" });
  for (const send of [
    () => view.query({ q: LONG }), () => view.markRead(LONG), () => view.reveal({ id: LONG }),
    () => view.send("loadFinished", { load: "1.1", result: "failed", message: LONG }),
    () => { view.parameters = { q: LONG }; }, () => client.view(LONG, () => ({ profile: "default" })),
    () => client.view("other", () => ({ profile: "default", feed: LONG })),
    () => client.view("other", () => ({ profile: "default" }), [{ type: "configure", parameters: { q: LONG } }]),
  ]) assert.throws(send, RangeError);
  assert.deepEqual(first.numbered, [["configure", 1]]);
  first.cut();
  assert.throws(() => view.query({ q: LONG }), RangeError, "also while there is no connection");
  view.send("refresh");
  const second = await open();
  assert.deepEqual(second.received[0].views, [{ view: "list", profile: "default", parameters: { q: "good" } }]);
  assert.deepEqual(second.numbered, [["configure", 1], ["refresh", 2]]);
  assert.deepEqual(errors, []);
});

test("the bound of a string is that of the daemon", async (t) => {
  const { view, open } = createSession(t);
  const socket = await open({ ...WELCOME, limits: { stringBytesMax: 2000 } }, ATTACHED);
  view.query({ q: LONG });
  assert.throws(() => view.query({ q: "x".repeat(2001) }), /at most 2000/);
  assert.deepEqual(socket.numbered, [["configure", 1]]);
});

test("a new view whose description is too long is reported, and is in no later hello", async (t) => {
  const { client, errors, open } = createSession(t);
  const first = await open(WELCOME, ATTACHED);
  first.cut();
  const late = client.view("late", () => ({ profile: "default", feed: LONG }));
  const second = await open({ ...WELCOME, resumed: true, ack: 0 }, ATTACHED);
  assert.deepEqual(errors.map(({ code, view }) => [code, view]), [["stringTooLong", "late"]]);
  assert.deepEqual(second.numbered, []);
  assert.equal(late.send("refresh"), 0);
  assert.equal(client.status, "open");
  second.cut();
  assert.deepEqual((await open()).received[0].views.map(({ view }) => view), ["list"]);
});

test("if the repeated messages are refused, hello is sent alone once, and the messages are reported", async (t) => {
  const { client, view, errors, open } = createSession(t);
  const first = await open({ ...WELCOME, limits: { stringBytesMax: 4096 } }, ATTACHED);
  view.markRead(LONG);
  first.cut();
  const second = await open();
  assert.deepEqual(second.numbered, [["read", 1]]);
  assert.equal(view.send("refresh"), 2);
  second.deliver(REFUSAL); // by a daemon with a smaller limit
  await Promise.resolve();
  assert.deepEqual(second.frames.map((frame) => frame.map(({ type }) => type)), [["hello", "read"], ["hello"]]);
  assert.equal(second.received.at(-1).resume.token, "T1");
  assert.deepEqual(errors.map(({ code, dropped }) => [code, dropped]),
    [["stringTooLong", [{ type: "read", seq: 1, view: "list", id: LONG }]]]);
  second.deliver({ ...WELCOME, token: "T2", resumed: true, ack: 0 }, ATTACHED);
  assert.equal(client.status, "open");
  assert.deepEqual(second.numbered, [["read", 1], ["refresh", 2]], "a later message follows the welcome");
});

test("a query whose message was dropped does not describe the view", async (t) => {
  const { view, open } = createSession(t);
  const first = await open({ ...WELCOME, limits: { stringBytesMax: 4096 } }, ATTACHED);
  view.query({ q: "good" });
  first.deliver({ type: "update", view: "list", ack: 1 });
  view.query({ q: LONG });
  first.cut();
  const second = await open();
  assert.equal(second.received[0].views[0].parameters.q, LONG);
  second.deliver(REFUSAL);
  await Promise.resolve();
  assert.deepEqual(second.received.at(-1).views[0].parameters, { q: "good" });
});

for (const [ack, expected] of [[0, { q: "a" }], [1, { q: "b" }]]) {
  test(`a query that was dropped, and handled before if ack is 1, precedes the next query: ack ${ack}`, async (t) => {
    const { view, open } = createSession(t);
    const first = await open(WELCOME, ATTACHED);
    view.parameters = { q: "a" };
    view.query({ q: "b" });
    first.cut();
    const second = await open();
    view.query({ q: "c" });
    second.deliver(REFUSAL);
    await Promise.resolve();
    assert.deepEqual(second.received.at(-1).views[0].parameters, { q: "c" });
    second.deliver({ ...WELCOME, resumed: true, ack }, { ...ATTACHED, ack });
    assert.deepEqual(second.numbered, [["configure", 1], ["configure", 2]]);
    second.deliver({ ...REFUSAL, code: "invalidParameter", view: "list", seq: 2 });
    assert.deepEqual(view.parameters, expected);
  });
}

test("if the hello is refused alone too, the session is refused", async (t) => {
  const { client, view, errors, open } = createSession(t);
  (await open(WELCOME, ATTACHED)).cut();
  view.send("refresh");
  const second = await open();
  second.deliver(REFUSAL);
  await Promise.resolve();
  second.deliver({ ...REFUSAL, code: "unknownProfile" });
  assert.equal(client.status, "refused");
  assert.deepEqual(errors.map(({ code, dropped }) => [code, dropped?.length]),
    [["stringTooLong", 1], ["unknownProfile", undefined]]);
});

for (const faults of [[], [{ ...REFUSAL, code: "frameTooLarge" }]]) {
  test(`after ${faults.length} errors, a close because of the repeated messages ends only the connection`, async (t) => {
    const { client, view, errors, open } = createSession(t);
    (await open(WELCOME, ATTACHED)).cut();
    view.send("refresh");
    const second = await open(...faults);
    second.cut(1009);
    assert.equal(client.status, "lost");
    assert.deepEqual(errors.map(({ code, dropped }) => [code, dropped.length]), [["frameTooLarge", 1]]);
    const third = await open();
    assert.deepEqual(third.received.map(({ type }) => type), ["hello"]);
    third.cut(1009);
    assert.equal(client.status, "refused", "the hello itself is too large");
  });
}

test("after the next welcome, a close code for a refused frame is final again", async (t) => {
  const { client, view, open } = createSession(t);
  (await open(WELCOME, ATTACHED)).cut();
  view.send("refresh");
  const second = await open(REFUSAL);
  second.deliver({ ...WELCOME, resumed: true, ack: 0 }, ATTACHED);
  second.cut(1009);
  assert.equal(client.status, "refused");
});

test("messages that do not fit into the frame of hello follow the welcome, in frames that fit", async (t) => {
  const { view, open } = createSession(t);
  const limits = { batchMessagesMax: 4 };
  (await open({ ...WELCOME, limits }, ATTACHED)).cut();
  for (let count = 1; count <= 9; count += 1) view.send("refresh");
  const second = await open();
  assert.deepEqual(second.frames.map((frame) => frame.map(({ seq }) => seq)), [[undefined, 1, 2, 3]]);
  second.deliver({ ...WELCOME, limits, resumed: true, ack: 4 }, ATTACHED);
  const sent = second.frames.slice(1).map((frame) => frame.map(({ seq }) => seq)).filter(([seq]) => seq);
  assert.deepEqual(sent, [[5, 6, 7, 8], [9]], "the daemon has handled the fourth");
});

test("a frame that cannot be read ends the connection, and the session resumes", async (t) => {
  for (const data of ["{\"type\":\"upd", "null", "[null]", "7", "[{}]", "[{\"type\":1}]", ""]) {
    const { client, view, errors, statuses, connections, timers, open } = createSession(t);
    const first = await open(WELCOME, ATTACHED);
    first.onmessage({ data });
    assert.equal(client.status, "lost", data);
    assert.equal(first.readyState, 3);
    assert.ok(view.isDisconnected);
    assert.deepEqual(errors.map(({ code, temporary }) => [code, temporary]), [["damagedFrame", true]]);
    assert.equal(statuses.at(-1).error.code, "damagedFrame");
    assert.ok(statuses.at(-1).retryInMs > 0);
    timers.tick(1000);
    await connections[1].onopen();
    assert.equal(connections[1].received[0].resume.token, "T1");
    client.close();
    console.warn.mock.restore();
  }
});

test("a token that fails on a later connection does not end the session", async (t) => {
  const tokens = [() => "a", () => { throw new TypeError("fetch failed"); }, () => "c"];
  const { client, errors, statuses, connections, timers, open } = createSession(t, { token: async () => tokens.shift()() });
  (await open(WELCOME, ATTACHED)).cut();
  await open();
  assert.equal(client.status, "lost");
  assert.deepEqual(errors.map(({ code, temporary }) => [code, temporary]), [["tokenFailed", true]]);
  assert.match(statuses.at(-1).error.message, /fetch failed/);
  timers.tick(statuses.at(-1).retryInMs);
  await connections[2].onopen();
  assert.equal(connections[2].received[0].token, "c");
  assert.equal(connections[2].received[0].resume.token, "T1");
});
