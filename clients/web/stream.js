// The `stream` kind of client (docs/protocol.md, "What a client sends"). It sends the offset of the list as far as the
// daemon is interested, and draws what it receives. To an older daemon, which sends neither a law nor programmes, it
// sends all samples, and it draws the plain spinner.

import { EDGES } from "./edges.js";
import { isWithin } from "./law.js";

/** The minimum interval of samples, a little less than at 60 per second, because the timing of screens jitters. */
const SAMPLE_MS = 0.9 * (1000 / 60);
/** The interval at which a resting finger repeats its sample. */
const SIGN_OF_LIFE_MS = 2000;
/** The default silence after which the daemon considers a gesture ended; `welcome` may have another. */
const SILENCE_MS = 5000;

export const isEnd = (phase) => phase === "ended" || phase === "cancelled";
export const isFinger = ({ cause = "finger" }) => cause === "finger";

/**
 * The interface between a scroll view and its kind of client: it receives the user's input and returns commands. `view`
 * is the daemon's view. `drawings` has the indicator of each edge by name.
 */
export class Stream {
  view;
  drawings;

  #interest = null; // ranges of offsets; null: everywhere
  #movement = null; // {last, type, isDown, toldAt, isInside}: the current movement of the list
  #place = { at: NaN, known: NaN }; // the offset of the resting list, and the one that the daemon knows
  #firstAck = 0; // answers to earlier messages are void

  constructor(view, drawings) {
    this.view = view;
    this.drawings = drawings;
    view.preface = (now, type) => this.preface(now, type);
  }

  /** The longest silence within a gesture. */
  get silence() { return this.view.silence ?? SILENCE_MS; }

  /** The shown state of an edge, and `progress` in states that have one. */
  edge(name) { return this.view[name]; }

  /** Whether an indicator is animated without input or messages. */
  isMoving(_now) { return false; }

  /** Whether a finger can pull the list without a connection. */
  get isIndependent() { return false; }

  // Messages of the daemon

  /** Processes a message; returns its commands, with times of this page's clock. */
  take(message, _now) {
    if (message.type === "attached") {
      if (this.view.isComingBack) this.goOn(message);
      else this.begin(message);
    }
    if (message.law?.interest) this.#interest = message.law.interest;
    for (const name of EDGES) {
      const { programme, frame, indicator } = message[name] ?? {};
      // A different programme, or none any more.
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

  /** Resumes the session: the offset and the user's input stay as they are. */
  goOn(message) {
    this.#interest = null;
    this.#place.known = this.#place.at;
    for (const name of EDGES) {
      if (!this.isDrawn(name, message[name])) this.drawings[name]?.begin(message[name]?.programme ?? null);
    }
  }

  /** Whether the edge is already drawn by this programme and the drawing continues. */
  isDrawn(_name, _edge) { return false; }

  lose() {
    this.begin({});
  }

  /** The commands of a message, with times of this page's clock. */
  commands({ ack, inset, offset, haptic }) {
    const begun = (command) => (command?.start === undefined
      ? command : { ...command, start: this.view.localTime(command.start) });
    if (offset) this.#place = { at: offset.to, known: offset.to };
    // A command from before the current gesture would pull the list from under the finger.
    return { inset: begun(inset), offset: ack >= this.#firstAck ? begun(offset) : undefined, haptic };
  }

  /** Makes commands that answer anything before `seq` void. */
  ignoreBefore(seq) { this.#firstAck = seq; }

  // Input of the user

  /**
   * Processes a scroll of the browser: `{t, offset, phase}`, and `velocity` and `cause` if known. Returns commands to
   * follow immediately, or null.
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

  /** Processes a sample of a finger on a list that the daemon moves: `{t, translation, phase}`. Returns as `scroll`. */
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
      // A movement of a resting list starts where the daemon knows the list, inside or outside interest.
      const isInside = phase !== "began" && (this.#interest === null || isWithin(this.#interest, this.#place.known));
      this.#movement = { type, isDown: phase === "began" || phase === "dragging", toldAt: null, isInside };
    }
    this.#movement.last = sample;
    return this.#movement;
  }

  #wants({ t, phase, offset, cause }, { toldAt, isInside }, wasInside) {
    if (this.#interest === null) return true;
    if (toldAt !== null && (isEnd(phase) || phase === "idle")) return true;
    // A program has moved a resting list.
    if (phase === "idle") return cause === "code" && isInside && offset !== this.#place.known;
    if (isEnd(phase)) return false;
    if (phase === "began" || !isInside) return isInside || wasInside;
    return toldAt === null || !wasInside || t - toldAt >= SAMPLE_MS;
  }

  /** Sends a sample, preceded by the start of the finger's movement if that was not sent. */
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

  /** Repeats the last sample of a resting finger, if it is due. */
  rest(t) {
    const movement = this.#movement;
    if (!movement?.isDown || movement.toldAt === null || t - movement.toldAt < SIGN_OF_LIFE_MS) return;
    if (movement.type === "scroll" && !movement.isInside) return;
    this.#repeat(t, "dragging");
  }

  /** Sends the offset of the list before another message about the view, if the daemon does not know it. */
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

  // Drawing

  /** Draws animations. `rooms` has the layout of each edge's drawing. */
  paint(_now, rooms, offset) {
    if (Number.isNaN(this.#place.at)) this.#place.at = offset;
    for (const [name, room] of Object.entries(rooms)) this.drawings[name]?.lay(room);
  }
}
