// The features of the protocol that a session uses (docs/protocol.md, "Features"). This module uses
// no DOM and no clock.

/** The features of one session. A feature is in use if the page and the daemon have named it. */
export class Features {
  #named;
  #served = null;

  /** `named` are the names in `hello`. Null: the page uses no features. */
  constructor(named) {
    this.#named = named;
  }

  /** The `features` of `hello`. */
  get named() { return this.#named ?? undefined; }
  /** Whether the page has named its features (perhaps none), and the daemon supports features. */
  get areKnown() { return this.#named !== null && this.#served !== null; }

  isInUse(name) { return this.areKnown && this.#named.includes(name) && this.#served.includes(name); }

  /** Applies a `welcome`. Its features replace those of the previous `welcome`. */
  applyWelcome({ features }) {
    this.#served = features ?? null;
  }

  /**
   * Returns a `disappear` message for each view that is not in sight, because a fresh session
   * assumes that every view is in sight.
   */
  disappearances(views) {
    if (!this.areKnown) return [];
    return views.filter(({ isInSight }) => !isInSight).map(({ name }) => ({ type: "disappear", view: name }));
  }

  /** Whether the daemon understands a message that was stored while there was no connection. */
  permits({ type, parameters }) {
    if (type === "disappear") return this.areKnown;
    if (type === "reveal" || type === "read") return this.isInUse("unread");
    return type !== "configure" || parameters === undefined || this.isInUse("query");
  }
}
