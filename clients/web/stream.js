// The `stream` kind of client (docs/protocol.md, "What a client sends"): it tells the daemon where the list is, as far
// as the daemon wants to hear, and draws what it is told. From an older daemon, which sends neither a law nor
// programmes, it tells everything and draws the plain spinner.

import { EDGES } from "./edges.js";
import { isWithin } from "./law.js";

/** A sample may come so much earlier than 60 a second allow: screens jitter. */
const SAMPLE_MS = 0.9 * (1000 / 60);
/** A finger at rest says so often that it is still there. */
const SIGN_OF_LIFE_MS = 2000;
/** A gesture of which nothing was said for so long is over for the daemon; `welcome` may say otherwise. */
const SILENCE_MS = 5000;

export const isEnd = (phase) => phase === "ended" || phase === "cancelled";
export const isFinger = ({ cause = "finger" }) => cause === "finger";

/**
 * What a scroll view asks of the kind of client it is: whom to tell what the user does, and what to make of the
 * answers. `view` is the daemon's view, `drawings` has the indicator of each edge by its name.
 */
export class Stream {
  view;
  drawings;

  #interest = null; // ranges of offsets; null: everywhere
  #movement = null; // {last, type, isDown, toldAt, isInside}: what moves, or has moved, the list
  #place = { at: NaN, known: NaN }; // where the list rests, and where the daemon knows it
  #firstAck = 0; // answers to what was before are void

  constructor(view, drawings) {
    this.view = view;
    this.drawings = drawings;
    view.preface = (now, type) => this.preface(now, type);
  }

  /** How long a gesture may be silent. */
  get silence() { return this.view.silence ?? SILENCE_MS; }

  /** What an edge shows: its `state`, and `progress` where that has one. */
  edge(name) { return this.view[name]; }

  /** Whether an indicator moves without anything being told or done. */
  isMoving(_now) { return false; }

  /** Whether a finger can pull the list while there is no connection. */
  get isIndependent() { return false; }

  // What the daemon says

  /** Takes a message; returns the commands in it, with times of this page's clock. */
  take(message, _now) {
    if (message.type === "attached") {
      if (this.view.isComingBack) this.goOn(message);
      else this.begin(message);
    }
    if (message.law?.interest) this.#interest = message.law.interest;
    for (const name of EDGES) {
      const { programme, frame, indicator } = message[name] ?? {};
      // Another one, or none any more.
      const isOther = message.type === "update" && (programme || indicator === null);
      if (isOther) this.drawings[name]?.begin(programme ?? null);
      if (frame) this.drawings[name]?.frame(frame);
      if (indicator && typeof indicator === "object") this.drawings[name]?.indicator(this.view[name].indicator);
    }
    return this.commands(message);
  }

  begin(message) {
    this.#interest = null;
    this.#movement = null;
    this.#firstAck = 0;
    this.#place.known = this.#place.at;
    for (const name of EDGES) this.drawings[name]?.begin(message[name]?.programme ?? null);
  }

  /** The session goes on: where the list is, and what the user does, is as it was. */
  goOn(message) {
    this.#interest = null;
    this.#place.known = this.#place.at;
    for (const name of EDGES) {
      if (!this.isDrawn(name, message[name])) this.drawings[name]?.begin(message[name]?.programme ?? null);
    }
  }

  /** Whether what the edge is to be drawn by is what it is drawn by already, and goes on by itself. */
  isDrawn(_name, _edge) { return false; }

  lose() {
    this.begin({});
  }

  /** A message's commands, begun by this page's clock. */
  commands({ ack, inset, offset, haptic }) {
    const begun = (command) => (command?.start === undefined
      ? command : { ...command, start: this.view.localTime(command.start) });
    if (offset) this.#place = { at: offset.to, known: offset.to };
    // A command from before the present gesture would pull the list from under the finger.
    return { inset: begun(inset), offset: ack >= this.#firstAck ? begun(offset) : undefined, haptic };
  }

  /** Commands that answer anything before `seq` are void. */
  ignoreBefore(seq) { this.#firstAck = seq; }

  // What the user does

  /**
   * The browser scrolled the list: `{t, offset, phase}`, and `velocity` and `cause` where they are known. Returns
   * commands to follow at once, or null.
   */
  scroll(sample) {
    const { offset, phase } = sample;
    const movement = this.#moved("scroll", sample);
    const wasInside = movement.isInside;
    movement.isInside = this.#interest === null || isWithin(this.#interest, offset);
    if (this.#wants(sample, movement, wasInside)) this.#tell(sample, movement);
    this.#place.at = offset;
    if (isEnd(phase)) movement.isDown = false;
    if (phase === "idle") this.#movement = null;
    return null;
  }

  /** The finger moved a list that the daemon moves: `{t, translation, phase}`. Each of these moves it. As `scroll`. */
  pan(sample) {
    const movement = this.#moved("pan", sample);
    movement.toldAt = sample.t;
    const seq = this.view.send("pan", sample);
    if (sample.phase === "began") this.#firstAck = seq;
    if (isEnd(sample.phase)) this.#movement = null;
    return null;
  }

  #moved(type, sample) {
    const { phase } = sample;
    if (phase === "began" || !this.#movement) {
      // What begins where nothing moved, begins where the daemon listened, or did not.
      const isInside = phase !== "began" && (this.#interest === null || isWithin(this.#interest, this.#place.known));
      this.#movement = { type, isDown: phase === "began" || phase === "dragging", toldAt: null, isInside };
    }
    this.#movement.last = sample;
    return this.#movement;
  }

  #wants({ t, phase, offset, cause }, { toldAt, isInside }, wasInside) {
    if (this.#interest === null) return true;
    if (toldAt !== null && (isEnd(phase) || phase === "idle")) return true;
    // A program has put a list that rests elsewhere.
    if (phase === "idle") return cause === "code" && isInside && offset !== this.#place.known;
    if (isEnd(phase)) return false;
    if (phase === "began" || !isInside) return isInside || wasInside;
    return toldAt === null || !wasInside || t - toldAt >= SAMPLE_MS;
  }

  /** Sends a sample and, before it, the beginning of its finger's movement if that was not told. */
  #tell(sample, movement) {
    const { t, phase, offset } = sample;
    const isNew = movement.toldAt === null || t - movement.toldAt >= this.silence;
    movement.toldAt = t;
    this.#place.known = offset;
    const send = (asPhase) => this.view.send("scroll", { ...sample, phase: asPhase });
    if (!isNew || !isFinger(sample) || (phase !== "dragging" && phase !== "decelerating")) {
      const seq = send(phase);
      if (phase === "began") this.#firstAck = seq;
      return;
    }
    this.#firstAck = send("began");
    if (phase === "dragging") return;
    send("ended");
    send("decelerating");
  }

  /** A finger may rest: the last sample once more is its sign of life, when it is time for one. */
  rest(t) {
    const movement = this.#movement;
    if (!movement?.isDown || movement.toldAt === null || t - movement.toldAt < SIGN_OF_LIFE_MS) return;
    if (movement.type === "scroll" && !movement.isInside) return;
    this.#repeat(t, "dragging");
  }

  /** Before anything else is said of the view: where the list is, if the daemon does not know. */
  preface() {
    const { at, known } = this.#place;
    const movement = this.#movement;
    if (this.#interest === null || Number.isNaN(at)) return;
    if (!movement) {
      if (at !== known) this.view.send("scroll", { offset: at, phase: "idle" });
      this.#place.known = at;
    } else if (movement.type === "scroll" && (at !== known || (movement.isDown && movement.toldAt === null))) {
      this.#repeat(movement.last.t, movement.isDown ? "dragging" : "decelerating");
    }
  }

  #repeat(t, phase) {
    const movement = this.#movement;
    const { velocity: _, offset, ...last } = movement.last;
    if (movement.type === "scroll") return this.#tell({ ...last, t, offset, phase }, movement);
    movement.toldAt = t;
    this.view.send("pan", { ...last, t, phase });
  }

  // What is drawn

  /** Draws what moves by itself. `rooms`: how the drawing of each edge lies. */
  paint(_now, rooms, offset) {
    if (Number.isNaN(this.#place.at)) this.#place.at = offset;
    for (const [name, room] of Object.entries(rooms)) this.drawings[name]?.lay(room);
  }
}
