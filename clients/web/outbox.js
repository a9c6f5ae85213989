// The messages that a client has sent and that the daemon has not acknowledged. The client repeats
// these messages after a reconnection (docs/protocol.md, "Coming back"). This module uses no DOM
// and no clock.

const INTENT_TYPES = new Set([
  "refresh", "begin", "end", "loadMore", "retry", "cancel", "reset", "floor", "enable", "configure", "appear",
  "disappear", "reveal", "read", "loadBegan", "loadFinished",
]);
const SAMPLE_TYPES = new Set(["scroll", "pan"]);
const INTERMEDIATE_PHASES = new Set(["dragging", "decelerating"]);

/** A session keeps at most this many messages, and a view that is not attached yet too. */
export const MESSAGES_MAX = 1000;
/** The default of `limits.stringBytesMax`. */
const STRING_BYTES_MAX = 1024;
/** The most bytes of a UTF-16 code unit in UTF-8. */
const UNIT_BYTES_MAX = 3;
/** The strings of a JSON text, without their quotation marks. */
const STRINGS = /"([^"\\]*(?:\\.[^"\\]*)*)"/g;

export const encodedLength = (text) => new TextEncoder().encode(text).length;

/** Whether a message is a request or a report that the daemon must receive. */
export const isIntent = ({ type }) => INTENT_TYPES.has(type);

/**
 * Throws a RangeError if a string in `value` is longer than the daemon accepts: `max` bytes as encoded
 * in the frame (`limits.stringBytesMax`), or if the whole `value` has more than `frameMax` bytes
 * (`limits.frameBytesMax`). The daemon would refuse each frame that contains it.
 */
export function checkStrings(value, max = STRING_BYTES_MAX, frameMax = Infinity) {
  const text = JSON.stringify(value) ?? "";
  if (text.length * UNIT_BYTES_MAX <= Math.min(max, frameMax)) return;
  for (const [, string] of text.matchAll(STRINGS)) {
    const bytes = encodedLength(string);
    if (bytes <= max) continue;
    const start = string.slice(0, 20);
    throw new RangeError(`refreshd: the string "${start}…" has ${bytes} bytes, at most ${max} (stringBytesMax)`);
  }
  const bytes = encodedLength(text);
  if (bytes <= frameMax) return;
  throw new RangeError(`refreshd: the message has ${bytes} bytes, at most ${frameMax} (frameBytesMax)`);
}

/**
 * Returns how many of the messages, from the first one, fit into a frame: at most `count`, of at most
 * `bytes` in all.
 */
export function fittingCount(messages, count, bytes) {
  let left = bytes;
  const end = messages.findIndex((message, index) => {
    left -= encodedLength(JSON.stringify(message)) + 1;
    return index >= count || left < 0;
  });
  return end < 0 ? messages.length : end;
}

/** The unacknowledged messages of one session. */
export class Outbox {
  #messages = [];

  /** The messages in the order of their `seq`. */
  get messages() { return [...this.#messages]; }

  /** The messages that are not samples, in the order of their `seq`. */
  get intents() { return this.#messages.filter(isIntent); }

  /**
   * Records an intent (a type in `INTENT_TYPES`) or a sample, and ignores other messages. Only the
   * samples of a view's last movement are kept. Returns the messages that are dropped because there are
   * more than `MESSAGES_MAX`: the oldest.
   */
  record(message) {
    if (SAMPLE_TYPES.has(message.type)) {
      const before = [...this.#messages].reverse().find((one) => isSample(one, message.view));
      if (message.phase === "began" || before?.phase === "idle") {
        this.#messages = this.#messages.filter((one) => !isSample(one, message.view));
      }
    } else if (!isIntent(message)) {
      return [];
    }
    this.#messages.push(message);
    // The oldest intermediate samples of a very long movement are dropped.
    if (isIntermediate(message) && this.#messages.length > 2 * REPEATED_MAX) this.#thin(REPEATED_MAX);
    return this.#messages.splice(0, Math.max(0, this.#messages.length - MESSAGES_MAX));
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
   * Returns the oldest messages that fit into one frame: at most `count`, of at most `bytes` in all. If
   * not all fit, samples in the middle of a movement are dropped first.
   */
  fitting(count = REPEATED_MAX, bytes = Infinity) {
    let fits = fittingCount(this.#messages, count, bytes);
    while (fits < this.#messages.length && this.#dropIntermediate()) {
      fits = fittingCount(this.#messages, count, bytes);
    }
    return this.#messages.slice(0, fits);
  }

  #thin(count) {
    while (this.#messages.length > count && this.#dropIntermediate());
  }

  /** Drops the oldest sample in the middle of a movement. Returns false if there is none. */
  #dropIntermediate() {
    const index = this.#messages.findIndex(isIntermediate);
    if (index >= 0) this.#messages.splice(index, 1);
    return index >= 0;
  }
}

/** The default limit: a frame has at most 64 messages, and the first one is `hello`. */
const REPEATED_MAX = 63;

const isIntermediate = ({ type, phase }) => SAMPLE_TYPES.has(type) && INTERMEDIATE_PHASES.has(phase);
const isSample = ({ type, view }, name) => SAMPLE_TYPES.has(type) && view === name;
