import assert from "node:assert/strict";
import { test } from "node:test";
import { Edits } from "../../clients/web/edits.js";
import { applyToModel, randomNumbers, seedOf } from "./random.mjs";
import { ATTACHED, createSession, WELCOME as PATCHES } from "./session.mjs";

const FEATURES = ["patch", "live", "edits"];
const WELCOME = { ...PATCHES, features: FEATURES };
const EDITABLE = { ...ATTACHED, edits: ["insert", "update", "remove", "move"] };
const ROUNDS = 3000;

/** A daemon with its backend in the simplest way. What it has not delivered is lost with the connection. */
class ModelDaemon {
  list = [1, 2, 3].map((id) => ({ id }));
  performed = new Map(); // by the name of an edit, how often it was performed
  #answers = new Map(); // by the name of an edit
  #waiting = new Map(); // edits whose `delayMs` has not passed
  #frames = []; // the frames that were not delivered
  #read = 0; // the number of received messages that were handled
  #connection;
  #random;
  #lastKey = 100;

  constructor(random) { this.#random = random; }

  begin(connection) {
    this.#connection = connection;
    this.#frames = [];
    this.#read = 0;
  }

  get whole() {
    return { type: "items", view: "list", load: "1.1", mode: "replace", count: this.list.length, more: false, items: [...this.list] };
  }

  #operations(operations) {
    return { type: "items", view: "list", load: "1.2", mode: "patch", more: false, count: this.list.length, operations };
  }

  /** Another user changes the list. */
  change(operation) {
    if (applyToModel(this.list, operation)) this.#frames.push([this.#operations([operation])]);
  }

  #reply(edit, answer, operations = null) {
    const edited = { type: "edited", view: "list", edit, ...answer };
    this.#answers.set(edit, edited);
    this.#frames.push(operations ? [this.#operations(operations), edited] : [edited]);
  }

  #perform(edit, operation) {
    if (this.#random(8) === 0) return this.#reply(edit, { result: "rolledBack", code: "backendRefused", temporary: false });
    this.performed.set(edit, (this.performed.get(edit) ?? 0) + 1);
    const item = operation.insert ?? operation.update;
    const isKnown = item && this.list.some(({ id }) => id === item.id);
    let performed = operation;
    let answer = { result: "confirmed" };
    if (operation.insert && isKnown) performed = { update: item };
    else if (operation.insert && this.#random(2) === 0) {
      this.#lastKey += 1;
      performed = { ...operation, insert: { ...item, id: this.#lastKey } };
      answer = { result: "replaced", key: this.#lastKey };
    }
    if (applyToModel(this.list, performed)) this.#reply(edit, answer, [performed]);
    else this.#reply(edit, { result: "rolledBack", code: "backendRefused", temporary: false });
  }

  /** Handles the messages that have arrived. */
  read() {
    const { received } = this.#connection;
    for (const { type, edit, operation, delayMs } of received.slice(this.#read)) {
      if (type === "undo" && this.#waiting.delete(edit)) {
        this.#reply(edit, { result: "rolledBack", code: "undone", temporary: false });
      }
      if (type !== "edit" || this.#waiting.has(edit)) continue;
      if (this.#answers.has(edit)) this.#frames.push([this.#answers.get(edit)]);
      else if (delayMs > 0) this.#waiting.set(edit, operation);
      else this.#perform(edit, operation);
    }
    this.#read = received.length;
  }

  hasRefused(edit) { return this.#answers.get(edit)?.result === "rolledBack"; }

  performWaiting() {
    for (const [edit, operation] of this.#waiting) this.#perform(edit, operation);
    this.#waiting.clear();
  }

  /** Delivers the frames, or only the first ones. */
  deliver(count = Infinity) {
    for (const frame of this.#frames.splice(0, count)) this.#connection.deliver(...frame);
  }
}

test("after random edits, changes of others and losses, the list is that of the daemon, and each edit is once", async (t) => {
  const seed = seedOf(t);
  const random = randomNumbers(seed);
  let count = 0;
  const nextName = () => `edit-${String(count + 1).padStart(6, "0")}`;
  const { view, open, timers, errors } = createSession(t, {
    features: FEATURES, edits: Edits, newEditName: () => {
      const name = nextName();
      count += 1;
      return name;
    },
  });
  const daemon = new ModelDaemon(random);
  const made = new Set();
  const answered = new Map();
  const problems = []; // An error in a listener would not fail the test.
  // The drafts of this connection whose insert has no answer, by the name of the edit. Such an insert fits always,
  // so its item is in each shown list, once. The list after a loss may have the item with another key already.
  const drafts = new Map();
  let round = 0;
  const check = (isRight, what) => {
    if (!isRight) problems.push(`${what} in round ${round} of SEED=${seed}`);
  };
  view.addEventListener("edited", ({ detail: { edit, result, code } }) => {
    check(made.has(edit) && !answered.has(edit), `${edit} is answered again`);
    answered.set(edit, code ?? result);
    const draft = drafts.get(edit);
    drafts.delete(edit);
    const isShown = view.items.some((item) => item.draft === draft);
    if (draft) check(isShown === (result !== "rolledBack"), `${draft} is wrong after ${result}`);
  });
  view.addEventListener("items", ({ detail: { items, mode } }) => {
    check(mode === "replace", mode);
    check(new Set(items.map(({ id }) => id)).size === items.length, "a key is doubled");
    for (const [edit, draft] of drafts) {
      const times = items.filter((item) => item.draft === draft).length;
      check(times === 1 || daemon.hasRefused(edit), `${draft} is shown ${times} times`);
    }
  });
  const key = () => random(9);
  const anyPlace = () => [{ at: "start" }, { at: "end" }, { before: key() }, { after: key() }][random(4)];
  const connect = async () => {
    timers.tick(60000);
    const resumed = made.size > 0 && random(2) === 0;
    const connection = await open({ ...WELCOME, ...(made.size > 0 && { resumed, ack: 0 }) });
    daemon.begin(connection);
    const update = { type: "update", view: "list", ack: 0, list: { count: daemon.list.length, more: false } };
    connection.deliver(EDITABLE, update, daemon.whole);
    return connection;
  };
  let connection = await connect();
  const make = (operation, options) => {
    made.add(nextName());
    return view.edit(operation, options);
  };
  let undoable = "";
  for (round = 0; round < ROUNDS; round += 1) {
    switch (random(12)) {
      case 0: case 1: {
        const draft = `d${round}`;
        drafts.set(nextName(), draft);
        make({ insert: { id: draft, draft }, at: "start" });
        break;
      }
      case 2: make({ update: { id: key(), round } }); break;
      case 3: make({ move: key(), ...anyPlace() }); break;
      case 4: undoable = make({ remove: key() }, { delayMs: 5000 * random(2) }); break;
      case 5: make({ insert: { id: key(), round }, ...anyPlace() }); break;
      case 6: view.undo(undoable); break;
      case 7: daemon.change([
        { insert: { id: key(), other: round }, ...anyPlace() }, { update: { id: key(), other: round } }, { remove: key() },
      ][random(3)]); break;
      case 8: daemon.performWaiting(); break;
      case 9: {
        if (random(4) > 0) break;
        // What was sent last may be lost, and so may the answers.
        if (random(2)) daemon.read();
        connection.cut();
        daemon.performWaiting();
        for (let edits = random(3); edits > 0; edits -= 1) make({ insert: { id: key(), round }, at: "end" });
        await Promise.resolve();
        drafts.clear();
        connection = await connect();
        break;
      }
      default:
        await Promise.resolve();
        daemon.read();
        daemon.deliver(1 + random(3));
    }
  }
  for (let left = 0; left < 200; left += 1) {
    await Promise.resolve();
    daemon.read();
    daemon.performWaiting();
    daemon.deliver();
  }
  assert.deepEqual(problems, []);
  assert.deepEqual(errors, []);
  assert.equal(answered.size, made.size, `each edit has one answer, SEED=${seed}`);
  assert.deepEqual(view.items, daemon.list, `SEED=${seed}`);
  assert.deepEqual(view.receivedItems, daemon.list, `SEED=${seed}`);
  for (const [edit, times] of daemon.performed) assert.equal(times, 1, `${edit} of SEED=${seed}`);
  t.diagnostic(`${made.size} edits, ${daemon.performed.size} performed`);
});
