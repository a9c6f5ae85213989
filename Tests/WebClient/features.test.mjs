import assert from "node:assert/strict";
import { test } from "node:test";
import { installCustomEvent } from "../../clients/web/conform/fake-screen.js";
import { RefreshClient } from "../../clients/web/refresh-client.js";

installCustomEvent();
globalThis.WebSocket ??= class { static OPEN = 1; };

const WELCOME = {
  type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {}, features: ["query"],
};

/** Connects a client with one view. Returns the client, the view, and the messages that it sends. */
async function opened(t, options) {
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
  sockets[0].onmessage({ data: JSON.stringify([WELCOME, { type: "attached", view: "list", ack: 0 }]) });
  return { client, view, sockets };
}

test("the hello names the features that the page uses, and the attach has its options", async (t) => {
  const { client, sockets: [socket] } = await opened(t, { features: ["query"] });
  assert.deepEqual(socket.sent[0].features, ["query"]);
  assert.equal(socket.sent[0].views[0].initial, "kept");
  assert.deepEqual(client.welcome.features, ["query"]);
});

test("an empty list of features is sent, because it asks for the options of features", async (t) => {
  const { sockets: [socket] } = await opened(t, { features: [] });
  assert.deepEqual(socket.sent[0].features, []);
});

test("without features, the hello has no such member", async (t) => {
  const { sockets: [socket] } = await opened(t, {});
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
