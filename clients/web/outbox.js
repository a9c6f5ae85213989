// The messages that a client has sent and that the daemon has not acknowledged. The client repeats
// these messages after a reconnection (docs/protocol.md, "Coming back"). This module uses no DOM
// and no clock.

const INTENT_TYPES = new Set([
  "refresh", "begin", "end", "loadMore", "retry", "cancel", "reset", "floor", "enable", "configure", "appear",
  "disappear", "reveal", "read", "loadBegan", "loadFinished",
]);
const SAMPLE_TYPES = new Set(["scroll", "pan"]);
const INTERMEDIATE_PHASES = new Set(["dragging", "decelerating"]);

/** The unacknowledged messages of one session. */
export class Outbox {
  #messages = [];

  /** The messages in the order of their `seq`. */
  get messages() { return [...this.#messages]; }

  /**
   * Records an intent (a type in `INTENT_TYPES`) or a sample, and ignores other messages. Only the
   * samples of a view's last movement are kept.
   */
  record(message) {
    if (SAMPLE_TYPES.has(message.type)) {
      const before = [...this.#messages].reverse().find((one) => isSample(one, message.view));
      if (message.phase === "began" || before?.phase === "idle") {
        this.#messages = this.#messages.filter((one) => !isSample(one, message.view));
      }
    } else if (!INTENT_TYPES.has(message.type)) {
      return;
    }
    this.#messages.push(message);
    // The oldest intermediate samples of a very long movement are dropped.
    if (this.#messages.length > 2 * REPEATED_MAX) this.#thin(REPEATED_MAX);
  }

  /** Removes the messages up to this `seq`, because every resumed session has handled them. */
  acknowledge(ack) {
    const isCovered = this.#messages[0]?.seq <= ack;
    if (isCovered) this.#messages = this.#messages.filter(({ seq }) => seq > ack);
  }

  /** Removes the messages about a view. */
  removeView(view) {
    this.#messages = this.#messages.filter((message) => message.view !== view);
  }

  /** Removes the messages that `isKept` does not accept. */
  filter(isKept) {
    this.#messages = this.#messages.filter(isKept);
  }

  clear() {
    this.#messages = [];
  }

  /** Restores messages that were saved before the page was reloaded. */
  restore(messages) {
    this.#messages = [...messages];
  }

  /**
   * Returns the messages that fit into one frame: at most `count`, of at most `bytes` in all.
   * Samples in the middle of a movement are dropped first, then the oldest messages.
   */
  fitting(count = REPEATED_MAX, bytes = Infinity) {
    this.#thin(count);
    while (this.#messages.length > 0 && byteLength(this.#messages) > bytes) {
      this.#thin(this.#messages.length - 1);
    }
    return this.messages;
  }

  #thin(count) {
    while (this.#messages.length > count) {
      const index = this.#messages.findIndex(
        ({ type, phase }) => SAMPLE_TYPES.has(type) && INTERMEDIATE_PHASES.has(phase));
      this.#messages.splice(Math.max(index, 0), 1);
    }
  }
}

/** The default limit: a frame has at most 64 messages, and the first one is `hello`. */
const REPEATED_MAX = 63;

const isSample = ({ type, view }, name) => SAMPLE_TYPES.has(type) && view === name;
const byteLength = (messages) => new TextEncoder().encode(JSON.stringify(messages)).length;
