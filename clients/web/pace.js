/** After this time without a frame, the velocity of a list is 0, ... */
const GAP_MS = 200;
/** ... and two frames this close together do not change it. */
const SAME_MS = 1;

/** The smoothed velocity of a list (docs/protocol.md, "What a client sends", 9). No DOM, no clock. */
export class Pace {
  /** Points per millisecond. */
  speed = 0;
  #offset = 0;
  #t = -Infinity;

  /** Resets the velocity: a finger came down, or the list rests. */
  stand(offset, t = this.#t) {
    this.speed = 0;
    this.#offset = offset;
    this.#t = t;
  }

  note(offset, t) {
    const [way, time] = [offset - this.#offset, t - this.#t];
    this.#offset = offset;
    this.#t = t;
    if (time >= GAP_MS) this.speed = 0;
    else if (time >= SAME_MS) this.speed += (way / time - this.speed) / 4;
  }

  /** Sets the offset after a command has moved the list. */
  move(offset) { this.#offset = offset; }
}
