// The state with which a client resumes its session on another connection (docs/protocol.md, "Coming back"). No DOM, no
// clock.

export class Comeback {
  #session = null;
  #token = null;
  #ack = 0;
  #snapshot = null; // {sealed, ack}
  #received = new Map(); // by view, the last load whose items were received

  constructor(kept = null) {
    if (!kept) return;
    const { session, token, ack, snapshot, received } = kept;
    this.#session = session;
    this.#token = token;
    this.#ack = ack;
    this.#snapshot = snapshot;
    this.#received = new Map(Object.entries(received));
  }

  /** Whether there is a session to resume. */
  get isPossible() { return this.#token !== null; }

  /** The last `seq` that is handled for good: no session can be rebuilt from a state before it. */
  get settled() { return this.#snapshot?.ack ?? this.#ack; }

  /** The `resume` of a `hello`. */
  get request() {
    return {
      session: this.#session, token: this.#token, ack: this.#ack, received: [...this.#received.values()],
      ...(this.#snapshot && { snapshot: this.#snapshot.sealed }),
    };
  }

  /** The whole state, as JSON. */
  get kept() {
    return {
      session: this.#session, token: this.#token, ack: this.#ack, snapshot: this.#snapshot,
      received: Object.fromEntries(this.#received),
    };
  }

  /** Updates the state from a `welcome`. Without a token, the daemon keeps no session. */
  welcomed({ session, token, resumed, ack }) {
    if (!resumed) this.forget();
    this.#session = session;
    this.#token = token ?? null;
    // A rebuilt session may have handled less than the one before it.
    this.#ack = ack ?? 0;
  }

  heard({ type, view, ack, load, sealed }) {
    if (type === "snapshot") this.#snapshot = sealed ? { sealed, ack } : null;
    if (type === "items") this.#received.set(view, load);
    if (ack > this.#ack) this.#ack = ack;
  }

  /** Removes the view's load: nothing is loaded in it any more. */
  emptied(view) {
    this.#received.delete(view);
  }

  forget() {
    this.#session = this.#token = this.#snapshot = null;
    this.#ack = 0;
    this.#received.clear();
  }
}
