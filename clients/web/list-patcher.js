// Patches of lists (docs/protocol.md, "Patches"). This module uses no DOM and no clock.

/** The items of one view as the daemon has sent them. Patches are applied to them. */
export class ListPatcher {
  #path = null; // the names on the path to the key of an item; null: the view receives no patches
  #items = null; // null: the items are not known
  #awaitsList = false; // whether a patch could not be applied, and no whole list has arrived since

  /** Sets the items of a session that this page resumes. */
  restore(items) {
    this.#items = items;
  }

  /** Applies an `attached`. `isResuming` states whether the view keeps its items. */
  applyAttached({ itemKey }, isResuming) {
    this.#path = itemKey === undefined ? null : pathOf(itemKey);
    if (isResuming) return;
    this.#items = null;
    this.#awaitsList = false;
  }

  /** Drops the items, because the view has no list. */
  clear() {
    this.#items = null;
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
    if (mode === "replace") {
      this.#items = items;
      this.#awaitsList = false;
    } else if (this.#awaitsList) {
      return null;
    } else if (mode === "patch") {
      this.#items = patched(this.#items, message, this.#path);
      if (this.#items === null) {
        this.#awaitsList = true;
        requestList();
        return null;
      }
      return { ...message, mode: "replace", items: this.#items };
    } else if (this.#items !== null) {
      this.#items = mode === "prepend" ? [...items, ...this.#items] : [...this.#items, ...items];
    }
    return { ...message, mode, items };
  }
}

/** Returns the names on the path of a JSON pointer (RFC 6901). */
function pathOf(pointer) {
  return pointer.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the list that the runs of a patch make from the old items; null if they do not fit. */
function patched(old, { runs = [], count }, path) {
  if (old === null || path === null) return null;
  const positions = new Map();
  for (const [position, item] of old.entries()) {
    const key = path.reduce((value, name) => value?.[name], item);
    positions.set(key, positions.has(key) ? -1 : position); // -1: several items have this key
  }
  const items = [];
  for (const run of runs) {
    const start = run.items ? 0 : positions.get(run.from) ?? -1;
    if (start < 0 || (!run.items && start + run.count > old.length)) return null;
    for (const item of run.items ?? old.slice(start, start + run.count)) items.push(item);
  }
  return items.length === count ? items : null;
}
