// Edits of a list by its user, for a client with the option `edits` (docs/protocol.md, "Edits" and "Undo").
// This module uses no DOM and no clock.

import { DetailEvent } from "./detail-event.js";
import { linkedList } from "./list-patcher.js";
import { encodedLength } from "./outbox.js";

/** The daemon accepts at most this many edits of a view that have no answer. */
const UNANSWERED_MAX = 32;
const OPERATION_BYTES_MAX = 16384;
/** The most edits of a view that are kept: those that the daemon has not got wait here. */
const PENDING_MAX = 1000;
/** The faults after which the daemon does not know the edit. It is sent again when the view is attached. */
const NOT_ARRIVED = ["unknownView", "staleGeneration", "staleSequence"];
/** The other end of a list: in an edit of a reversed list, `start` is the end of its array. */
const OTHER_END = { start: "end", end: "start" };

const randomByte = () => globalThis.crypto?.getRandomValues(new Uint8Array(1))[0] ?? Math.random() * 256;

/** Returns a random UUID. `crypto.randomUUID` exists only in pages with HTTPS. */
const newUUID = () => "10000000-1000-4000-8000-100000000000".replace(
  /[018]/g, (digit) => (Number(digit) ^ ((randomByte() & 15) >> (Number(digit) / 4))).toString(16));

/** The edits of one view that have no answer. */
export class Edits {
  #view;
  #patcher;
  #client;
  /**
   * In the order in which they were made. `seq` is that of the message on this connection, or 0.
   * `mayBeSent`: another page has made the edit, and may have sent it.
   * @type {{edit: string, operation: any, delayMs: number, seq: number, wasSent: boolean, mayBeSent?: boolean, isUndone: boolean}[]}
   */
  #pending = [];
  #answered = new Set(); // the edits that an `edited` of the present frame answers
  #isReversed = false;
  #isShown = false; // whether the shown items have edits
  #isOutdated = false; // whether edits have been answered, and the items are not shown without them yet
  #more = undefined; // whether the list has another page

  /**
   * @param {import("./view.js").View} view
   * @param {import("./list-patcher.js").ListPatcher} patcher
   * @param {import("./refresh-client.js").RefreshClient} client
   */
  constructor(view, patcher, client) {
    this.#view = view;
    this.#patcher = patcher;
    this.#client = client;
  }

  /** The items of the daemon with the edits applied. An edit that does not fit is left out. */
  get items() {
    const { items, keys } = this.#patcher;
    if (!keys || this.#pending.length === 0) return items;
    const { apply, nodes } = linkedList(items, keys, (item) => this.#patcher.key(item));
    for (const { operation } of this.#pending) {
      apply(this.#isReversed && operation.at in OTHER_END ? { ...operation, at: OTHER_END[operation.at] } : operation, true);
    }
    return nodes().map(({ item }) => item);
  }

  /** The edits, as JSON, for a page that is loaded again. Null: there are none. */
  get saved() {
    if (this.#pending.length === 0) return null;
    return { pending: this.#pending, isReversed: this.#isReversed, itemKey: this.#patcher.itemKey };
  }

  /** Restores the edits of the previous page. */
  restore({ pending, isReversed, itemKey }) {
    this.#pending = pending.map((one) => ({ ...one, mayBeSent: true }));
    this.#isReversed = isReversed;
    this.#patcher.itemKey = itemKey;
    this.#isShown = true;
    this.suspend();
  }

  // The user

  /** Makes an edit, shows it, and sends it as soon as the view is attached. Returns its name. */
  edit(operation, delayMs) {
    const text = JSON.stringify(operation);
    const bytes = encodedLength(text);
    if (bytes > OPERATION_BYTES_MAX) {
      throw new RangeError(`refreshd: the operation has ${bytes} bytes, at most ${OPERATION_BYTES_MAX}`);
    }
    if (this.#pending.length >= PENDING_MAX) throw new RangeError(`refreshd: ${PENDING_MAX} edits have no answer`);
    this.#client.checkStrings(operation);
    const edit = this.#client.newEditName?.() ?? newUUID();
    this.#pending.push({ edit, operation: JSON.parse(text), delayMs, seq: 0, wasSent: false, isUndone: false });
    this.#show();
    // If the daemon has no edits, the edit is rolled back after the caller has its name.
    queueMicrotask(() => this.send());
    return edit;
  }

  /** Undoes an edit. Returns whether it has no answer yet. */
  undo(edit) {
    const pending = this.#pending.find((one) => one.edit === edit);
    if (!pending) return false;
    pending.isUndone = true;
    if (!pending.wasSent) this.#rollBack(pending, "undone", "The edit was undone.");
    else if (pending.seq > 0) this.#view.send("undo", { edit });
    return true;
  }

  // The daemon

  applyAttached({ reversed = false }) {
    this.#isReversed = reversed;
    this.suspend();
  }

  /** Records that messages may be lost with the connection. */
  suspend() {
    for (const one of this.#pending) one.seq = 0;
  }

  /** Sends the edits that were not sent on this connection. Those that exceed the daemon's limit wait. */
  send() {
    const view = this.#view;
    if (this.#pending.length === 0 || !view.attached || view.isDisconnected) return;
    if (!this.#client.features.isInUse("edits")) {
      for (const one of [...this.#pending]) this.#rollBack(one, "editNotAccepted", "The daemon accepts no edits.");
      return;
    }
    view.batch(() => {
      for (const one of this.#pending.slice(0, UNANSWERED_MAX)) {
        const { edit, operation, delayMs } = one;
        if (one.seq > 0) continue;
        const repeated = one.wasSent || one.mayBeSent;
        one.seq = view.send("edit", { edit, operation, ...(delayMs > 0 && { delayMs }), ...(repeated && { repeated }) });
        one.wasSent ||= one.seq > 0;
        if (one.isUndone) view.send("undo", { edit });
      }
    });
  }

  /** Drops the edits that a frame answers, before the items of this frame are shown. */
  answer(edit) {
    if (!this.#remove(this.#pending.find((one) => one.edit === edit))) return;
    this.#answered.add(edit);
    this.#isOutdated = true;
  }

  /** Handles an `edited`. Returns whether it answers an edit of this client. */
  handleEdited({ edit }) {
    if (!this.#answered.delete(edit)) return false;
    if (this.#isOutdated) this.#show();
    return true;
  }

  /** Rolls back the edit that an error is about. One that may be temporary is sent on the next connection. */
  handleError({ seq, code, message, temporary }) {
    const isFinal = temporary === false && !NOT_ARRIVED.includes(code);
    const refused = isFinal && this.#pending.find((one) => one.seq > 0 && one.seq === seq);
    if (refused) this.#rollBack(refused, code, message);
  }

  /** Records whether the list has another page. */
  recordList(list) {
    this.#more = list?.more ?? this.#more;
  }

  /** Returns the message with which received items are shown. */
  shown(message) {
    this.recordList(message);
    const isEdited = this.#pending.length > 0;
    const { items } = this;
    if ((!isEdited && !this.#isShown) || this.#patcher.hasRows || !items) return message;
    this.#isShown = isEdited;
    this.#isOutdated = false;
    const { total } = message;
    const added = items.length - this.#patcher.items.length;
    return {
      ...message, mode: "replace", items, count: items.length, ...(total !== undefined && { total: total + added }),
    };
  }

  #remove(one) {
    if (one) this.#pending.splice(this.#pending.indexOf(one), 1);
    return Boolean(one);
  }

  /** Shows the items after an edit was made or answered. */
  #show() {
    this.#isOutdated = false;
    if (this.#patcher.items === null || this.#patcher.awaitsList) return;
    this.#isShown = true;
    const message = { type: "items", view: this.#view.name, mode: "replace", more: this.#more, operations: [] };
    this.#view.dispatchEvent(new DetailEvent("items", this.shown(message)));
  }

  /** Rolls back an edit that the daemon does not answer, and reports it. */
  #rollBack(one, code, message) {
    this.#remove(one);
    this.#show();
    this.#view.dispatchEvent(new DetailEvent("edited", {
      type: "edited", view: this.#view.name, edit: one.edit, result: "rolledBack", code, message, temporary: false,
    }));
  }
}
