// When a client comes back that has lost its connection (docs/protocol.md, "Close codes" and "Draining"). No clock: times
// are arguments, in milliseconds.

/** Between a tenth of this and all of it passes before the first attempt; each further one may take twice as long... */
const FIRST_MS = 1000;
/** ... up to this. */
const MOST_MS = 30000;
/** A session that lasted so long was a healthy one, and the next loss is a new story. */
const HEALTHY_MS = 5000;

/** Whether a client may come back unchanged after its connection was closed so. */
export function mayReturn(code) {
  return code !== 1007 && code !== 1009 && !(code >= 4000 && code < 4100);
}

export class Backoff {
  /** How many attempts were made since the last healthy session. */
  attempt = 0;
  #openedAt = Infinity;
  #random;

  /** `random` draws from 0 to 1. */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /** The session stands. */
  opened(now) {
    this.#openedAt = now;
  }

  /** The connection is gone; how long to wait. `advice`: what the daemon said of that, which wins. */
  lost(code, now, advice) {
    if (now - this.#openedAt >= HEALTHY_MS) this.attempt = 0;
    this.#openedAt = Infinity;
    const most = Math.min(FIRST_MS * 2 ** this.attempt, MOST_MS);
    this.attempt += 1;
    // All who were told the same do not come at the same moment.
    if (advice > 0) return advice * (1 + this.#random() / 4);
    const isAtOnce = code >= 4200 && code < 4300 && this.attempt === 1;
    return isAtOnce ? 0 : most * (0.1 + 0.9 * this.#random());
  }
}
