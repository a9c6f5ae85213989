// The pings of a connection (docs/protocol.md, "`ping`, `bye`"). They detect a lost connection and
// synchronise with the daemon's clock.

/** The number of initial pings, one per second, which synchronise the clock. */
const INITIAL_PINGS = 3;
/** A connection counts as lost if a ping is unanswered for this long. */
const PONG_TIMEOUT_MS = 5000;
const CHECK_MS = 1000;

/** The heartbeat of one session. It continues on each new connection of the session. */
export class Heartbeat {
  /** The best recent round trip in milliseconds; NaN before the first. */
  roundTrip = NaN;

  #sendPing;
  #onTimeout;
  #clockOffset = 0;
  #lastSent = 0;
  #pingSent = NaN;
  #pings = 0;
  #timer = 0;

  /** `sendPing` sends a message. `onTimeout` is called when a ping is not answered in time. */
  constructor(sendPing, onTimeout) {
    this.#sendPing = sendPing;
    this.#onTimeout = onTimeout;
  }

  /**
   * Resets the clock for a new connection. The daemon's clock showed `time` when the page's clock
   * showed `received`.
   */
  reset(time, received) {
    this.#clockOffset = time - received;
    this.roundTrip = NaN;
    this.#pings = 0;
  }

  /**
   * Starts the pings. After the initial pings, a ping is sent after each `interval` in which no
   * message was sent.
   */
  start(interval) {
    this.#ping();
    this.#timer = setInterval(() => this.#check(interval), CHECK_MS);
  }

  stop() {
    clearInterval(this.#timer);
    this.#pingSent = NaN;
  }

  /** Records that a message is sent, so that the next ping is due later. */
  recordSent() {
    this.#lastSent = performance.now();
  }

  /** Converts a time of the daemon's clock to this page's clock (`performance.now()`). */
  localTime(daemonTime) {
    return daemonTime - this.#clockOffset;
  }

  /**
   * Synchronises the clock. The `pong` with the shortest round trip is used, because its error is
   * the smallest.
   */
  handlePong(pong, received) {
    const roundTrip = received - pong.t;
    this.#pingSent = NaN;
    if (roundTrip > this.roundTrip + 1) {
      this.roundTrip += 1; // Old measurements count less, because clocks drift and routes change.
      return;
    }
    this.roundTrip = roundTrip;
    this.#clockOffset = pong.time + roundTrip / 2 - received;
  }

  #ping() {
    this.#pings += 1;
    this.#lastSent = this.#pingSent = performance.now();
    this.#sendPing({ type: "ping", t: this.#pingSent });
  }

  #check(interval) {
    const now = performance.now();
    if (now - this.#pingSent > PONG_TIMEOUT_MS) return this.#onTimeout();
    const isDue = this.#pings < INITIAL_PINGS || now - this.#lastSent > interval;
    if (isDue && Number.isNaN(this.#pingSent)) this.#ping();
  }
}
