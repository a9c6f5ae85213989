// The edges as a `local` client shows them (docs/protocol.md, "What a local client shows" and "What
// a local client predicts"). No DOM, no clock.

import { predictedState } from "./prediction.js";
import { isEnd } from "./stream-client.js";

/** Only from these states, a client may predict the next one. */
const PREDICTABLE_STATES = new Set(["idle", "pulling", "eligible"]);
export const PULLED_STATES = new Set(["pulling", "eligible"]);

/**
 * The predicted state of the refresh edge, and the progress of each pull. `client` has `law`,
 * `edges` (as received, by name) and `refreshEdge`.
 */
export class EdgeDisplay {
  #client;
  #prediction = null; // {state, seq}
  #progress = {}; // by edge

  constructor(client) {
    this.#client = client;
  }

  /** The predicted state of the refresh edge; null if the received one is shown. */
  get predicted() { return this.#prediction?.state ?? null; }

  /** The shown state of the refresh edge. */
  get refreshState() {
    return this.predicted ?? this.#client.edges[this.#client.refreshEdge]?.state ?? "disabled";
  }

  /** The progress of an edge's pull, by the last sample or as received. */
  progress(name) { return this.#progress[name] ?? 0; }

  /** Whether the refresh edge is pulled at this offset. */
  isPulled(offset) {
    return (this.#client.law.edges[this.#client.refreshEdge]?.pull(offset) ?? 0) > 0;
  }

  /** Applies the edges in a message, and ends a prediction that the message answers. */
  handleMessage(message, names) {
    for (const name of names) {
      const { state, progress } = message[name] ?? {};
      if (state !== undefined) this.#progress[name] = 0;
      if (progress !== undefined) this.#progress[name] = progress;
    }
    if (this.#prediction && message.ack >= this.#prediction.seq) this.#prediction = null;
  }

  /** Updates the progress of all pulls for a shown offset. */
  updateProgress(offset) {
    const { law, edges } = this.#client;
    const isPulled = PULLED_STATES.has(this.refreshState) || this.predicted === "refreshing" || this.isPulled(offset);
    for (const [name, edge] of Object.entries(law.edges)) {
      if (!edge || !edges[name] || (edges[name].role !== "refresh" && isPulled)) continue;
      this.#progress[name] = Math.min(edge.pull(offset), 1);
    }
  }

  /**
   * Returns the refresh edge's state after a sample of a finger or of its inertia, or null if the
   * state does not change. `isAnchored`: whether the client moves the list for the finger.
   * `hasNotMoved`: whether the movement has not moved the list yet. `previous`: the offset in the
   * frame before.
   */
  predict({ type, offset }, phase, { isAnchored, hasNotMoved, previous }) {
    const law = this.#client.law.edges[this.#client.refreshEdge];
    // A finger that has not moved the list has not pulled it.
    if (!law || phase === "idle" || (phase === "began" && hasNotMoved)) return null;
    const state = this.refreshState;
    if (!PREDICTABLE_STATES.has(state)) return null;
    // If the daemon moves the list, the shown offset is behind. Near a mark, the daemon may place
    // the finger on its other side.
    const isPan = type === "pan";
    if (isPan && (!isAnchored || this.#client.law.isNearMark(offset))) return null;
    const isArmed = state === "eligible";
    // The daemon does not evaluate a sample that does not move the list.
    if (!isPan && isEnd(phase) && offset === previous) {
      return isArmed && phase === "ended" && law.fires === "release" ? "refreshing" : null;
    }
    const next = predictedState(phase, offset, law, { isArmed, isPan });
    return next === state ? null : next;
  }

  /** Shows a predicted state until the message with this `seq` is answered. */
  showPrediction(state, seq) {
    this.#prediction = { state, seq };
  }
}
