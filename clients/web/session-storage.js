/**
 * Keeps the state of a session for the reloaded page, in a `Storage`. If the storage is null,
 * nothing is kept.
 */
export class SessionStorage {
  #storage;
  #key;

  constructor(storage, key) {
    this.#storage = storage;
    this.#key = key;
  }

  get isAvailable() { return Boolean(this.#storage); }

  /** Saves the state. If the storage is full, nothing is saved. */
  save(state) {
    try {
      this.#storage.setItem(this.#key, JSON.stringify(state));
    } catch {
      this.clear();
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
