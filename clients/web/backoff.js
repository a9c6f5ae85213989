// The reconnection policy of a client that has lost its connection (docs/protocol.md, "Close codes" and "Draining"). No
// clock: times are arguments, in milliseconds.

/**
 * The maximum wait before the first attempt; the minimum is a tenth of it. It doubles with each further attempt, ...
 */
const FIRST_MS = 1000;
/** ... up to this. */
const MOST_MS = 30000;
/** A session that lasted this long was healthy, and resets the attempts. */
const HEALTHY_MS = 5000;

/** Whether a client may reconnect unchanged after its connection was closed with this code. */
export function mayReturn(code) {
  return code !== 1007 && code !== 1009 && !(code >= 4000 && code < 4100);
}

export class Backoff {
  /** The number of attempts since the last healthy session. */
  attempt = 0;
  #openedAt = Infinity;
  #random;

  /** `random` returns a number from 0 to 1. */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /** Records that the session is open. */
  opened(now) {
    this.#openedAt = now;
  }

  /**
   * Returns the wait after a lost connection. `advice` is the wait that the daemon has asked for, which has priority.
   */
  lost(code, now, advice) {
    if (now - this.#openedAt >= HEALTHY_MS) this.attempt = 0;
    this.#openedAt = Infinity;
    const most = Math.min(FIRST_MS * 2 ** this.attempt, MOST_MS);
    this.attempt += 1;
    // Spread out, so that clients with the same advice do not reconnect at the same time.
    if (advice > 0) return advice * (1 + this.#random() / 4);
    const isAtOnce = code >= 4200 && code < 4300 && this.attempt === 1;
    return isAtOnce ? 0 : most * (0.1 + 0.9 * this.#random());
  }
}
