import assert from "node:assert/strict";
import { test } from "node:test";
import { furnishEvents } from "../../clients/web/conform/screen.js";
import { RefreshClient } from "../../clients/web/refresh-client.js";

furnishEvents();
globalThis.WebSocket ??= class { static OPEN = 1; };

const WELCOME = { type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {} };
const IGNORED = {
  type: "diagnostic", code: "unknownOption", message: "There is no option of this name here; it was ignored.",
  field: "top.triger", suggestion: "trigger", seq: 4, view: "list",
};

/** A client that is welcomed: its `hello`, its console and what it hears. */
async function opened(t, options) {
  const warn = t.mock.method(console, "warn", () => {});
  const socket = { readyState: 1, said: [], send(text) { this.said.push(...[].concat(JSON.parse(text))); }, close() {} };
  const client = new RefreshClient({ url: "ws://here", open: () => socket, ...options });
  t.after(() => client.close());
  const heard = [];
  client.addEventListener("diagnostic", ({ detail }) => heard.push(detail));
  client.connect();
  await socket.onopen();
  socket.onmessage({ data: JSON.stringify([WELCOME, IGNORED]) });
  return { hello: socket.said[0], heard, warnings: warn.mock.calls.map(({ arguments: [text] }) => text) };
}

test("with diagnostics the daemon is asked, and the console warns of what it ignores", async (t) => {
  const { hello, heard, warnings } = await opened(t, { diagnostics: true });
  assert.equal(hello.diagnostics, true);
  assert.deepEqual(heard, [IGNORED]);
  assert.deepEqual(warnings, [
    "refreshd: There is no option of this name here; it was ignored. "
      + "(unknownOption, field top.triger; did you mean trigger?, view list, seq 4)",
  ]);
});

test("without them the daemon is not asked", async (t) => {
  const { hello } = await opened(t, {});
  assert.ok(!("diagnostics" in hello));
});
