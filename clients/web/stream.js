// The `stream` kind of client (docs/protocol.md, "What a client sends"): it tells the daemon where the list is, as far
// as the daemon wants to hear, and draws what it is told. From an older daemon, which sends neither a law nor
// programmes, it tells everything and draws the plain spinner.

import { EDGES } from "./edges.js";

/** A sample may come so much earlier than 60 a second allow: screens jitter. */
const SAMPLE_MS = 0.9 * (1000 / 60);
/** A finger at rest says so often that it is still there: every 2 s at the latest. */
const SIGN_OF_LIFE_MS = 1900;
/** A gesture of which nothing was said for so long is over for the daemon; `welcome` may say otherwise. */
const SILENCE_MS = 5000;

/** Whether an offset lies in one of the ranges, whose ends may be open. */
export const isWithin = (ranges, offset) =>
  ranges.some(([from, to]) => (from ?? -Infinity) <= offset && offset <= (to ?? Infinity));

const isEnd = (phase) => phase === "ended" || phase === "cancelled";

/**
 * What a scroll view asks of the kind of client it is: whom to tell what the user does, and what to make of the
 * answers. `view` is the daemon's view, `drawings` has the indicator of each edge by its name.
 */
export class Stream {
  view;
  drawings;
  /** Ranges of offsets in which the daemon wants to hear of the list; null: everywhere. */
  interest = null;
  /** The finger's movement under way: `{from, isDown, isTold}`; null: it has none. */
  gesture = null;
  /** Where the list was last: `{t, offset, phase, cause}`; and what of that the daemon knows. */
  last = null;
  told = { t: -Infinity, offset: NaN };

  /** Whether anything of the present movement was told. */
  hasTold = false;

  #wasWithin = true;
  lastSeq = 0; // of the last sample that was sent
  #firstAck = 0; // answers to what was before are void

  constructor(view, drawings) {
    this.view = view;
    this.drawings = drawings;
    view.preface = () => this.#preface();
  }

  /** What an edge shows: its `state`, and `progress` where that has one. */
  edge(name) { return this.view[name]; }

  /** Whether an indicator moves without anything being told or done. */
  isMoving(_now) { return false; }

  // What the daemon says

  /** Takes a message; returns the commands in it, with times of this page's clock. */
  take(message, _now) {
    if (message.type === "attached") this.begin(message);
    if (message.law) this.interest = message.law.interest ?? null;
    for (const name of EDGES) {
      const { frame, indicator } = message[name] ?? {};
      if (frame) this.drawings[name]?.frame(frame);
      if (indicator) this.drawings[name]?.indicator(this.view[name].indicator);
    }
    return this.commands(message);
  }

  begin(message) {
    this.interest = null;
    this.gesture = null;
    this.hasTold = false;
    this.#wasWithin = true;
    this.#firstAck = this.lastSeq = 0;
    this.told = { t: -Infinity, offset: this.last?.offset ?? NaN };
    for (const name of EDGES) this.drawings[name]?.begin(message[name]?.programme ?? null);
  }

  lose() {
    this.begin({});
  }

  /** A message's commands, begun by this page's clock. */
  commands({ ack, inset, offset, haptic }) {
    const begun = (command) => (command?.start === undefined
      ? command : { ...command, start: this.view.localTime(command.start) });
    // A command from before the present gesture would pull the list from under the finger.
    const isCurrent = offset && ack >= this.#firstAck;
    if (offset && ack >= this.lastSeq) {
      this.told.offset = offset.to;
      // What is commanded is not reported back.
      if (this.last && !this.gesture?.isDown) this.last.offset = offset.to;
    }
    return { inset: begun(inset), offset: isCurrent ? begun(offset) : undefined, haptic };
  }

  // What the user does

  /**
   * The browser scrolled the list: `{t, offset, phase}`, and `velocity` and `cause` where they are known. Returns
   * commands to follow at once, or null.
   */
  scroll(sample) {
    const within = this.interest === null || isWithin(this.interest, sample.offset);
    const enters = within && !this.#wasWithin;
    this.note("scroll", sample, within);
    const sends = this.wants("scroll", sample, { within, enters, leaves: !within && this.#wasWithin });
    this.#wasWithin = within;
    if (sends) this.tell("scroll", sample);
    this.leave(sample);
    return null;
  }

  /** The finger moved a list that the daemon moves: `{t, translation, phase}`. Each of these moves it. As `scroll`. */
  pan(sample) {
    this.note("pan", sample, true);
    this.tell("pan", sample);
    this.leave(sample);
    return null;
  }

  /** Keeps where the list is, and whose movement it is. */
  note(type, { phase, t, offset = this.last?.offset, translation, cause }, within) {
    if (phase === "began" || (phase === "dragging" && !this.gesture?.isDown)) {
      this.gesture = { type, from: within ? { offset, translation } : null, isDown: true, isTold: false };
      this.hasTold = false;
    }
    this.last = { type, t, offset, translation, phase, cause };
  }

  leave({ phase }) {
    if (isEnd(phase) && this.gesture) this.gesture.isDown = false;
    // Nobody reports the inertia of a list that the daemon moves.
    if (phase !== "idle" && !(isEnd(phase) && this.gesture?.type === "pan")) return;
    this.gesture = null;
    this.hasTold = false;
  }

  /** Whether a sample is to be sent: each one that the daemon wants to hear, and the first that it does not. */
  wants(_type, { t, phase, cause, offset }, { within, enters, leaves }) {
    if (this.interest === null || enters) return true;
    if (phase === "idle" && cause === "code") return within && offset !== this.told.offset;
    if (isEnd(phase) || phase === "idle") return this.hasTold;
    if (!within) return leaves && this.hasTold;
    return phase === "began" || t - this.told.t >= SAMPLE_MS;
  }

  /** What is sent of a sample. `isLast`: nothing more is said of the same instant. */
  fields(_type, sample, _isLast) { return sample; }

  /** Sends a sample and, before it, what of its finger was not told. Returns the last `seq`. */
  tell(type, sample) {
    const gesture = this.gesture;
    const { t, offset, translation, phase } = sample;
    const isForgotten = gesture?.isDown && t - this.told.t > (this.view.silence ?? SILENCE_MS);
    if (gesture === null || (gesture.isTold && !isForgotten)) return this.#send(type, sample);

    const from = gesture.isTold ? null : gesture.from;
    gesture.isTold = true;
    const began = { ...sample, phase: "began", velocity: undefined };
    if (type === "pan") began.offset = (from ?? sample).offset;
    else if (from && from.offset !== offset) began.from = from.offset;
    const isHeld = phase === "began" || phase === "dragging";
    this.#firstAck = this.#send(type, began, isHeld);
    if (isHeld) return this.#firstAck;
    if (!isEnd(phase)) this.#send(type, { ...sample, phase: "ended", velocity: undefined }, false);
    return this.#send(type, sample);
  }

  #send(type, sample, isLast = true) {
    const { offset, ...rest } = sample;
    this.told = { t: sample.t, offset: this.last.offset };
    this.hasTold = true;
    // Where a list is that a finger moves by `pan` is the daemon's to say, but for where it was taken hold of.
    const isPlaced = type === "scroll" || sample.phase === "began";
    this.lastSeq = this.view.send(type, this.fields(type, isPlaced ? sample : rest, isLast));
    return this.lastSeq;
  }

  /** Answers to anything that was sent before `seq` are void. */
  ignoreBefore(seq) {
    this.#firstAck = seq;
  }

  /** A finger rests: the last sample once more, now, is its sign of life. */
  rest(t) {
    const isHeard = this.gesture?.isDown && this.gesture.isTold && this.#wasWithin;
    if (!isHeard || t - this.told.t < SIGN_OF_LIFE_MS) return;
    const { type, offset, translation, cause } = this.last;
    const sample = type === "pan" ? { t, translation, phase: "dragging" } : { t, offset, phase: "dragging" };
    this.tell(type, cause ? { ...sample, cause } : sample);
  }

  /** Before anything else is said of the view: where the list is, if the daemon does not know. */
  #preface() {
    if (!this.last || this.interest === null) return;
    const { type, offset, translation, cause, phase } = this.last;
    const isHeld = this.gesture?.isDown;
    if (isHeld ? this.gesture.isTold && offset === this.told.offset : offset === this.told.offset) return;
    const sample = { t: Math.max(this.last.t, this.told.t), offset, ...(cause ? { cause } : {}) };
    if (isHeld && type === "pan") this.tell("pan", { ...sample, translation, phase: "dragging" });
    else if (isHeld) this.tell("scroll", { ...sample, phase: "dragging" });
    else this.tell("scroll", { ...sample, phase: phase === "decelerating" ? phase : "idle" });
  }

  // What is drawn

  /** Draws what moves by itself. `rooms`: how the drawing of each edge lies. */
  paint(_now, rooms, _offset) {
    for (const [name, room] of Object.entries(rooms)) this.drawings[name]?.lay(room);
  }
}
