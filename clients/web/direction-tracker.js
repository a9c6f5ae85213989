// Tracks the actual direction of a list, and the direction that the daemon infers from the samples
// (docs/protocol.md, "What a client sends"). This module uses no DOM and no clock.

/**
 * The direction of one list. `context` has `law`, `share(edge)`, `isLower(edge)`, and the names
 * `refreshEdge` and `loadMoreEdge`.
 */
export class DirectionTracker {
  /** The last offset that the daemon knows. */
  known;
  /** The offset in the previous frame. */
  previous;
  #context;
  #knownTowardsEnd = false; // whether the last motion that was sent led towards the content's end
  #beforeLastMotion; // the offset before the last motion
  #towardsEnd = false; // whether the last motion led towards the content's end

  constructor(context, offset) {
    this.#context = context;
    this.known = this.previous = this.#beforeLastMotion = offset;
  }

  /** Whether the daemon knows the direction of the last motion. */
  get isKnown() { return this.#knownTowardsEnd === this.#towardsEnd; }

  /** Sets the offset after a command of the daemon. */
  setOffset(offset) {
    this.known = this.previous = this.#beforeLastMotion = offset;
    this.#towardsEnd = this.#knownTowardsEnd;
  }

  /** Starts a movement that has not moved the list yet. */
  begin(offset) {
    this.#beforeLastMotion = this.previous = offset;
    this.#towardsEnd = false;
  }

  /** Sets the offset of a list that has come to rest. */
  recordRest(offset) {
    this.begin(offset);
    this.#knownTowardsEnd = false;
  }

  /** Updates the motion for the offset in this frame. */
  update(offset) {
    if (offset === this.previous) return;
    this.#beforeLastMotion = this.previous;
    this.#towardsEnd = this.leadsToEnd(this.previous, offset);
  }

  /** Records a sent sample of a motion from `from` to `offset`. */
  recordSent(from, offset, begins) {
    if (offset !== from) this.#knownTowardsEnd = this.leadsToEnd(from, offset);
    else if (begins) this.#knownTowardsEnd = false;
    this.known = offset;
  }

  /**
   * Whether a motion leads towards the content's end. A motion within a pull beyond the content's
   * start does not count as a motion towards the end.
   */
  leadsToEnd(from, to) {
    const { law: { rest: [lower, upper] }, refreshEdge, loadMoreEdge } = this.#context;
    const name = refreshEdge ?? loadMoreEdge;
    if (name === undefined) return false;
    const share = refreshEdge === undefined ? 0 : this.#context.share(refreshEdge);
    return this.#context.isLower(name) === (refreshEdge !== undefined)
      ? to > from && from >= lower + share
      : to < from && from <= upper - share;
  }

  /** Whether a finger that came down at `origin` has reversed on its way to `offset`. */
  hasTurned(origin, offset) {
    const leadsNow = offset === this.previous ? this.#towardsEnd : this.leadsToEnd(this.previous, offset);
    return this.leadsToEnd(origin, offset) !== leadsNow;
  }

  /**
   * Whether the list has reversed since the last sent sample, while the law has no pull at the
   * load-more edge (rule 10 of "What a client sends").
   */
  hasUnreportedTurn(offset) {
    const { law, loadMoreEdge } = this.#context;
    if (offset === this.previous || law.edges[loadMoreEdge] !== null) return false;
    return this.leadsToEnd(this.previous, offset) !== this.#knownTowardsEnd;
  }

  /**
   * Returns the value of `from` for a sample: an offset, usually that of the previous frame, from
   * which the daemon infers the actual direction. Null if the daemon infers this direction without
   * `from`. With `mustNotMove`, the daemon must not infer a motion from the sample, because that
   * motion would have a visible effect or a speed.
   */
  originFor(offset, mustNotMove) {
    const { known, previous } = this;
    if (mustNotMove && offset === previous) return known === previous ? null : previous;
    const assumed = offset === known ? this.#knownTowardsEnd : this.leadsToEnd(known, offset);
    if (offset !== previous) return assumed === this.leadsToEnd(previous, offset) ? null : previous;
    if (assumed === this.#towardsEnd) return null;
    if (this.#knownTowardsEnd === this.#towardsEnd) return offset;
    return this.leadsToEnd(this.#beforeLastMotion, offset) === this.#towardsEnd ? this.#beforeLastMotion : null;
  }
}
