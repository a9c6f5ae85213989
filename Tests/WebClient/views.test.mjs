import assert from "node:assert/strict";
import { test } from "node:test";
import { ATTACHED, createSession, createStorage, WELCOME } from "./session.mjs";

const SNAPSHOT = { type: "snapshot", ack: 1, sealed: "S1", expires: 1e9 };
const RESUMED = { ...WELCOME, resumed: true, ack: 1 };
const UNKNOWN_VIEW = { type: "error", code: "unknownView", message: "No.", view: "other", temporary: false };
const UNKNOWN_FEED = { ...UNKNOWN_VIEW, code: "unknownFeed" };
const describe = () => ({ profile: "default", feed: "other" });
const ITEMS = { type: "items", view: "list", load: "1.1", mode: "replace", count: 1, items: [{ id: 1 }] };

/** Opens a session with a snapshot that has the view `list`. */
async function openWithSnapshot(t, options) {
  const all = createSession(t, options);
  const first = await all.open(WELCOME, ATTACHED);
  all.view.send("refresh");
  first.deliver(SNAPSHOT);
  return { ...all, first };
}

test("a snapshot with an earlier view of a name in hello is left out of resume", async (t) => {
  const { client, first, open } = await openWithSnapshot(t);
  client.detach("list");
  client.view("list", describe);
  first.deliver({ ...ATTACHED, ack: 3 });
  first.cut();
  const { resume, views } = (await open()).received[0];
  assert.deepEqual(views.map(({ view }) => view), ["list"]);
  assert.equal(resume.token, "T1");
  assert.equal(resume.snapshot, undefined);
});

test("a later snapshot is part of resume again", async (t) => {
  const { client, first, open } = await openWithSnapshot(t);
  client.detach("list");
  client.view("list", describe);
  first.deliver({ ...ATTACHED, ack: 3 }, { ...SNAPSHOT, ack: 3, sealed: "S2" });
  first.cut();
  assert.equal((await open()).received[0].resume.snapshot, "S2");
});

test("a snapshot with a detached view is part of resume if hello does not name the view", async (t) => {
  const { client, first, open } = await openWithSnapshot(t);
  client.detach("list");
  first.cut();
  assert.equal((await open()).received[0].resume.snapshot, "S1");
});

for (const isHelloSent of [false, true]) {
  const moment = isHelloSent ? "between hello and welcome" : "without a connection";
  test(`a view that was detached ${moment} is in no earlier snapshot`, async (t) => {
    const { client, connections, first, open } = await openWithSnapshot(t);
    first.cut();
    if (isHelloSent) await open();
    client.detach("list");
    client.view("list", describe);
    if (!isHelloSent) await open();
    const second = connections[1];
    second.deliver(RESUMED);
    const { seq } = second.received.findLast(({ type }) => type === "attach");
    second.deliver({ ...ATTACHED, ack: seq });
    second.cut();
    const { resume, views } = (await open()).received[0];
    assert.equal(views.length, 1);
    assert.equal(resume.snapshot, undefined);
  });
}

test("a reloaded page leaves out a snapshot with an earlier view too", async (t) => {
  const storage = createStorage();
  const { client, first } = await openWithSnapshot(t, { storage });
  client.detach("list");
  client.view("list", describe, [], () => ({}));
  first.deliver({ ...ATTACHED, ack: 3 });
  assert.ok(client.save());
  console.warn.mock.restore();
  t.mock.reset();
  const { open } = createSession(t, { storage });
  assert.equal((await open()).received[0].resume.snapshot, undefined);
});

test("items of a detached view are not part of resume", async (t) => {
  const { client, first, open } = await openWithSnapshot(t);
  client.detach("list");
  first.deliver(ITEMS);
  first.cut();
  assert.deepEqual((await open()).received[0].resume.received, []);
});

test("a view that the daemon refuses to attach sends nothing more", async (t) => {
  const { client, errors, open } = createSession(t);
  const socket = await open(WELCOME, ATTACHED);
  const other = client.view("other", describe, [{ type: "refresh" }]);
  assert.equal(other.send("scroll", { offset: 0, phase: "began" }), 3);
  socket.deliver({ ...UNKNOWN_FEED, seq: 1 }, { ...UNKNOWN_VIEW, seq: 2 }, { ...UNKNOWN_VIEW, seq: 3 });
  assert.equal(other.isRefused, true);
  assert.equal(other.send("scroll", { offset: 1, phase: "dragging" }), 0);
  assert.equal(client.send({ type: "refresh", view: "other" }), 0);
  client.detach("other");
  assert.deepEqual(socket.numbered, [["attach", 1], ["refresh", 2], ["scroll", 3]]);
  assert.deepEqual(errors.map(({ code }) => code), ["unknownFeed"], "one error for each refusal");
});

test("a view that a resumed session refuses sends nothing more, also if it was attached before", async (t) => {
  const { client, view, errors, open } = createSession(t);
  (await open(WELCOME, ATTACHED)).cut();
  view.send("refresh");
  const second = await open({ ...RESUMED, ack: 0 }, { ...UNKNOWN_FEED, view: "list" });
  assert.equal(view.isRefused, true);
  assert.equal(view.send("refresh"), 0);
  second.deliver({ ...UNKNOWN_VIEW, view: "list", seq: 1 });
  assert.deepEqual(errors.map(({ code }) => code), ["unknownFeed"]);
  assert.equal(client.status, "open");
});

test("an error that answers another message does not refuse a view", async (t) => {
  const { client, open } = createSession(t);
  const socket = await open(WELCOME, ATTACHED);
  const other = client.view("other", describe, [{ type: "configure", parameters: { q: "a" } }]);
  socket.deliver({ ...UNKNOWN_FEED, code: "unknownParameter", seq: 2 });
  assert.equal(other.isRefused, false);
  assert.equal(other.send("refresh"), 3);
});

/** Records what a view shows: its items, or nothing after `emptied`. */
function shownItems(view) {
  const shown = [];
  view.addEventListener("emptied", () => shown.push([]));
  view.addEventListener("items", ({ detail }) => shown.push(detail.items.map(({ id }) => id)));
  return shown;
}

test("a query with the parameters of the newest one does not empty the list", async (t) => {
  const { view, open } = createSession(t);
  const socket = await open(WELCOME, ATTACHED, ITEMS);
  const shown = shownItems(view);
  view.query({}, { shown: "clear" });
  view.query({ q: "a", sort: "b" }, { shown: "clear" });
  view.query({ sort: "b", q: "a" }, { shown: "clear" });
  assert.deepEqual(shown, [[]]);
  assert.equal(socket.numbered.length, 3);
});

test("after a refused query that has emptied the list, the items come back", async (t) => {
  const { view, open } = createSession(t);
  const socket = await open(WELCOME, ATTACHED, ITEMS);
  const shown = shownItems(view);
  view.query({ q: "a" }, { shown: "clear" });
  view.query({ q: "b" }, { shown: "clear" });
  const refusal = { ...UNKNOWN_FEED, view: "list", code: "unknownParameter" };
  socket.deliver({ ...refusal, seq: 2 });
  assert.deepEqual(shown, [[], []], "the query before has emptied the list too");
  socket.deliver({ ...refusal, seq: 1 });
  assert.deepEqual(shown, [[], [], [1]]);
  view.query({ q: "c" });
  socket.deliver({ ...refusal, seq: 3 });
  assert.equal(shown.length, 3, "without `clear`, the list was not emptied");
});
