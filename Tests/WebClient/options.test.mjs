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
