// The messages that a client has sent and that may not have been handled. It repeats them after a reconnection
// (docs/protocol.md, "Coming back"). No DOM, no clock.

const INTENTS = new Set([
  "refresh", "begin", "end", "loadMore", "retry", "cancel", "reset", "floor", "enable", "configure", "appear",
  "loadBegan", "loadFinished",
]);
const SAMPLES = new Set(["scroll", "pan"]);
const MIDDLES = new Set(["dragging", "decelerating"]);

export class Outbox {
  #kept = [];

  /** The messages in the order of their `seq`. */
  get messages() { return [...this.#kept]; }

  /** Records a message with its `seq`. Of samples, only those of the view's last movement are kept. */
  note(message) {
    if (SAMPLES.has(message.type)) {
      const before = this.#kept.findLast((one) => isSample(one, message.view));
      if (message.phase === "began" || before?.phase === "idle") {
        this.#kept = this.#kept.filter((one) => !isSample(one, message.view));
      }
    } else if (!INTENTS.has(message.type)) {
      return;
    }
    this.#kept.push(message);
    // A very long movement is represented by its latest samples.
    if (this.#kept.length > 2 * MOST) this.#thin(MOST);
  }

  /** Removes the messages up to this `seq`, which are handled for good. */
  forget(ack) {
    if (this.#kept.length > 0 && this.#kept[0].seq <= ack) this.#kept = this.#kept.filter(({ seq }) => seq > ack);
  }

  /** Removes the messages about a view. */
  drop(view) {
    this.#kept = this.#kept.filter((message) => message.view !== view);
  }

  clear() {
    this.#kept = [];
  }

  /** Restores messages that were saved elsewhere. */
  restore(messages) {
    this.#kept = [...messages];
  }

  /**
   * The messages that fit into one frame, at most `count` of `bytes` in all. Samples in the middle of a movement are
   * dropped first, then the oldest messages.
   */
  fitting(count = MOST, bytes = Infinity) {
    this.#thin(count);
    while (this.#kept.length > 0 && length(this.#kept) > bytes) this.#thin(this.#kept.length - 1);
    return this.messages;
  }

  #thin(count) {
    while (this.#kept.length > count) {
      const middle = this.#kept.findIndex(({ type, phase }) => SAMPLES.has(type) && MIDDLES.has(phase));
      this.#kept.splice(Math.max(middle, 0), 1);
    }
  }
}

/** By default, a frame holds at most 64 messages; the first one is `hello`. */
const MOST = 63;

const isSample = ({ type, view }, name) => SAMPLES.has(type) && view === name;
const length = (messages) => new TextEncoder().encode(JSON.stringify(messages)).length;
