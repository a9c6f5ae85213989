import assert from "node:assert/strict";
import { test } from "node:test";
import { installCustomEvent } from "../../clients/web/conform/fake-screen.js";
import { RefreshClient } from "../../clients/web/refresh-client.js";

installCustomEvent();
globalThis.WebSocket ??= class { static OPEN = 1; };

const WELCOME = { type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {} };
const IGNORED = {
  type: "diagnostic", code: "unknownOption", message: "There is no option of this name here; it was ignored.",
  field: "top.triger", suggestion: "trigger", seq: 4, view: "list",
};
const MISTAKE = {
  type: "diagnostic", code: "idleMissing", message: "The list came to rest, but the client did not send `idle`.",
  view: "list", page: "docs/start.md#idle",
};

/**
 * Connects a client. Returns its `hello`, its warnings on the console, and the details of its
 * `diagnostic` events.
 */
async function opened(t, options) {
  const warn = t.mock.method(console, "warn", () => {});
  const socket = {
    readyState: 1, sent: [], close() {},
    send(text) { this.sent.push(...[].concat(JSON.parse(text))); },
  };
  const client = new RefreshClient({ url: "ws://here", open: () => socket, ...options });
  t.after(() => client.close());
  const received = [];
  client.addEventListener("diagnostic", ({ detail }) => received.push(detail));
  client.connect();
  await socket.onopen();
  socket.onmessage({ data: JSON.stringify([WELCOME, IGNORED, MISTAKE]) });
  return { hello: socket.sent[0], received, warnings: warn.mock.calls.map(({ arguments: [text] }) => text) };
}

test("with diagnostics, the hello requests them and the console shows them as warnings", async (t) => {
  const { hello, received, warnings } = await opened(t, { diagnostics: true });
  assert.equal(hello.diagnostics, true);
  assert.deepEqual(received, [IGNORED, MISTAKE]);
  assert.deepEqual(warnings, [
    "refreshd: There is no option of this name here; it was ignored. "
      + "(unknownOption, field top.triger; did you mean trigger?, view list, seq 4)",
    "refreshd: The list came to rest, but the client did not send `idle`. "
      + "(idleMissing, view list, see docs/start.md#idle)",
  ]);
});

test("without diagnostics, the hello does not request them", async (t) => {
  const { hello } = await opened(t, {});
  assert.ok(!("diagnostics" in hello));
});
