import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeScreen, installBrowserGlobals } from "../../clients/web/conform/fake-screen.js";
import { randomNumbers, seedOf } from "./random.mjs";

installBrowserGlobals(null);
const { installFakeDocument } = await import("../../clients/web/conform/fake-indicator.js");
installFakeDocument();
globalThis.navigator ??= { language: "en" };
const { RefreshList } = await import("../../clients/web/refresh-list.js");
const { drawnRows } = await import("../../clients/web/row-window.js");

const ROW = 50;
const WELCOME = {
  type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {},
  features: ["query", "unread", "patch", "live", "visibleRange"],
};
const ATTACHED = {
  type: "attached", view: "log", ack: 0, generation: 1, paging: { style: "offset", first: 0, size: 10, access: "random" },
  top: { role: "refresh", state: "idle" }, bottom: { role: "loadMore", state: "disabled" },
  law: { interest: [[-800, 0]], rest: [0, 50000], crossings: [], follow: [] },
};
const page = (mode, offset, total, more = {}) => ({
  type: "items", view: "log", load: "1.1", mode, offset, count: 10, more: false, total,
  items: Array.from({ length: 10 }, (_, index) => ({ id: offset + index })), ...more,
});
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** A list of rows of 50 points in a viewport of 800. */
async function createLog(t, { attached = ATTACHED, ...options } = {}) {
  const { elements } = new FakeScreen({ viewport: { width: 390, height: 800 }, content: { width: 390, height: 0 } });
  const { scroller, content } = elements;
  const connection = {
    readyState: 1, received: [], close() {},
    send: (text) => connection.received.push(...[].concat(JSON.parse(text))),
    deliver: (...messages) => connection.onmessage({ data: JSON.stringify(messages) }),
  };
  const list = new RefreshList({ ...elements, indicators: { append() {} } }, {
    url: "ws://here", feed: "log", view: "log", rowHeight: ROW, open: () => connection, ...options,
  });
  t.after(() => list.close());
  const events = [];
  list.addEventListener("items", ({ detail }) => {
    events.push(detail);
    content.resize({ height: list.items.length * ROW });
  });
  list.connect();
  await connection.onopen();
  connection.deliver(WELCOME, attached);
  const visible = (type) => connection.received.filter((message) => message.type === type && message.visible)
    .map(({ visible: { first, last } }) => [first, last]);
  const scrollTo = async (offset) => {
    scroller.scrollTop = offset;
    await pause(2);
  };
  return { list, connection, events, visible, scrollTo, content, scroller };
}

test("a list with rows attaches with random access, and then reports the rows in sight", async (t) => {
  const { connection, visible } = await createLog(t, { attach: { paging: { style: "offset", size: 10 } } });
  const { features, views: [view] } = connection.received[0];
  assert.ok(features.includes("visibleRange"));
  assert.deepEqual(view.paging, { style: "offset", size: 10, access: "random" });
  assert.ok(!("visible" in view.geometry));
  assert.deepEqual(visible("geometry"), [[0, 15]]);
});

test("the items are the rows of the list, with null for those that are not loaded", async (t) => {
  const { list, connection, events } = await createLog(t);
  connection.deliver(page("replace", 20, 45));
  assert.equal(list.items.length, 45);
  assert.deepEqual([list.items[19], list.items[20], list.items[29], list.items[30]], [null, { id: 20 }, { id: 29 }, null]);
  const before = list.items;
  connection.deliver(page("fill", 40, 45, { items: [40, 41, 42, 43, 44, 45].map((id) => ({ id })) }));
  assert.deepEqual([events.at(-1).mode, events.at(-1).offset, list.total], ["fill", 40, 45]);
  assert.notEqual(list.items, before);
  assert.equal(list.items.length, 45, "an item behind the last row has no row");
  assert.deepEqual(list.items.slice(38), [null, null, ...[40, 41, 42, 43, 44].map((id) => ({ id }))]);
  assert.equal(list.items[20], before[20]);
});

test("with the style offset and the first number 1, the row is one less", async (t) => {
  const attached = { ...ATTACHED, paging: { ...ATTACHED.paging, first: 1 } };
  const { list, connection } = await createLog(t, { attached });
  connection.deliver(page("replace", 1, 45));
  connection.deliver(page("fill", 11, 45));
  assert.deepEqual([list.items[0], list.items[10], list.items[20]], [{ id: 1 }, { id: 11 }, null]);
});

test("another total changes the number of rows, and the items of the others stay", async (t) => {
  const { list, connection } = await createLog(t);
  const update = (count) => connection.deliver({ type: "update", view: "log", ack: 0, list: { count, more: false } });
  connection.deliver(page("replace", 0, 45));
  connection.deliver(page("fill", 20, 60));
  assert.equal(list.items.length, 60);
  update(25);
  assert.deepEqual([list.items.length, list.items[24], list.total], [25, { id: 24 }, 25]);
  update(0);
  assert.equal(list.items.length, 25, "a reset keeps the rows until the new list arrives");
  connection.deliver(page("replace", 0, 0, { items: [] }));
  assert.deepEqual(list.items, []);
});

test("an answer without a total continues as a sequential list", async (t) => {
  const { list, connection } = await createLog(t);
  connection.deliver(page("replace", 0, undefined, { more: true }));
  assert.equal(list.view.hasRows, false);
  connection.deliver(page("append", 10, undefined, { more: true }));
  assert.deepEqual(list.items.map(({ id }) => id), Array.from({ length: 20 }, (_, id) => id));
  list.view.send("configure", { paging: { access: "random" } });
  connection.deliver(page("replace", 0, 45));
  assert.deepEqual([list.view.hasRows, list.items.length], [true, 45]);
});

test("the rows are reported after the layout, with each scroll that changes them, and with idle", async (t) => {
  for (const frames of ["local", "stream"]) {
    const { list, connection, visible, scrollTo } = await createLog(t, { frames });
    connection.deliver(page("replace", 0, 1000));
    await pause(2);
    assert.deepEqual(visible("geometry").at(-1), [0, 15]);
    for (const offset of [5000, 5010, 5050, 5099]) await scrollTo(offset);
    assert.deepEqual(visible("scroll"), [[100, 115], [100, 116], [101, 116], [101, 117]], frames);
    const last = () => connection.received.filter(({ type }) => type === "scroll").at(-1);
    while (last().phase !== "idle") await pause(10);
    assert.deepEqual(last().visible, { first: 101, last: 117 });
    assert.deepEqual(list.scrollView.visibleRows, { first: 101, last: 117 });
  }
});

test("a pan that moves the rows reports them by geometry", async (t) => {
  const { list, connection, visible } = await createLog(t);
  connection.deliver(page("replace", 0, 1000));
  await pause(2);
  const before = visible("geometry").length;
  list.scrollView.restoreOffset(500);
  assert.deepEqual(visible("geometry").slice(before), [[10, 25]]);
});

test("a list without rows reports none", async (t) => {
  const { list, connection, visible, scrollTo } = await createLog(t, { rowHeight: undefined });
  assert.equal(connection.received[0].features.includes("visibleRange"), false);
  assert.equal("visible" in connection.received[0].views[0].geometry, false);
  connection.deliver(page("append", 0, 45));
  await scrollTo(20);
  assert.deepEqual([visible("scroll"), visible("geometry"), list.scrollView.visibleRows], [[], [], undefined]);
});

test("the rows in sight and some around them are drawn, inside the list", () => {
  assert.deepEqual(drawnRows({ first: 0, last: 15 }, 1000), { first: 0, end: 22 });
  assert.deepEqual(drawnRows({ first: 500, last: 515 }, 1000), { first: 494, end: 522 });
  assert.deepEqual(drawnRows({ first: 990, last: 1005 }, 1000), { first: 984, end: 1000 });
  assert.deepEqual(drawnRows({ first: 990, last: 1005 }, 3), { first: 2, end: 3 });
  assert.deepEqual(drawnRows({ first: 0, last: 15 }, 0), { first: 0, end: 0 });
});

test("after random pages and totals, the rows are those of a simple model", async (t) => {
  const seed = seedOf(t);
  const random = randomNumbers(seed);
  const { list, connection } = await createLog(t);
  let rows = [];
  for (let round = 0; round < 1000; round += 1) {
    const offset = 10 * random(12);
    const items = Array.from({ length: random(11) }, (_, index) => ({ id: offset + index, round }));
    const total = random(6) === 0 ? 1 + random(120) : Math.max(rows.length, 1);
    const kind = rows.length === 0 || random(10) === 0 ? "replace" : random(8) === 0 ? "update" : "fill";
    if (kind === "update") connection.deliver({ type: "update", view: "log", ack: 0, list: { count: total, more: false } });
    else connection.deliver(page(kind, offset, total, { items, count: items.length }));
    rows = Array.from({ length: total }, (_, row) => (kind === "replace" ? null : rows[row] ?? null));
    if (kind !== "update") for (const item of items) if (item.id < total) rows[item.id] = item;
    assert.deepEqual(list.items, rows, `round ${round} of SEED=${seed}`);
  }
});
