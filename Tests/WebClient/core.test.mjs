import assert from "node:assert/strict";
import { once } from "node:events";
import { createRequire } from "node:module";
import { test } from "node:test";
import { RefreshClient } from "../../clients/web/core.js";

const require = createRequire(import.meta.url);
// Debian's node-ws.
const WebSocket = require(["ws", "/usr/share/nodejs/ws"].find((name) => {
  try {
    return Boolean(require.resolve(name));
  } catch {
    return false;
  }
}));

const WELCOME = {
  type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {}, features: [],
};
const ATTACHED = { type: "attached", view: "list", ack: 0, generation: 1, top: { role: "refresh", state: "idle" } };

/** Starts a server on a free port. `socket` is a promise of the first connection. */
async function serve(t) {
  const server = new WebSocket.Server({ host: "127.0.0.1", port: 0 });
  t.after(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const socket = once(server, "connection").then(([connection]) => connection);
  await once(server, "listening");
  return { url: `ws://127.0.0.1:${server.address().port}`, socket };
}

const next = (target, type) => new Promise((done) => {
  target.addEventListener(type, ({ detail }) => done(detail), { once: true });
});

test("a session uses the WebSocket that the program gives it", async (t) => {
  const { url, socket } = await serve(t);
  const client = new RefreshClient({ url, WebSocket, name: "test/1.0" });
  t.after(() => client.close());
  const view = client.view("list", () => ({ profile: "default", feed: "packages" }));
  client.connect();
  const server = await socket;
  assert.equal(server.protocol, "refresh.v1");
  const [hello] = await once(server, "message");
  assert.equal(JSON.parse(String(hello)).client, "test/1.0");
  const attached = next(view, "attached");
  server.send(JSON.stringify([WELCOME, ATTACHED]));
  assert.equal((await attached).generation, 1);
  assert.equal(client.status, "open");
  assert.equal(view.top.state, "idle");
});

test("a closed session says goodbye", async (t) => {
  const { url, socket } = await serve(t);
  const client = new RefreshClient({ url, WebSocket });
  client.connect();
  const server = await socket;
  await once(server, "message");
  const welcome = next(client, "welcome");
  server.send(JSON.stringify(WELCOME));
  await welcome;
  const messages = [];
  server.on("message", (text) => messages.push(JSON.parse(String(text)).type));
  client.close();
  await once(server, "close");
  assert.equal(messages.at(-1), "bye");
});

test("a server that does not listen is reported, and throws no error", async (t) => {
  const server = new WebSocket.Server({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  const client = new RefreshClient({ url: `ws://127.0.0.1:${port}`, WebSocket });
  t.after(() => client.close());
  const statuses = [];
  const lost = new Promise((done) => {
    client.addEventListener("status", ({ detail: { status } }) => {
      statuses.push(status);
      if (status === "lost") done();
    });
  });
  client.connect();
  await lost;
  assert.deepEqual(statuses, ["connecting", "lost"]);
});

test("a connection that ends before the session begins is reported", async (t) => {
  const { url, socket } = await serve(t);
  const client = new RefreshClient({ url, WebSocket });
  t.after(() => client.close());
  client.connect();
  const server = await socket;
  const lost = next(client, "status");
  server.terminate();
  const { status, retryInMs } = await lost;
  assert.equal(status, "lost");
  assert.ok(retryInMs > 0);
});
