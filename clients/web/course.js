// The direction of a list: the actual one, and the one that the daemon assumes from the samples it receives
// (docs/protocol.md, "What a client sends"). No DOM, no clock.

import { isEnd } from "./stream.js";

/** `ground` has `law`, `share(edge)`, `isLower(edge)`, and the names `refreshEdge` and `loadMoreEdge`. */
export class Course {
  /** The last offset that the daemon knows. */
  known;
  /** The offset in the frame before. */
  previous;
  #ground;
  #knownTowardsEnd = false; // the direction of the last motion that the daemon knows
  #turn; // the offset before the last motion
  #towardsEnd = false; // whether that motion led towards the end

  constructor(ground, offset) {
    this.#ground = ground;
    this.known = this.previous = this.#turn = offset;
  }

  /** Sets the offset after a command of the daemon. */
  put(offset) {
    this.known = this.previous = this.#turn = offset;
    this.#towardsEnd = this.#knownTowardsEnd;
  }

  /** Starts a movement that has not moved the list yet. */
  stand(offset) {
    this.#turn = this.previous = offset;
    this.#towardsEnd = false;
  }

  /** Sets the offset of a list that has come to rest, with a sample that was sent. */
  rest(offset) {
    this.stand(offset);
    this.#knownTowardsEnd = false;
  }

  /** Updates the motion for the offset in this frame. */
  see(offset) {
    if (offset === this.previous) return;
    this.#turn = this.previous;
    this.#towardsEnd = this.leads(this.previous, offset);
  }

  /** Records a sent sample of a motion from `from` to `offset`. */
  tell(from, offset, begins) {
    if (offset !== from) this.#knownTowardsEnd = this.leads(from, offset);
    else if (begins) this.#knownTowardsEnd = false;
    this.known = offset;
  }

  /** Whether a motion leads towards the end of the content. A motion from a pull beyond the start does not. */
  leads(from, to) {
    const { law: { rest: [lower, upper] }, refreshEdge, loadMoreEdge } = this.#ground;
    const name = refreshEdge ?? loadMoreEdge;
    if (name === undefined) return false;
    const share = refreshEdge === undefined ? 0 : this.#ground.share(refreshEdge);
    return this.#ground.isLower(name) === (refreshEdge !== undefined)
      ? to > from && from >= lower + share
      : to < from && from <= upper - share;
  }

  /** Whether a finger that came down at `origin` has turned on its way to `offset`. */
  hasTurned(origin, offset) {
    const goes = offset === this.previous ? this.#towardsEnd : this.leads(this.previous, offset);
    return this.leads(origin, offset) !== goes;
  }

  /**
   * Rule 10: whether the list has turned since the last sample that was sent, while the law has no pull at the
   * load-more edge.
   */
  turnsUnseen(offset) {
    const { law, loadMoreEdge } = this.#ground;
    if (offset === this.previous || law.edges[loadMoreEdge] !== null) return false;
    return this.leads(this.previous, offset) !== this.#knownTowardsEnd;
  }

  /**
   * The offset in the frame before, if the daemon would otherwise assume a different motion; otherwise null. `isUnseen`
   * means that a resting finger changes nothing visible and its sample has no velocity.
   */
  from(offset, phase, isUnseen) {
    const { known, previous } = this;
    if (isUnseen && (isEnd(phase) || phase === "idle") && offset === previous) {
      return known === previous ? null : previous;
    }
    const taken = offset === known ? this.#knownTowardsEnd : this.leads(known, offset);
    if (offset !== previous) return taken === this.leads(previous, offset) ? null : previous;
    if (taken === this.#towardsEnd) return null;
    if (this.#knownTowardsEnd === this.#towardsEnd) return offset;
    return this.leads(this.#turn, offset) === this.#towardsEnd ? this.#turn : null;
  }
}
