// What a client knows of its session, by which it goes on with it on another connection (docs/protocol.md, "Coming
// back"). No DOM, no clock.

export class Comeback {
  #session = null;
  #token = null;
  #ack = 0;
  #snapshot = null; // {sealed, ack}
  #received = new Map(); // by view, the last load that there are items of

  constructor(kept = null) {
    if (!kept) return;
    const { session, token, ack, snapshot, received } = kept;
    this.#session = session;
    this.#token = token;
    this.#ack = ack;
    this.#snapshot = snapshot;
    this.#received = new Map(Object.entries(received));
  }

  /** Whether there is a session to go on with. */
  get isPossible() { return this.#token !== null; }

  /** What is handled for good: nobody can come back to a state from before that. */
  get settled() { return this.#snapshot?.ack ?? this.#ack; }

  /** The `resume` of a `hello`. */
  get request() {
    return {
      session: this.#session, token: this.#token, ack: this.#ack, received: [...this.#received.values()],
      ...(this.#snapshot && { snapshot: this.#snapshot.sealed }),
    };
  }

  /** All of it, as JSON can keep it. */
  get kept() {
    return {
      session: this.#session, token: this.#token, ack: this.#ack, snapshot: this.#snapshot,
      received: Object.fromEntries(this.#received),
    };
  }

  /** A daemon that keeps no sessions names no token. */
  welcomed({ session, token, resumed, ack }) {
    if (!resumed) this.forget();
    this.#session = session;
    this.#token = token ?? null;
    // A session that was rebuilt may have handled less than the one before it.
    this.#ack = ack ?? 0;
  }

  heard({ type, view, ack, load, sealed }) {
    if (type === "snapshot") this.#snapshot = sealed ? { sealed, ack } : null;
    if (type === "items") this.#received.set(view, load);
    if (ack > this.#ack) this.#ack = ack;
  }

  /** Nothing is loaded in that view any more. */
  emptied(view) {
    this.#received.delete(view);
  }

  forget() {
    this.#session = this.#token = this.#snapshot = null;
    this.#ack = 0;
    this.#received.clear();
  }
}
