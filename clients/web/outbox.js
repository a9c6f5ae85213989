// What a client sent and does not know to be handled: it says so again when it comes back (docs/protocol.md, "Coming
// back"). No DOM, no clock.

const INTENTS = new Set([
  "refresh", "begin", "end", "loadMore", "retry", "cancel", "reset", "floor", "enable", "configure", "appear",
  "loadBegan", "loadFinished",
]);
const SAMPLES = new Set(["scroll", "pan"]);
const MIDDLES = new Set(["dragging", "decelerating"]);

export class Outbox {
  #kept = [];

  /** The messages, in the order of their `seq`. */
  get messages() { return [...this.#kept]; }

  /** A message with its `seq`. Of samples those of the view's last movement are kept. */
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
    // A movement that goes on and on is known by its newest places.
    if (this.#kept.length > 2 * MOST) this.#thin(MOST);
  }

  /** All up to that `seq` is handled, and nobody will ask for it again. */
  forget(ack) {
    if (this.#kept.length > 0 && this.#kept[0].seq <= ack) this.#kept = this.#kept.filter(({ seq }) => seq > ack);
  }

  /** Nothing is said again of that view. */
  drop(view) {
    this.#kept = this.#kept.filter((message) => message.view !== view);
  }

  clear() {
    this.#kept = [];
  }

  /** Takes up what was kept elsewhere. */
  restore(messages) {
    this.#kept = [...messages];
  }

  /** What fits into one frame: at most `count` messages of `bytes` in all. Samples under way go first, then the oldest. */
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

/** A frame holds 64 messages if its daemon says nothing else; the first is `hello`. */
const MOST = 63;

const isSample = ({ type, view }, name) => SAMPLES.has(type) && view === name;
const length = (messages) => new TextEncoder().encode(JSON.stringify(messages)).length;
