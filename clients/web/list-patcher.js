// Patches of lists (docs/protocol.md, "Patches", "Live items" and "What is in sight"). This module uses no
// DOM and no clock.

/** A list with random access has at most this many pages. */
const PAGES_MAX = 65535;

/** The items of one view as the daemon has sent them. Patches are applied to them. */
export class ListPatcher {
  #pointer; // the JSON pointer to the key of an item, and #path the names on it
  #path = null; // the names on the path to the key of an item; null: the view receives no patches
  // Copies, because the page may change the items and their array. Null: the items are not known.
  #items = null;
  #keys = null; // the keys of the items; null: the items or the path are not known
  #awaitsList = false; // whether a patch could not be applied, and no whole list has arrived since
  #paging = null; // the paging of a list with random access, whose items are its rows

  /** A copy of the items; null if they are not known. */
  get items() { return this.#items && [...this.#items]; }

  /** The keys of the items; null if they are not known. */
  get keys() { return this.#keys; }
  /** Whether a patch could not be applied, and the whole list is requested. */
  get awaitsList() { return this.#awaitsList; }
  /** Whether the items are the rows of a list with random access. A row without an item is null. */
  get hasRows() { return this.#paging !== null; }
  get itemKey() { return this.#pointer; }
  set itemKey(pointer) {
    this.#pointer = pointer;
    this.#path = pointer === undefined ? null : pathOf(pointer);
  }

  /** Sets the items of a session that this page resumes. */
  restore(items) {
    this.#set([...items]);
  }

  /** Applies an `attached`. `isResuming` states whether the view keeps its items. */
  applyAttached({ itemKey, paging }, isResuming) {
    this.itemKey = itemKey;
    this.applyPaging(paging);
    this.#set(isResuming ? this.#items : null);
    if (!isResuming) this.#awaitsList = false;
  }

  /** Applies the paging of `attached` or `configure`. */
  applyPaging(paging) {
    this.#paging = paging?.access === "random" ? paging : null;
  }

  /** Sets the number of rows of a list with random access. Returns whether it has changed. */
  resize(count) {
    const rows = this.#items;
    if (!this.#paging || !rows || rows.length === count) return false;
    this.#items = rows.slice(0, count).concat(Array(Math.max(0, count - rows.length)).fill(null));
    return true;
  }

  /** Drops the items, because the view has no list. */
  clear() {
    this.#set(null);
  }

  /**
   * Applies an `items` message. Returns the message to show: for a patch, one that replaces the list.
   * Items that have not changed are the same objects as before. Returns null if nothing is to be
   * shown. If a patch cannot be applied, calls `requestList`.
   *
   * @param {import("./protocol-types.js").ReceivedItems} message
   * @param {() => void} requestList
   * @returns {import("./client-types.js").ShownItems | null}
   */
  apply(message, requestList) {
    const { mode, items = [] } = message;
    if (mode === "replace" && message.total === undefined) this.#paging = null;
    if (this.#paging && (mode === "replace" || mode === "fill")) return this.#fill(message);
    if (mode === "replace") {
      this.#set([...items]);
      this.#awaitsList = false;
    } else if (this.#awaitsList || mode === "fill") {
      return null;
    } else if (mode === "patch") {
      this.#patch(message);
      if (this.#items === null) {
        this.#awaitsList = true;
        requestList();
        return null;
      }
      return { ...message, mode: "replace", items: [...this.#items] };
    } else if (this.#items !== null) {
      const join = (page, old) => old && (mode === "prepend" ? [...page, ...old] : [...old, ...page]);
      this.#keys = join(items.map((item) => this.key(item)), this.#keys);
      this.#items = join(items, this.#items);
    }
    return { ...message, mode, items };
  }

  #set(items) {
    this.#items = items;
    this.#keys = items && this.#path && items.map((item) => this.key(item));
  }

  /**
   * Puts the items of a page in their rows. Returns the message to show: the whole list, or the page with the
   * number of its first row as `offset`.
   *
   * @param {import("./protocol-types.js").ReceivedItems} message
   */
  #fill({ total, ...message }) {
    const { style, first, size = 1 } = this.#paging;
    const { mode, items = [] } = message;
    const offset = message.offset - (style === "offset" && first === 1 ? 1 : 0);
    const count = Math.min(total, PAGES_MAX * size);
    if (mode === "replace") this.#set(Array(count).fill(null));
    else if (total !== undefined) this.resize(count);
    const rows = this.#items;
    if (rows === null) return null;
    rows.splice(offset, items.length, ...items.slice(0, Math.max(0, rows.length - offset)));
    return /** @type {import("./client-types.js").ShownItems} */ ({
      ...message, offset, total: rows.length, items: mode === "fill" ? items : [...rows],
    });
  }

  /** Returns the key of an item. */
  key(item) {
    return this.#path?.reduce((value, name) => value?.[name], item);
  }

  /**
   * Makes the new items from a patch and the old items. If they do not fit, no items are known.
   *
   * @param {import("./protocol-types.js").ReceivedItems} patch
   */
  #patch({ operations, runs = [], count }) {
    const [old, keys] = [this.#items, this.#keys];
    this.#set(null);
    if (keys === null) return;
    if (operations !== undefined) {
      const nodes = operated(operations, old, keys, (item) => this.key(item));
      if (nodes?.length !== count) return;
      this.#items = nodes.map(({ item }) => item);
      this.#keys = nodes.map(({ key }) => key);
      return;
    }
    const positions = new Map();
    // -1: several items have this key
    for (const [position, key] of keys.entries()) positions.set(key, positions.has(key) ? -1 : position);
    const items = [];
    const newKeys = [];
    for (const run of runs) {
      const start = run.items ? 0 : positions.get(run.from) ?? -1;
      if (start < 0 || (!run.items && start + run.count > old.length)) return;
      for (const item of run.items ?? old.slice(start, start + run.count)) items.push(item);
      const runKeys = run.items?.map((item) => this.key(item)) ?? keys.slice(start, start + run.count);
      for (const key of runKeys) newKeys.push(key);
    }
    if (items.length === count) [this.#items, this.#keys] = [items, newKeys];
  }
}

const KINDS = ["insert", "update", "remove", "move"];
const PLACES = ["at", "before", "after"];

/** Returns the name of the only one of these members that an operation has; undefined if there is not exactly one. */
function onlyMember(operation, names) {
  const found = names.filter((name) => name in operation);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Applies operations to a copy of a list. Returns its nodes; undefined if an operation cannot be applied.
 *
 * @param {any} operations
 * @param {any[]} items
 * @param {any[]} keys the keys of the items
 * @param {(item: any) => any} keyOf
 */
function operated(operations, items, keys, keyOf) {
  const { apply, nodes } = linkedList(items, keys, keyOf);
  return Array.isArray(operations) && operations.every((operation) => apply(operation)) ? nodes() : undefined;
}

/**
 * Makes a linked copy of a list, so that each operation takes the same time in any list. Returns the functions
 * that apply an operation, and that return the nodes in order.
 *
 * @param {any[]} items
 * @param {any[]} keys the keys of the items
 * @param {(item: any) => any} keyOf
 */
export function linkedList(items, keys, keyOf) {
  const ends = /** @type {any} */ ({}); // its neighbours are the last and the first node
  ends.next = ends.previous = ends;
  const nodes = new Map(); // by key; null: several items have this key
  const link = (node, next) => {
    Object.assign(node, { previous: next.previous, next });
    node.previous.next = next.previous = node;
  };
  const unlink = ({ previous, next }) => {
    previous.next = next;
    next.previous = previous;
  };
  const find = (key) => (typeof key === "string" || Number.isSafeInteger(key) ? nodes.get(key) : null);
  for (const [position, key] of keys.entries()) {
    const node = { item: items[position], key };
    link(node, ends);
    nodes.set(key, nodes.has(key) ? null : node);
  }

  /** Returns the node before which an operation puts its item. */
  const placeOf = (operation) => {
    switch (onlyMember(operation, PLACES)) {
      case "at": return operation.at === "start" ? ends.next : operation.at === "end" ? ends : undefined;
      case "before": return find(operation.before);
      case "after": return find(operation.after)?.next;
      default: return undefined;
    }
  };

  /** Returns whether an operation was applied. With `isEdit`, an `insert` of a key of the list is an `update`. */
  const apply = (operation, isEdit = false) => {
    if (operation === null || typeof operation !== "object") return false;
    let kind = onlyMember(operation, KINDS);
    if (!kind) return false;
    const value = operation[kind];
    const key = kind === "insert" || kind === "update" ? keyOf(value) : value;
    const node = find(key);
    if (isEdit && kind === "insert" && node) kind = "update";
    if (kind === "insert" ? node !== undefined : !node) return false;
    if (kind === "update") {
      node.item = value;
      return true;
    }
    if (kind === "remove") {
      nodes.delete(key);
      unlink(node);
      return true;
    }
    const place = placeOf(operation);
    if (!place) return false;
    const placed = node ?? { item: value, key };
    if (placed === place) return true;
    if (node) unlink(node);
    else nodes.set(key, placed);
    link(placed, place);
    return true;
  };

  const nodesInOrder = () => {
    const result = /** @type {{item: any, key: any}[]} */ ([]);
    for (let node = ends.next; node !== ends; node = node.next) result.push(node);
    return result;
  };
  return { apply, nodes: nodesInOrder };
}

/** Returns the names on the path of a JSON pointer (RFC 6901). */
function pathOf(pointer) {
  return pointer.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}
