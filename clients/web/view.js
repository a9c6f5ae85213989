// One scroll view that is attached to a session, independent of the connection (docs/protocol.md).

import { DetailEvent, TypedEventTarget } from "./detail-event.js";
import { EDGES, mergedEdge } from "./edges.js";
import { ListPatcher } from "./list-patcher.js";

/**
 * One view of a session.
 *
 * Events with the message as `detail`: `attached`, `update`, `items`, `edited`, `loading`, `load`, `error`.
 * For a patch (docs/protocol.md, "Patches"), and while there are edits without an answer, the detail of
 * `items` has the `mode` `replace` and all items. With random access, items that are not loaded are null,
 * and `offset` of a `fill` is the row of its first item. Other events:
 * - `disconnected`: the connection is lost, and the display stays as it is until the next
 *   connection.
 * - `ended`: the session has ended, so the insets and offsets that the daemon set no longer apply.
 * - `emptied`: a new query has cleared the items, or the loaded items were dropped while there was
 *   no connection.
 *
 * @extends {TypedEventTarget<import("./client-types.js").ViewEvents>}
 */
export class View extends TypedEventTarget {
  /** @type {import("./client-types.js").Edge} */
  top = {};
  /** @type {import("./client-types.js").Edge} */
  bottom = {};
  /** The secondary page (`floor`): its `state`, and `progress` in states with progress. */
  floor = { state: "closed" };
  attached = false;
  /** Whether the daemon has refused to attach the view. Its messages are then not sent. */
  isRefused = false;
  /** The intents to send when the view is attached. */
  kept = [];
  /** The `seq` of the view's last `attach`; 0 if only `hello` has attached it. */
  requestSeq = 0;
  /** Whether there is no connection at present. */
  isDisconnected = false;
  /** Whether the next `attached` is of a resumed session. */
  willResume = false;
  /** Whether the current message repeats the state of a resumed session, which is already shown. */
  isResuming = false;
  /** The daemon's limit for the silence within a gesture, in milliseconds. */
  gestureSilence = undefined;
  /**
   * A function that sends the current offset before a message other than a sample. Its arguments
   * are the time and the type of that message.
   * @type {((now: number, type: string) => void) | null}
   */
  beforeSend = null;
  /**
   * The JSON pointer to the value that names the section of an item, for `sectionsOf`. Null: the feed has none.
   *
   * @type {string | null}
   */
  sectionKey = null;
  /**
   * The edits that the feed accepts (docs/protocol.md, "Edits").
   * @type {import("./protocol-types.js").EditKind[]}
   */
  acceptedEdits = [];
  /** Whether the view is in sight. `appear` and `disappear` change this. */
  isInSight = true;
  /**
   * The `seq` of the unanswered `attach`, if an earlier view had this name. Messages about that view
   * arrive before the answer. Otherwise 0.
   */
  attachSeq = 0;
  /**
   * The state that was saved before the page was reloaded, if this page resumes the session.
   * @type {any}
   */
  savedState = null;

  #client;
  #patcher = new ListPatcher();
  #edits;
  #edges = {}; // by name, the edges of the attached view
  #parameters = null; // those of the newest query that the daemon has handled
  #queries = []; // the later queries: {seq, parameters}
  #doubtful = null; // the last query that was dropped, until the daemon states whether it has handled it

  constructor(client, name, describe, initialMessages = [], saveState = null, Edits = null) {
    super();
    this.#client = client;
    this.#edits = Edits && new Edits(this, this.#patcher, client);
    this.name = name;
    this.describe = describe;
    this.initialMessages = initialMessages;
    this.saveState = saveState;
  }

  /**
   * The parameters of the newest query. Null: those of `describe`. Setting them throws a RangeError
   * if a string is longer than the daemon accepts (`limits.stringBytesMax`).
   *
   * @type {Record<string, string> | null}
   */
  get parameters() { return this.#queries.at(-1)?.parameters ?? this.#parameters; }

  set parameters(parameters) {
    this.#client.checkStrings(parameters);
    this.#parameters = parameters && { ...parameters };
    this.#queries = [];
  }

  /**
   * A copy of the shown items: those of the daemon, with the edits that have no answer. Null: no items have
   * arrived. With random access, the rows, with null for each item that is not loaded.
   *
   * @type {any[] | null}
   */
  get items() { return (this.#edits ?? this.#patcher).items; }
  /**
   * A copy of the items as the daemon has sent them, for `restoreItems`. Null: no items have arrived.
   *
   * @type {any[] | null}
   */
  get receivedItems() { return this.#patcher.items; }
  /** Whether the items are the rows of a list with random access (docs/protocol.md, "What is in sight"). */
  get hasRows() { return this.#patcher.hasRows; }
  /** The edits of a client with the option `edits`. */
  get edits() { return this.#edits; }

  /** The view's current member of `hello`. */
  get body() {
    return { view: this.name, ...this.describe(), ...(this.parameters && { parameters: this.parameters }) };
  }

  /**
   * Sends a message about this view; returns its `seq`, or 0 if there is no session or the daemon
   * has refused the view. Throws a RangeError if a string is longer than the daemon accepts
   * (`limits.stringBytesMax`). The message is then not sent.
   *
   * @template {import("./client-types.js").ViewMessageType} T
   * @param {T} type
   * @param {import("./client-types.js").ViewMessageArguments<T>} rest the members of the message
   * @returns {number}
   */
  send(type, ...rest) {
    if (this.isRefused) return 0;
    const message = /** @type {any} */ ({ type, view: this.name, ...rest[0] });
    if (type === "configure" && message.paging?.access) this.#patcher.applyPaging(message.paging);
    if (type === "scroll" || type === "pan" || !this.beforeSend) return this.#client.send(message);
    return this.#client.batch(() => {
      this.beforeSend(performance.now(), type);
      return this.#client.send(message);
    });
  }

  /**
   * Changes the list (docs/protocol.md, "Edits"); for a client with the option `edits`. The change is shown at
   * once, and sent as soon as the view is attached. The event `edited` tells what has become of it. For
   * `delayMs`, it can be undone. Returns the name of the edit. Throws a RangeError as `send` does.
   *
   * @param {import("./protocol-types.js").EditOperation} operation
   * @param {{delayMs?: number}} [options]
   * @returns {string}
   */
  edit(operation, options = {}) {
    if (!this.#edits) throw new TypeError("refreshd: a client without the option edits cannot change a list");
    return this.#edits.edit(operation, options.delayMs ?? 0);
  }

  /**
   * Undoes an edit, if it was not performed yet. The event `edited` tells whether it was undone. Returns whether
   * the edit has no answer yet.
   *
   * @param {string} edit
   * @returns {boolean}
   */
  undo(edit) {
    return this.#edits?.undo(edit) ?? false;
  }

  /** Sends all messages of `send` in one frame. */
  batch(send) {
    return this.#client.batch(send);
  }

  /**
   * Makes a new query of the feed. `options` are `debounceMs` and `shown`. With `shown` `clear`, a query
   * with other parameters empties the list. If the daemon refuses it, the items come back. Returns
   * whether the feature `query` is in use. If it is not, nothing happens. Throws a RangeError as `send`
   * does.
   *
   * @param {Record<string, string>} parameters
   * @param {{debounceMs?: number, shown?: "keep" | "clear"}} [options]
   */
  query(parameters, options = {}) {
    if (!this.#client.features.isInUse("query")) return false;
    const isNew = sorted(parameters) !== sorted(this.parameters ?? this.describe().parameters);
    const isEmptied = options.shown === "clear" && isNew;
    const seq = this.send("configure", { parameters, ...options });
    if (seq === 0) this.parameters = parameters;
    else this.#queries.push({ seq, parameters: { ...parameters }, isEmptied });
    if (isEmptied) this.dispatchEvent(new Event("emptied"));
    return true;
  }

  /**
   * Brings an end of the list or an item into sight. `fields` are those of the message `reveal`.
   * Without fields, the newest end comes into sight. Returns whether the feature `unread` is in
   * use. If it is not, nothing happens.
   *
   * @param {{edge?: import("./protocol-types.js").Edge, id?: string, position?: number}} [fields]
   */
  reveal(fields = {}) {
    if (!this.#client.features.isInUse("unread")) return false;
    this.send("reveal", fields);
    return true;
  }

  /**
   * Reports that the user has read the list up to the item `id`, if `unread` is in use.
   *
   * @param {string} id
   */
  markRead(id) {
    if (this.#client.features.isInUse("unread")) this.send("read", { id });
  }

  /** Reports that the view is visible again. */
  appear() {
    if (this.isInSight) return;
    this.isInSight = true;
    this.send("appear");
  }

  /** Reports that the view is not visible any more, if the daemon knows this message. */
  disappear() {
    if (!this.isInSight) return;
    this.isInSight = false;
    if (this.#client.features.areKnown) this.send("disappear");
  }

  /** Sets the items that a reloaded page has kept, so that patches apply to them. */
  restoreItems(items) {
    this.#patcher.restore(items);
  }

  /** Converts a time of the daemon's clock to this page's clock. */
  localTime(daemonTime) {
    return this.#client.localTime(daemonTime);
  }

  /** Whether a message is about an earlier view with this name. */
  isStale({ type, ack, seq }) {
    if (this.attachSeq === 0) return false;
    if (type === "error") return seq < this.attachSeq;
    if (type !== "attached" || ack < this.attachSeq) return true;
    this.attachSeq = 0;
    return false;
  }

  /** Applies a message of the daemon and dispatches its event. `isDropped`: it is about a message that was dropped. */
  handle(message, isDropped = false) {
    if (message.type === "attached") {
      this.attached = true;
      this.isRefused = false;
      this.isDisconnected = false;
      this.isResuming = this.willResume;
      this.willResume = false;
      this.#edges = Object.fromEntries(EDGES.map((name) => [name, message[name] ?? {}]));
      this.floor = { state: "closed" };
      this.#patcher.applyAttached(message, this.isResuming);
      this.#edits?.applyAttached(message);
      this.acceptedEdits = message.edits ?? [];
      this.sectionKey = message.sectionKey ?? null;
    } else if (message.type === "items") {
      message = this.#patcher.apply(message, () => this.#requestList());
      if (!message) return;
      message = this.#edits?.shown(message) ?? message;
    } else if (message.type === "edited") {
      if (!this.#edits?.handleEdited(message)) return;
    } else if (message.type === "update") {
      for (const name of EDGES) {
        if (message[name]) this.#edges[name] = mergedEdge(this.#edges[name] ?? {}, message[name]);
      }
      this.floor = message.floor ?? this.floor;
      this.#edits?.recordList(message.list);
      if (this.isResuming && !message.list) this.#empty();
      else this.#resize(message.list?.count);
    } else if (message.type === "error") {
      this.#removeQuery(message.seq, isDropped);
    }
    if (message.ack >= 0) this.#confirmQueries(message.ack);
    ({ top: this.top = {}, bottom: this.bottom = {} } = this.#edges);
    this.dispatchEvent(new DetailEvent(message.type, message));
    if (message.type === "update") this.isResuming = false;
    this.#edits?.send();
  }

  /** Handles the loss of the connection. The session can resume on another connection. */
  suspend() {
    if (!this.attached || this.isDisconnected) return;
    this.isDisconnected = true;
    this.#edits?.suspend();
    this.dispatchEvent(new Event("disconnected"));
  }

  /** Handles the end of the session. The next session has the queries up to the message `seq`. */
  end(seq = Infinity) {
    this.attached = this.isDisconnected = this.isResuming = false;
    this.savedState = null;
    this.#edits?.suspend();
    this.attachSeq = 0;
    this.#edges = {};
    this.top = {};
    this.bottom = {};
    this.#doubtful = null;
    this.#confirmQueries(seq);
    this.floor = { state: "closed" };
    this.dispatchEvent(new Event("ended"));
  }

  /** Records that the query `seq` is sent again with another number. */
  renumber(seq, newSeq) {
    const query = [...this.#queries].reverse().find((one) => one.seq === seq);
    if (query) query.seq = newSeq;
  }

  /** Records that the daemon has handled the queries up to this `seq`. */
  #confirmQueries(ack) {
    if (this.#doubtful?.seq <= ack) this.#parameters = this.#doubtful.parameters;
    this.#doubtful = null;
    while (this.#queries[0]?.seq <= ack) this.#parameters = this.#queries.shift().parameters;
  }

  /**
   * Returns to the query before `seq`, and to its items, because the daemon has refused that query, or the client has
   * dropped it.
   */
  #removeQuery(seq, isDropped) {
    const refused = this.#queries.find((query) => query.seq === seq);
    // On an earlier connection the daemon may have handled it. Otherwise `hello` returns to the query before it.
    if (isDropped && refused && refused !== this.#queries.at(-1)) this.#doubtful = refused;
    this.#queries = this.#queries.filter((query) => query !== refused);
    const { items } = this;
    if (!refused?.isEmptied || !items || this.#queries.some(({ isEmptied }) => isEmptied)) return;
    this.dispatchEvent(new DetailEvent("items", { type: "items", view: this.name, mode: "replace", count: items.length, items }));
  }

  /** Sets the number of rows of a list with random access. */
  #resize(count) {
    // A `reset` empties the list of the daemon. The rows stay until the new list arrives.
    if (!(count > 0) || !this.#patcher.resize(count)) return;
    this.dispatchEvent(new DetailEvent("items", {
      type: "items", view: this.name, mode: "fill", offset: 0, items: [], count: 0, more: false, total: count,
    }));
  }

  /** Requests the whole list, because a patch could not be applied. */
  #requestList() {
    const canRefresh = EDGES.some((name) => {
      const { role, state } = this.#edges[name] ?? {};
      return role === "refresh" && state !== "disabled";
    });
    this.batch(() => {
      this.send("reset");
      this.send(canRefresh ? "refresh" : "loadMore", { cause: "code" });
    });
  }

  #empty() {
    this.#patcher.clear();
    this.#client.removeLoad(this);
    this.dispatchEvent(new Event("emptied"));
  }
}

/** Returns the text of the parameters, in the order of their names. */
function sorted(parameters) {
  return JSON.stringify(Object.entries(parameters ?? {}).sort());
}
