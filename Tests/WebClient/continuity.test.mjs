import assert from "node:assert/strict";
import { test } from "node:test";
import { ATTACHED, createSession, createStorage, WELCOME } from "./session.mjs";

const RESUMED = { ...WELCOME, token: "T2", resumed: true, ack: 0 };
const other = () => ({ profile: "default", feed: "new" });
const items = (load, ...ids) => ({
  type: "items", view: "list", load, mode: "replace", count: ids.length, items: ids.map((id) => ({ id })),
});

/** Records the events of a view. */
function record(view) {
  const events = [];
  for (const type of ["attached", "update", "items", "error"]) {
    view.addEventListener(type, ({ detail }) => events.push(detail.items?.[0].id ?? type));
  }
  return events;
}

test("a view that replaces another one of the same name offline does not continue it", async (t) => {
  const { client, open } = createSession(t);
  const first = await open(WELCOME, ATTACHED, items("1.1", 1));
  first.cut();
  client.detach("list");
  const view = client.view("list", other, [{ type: "refresh", cause: "code" }]);
  const second = await open();
  assert.deepEqual(second.received.map(({ type, views }) => [type, views]), [["hello", []]]);
  assert.deepEqual(second.received[0].resume.received, []);
  second.deliver(RESUMED);
  assert.deepEqual(second.numbered, [["attach", 1], ["refresh", 2]]);
  assert.equal(second.received[1].feed, "new");
  second.deliver({ ...ATTACHED, ack: 1 });
  assert.deepEqual([view.attached, view.isResuming], [true, false]);
});

test("a view that replaces another one between hello and welcome does not continue it", async (t) => {
  const { client, open } = createSession(t);
  (await open(WELCOME, ATTACHED, items("1.1", 1))).cut();
  const second = await open();
  assert.deepEqual(second.received[0].views.map(({ view }) => view), ["list"]);
  client.detach("list");
  const view = client.view("list", other);
  const events = record(view);
  assert.equal(view.send("refresh"), 0, "it follows the attachment");
  second.deliver(RESUMED, ATTACHED, { type: "update", view: "list", ack: 0, top: { state: "refreshing" } }, items("1.2", 2));
  assert.deepEqual(second.numbered, [["detach", 1], ["attach", 2], ["refresh", 3]]);
  assert.deepEqual(events, [], "these messages are about the earlier view");
  second.deliver({ ...ATTACHED, ack: 2 }, items("2.1", 3));
  assert.deepEqual(events, ["attached", 3]);
  assert.equal(view.isResuming, false);
  second.cut();
  assert.deepEqual((await open()).received[0].resume.received, ["2.1"]);
});

test("messages about an earlier view of the same name are not for the new one", async (t) => {
  const { client, open } = createSession(t);
  const socket = await open(WELCOME, ATTACHED);
  client.detach("list");
  const events = record(client.view("list", other));
  assert.deepEqual(socket.numbered, [["detach", 1], ["attach", 2]]);
  socket.deliver(items("1.1", 1), { type: "error", code: "unknownLoad", view: "list", seq: 1, temporary: false });
  assert.deepEqual(events, []);
  socket.deliver({ type: "error", code: "unknownFeed", view: "list", seq: 2, temporary: false });
  assert.deepEqual(events, ["error"]);
});

test("if the detach and the attach of a name are lost, the next session attaches the view again", async (t) => {
  const { client, open } = createSession(t);
  const first = await open(WELCOME, ATTACHED, items("1.1", 1));
  client.detach("list");
  const view = client.view("list", other, [{ type: "refresh", cause: "code" }]);
  view.send("loadMore", { cause: "code" });
  assert.deepEqual(first.numbered, [["detach", 1], ["attach", 2], ["refresh", 3], ["loadMore", 4]]);
  first.cut();
  const second = await open();
  assert.deepEqual(second.received.map(({ type, views }) => [type, views]), [["hello", []]]);
  second.deliver(RESUMED);
  assert.deepEqual(second.numbered, [["attach", 5], ["refresh", 6], ["loadMore", 7]]);
});

test("a view that replaces a restored one has no saved state", async (t) => {
  const storage = createStorage();
  const before = createSession(t, { storage });
  await before.open(WELCOME, ATTACHED);
  assert.ok(before.client.save());
  console.warn.mock.restore();
  const { client, view, open } = createSession(t, { storage });
  assert.deepEqual(view.savedState, {});
  client.detach("list");
  assert.equal(client.view("list", other).savedState, null);
  assert.deepEqual((await open()).received[0].views, []);
});

test("a restored session uses no number again that was used after the save", async (t) => {
  const storage = createStorage();
  const before = createSession(t, { storage });
  await before.open(WELCOME, ATTACHED);
  before.view.send("refresh");
  assert.ok(before.client.save());
  before.view.send("refresh");
  assert.equal(before.view.send("loadMore"), 3);
  console.warn.mock.restore();
  const { view, open } = createSession(t, { storage });
  const socket = await open({ ...RESUMED, ack: 3 }, ATTACHED);
  assert.equal(view.send("retry"), 1002);
  socket.deliver({ type: "update", view: "list", ack: 1002 });
  assert.deepEqual(socket.numbered, [["refresh", 1], ["retry", 1002]]);
});

test("if the session has handled larger numbers than a restored client knows, new messages get still larger ones", async (t) => {
  const storage = createStorage();
  const before = createSession(t, { storage });
  await before.open(WELCOME, ATTACHED);
  assert.ok(before.client.save());
  console.warn.mock.restore();
  const { view, open } = createSession(t, { storage });
  const socket = await open();
  assert.equal(view.send("refresh"), 1001);
  socket.deliver({ ...RESUMED, ack: 5000 }, ATTACHED);
  view.send("loadMore");
  assert.deepEqual(socket.numbered, [["refresh", 5001], ["loadMore", 5002]]);
  socket.cut();
  assert.deepEqual((await open()).numbered, [["refresh", 5001], ["loadMore", 5002]]);
});

test("requests before the first welcome are sent again after a connection that had none", async (t) => {
  const { view, open } = createSession(t);
  const first = await open();
  view.send("refresh");
  view.send("scroll", { offset: -9, phase: "began" });
  assert.deepEqual(first.numbered, [["refresh", 1], ["scroll", 2]]);
  first.cut();
  const second = await open();
  view.send("loadMore");
  assert.deepEqual(second.numbered, [["refresh", 1], ["loadMore", 2]]);
  second.cut();
  const third = await open(WELCOME, ATTACHED);
  assert.deepEqual(third.numbered, [["refresh", 1], ["loadMore", 2]]);
});

test("an error of a fresh session is reported, even if an earlier session had repeated as many messages", async (t) => {
  const { view, errors, open } = createSession(t);
  (await open(WELCOME, ATTACHED)).cut();
  for (let count = 1; count <= 5; count += 1) view.send("refresh");
  (await open({ ...WELCOME, token: undefined, session: "77aa", resumed: false }, ATTACHED)).cut();
  await open({ ...WELCOME, token: undefined, session: "88bb", resumed: false }, ATTACHED);
  const third = await open();
  view.send("retry");
  third.deliver({ type: "error", code: "nothingToRetry", view: "list", seq: 1, temporary: false });
  assert.deepEqual(errors.map(({ code }) => code), ["nothingToRetry"]);
});
