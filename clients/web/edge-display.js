// The edges as a `local` client shows them (docs/protocol.md, "What a local client shows" and "What
// a local client predicts"). This module uses no DOM and no clock.

import { predictedState } from "./prediction.js";
import { isEnd } from "./stream-client.js";

/** A client may predict the next state only from these states. */
const PREDICTABLE_STATES = new Set(["idle", "pulling", "eligible"]);
/** In these states, the refresh edge is not pulled, but a sample can pull it. */
const UNPULLED_STATES = new Set(["idle", "finishing"]);
export const PULLED_STATES = new Set(["pulling", "eligible"]);
const TRIGGERED_STATES = new Set(["triggered", "refreshing"]);
const UNSEEN_PULLS_MAX = 64;

/**
 * Whether a finger has pulled the refresh edge, according to the edge's member of an `update`.
 *
 * @type {(edge: import("./client-types.js").Edge | undefined) => boolean}
 */
const isPulledBySample = ({ state, cause } = {}) =>
  PULLED_STATES.has(state) || (TRIGGERED_STATES.has(state) && cause === "finger");

/**
 * The predicted state of the refresh edge, and the progress of each pull. `client` has `law`,
 * `edges` (as received, by name), `refreshEdge` and `loadMoreEdge`.
 */
export class EdgeDisplay {
  #client;
  #prediction = null; // {state, seq}
  #progress = {}; // by edge
  // The unanswered samples that were sent while the law had no pull at the refresh edge, at most
  // `UNSEEN_PULLS_MAX`. For each sample: its `seq`, and the progress of the load-more edge before
  // the sample.
  #beforeUnseenPulls = []; // {seq, progress}

  constructor(client) {
    this.#client = client;
  }

  /** The predicted state of the refresh edge. Null if the received state is shown. */
  get predicted() { return this.#prediction?.state ?? null; }

  /** The shown state of the refresh edge. */
  get refreshState() {
    return this.predicted ?? this.#client.edges[this.#client.refreshEdge]?.state ?? "disabled";
  }

  /** The progress of an edge's pull, from the last sample or from the daemon. */
  progress(name) { return this.#progress[name] ?? 0; }

  /** Whether the refresh edge is pulled if the list is at this offset. */
  isPulled(offset) {
    return (this.#client.law.edges[this.#client.refreshEdge]?.pull(offset) ?? 0) > 0;
  }

  /** Applies the edges in a message. If the message answers a prediction, the prediction ends. */
  handleMessage(message, names) {
    for (const name of names) {
      const { state, progress } = message[name] ?? {};
      if (state !== undefined) this.#progress[name] = 0;
      if (progress !== undefined) this.#progress[name] = progress;
    }
    this.#undoProgressUnderPull(message);
    if (this.#prediction && message.ack >= this.#prediction.seq) this.#prediction = null;
  }

  /**
   * If the answer to a sample shows that the sample pulled the refresh edge, restores the progress
   * that the load-more edge had before the sample.
   */
  #undoProgressUnderPull(message) {
    const { ack } = message;
    const answered = this.#beforeUnseenPulls.find(({ seq }) => seq === ack);
    this.#beforeUnseenPulls = this.#beforeUnseenPulls.filter(({ seq }) => !(seq <= ack));
    const { refreshEdge, loadMoreEdge } = this.#client;
    if (!answered || !isPulledBySample(message[refreshEdge])) return;
    // The samples that were sent later were also handled while the refresh edge was pulled.
    this.#beforeUnseenPulls = [];
    if (!message[loadMoreEdge]) this.#progress[loadMoreEdge] = answered.progress;
  }

  /**
   * If the law has no pull at the refresh edge, the client cannot determine whether the sample with
   * this `seq` pulls that edge. In this case, records the progress of the load-more edge.
   */
  recordProgressIfPullUnseen(seq) {
    const { law, refreshEdge, loadMoreEdge } = this.#client;
    const mayPull = law.edges[refreshEdge] === null && UNPULLED_STATES.has(this.refreshState);
    if (!mayPull || loadMoreEdge === undefined) return;
    if (this.#beforeUnseenPulls.length === UNSEEN_PULLS_MAX) this.#beforeUnseenPulls.shift();
    this.#beforeUnseenPulls.push({ seq, progress: this.progress(loadMoreEdge) });
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
   * Returns the refresh edge's state after a sample of a finger, or of the inertia after its lift.
   * Null if the state does not change. `isAnchored`: the client moves the list for the finger.
   * `hasNotMoved`: the movement has not moved the list yet. `previous` is the offset in the
   * previous frame.
   */
  predict({ type, offset }, phase, { isAnchored, hasNotMoved, previous }) {
    const law = this.#client.law.edges[this.#client.refreshEdge];
    // A finger that has not moved the list has not pulled it.
    if (!law || phase === "idle" || (phase === "began" && hasNotMoved)) return null;
    const state = this.refreshState;
    if (!PREDICTABLE_STATES.has(state)) return null;
    // If the daemon moves the list, the shown offset lags behind the daemon's offset. Near a
    // crossing, the daemon's offset can be on the other side.
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
