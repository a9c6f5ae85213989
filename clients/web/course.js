// Which way a list goes, in truth and as the daemon takes it to go that does not hear of every frame
// (docs/protocol.md, "What a client sends"). No DOM, no clock.

import { isEnd } from "./stream.js";

/** `ground` gives `law`, `share(edge)`, `isLower(edge)`, and `refreshEdge` and `loadMoreEdge` by their names. */
export class Course {
  /** Where the daemon knows the list. */
  known;
  /** Where it was in the frame before. */
  previous;
  #ground;
  #knownTowardsEnd = false; // which way it went when the daemon last heard that it moves
  #turn; // where it was before it moved last
  #towardsEnd = false; // and whether that led to its end

  constructor(ground, offset) {
    this.#ground = ground;
    this.known = this.previous = this.#turn = offset;
  }

  /** Others have put the list there, and the daemon knows. */
  put(offset) {
    this.known = this.previous = this.#turn = offset;
    this.#towardsEnd = this.#knownTowardsEnd;
  }

  /** Nothing has moved the list yet. */
  stand(offset) {
    this.#turn = this.previous = offset;
    this.#towardsEnd = false;
  }

  /** The list has come to rest, as the daemon knows. */
  rest(offset) {
    this.stand(offset);
    this.#knownTowardsEnd = false;
  }

  /** The list is there in this frame. */
  see(offset) {
    if (offset === this.previous) return;
    this.#turn = this.previous;
    this.#towardsEnd = this.leads(this.previous, offset);
  }

  /** The daemon is told that the list came from `from`. */
  tell(from, offset, begins) {
    if (offset !== from) this.#knownTowardsEnd = this.leads(from, offset);
    else if (begins) this.#knownTowardsEnd = false;
    this.known = offset;
  }

  /** Whether such a way leads to the end of the content: from a pull beyond the start it does not. */
  leads(from, to) {
    const { law: { rest: [lower, upper] }, refreshEdge, loadMoreEdge } = this.#ground;
    const name = refreshEdge ?? loadMoreEdge;
    if (name === undefined) return false;
    const share = refreshEdge === undefined ? 0 : this.#ground.share(refreshEdge);
    return this.#ground.isLower(name) === (refreshEdge !== undefined)
      ? to > from && from >= lower + share
      : to < from && from <= upper - share;
  }

  /** Whether a finger that came down at `origin` has turned before it came here. */
  hasTurned(origin, offset) {
    const goes = offset === this.previous ? this.#towardsEnd : this.leads(this.previous, offset);
    return this.leads(origin, offset) !== goes;
  }

  /** 7: whether the list has turned since the daemon last heard of it, while nothing is seen of its end. */
  turnsUnseen(offset) {
    const { law, loadMoreEdge } = this.#ground;
    if (offset === this.previous || law.edges[loadMoreEdge] !== null) return false;
    return this.leads(this.previous, offset) !== this.#knownTowardsEnd;
  }

  /**
   * Where the list was before, if the daemon would take it to have moved otherwise; else null. `isUnseen`: a finger
   * that rests there sees nothing, and says nothing of the speed.
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
