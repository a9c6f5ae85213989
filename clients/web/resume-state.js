// The state with which a client resumes its session on another connection (docs/protocol.md,
// "Coming back"). This module uses no DOM and no clock.

/** The resume state of one session. */
export class ResumeState {
  #session = null;
  #token = null;
  #ack = 0;
  #snapshot = null; // {sealed, ack}
  #received = new Map(); // by view, the last load whose items have arrived
  #detached = new Map(); // by name, the `seq` from which a snapshot does not have the detached view

  constructor(saved = null) {
    if (!saved) return;
    const { session, token, ack, snapshot, received, detached = {} } = saved;
    this.#session = session;
    this.#token = token;
    this.#ack = ack;
    this.#snapshot = snapshot;
    this.#received = new Map(Object.entries(received));
    this.#detached = new Map(Object.entries(detached));
  }

  /** Whether there is a session to resume. */
  get canResume() { return this.#token !== null; }

  /**
   * The last `seq` that cannot be lost, because no session is rebuilt from a state that is older
   * than that message.
   */
  get durableSeq() { return this.#snapshot?.ack ?? this.#ack; }

  /**
   * Returns the `resume` of a `hello` with the views `names`. A snapshot with an earlier view of one of
   * these names is left out, because the session that is rebuilt from it would continue that view.
   */
  request(names) {
    const isUsable = this.#snapshot && !names.some((name) => this.#detached.get(name) > this.#snapshot.ack);
    return {
      session: this.#session, token: this.#token, ack: this.#ack, received: [...this.#received.values()],
      ...(isUsable && { snapshot: this.#snapshot.sealed }),
    };
  }

  /** The whole state, as JSON. */
  get saved() {
    return {
      session: this.#session, token: this.#token, ack: this.#ack, snapshot: this.#snapshot,
      received: Object.fromEntries(this.#received), detached: Object.fromEntries(this.#detached),
    };
  }

  /** Updates the state from a `welcome`. If it has no token, the daemon keeps no session. */
  applyWelcome({ session, token, resumed, ack }) {
    if (!resumed) this.clear();
    this.#session = session;
    this.#token = token ?? null;
    // A session that was rebuilt from a snapshot may have handled fewer messages than the session
    // that was lost.
    this.#ack = ack ?? 0;
  }

  /** Updates the state from any message. */
  record({ type, view, ack, load, sealed }) {
    if (type === "snapshot") this.#snapshot = sealed ? { sealed, ack } : null;
    if (type === "items") this.#received.set(view, load);
    if (ack > this.#ack) this.#ack = ack;
  }

  /** Records that no snapshot of the message `seq` or a later one has the detached view. */
  recordDetach(view, seq) {
    this.#received.delete(view);
    this.#detached.set(view, seq);
  }

  /** Removes the load of a view that has dropped its loaded items. */
  removeLoad(view) {
    this.#received.delete(view);
  }

  /** Clears the state, because the session has ended. */
  clear() {
    this.#session = this.#token = this.#snapshot = null;
    this.#ack = 0;
    this.#received.clear();
    this.#detached.clear();
  }
}
