import assert from "node:assert/strict";
import { test } from "node:test";
import { installCustomEvent } from "../../clients/web/conform/fake-screen.js";
import { RefreshClient } from "../../clients/web/refresh-client.js";

installCustomEvent();

const WELCOME = { type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {} };
const refusal = (fields) => ({ type: "error", view: "list", message: "No.", temporary: false, ...fields });

/** A client with the view `list`, whose sockets are `sockets`. */
async function opened(t) {
  const sockets = [];
  const open = () => {
    const socket = {
      readyState: 1, sent: [], close() {},
      send(text) { this.sent.push(...[].concat(JSON.parse(text))); },
    };
    sockets.push(socket);
    return socket;
  };
  const client = new RefreshClient({ url: "ws://here", open });
  t.after(() => client.close());
  const statuses = [];
  const errors = [];
  client.addEventListener("status", ({ detail }) => statuses.push(detail.status));
  client.addEventListener("error", ({ detail }) => errors.push(detail.code));
  const view = client.view("list", () => ({ profile: "default", feed: "wrong" }));
  const deliver = (...messages) => sockets.at(-1).onmessage({ data: JSON.stringify(messages) });
  client.connect();
  await sockets[0].onopen();
  deliver(WELCOME);
  return { client, view, sockets, statuses, errors, deliver };
}

/** The addresses of the sockets that a client with this `url` creates. */
function addresses(t, url) {
  const created = [];
  class Socket {
    readyState = 0;
    constructor(address) { created.push(address); }
    close() {}
  }
  const client = new RefreshClient({ url, WebSocket: Socket });
  t.after(() => client.close());
  client.connect();
  return created;
}

test("without a WebSocket, the error names the option", (t) => {
  const before = globalThis.WebSocket;
  globalThis.WebSocket = undefined;
  t.after(() => { globalThis.WebSocket = before; });
  assert.throws(() => new RefreshClient({ url: "ws://here" }), /pass the option WebSocket/);
});

test("an address needs a scheme", (t) => {
  for (const url of ["127.0.0.1:8080/v1/session", "localhost:8080/v1/session", ""]) {
    assert.throws(() => addresses(t, url), /has no scheme/, url);
  }
  assert.throws(() => addresses(t, undefined), /pass the option url/);
  assert.deepEqual(addresses(t, "wss://there/v1/session"), ["wss://there/v1/session"]);
  assert.deepEqual(addresses(t, "https://there/v1/session"), ["wss://there/v1/session"]);
});

test("a closed client has the status closed, and cannot connect again", async (t) => {
  const { client, view, sockets, statuses } = await opened(t);
  client.close();
  client.close();
  assert.deepEqual(statuses, ["connecting", "open", "closed"]);
  assert.equal(view.send("refresh"), 0);
  assert.throws(() => client.connect(), /is closed/);
  assert.equal(sockets.length, 1);
});

test("a refused view reports one error and sends nothing until the next connection", async (t) => {
  const { client, view, sockets, errors, deliver } = await opened(t);
  view.send("refresh");
  deliver(refusal({ code: "unknownFeed", field: "feed" }), refusal({ code: "unknownView", seq: 1 }));
  assert.deepEqual(errors, ["unknownFeed"]);
  assert.equal(view.send("refresh"), 0);
  assert.equal(sockets[0].sent.filter(({ type }) => type === "refresh").length, 1);
  sockets[0].onclose({ code: 1006 });
  client.reconnectNow();
  await sockets[1].onopen();
  assert.notEqual(view.send("refresh"), 0);
});

test("an error about a message of an attached view does not refuse the view", async (t) => {
  const { view, errors, deliver } = await opened(t);
  deliver({ type: "attached", view: "list", ack: 0, top: { state: "idle" } });
  deliver(refusal({ code: "nothingToRetry", seq: 1 }));
  assert.deepEqual(errors, ["nothingToRetry"]);
  assert.notEqual(view.send("refresh"), 0);
});

test("a listener of the status may close the session", async (t) => {
  for (const closing of ["connecting", "open"]) {
    const sockets = [];
    const open = () => {
      const socket = { readyState: 1, sent: [], close() {}, send(text) { this.sent.push(...[].concat(JSON.parse(text))); } };
      sockets.push(socket);
      return socket;
    };
    const client = new RefreshClient({ url: "ws://here", open });
    t.after(() => client.close());
    client.addEventListener("status", ({ detail }) => detail.status === closing && client.close());
    client.connect();
    assert.equal(sockets.length, closing === "open" ? 1 : 0);
    await sockets[0]?.onopen();
    sockets[0]?.onmessage({ data: JSON.stringify([WELCOME]) });
    assert.equal(client.status, "closed");
    if (closing === "open") assert.deepEqual(sockets[0].sent.map(({ type }) => type), ["hello", "bye"]);
  }
});

/** A client whose sockets a test controls, with the details of its statuses and the codes of its errors. */
function controlled(t, options = {}) {
  t.mock.method(console, "warn", () => {});
  const sockets = [];
  const open = () => {
    const socket = { readyState: 1, sent: [], close() {}, send(text) { this.sent.push(...[].concat(JSON.parse(text))); } };
    sockets.push(socket);
    return socket;
  };
  const client = new RefreshClient({ url: "ws://here/v1/session", open, ...options });
  t.after(() => client.close());
  const statuses = [];
  const errors = [];
  client.addEventListener("status", ({ detail }) => statuses.push(detail));
  client.addEventListener("error", ({ detail }) => errors.push(detail.code));
  const deliver = (...messages) => sockets.at(-1).onmessage({ data: JSON.stringify(messages) });
  return { client, sockets, statuses, errors, deliver, types: () => sockets.at(-1).sent.map(({ type }) => type) };
}

test("an error for good before the first welcome refuses the session, with its field", async (t) => {
  const { client, sockets, statuses, errors, deliver } = controlled(t);
  client.view("list", () => ({ profile: "default", top: { trigger: "sometimes" } }));
  client.connect();
  await sockets[0].onopen();
  deliver({ type: "error", code: "invalidField", message: "Wrong.", field: "trigger", temporary: false });
  assert.deepEqual(errors, ["invalidField"]);
  assert.equal(client.status, "refused");
  assert.deepEqual([statuses.at(-1).error.field, statuses.at(-1).error.message], ["trigger", "Wrong."]);
  client.reconnectNow();
  assert.equal(sockets.length, 1);
});

test("a temporary error before the first welcome does not refuse the session", async (t) => {
  const { client, sockets, errors, deliver } = controlled(t);
  client.connect();
  await sockets[0].onopen();
  deliver({ type: "error", code: "overloaded", message: "Later.", temporary: true });
  assert.deepEqual(errors, ["overloaded"]);
  assert.equal(client.status, "connecting");
  sockets[0].onclose({ code: 1013 });
  assert.equal(client.status, "lost");
});

test("the status of a failed first connection has the address and the reason of the socket", (t) => {
  const { client, sockets, statuses } = controlled(t);
  client.connect();
  sockets[0].onerror({ message: "connect ECONNREFUSED" });
  sockets[0].onclose({ code: 1006 });
  assert.equal(client.status, "lost");
  assert.equal(statuses.at(-1).error.message, "Cannot connect to ws://here/v1/session: connect ECONNREFUSED");
  client.reconnectNow();
  sockets[1].onerror({});
  sockets[1].onclose({ code: 1006 });
  assert.match(statuses.at(-1).error.message, /here\/v1\/session: the connection has failed/);
  assert.equal(console.warn.mock.callCount(), 1, "the console shows the first failure only");
});

test("an HTTP status that a repetition does not change refuses the first connection, but not a later one", async (t) => {
  for (const status of [400, 403, 404]) {
    const { client, sockets, statuses } = controlled(t);
    client.connect();
    sockets[0].onerror({ message: `Unexpected server response: ${status}` });
    sockets[0].onclose({ code: 1006 });
    assert.equal(client.status, "refused");
    assert.match(statuses.at(-1).error.message, new RegExp(`${status}$`));
    console.warn.mock.restore();
  }
  const { client, sockets, deliver } = controlled(t);
  client.connect();
  await sockets[0].onopen();
  deliver(WELCOME);
  sockets[0].onclose({ code: 1006 });
  client.reconnectNow();
  sockets[1].onerror({ message: "Unexpected server response: 404" });
  sockets[1].onclose({ code: 1006 });
  assert.equal(client.status, "lost");
});

test("a view that is added to an open session is attached, and its name is unique", async (t) => {
  const { client, sockets, deliver, types } = controlled(t);
  client.connect();
  await sockets[0].onopen();
  const early = client.view("early", () => ({ profile: "default" }), [{ type: "refresh", cause: "code" }]);
  assert.equal(early.send("loadMore"), 0, "it follows the attachment");
  assert.equal(early.send("scroll", { offset: 0, phase: "idle" }), 0, "samples are not kept");
  assert.deepEqual(types(), ["hello"]);
  deliver(WELCOME);
  const late = client.view("late", () => ({ profile: "default", feed: "f" }));
  assert.notEqual(late.send("refresh"), 0);
  const sent = sockets[0].sent.filter(({ type }) => type !== "ping");
  assert.deepEqual(sent.map(({ type, seq, view }) => [type, seq, view]), [
    ["hello", undefined, undefined], ["attach", 1, "early"], ["refresh", 2, "early"],
    ["loadMore", 3, "early"], ["attach", 4, "late"], ["refresh", 5, "late"]]);
  assert.equal(sent[4].feed, "f");
  assert.throws(() => client.view("late", () => ({ profile: "default" })), /already a view "late"/);
  client.close();
  assert.throws(() => client.view("other", () => ({ profile: "default" })), /is closed/);
});

test("a view that is added while there is no connection is attached after the session has resumed", async (t) => {
  const { client, sockets, deliver } = controlled(t);
  const first = client.view("first", () => ({ profile: "default" }));
  client.connect();
  await sockets[0].onopen();
  deliver(WELCOME, { type: "attached", view: "first", ack: 0 });
  sockets[0].onclose({ code: 1006 });
  const second = client.view("second", () => ({ profile: "default" }));
  client.reconnectNow();
  await sockets[1].onopen();
  assert.deepEqual(sockets[1].sent[0].views.map(({ view }) => view), ["first"]);
  deliver({ ...WELCOME, resumed: true, ack: 0 });
  assert.deepEqual(sockets[1].sent.filter(({ type }) => type === "attach").map(({ view }) => view), ["second"]);
  deliver({ type: "attached", view: "first", ack: 0 }, { type: "attached", view: "second", ack: 1 });
  assert.deepEqual([first.isResuming, second.isResuming], [true, false]);
});

test("a program without pages saves its session for the next process", async (t) => {
  const state = new Map();
  const storage = {
    getItem: (key) => state.get(key) ?? null, setItem: (key, text) => state.set(key, text),
    removeItem: (key) => state.delete(key),
  };
  const before = controlled(t, { storage });
  const view = before.client.view("list", () => ({ profile: "default" }), [], () => ["a", "b"]);
  assert.equal(before.client.save(), false, "there is no session yet");
  before.client.connect();
  await before.sockets[0].onopen();
  before.deliver(WELCOME);
  assert.equal(view.savedState, null);
  assert.equal(before.client.save(), true);
  console.warn.mock.restore();
  const after = controlled(t, { storage });
  assert.deepEqual(after.client.view("list", () => ({ profile: "default" }), [], () => []).savedState, ["a", "b"]);
  after.client.connect();
  await after.sockets[0].onopen();
  assert.equal(after.sockets[0].sent[0].resume.token, "T1");
  assert.deepEqual(after.sockets[0].sent[0].views.map(({ view: name }) => name), ["list"]);
  assert.throws(() => new RefreshClient({ url: "ws://here", open: () => null, storage: {} }), /getItem/);
});

test("the token is a text or a function, and after a failure of the function the client connects again", async (t) => {
  const text = controlled(t, { token: "secret" });
  text.client.connect();
  await text.sockets[0].onopen();
  assert.equal(text.sockets[0].sent[0].token, "secret");
  for (const token of [() => { throw new Error("no key"); }, async () => { throw new Error("no key"); }]) {
    console.warn.mock.restore();
    const { client, sockets, statuses, errors } = controlled(t, { token });
    client.connect();
    await sockets[0].onopen();
    assert.deepEqual(errors, ["tokenFailed"]);
    assert.equal(client.status, "lost");
    const { error, retryInMs } = statuses.at(-1);
    assert.match(error.message, /no key/);
    assert.ok(retryInMs > 0);
    assert.deepEqual(sockets[0].sent, []);
    client.reconnectNow();
    assert.equal(sockets.length, 2);
    await sockets[1].onopen();
    assert.ok(statuses.at(-1).retryInMs > retryInMs / 10, "the pause grows with each attempt");
    assert.equal(statuses.at(-1).attempt, 2);
  }
});
