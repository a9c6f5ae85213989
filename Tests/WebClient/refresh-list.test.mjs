import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeScreen, installBrowserGlobals } from "../../clients/web/conform/fake-screen.js";

installBrowserGlobals(null);
const { installFakeDocument } = await import("../../clients/web/conform/fake-indicator.js");
installFakeDocument();
globalThis.navigator ??= { language: "en" };
const { RefreshList } = await import("../../clients/web/refresh-list.js");

const WELCOME = {
  type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {},
  features: ["query", "unread", "patch", "live"],
};
const EDGES = {
  top: { role: "refresh", state: "idle" }, bottom: { role: "loadMore", state: "idle" },
};
const ATTACHED = { type: "attached", view: "list", ack: 0, generation: 1, ...EDGES };
const page = (mode, names, more = {}) => ({
  type: "items", view: "list", load: "1.1", mode, count: names.length, items: names.map((id) => ({ id })), ...more,
});

/** A list on a fake screen, whose socket is `connection`. */
async function createList(t, options = {}, welcome = WELCOME) {
  const connections = [];
  const screen = new FakeScreen({ viewport: { width: 390, height: 800 }, content: { width: 390, height: 0 } });
  const { elements } = screen;
  elements.content.children = [];
  elements.content.getBoundingClientRect = () => ({ width: 390, height: elements.content.height, top: 0 });
  const list = new RefreshList({ ...elements, indicators: { append() {} } }, {
    url: "ws://here", feed: "f", ...options,
    open: () => {
      const connection = {
        readyState: 1, received: [],
        send: (text) => connection.received.push(...[].concat(JSON.parse(text))),
        close() {},
        deliver: (...messages) => connection.onmessage({ data: JSON.stringify(messages) }),
      };
      connections.push(connection);
      return connection;
    },
  });
  t.after(() => list.close());
  const events = [];
  for (const type of ["items", "failure", "newer", "refreshing"]) {
    list.addEventListener(type, ({ detail }) => events.push([type, detail?.mode ?? detail?.message].join(" ").trim()));
  }
  const open = async (...messages) => {
    const connection = connections.at(-1);
    await connection.onopen();
    connection.deliver(...messages);
    return connection;
  };
  list.connect();
  const connection = await open(welcome, ATTACHED);
  return { list, connection, connections, events, open, screen };
}

const sent = (connection, type) => connection.received.filter((message) => message.type === type);
const names = (list) => list.items.map(({ id }) => id);

test("a list with features gets its first items without a message of its own", async (t) => {
  const { connection } = await createList(t, { profile: "default", attach: { top: { pollMs: 60000 } } });
  const [hello] = sent(connection, "hello");
  assert.deepEqual(hello.features, ["query", "unread", "patch", "live"]);
  const [view] = hello.views;
  assert.equal(view.initial, "kept");
  assert.deepEqual([view.view, view.profile, view.feed, view.top], ["list", "default", "f", { pollMs: 60000 }]);
  assert.deepEqual(sent(connection, "refresh"), []);
});

test("a list asks a daemon without features for its first items", async (t) => {
  const { features: _, ...older } = WELCOME;
  const { connection } = await createList(t, {}, older);
  assert.deepEqual(sent(connection, "refresh").map(({ cause }) => cause), ["code"]);
  const without = await createList(t, { features: null }, older);
  assert.equal(sent(without.connection, "refresh").length, 1);
});

test("pages are appended, prepended and replaced, and the total is known at the end", async (t) => {
  const { list, connection, events } = await createList(t);
  connection.deliver(page("replace", ["a", "b"], { more: true }));
  assert.deepEqual([names(list), list.total], [["a", "b"], undefined]);
  connection.deliver(page("append", ["c"], { more: true, total: 9 }));
  assert.deepEqual([names(list), list.total], [["a", "b", "c"], 9]);
  connection.deliver(page("prepend", ["z"], { more: false }));
  assert.deepEqual([names(list), list.total], [["z", "a", "b", "c"], 4]);
  assert.deepEqual(events, ["newer", "items replace", "items append", "items prepend"]);
});

test("the first items of a new session replace those of the previous one", async (t) => {
  const { list, connection, connections, events, open } = await createList(t);
  connection.deliver(page("replace", ["a", "b"]));
  connection.onclose({ code: 1006 });
  assert.deepEqual(names(list), ["a", "b"]);
  list.client.reconnectNow();
  await open({ ...WELCOME, resumed: false, session: "other" }, ATTACHED);
  assert.deepEqual(names(list), ["a", "b"]);
  connections.at(-1).deliver(page("append", ["c"]));
  assert.deepEqual(names(list), ["c"]);
  assert.equal(events.at(-1), "items replace");
});

test("a failed load is reported until a load succeeds", async (t) => {
  const { list, connection, events } = await createList(t);
  const failed = { type: "loading", view: "list", load: "1.2", phase: "failed", kind: "more", message: "It is closed." };
  connection.deliver(failed, { type: "update", view: "list", bottom: { state: "failed" } });
  assert.deepEqual([list.failure, list.bottom.state], ["It is closed.", "failed"]);
  list.retry();
  assert.deepEqual(sent(connection, "retry").map(({ edge }) => edge), ["bottom"]);
  connection.deliver(page("append", ["a"]));
  assert.equal(list.failure, "");
  assert.deepEqual(events.slice(1), ["failure It is closed.", "items replace"]);
});

test("newer items are counted, and shown by a reveal", async (t) => {
  const { list, connection } = await createList(t);
  connection.deliver({ type: "update", view: "list", newer: true, newerCount: 3 });
  assert.deepEqual([list.hasNewer, list.newerCount], [true, 3]);
  list.showNewer("finger");
  assert.equal(sent(connection, "reveal").length, 1);
  connection.deliver({ type: "update", view: "list", newer: false });
  assert.deepEqual([list.hasNewer, list.newerCount], [false, 0]);
});

test("a query is sent at once, or with the first connection", async (t) => {
  const { list, connection } = await createList(t, { parameters: { q: "one" } });
  assert.deepEqual(sent(connection, "hello")[0].views[0].parameters, { q: "one" });
  assert.equal(list.query({ q: "two" }, { debounceMs: 250 }), true);
  const [{ parameters, debounceMs }] = sent(connection, "configure");
  assert.deepEqual([parameters, debounceMs], [{ q: "two" }, 250]);
});

/**
 * A list that is animated from one offset to another when the first page of a new query arrives. Returns where the list
 * is then, and what was sent about it.
 */
async function queryInMotion(t, { from, to, height = 1000 }) {
  const { list, connection, screen } = await createList(t, { parameters: { q: "one" } });
  screen.resize({ content: { height: 2000 } });
  connection.deliver(page("replace", ["a", "b"], { more: true }));
  list.scrollView.restoreOffset(from);
  connection.deliver({ type: "update", view: "list", ack: 99, offset: { to, duration: 5000 } });
  list.query({ q: "two" });
  const before = connection.received.length;
  list.addEventListener("items", () => screen.resize({ content: { height } }));
  connection.deliver(page("replace", ["c"], { more: false }));
  const messages = connection.received.slice(before).filter(({ type }) => type !== "ping");
  return { offset: list.scrollView.offset, messages };
}

test("a new query is shown from its start, although the earlier list moves elsewhere", async (t) => {
  for (const [from, to] of [[1150, 1200], [900, 300], [900, 0]]) {
    const { offset, messages } = await queryInMotion(t, { from, to });
    assert.equal(offset, 0, `from ${from} to ${to}`);
    assert.deepEqual(messages.map(({ type }) => type), ["geometry", "scroll", "geometry"]);
    const [{ content }, { phase, cause, offset: place }] = messages;
    assert.deepEqual([content.height, phase, cause, place, messages[2].offset], [1000, "idle", "code", 0, 0]);
  }
});

test("a list whose room opens at its start is not stopped by a new query", async (t) => {
  const { messages } = await queryInMotion(t, { from: 0, to: -64 });
  assert.deepEqual(messages.map(({ type, offset }) => [type, offset]), [["geometry", undefined]]);
});

test("rows that are drawn later keep their place when they are drawn", async (t) => {
  let rows = [];
  const row = (id, index) => ({ dataset: { id }, getBoundingClientRect: () => ({ top: index * 100, height: 100 }) });
  const { list, connection } = await createList(t, { isRenderedLater: true, rows: () => rows });
  connection.deliver(page("replace", ["a", "b"]));
  rows = ["a", "b"].map(row);
  list.handleRendered();
  list.scrollView.restoreOffset(150);
  const held = [];
  list.scrollView.holdItem = (item) => held.push(item);
  Object.defineProperty(list.scrollView, "offset", { get: () => 150 });
  connection.deliver(page("replace", ["new", "a", "b"]));
  rows = ["new", "a", "b"].map(row);
  assert.deepEqual(held, []);
  list.handleRendered();
  assert.deepEqual(held, [{ id: "b", from: 100, to: 200 }]);
});

/** A list of three rows, whose items have keys, and which is scrolled by `offset`. Returns also the held items. */
async function createLiveList(t, offset) {
  let rows = [];
  const { list, connection } = await createList(t, { rows: () => rows });
  list.addEventListener("items", () => {
    rows = names(list).map((id, index) => (
      { dataset: { id }, getBoundingClientRect: () => ({ top: index * 100, height: 100 }) }));
  });
  connection.deliver({ ...ATTACHED, itemKey: "/id" }, page("replace", ["a", "b", "c"]));
  const held = [];
  list.scrollView.holdItem = (item) => held.push(item);
  list.scrollView.moveToStart = () => held.push("start");
  Object.defineProperty(list.scrollView, "offset", { get: () => offset });
  const operate = (count, ...operations) => connection.deliver({
    type: "items", view: "list", load: "1.2", mode: "patch", count, more: true, operations,
  });
  return { list, connection, held, operate };
}

test("operations above the item that is read keep it in its place", async (t) => {
  const { list, held, operate } = await createLiveList(t, 150);
  operate(4, { insert: { id: "n" }, at: "start" });
  operate(3, { remove: "a" });
  assert.deepEqual(names(list), ["n", "b", "c"]);
  // `a` was the first item in sight after the first message, and `b` is its neighbour.
  assert.deepEqual(held, [{ id: "b", from: 100, to: 200 }, { id: "b", from: 200, to: 100 }]);
});

test("a list at its start shows the items that operations insert there", async (t) => {
  const { list, held, operate } = await createLiveList(t, 0);
  operate(4, { insert: { id: "n" }, at: "start" });
  assert.deepEqual([names(list), held], [["n", "a", "b", "c"], []]);
});

test("after a reveal, operations show the start of the list until it is reached", async (t) => {
  const { list, connection, held, operate } = await createLiveList(t, 150);
  connection.deliver({ type: "update", view: "list", newer: true, newerCount: 1 });
  list.showNewer();
  operate(4, { insert: { id: "n" }, at: "start" });
  assert.deepEqual(held, ["start"]);
  connection.deliver({ type: "update", view: "list", revealed: "reached" });
  operate(5, { insert: { id: "m" }, at: "start" });
  assert.equal(held.length, 2);
  assert.notEqual(held[1], "start");
});

test("operations do not end the report of a failed load", async (t) => {
  const { list, connection, operate } = await createLiveList(t, 0);
  connection.deliver({ type: "loading", view: "list", load: "1.3", kind: "more", phase: "failed", message: "It is closed." });
  operate(2, { remove: "a" });
  assert.equal(list.failure, "It is closed.");
});

test("operations are marked as live, and the known total follows them", async (t) => {
  const { list, connection, operate } = await createLiveList(t, 0);
  const marks = [];
  list.addEventListener("items", ({ detail: { isLive } }) => marks.push(isLive));
  connection.deliver(page("replace", ["a", "b"], { more: true }));
  operate(1, { remove: "a" });
  assert.equal(list.total, undefined);
  connection.deliver(page("replace", ["a", "b"], { total: 90, more: true }));
  operate(3, { insert: { id: "n" }, at: "start" });
  assert.deepEqual([list.total, marks], [91, [false, true, false, true]]);
});
