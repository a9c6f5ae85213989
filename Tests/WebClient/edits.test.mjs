import assert from "node:assert/strict";
import { test } from "node:test";
import { Edits } from "../../clients/web/edits.js";
import { ATTACHED, createSession, createStorage, WELCOME as PATCHES } from "./session.mjs";

const FEATURES = ["patch", "live", "edits"];
const WELCOME = { ...PATCHES, features: FEATURES };
const EDITABLE = { ...ATTACHED, edits: ["insert", "update", "remove", "move"] };
const LIST = [1, 2, 3].map((id) => ({ id }));
const REPLACE = { type: "items", view: "list", load: "1.1", mode: "replace", count: 3, more: true, total: 9, items: LIST };
const operate = (operations, count) => ({
  type: "items", view: "list", load: "1.2", mode: "patch", more: true, operations, count,
});
const answer = (edit, result, more = {}) => ({ type: "edited", view: "list", edit, result, ...more });
const turn = () => new Promise((done) => setImmediate(done));

/** Opens a view with the items `LIST`. The edits have the names `edit-0001` and so on. */
async function opened(t, { attached = EDITABLE, welcome = WELCOME, ...options } = {}) {
  let count = 0;
  const session = createSession(t, {
    features: FEATURES, edits: Edits, newEditName: () => `edit-${String(count += 1).padStart(4, "0")}`, ...options,
  });
  const shown = [];
  const edited = [];
  const events = []; // the ids of each shown list, and the answers
  session.view.addEventListener("items", ({ detail }) => {
    shown.push(detail);
    events.push(detail.items.map(({ id }) => id).join(" "));
  });
  session.view.addEventListener("edited", ({ detail }) => {
    edited.push(detail);
    events.push(`${detail.edit} ${detail.code ?? detail.result}`);
  });
  const connection = await session.open(welcome, attached, REPLACE);
  return { ...session, connection, shown, edited, events };
}

const editsOf = ({ received }) => received.filter(({ type }) => type === "edit" || type === "undo");
const ids = (view) => view.items.map(({ id }) => id);

test("an edit is shown at once, sent once, and its answer shows the item without a moment in between", async (t) => {
  const { view, connection, events, shown } = await opened(t);
  assert.deepEqual(view.acceptedEdits, ["insert", "update", "remove", "move"]);
  const edit = view.edit({ insert: { id: "draft", text: "hello" }, at: "start" });
  assert.equal(edit, "edit-0001");
  assert.equal(events.at(-1), "draft 1 2 3");
  assert.deepEqual([shown.at(-1).mode, shown.at(-1).more, shown.at(-1).operations], ["replace", true, []]);
  await turn();
  assert.deepEqual(editsOf(connection), [{
    type: "edit", seq: 1, view: "list", edit, operation: { insert: { id: "draft", text: "hello" }, at: "start" },
  }]);
  connection.deliver(operate([{ insert: { id: 10, text: "hello" }, at: "start" }], 4), answer(edit, "replaced", { key: 10 }));
  assert.deepEqual(events.slice(2), ["10 1 2 3", "edit-0001 replaced"]);
  connection.deliver(answer(edit, "replaced", { key: 10 }));
  assert.equal(events.length, 4, "an answer that is repeated is no event");
  assert.deepEqual(view.receivedItems, view.items);
});

test("edits are applied in order to the list of the daemon, and one that does not fit is left out meanwhile", async (t) => {
  const { view, connection } = await opened(t);
  view.edit({ insert: { id: 7 }, after: 2 });
  view.edit({ move: 7, at: "end" });
  view.edit({ update: { id: 1, text: "new" } });
  view.edit({ remove: 3 });
  assert.deepEqual(view.items, [{ id: 1, text: "new" }, { id: 2 }, { id: 7 }]);
  connection.deliver(operate([{ remove: 2 }, { insert: { id: 4 }, at: "start" }], 3));
  assert.deepEqual(ids(view), [4, 1], "the place of the insert is gone");
  connection.deliver(operate([{ insert: { id: 2 }, before: 1 }, { insert: { id: 7, of: "other" }, at: "start" }], 5));
  assert.deepEqual(view.items, [{ id: 4 }, { id: 2 }, { id: 1, text: "new" }, { id: 7 }],
    "an insert whose key the list has is an update");
  assert.deepEqual(view.receivedItems.map(({ id }) => id), [7, 4, 2, 1, 3]);
});

test("pages that arrive while an edit has no answer are shown with the edit, and the total counts it", async (t) => {
  const { view, connection, shown } = await opened(t);
  const edit = view.edit({ insert: { id: 7 }, at: "start" });
  connection.deliver({ ...REPLACE, mode: "append", items: [{ id: 4 }], count: 1 });
  assert.deepEqual([shown.at(-1).mode, shown.at(-1).total, shown.at(-1).count], ["replace", 10, 5]);
  assert.deepEqual(ids(view), [7, 1, 2, 3, 4]);
  connection.deliver({ ...REPLACE, mode: "append", items: [{ id: 5 }], count: 1 }, answer(edit, "rolledBack"));
  assert.deepEqual(shown.at(-1).items.map(({ id }) => id), [1, 2, 3, 4, 5]);
  connection.deliver({ ...REPLACE, mode: "append", items: [{ id: 6 }], count: 1 });
  assert.deepEqual([shown.at(-1).mode, shown.at(-1).items.length], ["append", 1]);
});

test("the refresh of one item changes nothing until its answer", async (t) => {
  const { view, connection, events } = await opened(t, { attached: { ...EDITABLE, edits: ["refresh"] } });
  assert.deepEqual(view.acceptedEdits, ["refresh"]);
  const refreshed = view.edit({ refresh: 2 });
  const gone = view.edit({ refresh: 3 });
  assert.deepEqual(view.items, LIST);
  await turn();
  assert.deepEqual(editsOf(connection).map(({ operation }) => operation), [{ refresh: 2 }, { refresh: 3 }]);
  connection.deliver(operate([{ update: { id: 2, text: "new" } }], 3), answer(refreshed, "replaced", { key: 2 }));
  assert.deepEqual(view.items, [{ id: 1 }, { id: 2, text: "new" }, { id: 3 }]);
  connection.deliver(operate([{ remove: 3 }], 2), answer(gone, "confirmed"));
  assert.deepEqual(ids(view), [1, 2]);
  assert.deepEqual(events.filter((event) => event.startsWith("edit-")), ["edit-0001 replaced", "edit-0002 confirmed"]);
});

test("in a reversed view, the start of an edit is behind the last item", async (t) => {
  const { view } = await opened(t, { attached: { ...EDITABLE, reversed: true } });
  view.edit({ insert: { id: 7 }, at: "start" });
  view.edit({ move: 2, at: "end" });
  view.edit({ insert: { id: 8 }, before: 3 });
  assert.deepEqual(ids(view), [2, 1, 8, 3, 7]);
});

test("a rejected edit is rolled back before its event", async (t) => {
  const { view, connection, events } = await opened(t);
  const edit = view.edit({ remove: 2 });
  await turn();
  connection.deliver(answer(edit, "rolledBack", { code: "backendRefused", message: "No.", temporary: false }));
  assert.deepEqual(events.slice(1), ["1 3", "1 2 3", "edit-0001 backendRefused"]);
});

test("a fault of the message rolls its edit back, and one that may be temporary keeps it", async (t) => {
  const { view, connection, events, edited } = await opened(t);
  view.edit({ update: { text: "without a key" } });
  view.edit({ remove: 1 });
  await turn();
  const [first, second] = editsOf(connection);
  connection.deliver({ type: "error", view: "list", code: "invalidField", message: "No key.", seq: first.seq, temporary: false });
  assert.deepEqual(edited.map(({ edit, code, message }) => [edit, code, message]), [["edit-0001", "invalidField", "No key."]]);
  connection.deliver({ type: "error", view: "list", code: "tooManyMessages", message: "Wait.", seq: second.seq, temporary: true });
  for (const code of ["unknownView", "staleGeneration", "staleSequence"]) {
    connection.deliver({ type: "error", view: "list", code, message: "Not here.", seq: second.seq, temporary: false });
  }
  assert.deepEqual([edited.length, events.at(-1)], [1, "edit-0001 invalidField"], "an edit that has not arrived is kept");
  assert.deepEqual(ids(view), [2, 3]);
});

test("a daemon without edits has them rolled back after the caller knows their names", async (t) => {
  const { view, connection, events, edited } = await opened(t, { welcome: { ...WELCOME, features: ["patch", "live"] }, attached: ATTACHED });
  assert.deepEqual(view.acceptedEdits, []);
  view.edit({ remove: 2 });
  assert.deepEqual(events.slice(1), ["1 3"]);
  await turn();
  assert.deepEqual(events.slice(2), ["1 2 3", "edit-0001 editNotAccepted"]);
  assert.deepEqual([edited[0].result, edited[0].temporary], ["rolledBack", false]);
  assert.deepEqual(editsOf(connection), []);
});

test("a client without edits cannot change a list, and too long operations are refused", async (t) => {
  const { view } = await opened(t, { edits: undefined });
  assert.throws(() => view.edit({ remove: 1 }), TypeError);
  assert.equal(view.undo("edit-0001"), false);
  const { view: other, connection, shown } = await opened(t);
  assert.throws(() => other.edit({ insert: { id: 7, text: "x".repeat(1025) }, at: "start" }), RangeError);
  const long = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index, "x".repeat(1000)]));
  assert.throws(() => other.edit({ insert: { id: 7, ...long }, at: "start" }), RangeError);
  await turn();
  assert.deepEqual([editsOf(connection), shown.length], [[], 1]);
});

test("the name of an edit is a UUID, unless the page chooses it", async (t) => {
  const { view } = await opened(t, { newEditName: undefined });
  const names = new Set(Array.from({ length: 50 }, () => view.edit({ remove: 1 })));
  assert.equal(names.size, 50);
  for (const name of names) assert.match(name, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test("a change of the operation after the edit changes nothing", async (t) => {
  const { view } = await opened(t);
  const item = { id: 7, text: "a" };
  view.edit({ insert: item, at: "end" });
  item.text = "b";
  assert.equal(view.items.at(-1).text, "a");
});

for (const resumed of [true, false]) {
  test(`edits are sent again with their names after a welcome, resumed: ${resumed}`, async (t) => {
    const { view, connection, open, timers, events } = await opened(t);
    view.edit({ insert: { id: 7 }, at: "start" });
    await turn();
    assert.equal(editsOf(connection).length, 1);
    connection.cut();
    view.edit({ remove: 2 }, { delayMs: 5000 });
    assert.deepEqual(ids(view), [7, 1, 3], "an edit without a connection is shown at once");
    timers.tick(60000);
    const next = await open({ ...WELCOME, resumed, ack: 1 });
    assert.deepEqual(editsOf(next), [], "the view is not attached yet");
    next.deliver(EDITABLE, { type: "update", view: "list", ack: 1, list: { count: 3, more: true } });
    assert.deepEqual(editsOf(next).map(({ edit, delayMs }) => [edit, delayMs]), [["edit-0001", undefined], ["edit-0002", 5000]]);
    next.deliver(REPLACE, answer("edit-0001", "confirmed"));
    assert.equal(events.at(-1), "edit-0001 confirmed");
    assert.deepEqual(ids(view), [1, 3]);
  });
}

test("an edit before the first connection is sent when the view is attached, and shown with the first items", async (t) => {
  const { view, open } = createSession(t, { features: FEATURES, edits: Edits });
  const shown = [];
  view.addEventListener("items", ({ detail }) => shown.push(detail.items.map(({ id }) => id)));
  const edit = view.edit({ remove: 2 });
  await turn();
  assert.deepEqual([view.items, shown], [null, []]);
  const connection = await open(WELCOME, EDITABLE);
  assert.deepEqual(editsOf(connection).map((one) => one.edit), [edit]);
  connection.deliver(REPLACE);
  assert.deepEqual(shown, [[1, 3]]);
});

test("at most 32 edits without an answer are sent, and the others follow the answers", async (t) => {
  const { view, connection } = await opened(t);
  for (let id = 10; id < 50; id += 1) view.edit({ insert: { id }, at: "end" });
  await turn();
  assert.equal(editsOf(connection).length, 32);
  connection.deliver(operate([{ insert: { id: 10 }, at: "end" }], 4), answer("edit-0001", "confirmed"));
  assert.deepEqual(editsOf(connection).slice(32).map(({ edit }) => edit), ["edit-0033"]);
  assert.equal(view.items.length, 43);
});

test("an edit that was not sent is undone at once, and another one by the daemon", async (t) => {
  const { view, connection, open, timers, events, edited } = await opened(t);
  const first = view.edit({ remove: 1 }, { delayMs: 5000 });
  await turn();
  assert.equal(view.undo(first), true);
  assert.deepEqual(editsOf(connection).slice(1).map(({ type, edit }) => [type, edit]), [["undo", first]]);
  assert.deepEqual(ids(view), [2, 3], "the edit has no answer yet");
  connection.deliver(answer(first, "rolledBack", { code: "undone", message: "", temporary: false }));
  assert.deepEqual(events.slice(2), ["1 2 3", "edit-0001 undone"]);
  assert.equal(view.undo(first), false);

  const second = view.edit({ remove: 2 }, { delayMs: 5000 });
  await turn();
  connection.cut();
  const third = view.edit({ remove: 3 }, { delayMs: 5000 });
  view.undo(third);
  assert.deepEqual([edited.at(-1).edit, edited.at(-1).code], [third, "undone"]);
  assert.equal(view.undo(second), true, "the daemon may have the edit");
  assert.deepEqual(ids(view), [1, 3]);
  timers.tick(60000);
  const next = await open({ ...WELCOME, resumed: true, ack: 2 }, EDITABLE);
  assert.deepEqual(
    editsOf(next).map(({ type, edit, repeated }) => [type, edit, repeated]),
    [["edit", second, true], ["undo", second, undefined]]);
});

test("a reloaded page shows its edits at once, and sends them again", async (t) => {
  const storage = createStorage();
  const { client, view, connection } = await opened(t, { storage });
  const edit = view.edit({ insert: { id: 7 }, at: "start" });
  connection.cut();
  assert.equal(client.save(), true);
  const received = view.receivedItems;
  const { view: next, open } = createSession(t, { features: FEATURES, edits: Edits, storage });
  next.restoreItems(received);
  assert.deepEqual(ids(next), [7, 1, 2, 3]);
  const again = await open({ ...WELCOME, resumed: true, ack: 0 }, EDITABLE);
  assert.deepEqual(editsOf(again).map((one) => [one.edit, one.repeated]), [[edit, true]], "the old page may have sent it");
  again.deliver(operate([{ insert: { id: 8 }, at: "start" }], 4), answer(edit, "replaced", { key: 8 }));
  assert.deepEqual(ids(next), [8, 1, 2, 3]);
});

test("edits of a list that a page has not created are kept for the next page", async (t) => {
  const storage = createStorage();
  const { client, view } = await opened(t, { storage });
  const edit = view.edit({ remove: 2 });
  client.save();
  const other = createSession(t, { features: FEATURES, edits: Edits, storage, view: "other" });
  await other.open({ ...WELCOME, resumed: true, ack: 0 }, { ...EDITABLE, view: "other" });
  assert.equal(other.client.save(), true);
  const { open } = createSession(t, { features: FEATURES, edits: Edits, storage });
  const last = await open({ ...WELCOME, resumed: true, ack: 0 }, EDITABLE, REPLACE);
  assert.deepEqual(editsOf(last).map((one) => one.edit), [edit]);
});

test("an edit that has not arrived is sent again when the view is attached", async (t) => {
  const { view, connection } = await opened(t);
  const edit = view.edit({ remove: 1 });
  await turn();
  const [{ seq }] = editsOf(connection);
  connection.deliver({ type: "error", view: "list", code: "staleGeneration", message: "", seq, temporary: false });
  connection.deliver({ ...EDITABLE, generation: 2 });
  await turn();
  const sent = editsOf(connection);
  assert.deepEqual(sent.map((one) => one.edit), [edit, edit]);
  assert.ok(sent[1].seq > seq);
});

test("at most 1,000 edits of a list are kept", async (t) => {
  const { view } = await opened(t);
  for (let number = 0; number < 1000; number += 1) view.edit({ update: { id: 1, number } });
  assert.throws(() => view.edit({ remove: 1 }), RangeError);
  assert.equal(ids(view).length, 3, "the refused edit is not shown");
});

test("edits survive a page that cannot resume its session", async (t) => {
  const storage = createStorage();
  const { client, view } = await opened(t, { storage });
  const edit = view.edit({ remove: 2 });
  client.save();
  const { view: next, open } = createSession(t, { features: FEATURES, edits: Edits, storage });
  const again = await open({ ...WELCOME, resumed: false }, EDITABLE, REPLACE);
  assert.deepEqual(editsOf(again).map((one) => one.edit), [edit]);
  assert.deepEqual(ids(next), [1, 3]);
});

test("while a patch that does not fit awaits the whole list, the shown items stay", async (t) => {
  const { view, connection, events } = await opened(t);
  const edit = view.edit({ insert: { id: 7 }, at: "start" });
  await turn();
  connection.deliver(operate([{ remove: 99 }], 2), answer(edit, "confirmed"));
  assert.deepEqual(events.slice(1), ["7 1 2 3", "edit-0001 confirmed"]);
  connection.deliver({ ...REPLACE, items: [{ id: 7 }, ...LIST], count: 4 });
  assert.equal(events.at(-1), "7 1 2 3");
});
