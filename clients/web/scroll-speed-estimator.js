/** If a list has no frame for this time, its velocity is 0. */
const GAP_MS = 200;
/** Two frames that are closer together than this time do not change the velocity. */
const INTERVAL_MIN_MS = 1;

/**
 * Estimates the smoothed velocity of a list (docs/protocol.md, "What a client sends", rule 9). This
 * module uses no DOM and no clock.
 */
export class ScrollSpeedEstimator {
  /** Points per millisecond. */
  speed = 0;
  #offset = 0;
  #t = -Infinity;

  /** Resets the velocity: a finger came down, or the list rests. */
  reset(offset, t = this.#t) {
    this.speed = 0;
    this.#offset = offset;
    this.#t = t;
  }

  /** Updates the velocity with a sample. */
  update(offset, t) {
    const [distance, time] = [offset - this.#offset, t - this.#t];
    this.#offset = offset;
    this.#t = t;
    if (time >= GAP_MS) this.speed = 0;
    else if (time >= INTERVAL_MIN_MS) this.speed += (distance / time - this.speed) / 4;
  }

  /** Sets the offset after a command has moved the list. */
  setOffset(offset) { this.#offset = offset; }
}
