// The reconnection policy of a client that has lost its connection (docs/protocol.md, "Close codes"
// and "Draining"). This module uses no clock: times are arguments, in milliseconds.

/**
 * The maximum delay before the first attempt to reconnect. The minimum is a tenth of this delay.
 */
const FIRST_DELAY_MAX_MS = 1000;
/** The upper limit of the delay. The delay doubles with each attempt. */
const DELAY_MAX_MS = 30000;
/** A session that stays open this long is healthy. It resets the number of attempts. */
const HEALTHY_MS = 5000;

/** Whether a client may reconnect with the same messages after a close with this code. */
export function mayReconnect(code) {
  return code !== 1007 && code !== 1009 && !(code >= 4000 && code < 4100);
}

/** Computes the delays between attempts to reconnect. */
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
  recordOpen(now) {
    this.#openedAt = now;
  }

  /**
   * Returns the delay before the next attempt to reconnect. If the daemon has requested the delay
   * `retryAfter`, that delay is used.
   */
  delayAfterClose(code, now, retryAfter) {
    if (now - this.#openedAt >= HEALTHY_MS) this.attempt = 0;
    this.#openedAt = Infinity;
    const delayMax = Math.min(FIRST_DELAY_MAX_MS * 2 ** this.attempt, DELAY_MAX_MS);
    this.attempt += 1;
    // The delay gets a random part, so that clients with the same `retryAfter` do not reconnect at
    // the same time.
    if (retryAfter > 0) return retryAfter * (1 + this.#random() / 4);
    const isImmediate = code >= 4200 && code < 4300 && this.attempt === 1;
    return isImmediate ? 0 : delayMax * (0.1 + 0.9 * this.#random());
  }
}
