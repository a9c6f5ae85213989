// The `stream` client of a view (docs/protocol.md, "What a client sends"). It sends the offset of
// the list within the daemon's ranges of interest, and draws the frames that it receives. If an
// older daemon sends neither a law nor programmes, the client sends all samples and draws the plain
// spinner.

import { isWithin } from "./control-law.js";
import { EDGES } from "./edges.js";

/**
 * The minimum interval between samples. It is a little shorter than a frame at 60 Hz, because
 * frames are not exactly periodic.
 */
const SAMPLE_INTERVAL_MS = 0.9 * (1000 / 60);
/** The interval at which a resting finger repeats its sample. */
const KEEPALIVE_MS = 2000;
/**
 * The default silence after which a gesture counts as ended. `welcome` can announce another value.
 */
const GESTURE_SILENCE_MS = 5000;

export const isEnd = (phase) => phase === "ended" || phase === "cancelled";
export const isFinger = ({ cause = "finger" }) => cause === "finger";
/** Each step of a wheel is a movement. */
export const isWheelStep = ({ phase, cause }) => phase === "decelerating" && cause === "wheel";

/** @typedef {Partial<Record<"top" | "bottom", import("./indicator-renderer.js").IndicatorRenderer>>} Indicators */

/**
 * The `stream` client of one view, between the scroll view and the session. It receives the user's
 * input and returns commands. `view` is the view of the session. `indicators` contains the
 * renderers of the indicators, by edge.
 */
export class StreamClient {
  view;
  indicators;

  #interest = null; // ranges of offsets; null: everywhere
  #movement = null; // {last, type, isDown, sentAt, isInside}: the list's current movement
  // The offset of the resting list: the shown offset, and the last offset that the daemon knows.
  #offset = { shown: NaN, known: NaN };
  #describedOffset; // the offset in the last `hello` or `attach`; undefined if it had none
  #firstAck = 0; // an `offset` that answers an earlier message is not shown
  // The `seq` of the message that last told the daemon where the list is: the first sent sample of
  // the last movement, or a `geometry` that placed the list.
  #placeSeq = 0;

  /**
   * @param {import("./view.js").View} view
   * @param {Indicators} [indicators]
   */
  constructor(view, indicators = {}) {
    this.view = view;
    this.indicators = indicators;
    view.beforeSend = (now, type) => this.sendPendingSample(now, type);
  }

  /** The longest silence within a gesture. */
  get gestureSilence() { return this.view.gestureSilence ?? GESTURE_SILENCE_MS; }

  /**
   * The shown state of an edge, and `progress` in states with progress.
   *
   * @param {string} name
   * @returns {import("./client-types.js").Edge}
   */
  edge(name) { return this.view[name]; }

  /** Whether an indicator is animated without input or messages. */
  isAnimating(_now) { return false; }

  /** Whether a finger can pull the list without a connection. */
  get canPanOffline() { return false; }

  // Messages of the daemon

  /** Handles a message. Returns its commands, with times of this page's clock. */
  handle(message, _now) {
    if (message.type === "attached") {
      if (this.view.isResuming) this.resume(message);
      else this.attach(message);
    }
    if (message.law?.interest) this.#interest = message.law.interest;
    for (const name of EDGES) {
      const { programme, frame, indicator } = message[name] ?? {};
      const isReplaced = message.type === "update" && (programme || indicator === null);
      if (isReplaced) this.indicators[name]?.setProgramme(programme ?? null);
      if (frame) this.indicators[name]?.applyFrame(frame);
      if (indicator && typeof indicator === "object") this.indicators[name]?.applySpinner(this.view[name].indicator);
    }
    return this.commands(message);
  }

  /** Starts with a freshly attached view. */
  attach(message) {
    this.#interest = null;
    this.#movement = null;
    // A movement that was sent after the attach still counts.
    if (!(message.ack > 0 && this.#placeSeq > message.ack)) this.#firstAck = this.#placeSeq = 0;
    this.#offset.known = this.#offset.shown;
    for (const name of EDGES) this.indicators[name]?.setProgramme(message[name]?.programme ?? null);
  }

  /** Resumes the session: the offset and the user's input stay as they are. */
  resume(message) {
    this.#interest = null;
    // If the list has moved since `hello`, its offset must be reported.
    const { shown } = this.#offset;
    this.#offset.known = (this.#describedOffset ?? shown) === shown ? shown : NaN;
    for (const name of EDGES) {
      if (!this.isDrawn(name, message[name])) this.indicators[name]?.setProgramme(message[name]?.programme ?? null);
    }
  }

  /** Whether the edge is already drawn with this programme, so that the drawing continues. */
  isDrawn(_name, _edge) { return false; }

  /** Handles the end of the session. */
  end() {
    this.attach({});
  }

  /** Returns the commands of a message, with times of this page's clock. */
  commands({ ack, inset, offset, haptic }) {
    const toLocal = (command) => (command?.start === undefined
      ? command : { ...command, start: this.view.localTime(command.start) });
    if (offset && !this.isLate(ack)) this.#offset = { shown: offset.to, known: offset.to };
    // An `offset` that answers a message before the last movement is dropped, because it would undo
    // this movement.
    return { inset: toLocal(inset), offset: ack >= this.#firstAck ? toLocal(offset) : undefined, haptic };
  }

  /** Discards each `offset` command that answers a message before `seq`. */
  ignoreBefore(seq) { this.#firstAck = Math.max(this.#firstAck, seq); }

  /**
   * Records that the message `seq` has told the daemon where the list is. For the daemon, this
   * message replaces each `offset` command that answers an earlier message.
   */
  recordPlace(seq) {
    this.#placeSeq = seq;
    this.ignoreBefore(seq);
  }

  /** Records the offset of the list in `hello` or `attach`; undefined if the list moves. */
  recordDescribedOffset(offset) { this.#describedOffset = offset; }

  /** Whether an `offset` with this `ack` precedes the place that the daemon knows. */
  isLate(ack) { return ack < this.#placeSeq; }

  /** Sets the offset to which the page has moved the list. The page reports it in a `geometry`. */
  setOffset(offset) {
    this.#offset = { shown: offset, known: offset };
  }

  // Input of the user

  /**
   * Handles a scroll of the browser: `{t, offset, phase}`, and `velocity` and `cause` if known.
   * Returns the commands that are applied immediately, or null.
   *
   * @param {any} sample
   * @returns {import("./client-types.js").Commands | null}
   */
  scroll(sample) {
    const { offset, phase } = sample;
    const movement = this.#updateMovement("scroll", sample);
    const wasInside = movement.isInside;
    movement.isInside = this.#interest === null || isWithin(this.#interest, offset);
    if (this.#mustSend(sample, movement, wasInside)) this.#report(sample, movement);
    this.#offset.shown = offset;
    if (isEnd(phase)) movement.isDown = false;
    if (phase === "idle") this.#movement = null;
    return null;
  }

  /**
   * Handles a sample of a finger on a list that the daemon moves: `{t, translation, phase}`.
   * Returns the same kind of commands as `scroll`.
   *
   * @param {any} sample
   * @returns {import("./client-types.js").Commands | null}
   */
  pan(sample) {
    const movement = this.#updateMovement("pan", sample);
    const isFirst = movement.sentAt === null;
    movement.sentAt = sample.t;
    const seq = this.view.send("pan", sample);
    if (isFirst) this.recordPlace(seq);
    if (isEnd(sample.phase)) this.#movement = null;
    return null;
  }

  #updateMovement(type, sample) {
    const { phase } = sample;
    if (phase === "began" || !this.#movement) {
      // A movement of a resting list starts at the offset that the daemon knows.
      const isInside = phase !== "began" && (this.#interest === null || isWithin(this.#interest, this.#offset.known));
      this.#movement = { type, isDown: phase === "began" || phase === "dragging", sentAt: null, isInside };
    }
    this.#movement.last = sample;
    return this.#movement;
  }

  #mustSend({ t, phase, offset, cause, visible }, { sentAt, isInside }, wasInside) {
    if (this.#interest === null || visible) return true;
    if (sentAt !== null && (isEnd(phase) || phase === "idle")) return true;
    // If a program moves a resting list, this can be the only sample of the movement.
    const isFingers = isFinger({ cause });
    if (phase === "idle") return !isFingers && (isInside || wasInside) && offset !== this.#offset.known;
    if (isEnd(phase)) return false;
    if (phase === "began" || !isInside) return isInside || wasInside;
    return sentAt === null || !wasInside || t - sentAt >= SAMPLE_INTERVAL_MS;
  }

  /**
   * Sends a sample. If the start of the finger's movement was not sent, it is sent before the
   * sample.
   */
  #report(sample, movement) {
    const { t, phase, offset } = sample;
    const isNew = movement.sentAt === null || t - movement.sentAt >= this.gestureSilence;
    movement.sentAt = t;
    this.#offset.known = offset;
    const send = (asPhase) => this.view.send("scroll", { ...sample, phase: asPhase });
    if (!isNew || !isFinger(sample) || (phase !== "dragging" && phase !== "decelerating")) {
      const seq = send(phase);
      if (isNew || isWheelStep(sample)) this.recordPlace(seq);
      return;
    }
    this.recordPlace(send("began"));
    if (phase === "dragging") return;
    send("ended");
    send("decelerating");
  }

  /** Repeats the last sample of a resting finger, if it is due. */
  sendKeepAlive(t) {
    const movement = this.#movement;
    if (!movement?.isDown || movement.sentAt === null || t - movement.sentAt < KEEPALIVE_MS) return;
    if (movement.type === "scroll" && !movement.isInside) return;
    this.#repeat(t, "dragging");
  }

  /**
   * Sends the current offset before another message about the view, if the daemon does not have it.
   * `now` is the time, and `type` the type of the message.
   *
   * @param {number} _now
   * @param {string} _type
   */
  sendPendingSample(_now, _type) {
    const { shown, known } = this.#offset;
    const movement = this.#movement;
    if (this.#interest === null || Number.isNaN(shown)) return;
    if (!movement) {
      if (shown !== known) this.recordPlace(this.view.send("scroll", { offset: shown, phase: "idle" }));
      this.#offset.known = shown;
    } else if (movement.type === "scroll" && (shown !== known || (movement.isDown && movement.sentAt === null))) {
      this.#repeat(movement.last.t, movement.isDown ? "dragging" : "decelerating");
    }
  }

  #repeat(t, phase) {
    const movement = this.#movement;
    const { velocity: _, offset, ...last } = movement.last;
    if (movement.type === "scroll") return this.#report({ ...last, t, offset, phase }, movement);
    movement.sentAt = t;
    this.view.send("pan", { ...last, t, phase });
  }

  // Drawing

  /** Draws animations. `areas` has the layout of each edge's drawing. */
  paint(_now, areas, offset) {
    if (Number.isNaN(this.#offset.shown)) this.#offset.shown = offset;
    for (const [name, area] of Object.entries(areas)) this.indicators[name]?.layout(area);
  }
}
