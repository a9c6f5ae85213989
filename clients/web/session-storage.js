/**
 * Keeps the state of a session for the reloaded page, in a `Storage`. If the storage is null,
 * nothing is kept.
 */
export class SessionStorage {
  #storage;
  #key;

  constructor(storage, key) {
    if (storage && !["getItem", "setItem", "removeItem"].every((name) => typeof storage[name] === "function")) {
      throw new TypeError("refreshd: storage must have the functions getItem, setItem and removeItem");
    }
    this.#storage = storage;
    this.#key = key;
  }

  get isAvailable() { return Boolean(this.#storage); }

  /** Saves the state. Returns false if nothing is saved, because the storage is full. */
  save(state) {
    try {
      this.#storage.setItem(this.#key, JSON.stringify(state));
      return true;
    } catch {
      this.clear();
      return false;
    }
  }

  /**
   * Returns the saved state, or null, and removes it, because two pages must not resume the same
   * session.
   */
  restore() {
    const text = this.#storage?.getItem(this.#key);
    if (!text) return null;
    this.clear();
    return JSON.parse(text);
  }

  clear() {
    this.#storage.removeItem(this.#key);
  }
}
