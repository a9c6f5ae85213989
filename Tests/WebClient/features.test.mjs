import assert from "node:assert/strict";
import { test } from "node:test";
import { installCustomEvent } from "../../clients/web/conform/fake-screen.js";
import { RefreshClient } from "../../clients/web/refresh-client.js";

installCustomEvent();
globalThis.WebSocket ??= class { static OPEN = 1; };

const WELCOME = {
  type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {}, features: ["query"],
};

/** Connects a client with one view. Returns the client, the view and the sockets. */
async function opened(t, { welcome = {}, ...options }) {
  const sockets = [];
  const open = () => {
    const socket = {
      readyState: 1, sent: [], close() {},
      send(text) { this.sent.push(...[].concat(JSON.parse(text))); },
    };
    sockets.push(socket);
    return socket;
  };
  const client = new RefreshClient({ url: "ws://here", open, ...options });
  t.after(() => client.close());
  const view = client.view("list", () => ({ profile: "default", initial: "kept" }));
  client.connect();
  await sockets[0].onopen();
  sockets[0].onmessage({ data: JSON.stringify([{ ...WELCOME, ...welcome }, { type: "attached", view: "list", ack: 0 }]) });
  return { client, view, sockets };
}

test("the hello names the features that the page uses, and the attach has its options", async (t) => {
  const { client, sockets: [socket] } = await opened(t, { features: ["query"] });
  assert.deepEqual(socket.sent[0].features, ["query"]);
  assert.equal(socket.sent[0].views[0].initial, "kept");
  assert.deepEqual(client.welcome.features, ["query"]);
});

test("by default, an empty list of features is sent, because it asks for options such as `initial`", async (t) => {
  const { sockets: [socket] } = await opened(t, {});
  assert.deepEqual(socket.sent[0].features, []);
});

test("with the features null, the hello has no such member", async (t) => {
  const { sockets: [socket] } = await opened(t, { features: null });
  assert.ok(!("features" in socket.sent[0]));
});

test("a query and a disappearance that the daemon has not acknowledged are sent again after a reconnection", async (t) => {
  const { client, view, sockets } = await opened(t, { features: ["query"], random: () => 0 });
  view.send("configure", { parameters: { q: "a" } });
  view.send("disappear");
  sockets[0].onclose({ code: 1006 });
  client.connect();
  await sockets[1].onopen();
  assert.deepEqual(sockets[1].sent.slice(1).map(({ type, seq }) => [type, seq]), [["configure", 1], ["disappear", 2]]);
  assert.deepEqual(sockets[1].sent[0].features, ["query"]);
});

/** The messages that a socket has sent after its `hello`, without `ping`. */
const after = ({ sent }) => sent.slice(1).filter(({ type }) => type !== "ping");
const types = (socket) => after(socket).map(({ type }) => type);

test("a query is sent only if the feature is in use, and its parameters then describe the view", async (t) => {
  const { client, view, sockets } = await opened(t, { features: ["query"], random: () => 0 });
  assert.ok(view.query({ q: "a" }, { debounceMs: 250 }));
  const [{ type, parameters, debounceMs }] = after(sockets[0]);
  assert.deepEqual([type, parameters, debounceMs], ["configure", { q: "a" }, 250]);
  sockets[0].onclose({ code: 1006 });
  client.connect();
  await sockets[1].onopen();
  assert.deepEqual(sockets[1].sent[0].views[0].parameters, { q: "a" });
  for (const options of [{}, { features: [] }, { features: ["query"], welcome: { features: [] } }]) {
    const other = await opened(t, options);
    assert.ok(!other.view.query({ q: "a" }));
    assert.deepEqual(types(other.sockets[0]), []);
  }
});

test("a query that the daemon refuses does not describe the view", async (t) => {
  const { view, sockets: [socket] } = await opened(t, { features: ["query"] });
  view.query({ q: "a" });
  view.query({ q: "b" });
  const [, { seq }] = after(socket);
  const refuse = (number) => socket.onmessage({
    data: JSON.stringify({ type: "error", code: "invalidParameter", view: "list", seq: number, temporary: false }) });
  refuse(seq);
  assert.deepEqual(view.body.parameters, { q: "a" });
  refuse(seq - 1);
  assert.equal(view.body.parameters, undefined);
});

test("after two refused queries in flight, the view has the parameters of the last handled query", async (t) => {
  const { view, sockets: [socket] } = await opened(t, { features: ["query"] });
  const deliver = (message) => socket.onmessage({ data: JSON.stringify({ view: "list", ...message }) });
  const refuse = (seq) => deliver({ type: "error", code: "invalidParameter", seq, temporary: false });
  for (const q of ["good", "bad 1", "bad 2"]) view.query({ q });
  deliver({ type: "update", ack: 1 });
  assert.deepEqual(view.body.parameters, { q: "bad 2" }, "no answer yet");
  refuse(2);
  assert.deepEqual(view.body.parameters, { q: "bad 2" }, "the newest query is not the refused one");
  refuse(3);
  assert.deepEqual(view.body.parameters, { q: "good" });
  refuse(1);
  assert.deepEqual(view.body.parameters, { q: "good" }, "the daemon has handled this query");
});

test("an error without a query changes no parameters", async (t) => {
  const { view, sockets: [socket] } = await opened(t, { features: ["query"] });
  socket.onmessage({ data: JSON.stringify({ type: "error", code: "unknownFeed", view: "list", temporary: false }) });
  assert.equal(view.parameters, null);
  assert.ok(!("parameters" in view.body));
});

test("a query that clears the list empties the view", async (t) => {
  const { view } = await opened(t, { features: ["query"] });
  let count = 0;
  view.addEventListener("emptied", () => { count += 1; });
  view.query({ q: "a" });
  view.query({ q: "b" }, { shown: "keep" });
  assert.equal(count, 0);
  view.query({ q: "c" }, { shown: "clear" });
  assert.equal(count, 1);
});

test("a view disappears and appears once for each change", async (t) => {
  const { view, sockets: [socket] } = await opened(t, { features: [] });
  view.appear();
  view.disappear();
  view.disappear();
  view.appear();
  view.appear();
  assert.deepEqual(types(socket), ["disappear", "appear"]);
});

test("a daemon without features receives no `disappear`, not even one that the outbox has kept", async (t) => {
  const older = await opened(t, { features: [], welcome: { features: undefined } });
  older.view.disappear();
  assert.deepEqual(types(older.sockets[0]), []);

  const { client, view, sockets } = await opened(t, { features: ["query"], random: () => 0 });
  sockets[0].onclose({ code: 1006 });
  client.connect();
  await sockets[1].onopen();
  view.disappear();
  view.query({ q: "a" });
  view.send("refresh");
  sockets[1].onmessage({ data: JSON.stringify({ ...WELCOME, features: undefined, resumed: true, ack: 0 }) });
  assert.deepEqual(types(sockets[1]), ["refresh"]);
});

test("a view that is covered disappears again in a fresh session", async (t) => {
  const { client, view, sockets } = await opened(t, { features: [], random: () => 0 });
  view.disappear();
  sockets[0].onmessage({ data: JSON.stringify({ type: "update", view: "list", ack: 1 }) });
  sockets[0].onclose({ code: 1006 });
  client.connect();
  await sockets[1].onopen();
  sockets[1].onmessage({ data: JSON.stringify({ ...WELCOME, session: "77aa", resumed: false, reason: "unknownSession" }) });
  assert.deepEqual(types(sockets[1]), ["disappear"]);
});

test("a reveal and a read mark are sent only if the feature is in use, and again after a reconnection", async (t) => {
  const unread = { features: ["unread"], welcome: { features: ["query", "unread"] }, random: () => 0 };
  const { client, view, sockets } = await opened(t, unread);
  assert.ok(view.reveal({ id: "m42", position: 700 }));
  view.markRead("m42");
  const expected = [["reveal", "m42", 700], ["read", "m42", undefined]];
  const fields = (socket) => after(socket).map(({ type, id, position }) => [type, id, position]);
  assert.deepEqual(fields(sockets[0]), expected);
  sockets[0].onclose({ code: 1006 });
  client.connect();
  await sockets[1].onopen();
  assert.deepEqual(fields(sockets[1]), expected);
  for (const options of [{}, { features: ["unread"], welcome: { features: ["query"] } }]) {
    const other = await opened(t, options);
    assert.ok(!other.view.reveal());
    other.view.markRead("m1");
    assert.deepEqual(types(other.sockets[0]), []);
  }
});
