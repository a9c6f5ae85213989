import assert from "node:assert/strict";
import { test } from "node:test";
import { installCustomEvent } from "../../clients/web/conform/fake-screen.js";
import { RefreshClient } from "../../clients/web/refresh-client.js";

installCustomEvent();
globalThis.WebSocket ??= class { static OPEN = 1; };

const WELCOME = {
  type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {}, features: ["patch"],
};
const OLD = [1, 2, 3, "1"].map((id) => ({ id }));

/** Opens a view with patches and the items `OLD`. Returns the view, the sent frames and the shown messages. */
async function opened(t, { itemKey = "/id", edges = { top: { role: "refresh", state: "idle" } } } = {}) {
  const sockets = [];
  const open = () => {
    const socket = {
      readyState: 1, sent: [], close() {},
      send(text) {
        const frame = JSON.parse(text);
        if (frame.type !== "ping") this.sent.push(frame);
      },
    };
    sockets.push(socket);
    return socket;
  };
  const client = new RefreshClient({ url: "ws://here", open, features: ["patch"], random: () => 0 });
  t.after(() => client.close());
  const view = client.view("list", () => ({ profile: "default" }));
  const shown = [];
  view.addEventListener("items", ({ detail }) => shown.push(detail));
  client.connect();
  await sockets[0].onopen();
  const receive = (...messages) => sockets.at(-1).onmessage({ data: JSON.stringify(messages) });
  const attached = { type: "attached", view: "list", ack: 0, itemKey, ...edges };
  receive(WELCOME, attached);
  const items = (mode, list, count) => receive({
    type: "items", view: "list", load: "1.1", mode, more: true,
    ...(mode === "patch" ? { runs: list, count } : { items: list, count: list.length }),
  });
  items("replace", OLD);
  return { client, view, sockets, shown, receive, attached, items };
}

test("a patch replaces the list, and unchanged items are the same objects", async (t) => {
  const { shown, items, sockets } = await opened(t);
  const old = shown[0].items;
  const changed = { id: 2, title: "new" };
  items("patch", [{ from: "1", count: 1 }, { from: 1, count: 1 }, { items: [changed] }], 3);
  assert.equal(shown[1].mode, "replace");
  assert.deepEqual(shown[1].items, [{ id: "1" }, { id: 1 }, changed]);
  assert.equal(shown[1].items[1], old[0]);
  items("append", [{ id: 5 }]);
  items("prepend", [{ id: 6 }]);
  assert.deepEqual(shown.slice(2).map(({ mode, items: page }) => [mode, page.length]), [["append", 1], ["prepend", 1]]);
  items("patch", [{ from: 6, count: 5 }], 5);
  assert.deepEqual(shown[4].items.map(({ id }) => id), [6, "1", 1, 2, 5]);
  assert.equal(sockets[0].sent.length, 1);
});

for (const [name, runs, count] of [
  ["has an unknown key", [{ from: 9, count: 1 }], 1], ["goes beyond the list", [{ from: 3, count: 3 }], 3],
  ["has another count", [{ from: 1, count: 2 }], 3], ["has a key of another type", [{ from: "2", count: 1 }], 1],
]) {
  test(`a patch that ${name} changes nothing, and the whole list is requested once`, async (t) => {
    const { shown, items, sockets: [socket] } = await opened(t);
    items("patch", runs, count);
    items("append", [{ id: 7 }]);
    items("patch", [{ from: 1, count: 1 }], 1);
    assert.equal(shown.length, 1);
    assert.deepEqual(socket.sent.slice(1).map((frame) => frame.map(({ type, seq }) => [type, seq])),
      [[["reset", 1], ["refresh", 2]]]);
    items("replace", [{ id: 8 }]);
    items("patch", [{ items: [{ id: 9 }] }, { from: 8, count: 1 }], 2);
    assert.deepEqual(shown.at(-1).items, [{ id: 9 }, { id: 8 }]);
  });
}

test("several items with the key of a run do not fit", async (t) => {
  const { shown, items, sockets: [socket] } = await opened(t);
  items("append", [{ id: 1 }]);
  items("patch", [{ from: 1, count: 1 }], 1);
  assert.equal(shown.length, 2);
  assert.equal(socket.sent.length, 2);
});

test("without a refresh edge, the whole list is requested by loadMore", async (t) => {
  for (const edges of [{}, { top: { role: "refresh", state: "disabled" } }]) {
    const { items, sockets: [socket] } = await opened(t, { edges });
    items("patch", [{ from: 9, count: 1 }], 1);
    assert.deepEqual(socket.sent[1].map(({ type }) => type), ["reset", "loadMore"]);
  }
});

test("the whole list is requested as the edges are now", async (t) => {
  const { items, receive, sockets: [socket] } = await opened(t);
  const requested = () => {
    items("patch", [{ from: 9, count: 1 }], 1);
    items("replace", OLD);
    return socket.sent.at(-1).map(({ type }) => type);
  };
  const change = (edges) => receive({ type: "update", view: "list", ack: 0, list: { count: 4 }, ...edges });
  change({ top: { state: "disabled" } });
  assert.deepEqual(requested(), ["reset", "loadMore"]);
  change({ top: { state: "idle" } });
  assert.deepEqual(requested(), ["reset", "refresh"]);
  change({ top: { role: "none", state: "disabled" } });
  change({ leading: { role: "refresh", state: "idle" } });
  assert.deepEqual(requested(), ["reset", "refresh"]);
});

test("a page may change its items and their array, and patches still apply to what the daemon has sent", async (t) => {
  const { view, shown, items } = await opened(t);
  const change = (list) => {
    for (const item of list) item.id = "changed";
    list.reverse().pop();
  };
  change(shown[0].items);
  items("patch", [{ from: 2, count: 2 }, { items: [{ id: 8 }] }], 3);
  assert.equal(shown[1].items.length, 3);
  change(shown[1].items);
  items("append", [{ id: 9 }]);
  change(shown[2].items);
  items("patch", [{ from: 3, count: 3 }], 3);
  assert.equal(shown[3].items.length, 3);
  const kept = [{ id: 40 }, { id: 41 }];
  view.restoreItems(kept);
  change(kept);
  items("patch", [{ from: 41, count: 1 }], 1);
  assert.equal(shown.length, 4 + 1);
});

test("the key is found by its JSON pointer", async (t) => {
  const { shown, items } = await opened(t, { itemKey: "/a~1b/1" });
  items("replace", [{ "a/b": [0, "x"] }, { "a/b": [0, "y"] }, {}, 5]);
  items("patch", [{ from: "y", count: 1 }], 1);
  assert.deepEqual(shown.at(-1).items, [{ "a/b": [0, "y"] }]);
});

test("patches apply after a resume, and not to the items of an earlier session", async (t) => {
  const { client, sockets, shown, receive, attached, items } = await opened(t);
  for (const isResumed of [true, false]) {
    sockets.at(-1).onclose({ code: 1006 });
    client.connect();
    await sockets.at(-1).onopen();
    receive({ ...WELCOME, resumed: isResumed, ack: 0 }, attached,
      { type: "update", view: "list", ack: 0, list: { count: 4, more: true } });
    const before = shown.length;
    items("patch", [{ from: 2, count: 2 }, { from: 1, count: 1 }, { from: "1", count: 1 }], 4);
    assert.equal(shown.length - before, isResumed ? 1 : 0);
    if (isResumed) assert.deepEqual(shown.at(-1).items.map(({ id }) => id), [2, 3, 1, "1"]);
  }
});

test("a reloaded page applies patches to the items that it has kept", async (t) => {
  const { client, view, sockets, shown, receive, attached, items } = await opened(t);
  sockets[0].onclose({ code: 1006 });
  client.connect();
  view.restoreItems([{ id: 40 }, { id: 41 }]);
  await sockets[1].onopen();
  receive({ ...WELCOME, resumed: true, ack: 0 }, attached);
  items("patch", [{ from: 41, count: 1 }], 1);
  assert.deepEqual(shown.at(-1).items, [{ id: 41 }]);
});
