// The features of the protocol that a session uses (docs/protocol.md, "Features"). No DOM, no clock.

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
  /** Whether the client is a client with features, and the daemon knows this. */
  get areKnown() { return this.#named !== null && this.#served !== null; }

  isInUse(name) { return this.areKnown && this.#named.includes(name) && this.#served.includes(name); }

  /** Each `welcome` states anew what the daemon serves. */
  applyWelcome({ features }) {
    this.#served = features ?? null;
  }

  /** In a fresh session, each view counts as in sight. Returns messages for the other views. */
  disappearances(views) {
    if (!this.areKnown) return [];
    return views.filter(({ isInSight }) => !isInSight).map(({ name }) => ({ type: "disappear", view: name }));
  }

  /** Whether the daemon understands a message that was stored without a connection. */
  permits({ type, parameters }) {
    if (type === "disappear") return this.areKnown;
    if (type === "reveal" || type === "read") return this.isInUse("unread");
    return type !== "configure" || parameters === undefined || this.isInUse("query");
  }
}
