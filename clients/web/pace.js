/** After so long without a frame a list has no speed... */
const GAP_MS = 200;
/** ... and two frames so near to each other tell none. */
const SAME_MS = 1;

/** How fast a list goes, smoothed (docs/protocol.md, "What a client sends", 8). No DOM, no clock. */
export class Pace {
  /** Points per millisecond. */
  speed = 0;
  #offset = 0;
  #t = -Infinity;

  /** A finger came down, or the list rests. */
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

  /** The list was moved by others. */
  move(offset) { this.#offset = offset; }
}
