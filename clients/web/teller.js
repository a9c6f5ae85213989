// The samples that a `local` client sends, and its predictions (docs/protocol.md, "What a client sends" and "What a
// local client predicts"; the numbers are those of the rules there). No DOM, no clock.

import { Course } from "./course.js";
import { Pace } from "./pace.js";
import { predicted } from "./prediction.js";
import { isEnd, isFinger } from "./stream.js";

/** The interval at which a resting finger repeats its sample, if the daemon knows of the finger. */
const SIGN_OF_LIFE_MS = 2000;
/** With `pan`, the daemon computes the offset itself. This close to a mark, its offset may be on the other side. */
const NEAR = 0.2;
/** A load-more edge this close to its threshold may be at it for the daemon. */
const NEARLY_ARMED = 0.5;
const FREE = new Set(["idle", "pulling", "eligible"]);
const PULLED = new Set(["pulling", "eligible"]);
const SHOWS_PULL = new Set(["pulling", "eligible", "approaching"]);
const QUIET = new Set(["idle", "disabled", "noMore"]);

/**
 * `client` has `send(type, fields)`, `law`, `edges` (as received, by name), `refreshEdge` and `loadMoreEdge`,
 * `share(edge)`, `isLower(edge)`, `silence`, `hasLead` and `isForMovement`. Its `open(name, seq, t)` is called for a
 * predicted refresh.
 */
export class Teller {
  #client;
  #movement = null; // the current movement of the list
  #restsAt; // the offset of the list, by a sample or by a command
  #course;
  #isWhereItWas = false; // a finger came down at the previous offset, which the daemon does not know
  #pace = new Pace();
  #prediction = null; // {state, seq}
  #progress = {}; // by edge

  constructor(client, offset) {
    this.#client = client;
    this.#restsAt = offset;
    this.#course = new Course(client, offset);
  }

  /** The predicted state of the refresh edge; null if the received one is shown. */
  get predicted() { return this.#prediction?.state ?? null; }
  /** The progress of an edge's pull, by the last sample or as received. */
  progress(name) { return this.#progress[name] ?? 0; }

  // Messages of the daemon

  /** Processes the edges in a message, and ends a prediction that it answers. */
  hear(message, names) {
    for (const name of names) {
      const { state, progress } = message[name] ?? {};
      if (state !== undefined) this.#progress[name] = 0;
      if (progress !== undefined) this.#progress[name] = progress;
    }
    if (this.#prediction && message.ack >= this.#prediction.seq) this.#prediction = null;
  }

  /** Sets the offset after the daemon has moved the list. */
  moved(offset) {
    this.#restsAt = offset;
    this.#course.put(offset);
    this.#pace.move(offset);
    const movement = this.#movement;
    if (movement?.isDown && movement.last.type === "pan" && !movement.isHeld) this.#showProgress(offset);
  }

  /** Whether the client moves the list for the finger from now on, instead of the daemon. */
  set isHeld(isHeld) {
    if (this.#movement) this.#movement.isHeld = isHeld;
  }

  // Input of the user

  /**
   * Processes a sample of the list: `{type, t, offset, phase}` and its other fields. `isUnderWay`: whether a command
   * moves the list. `isHeld`: whether the client moves the list for the finger, instead of the daemon.
   */
  move(sample, { isUnderWay = false, isHeld = true } = {}) {
    const { type, offset, phase } = sample;
    const wasMoved = isUnderWay || (this.#movement !== null && this.#movement.toldAt !== null);
    const isTouch = phase === "began" || (!this.#movement && phase === "dragging");
    if (isTouch) this.#movement = { origin: sample.origin ?? offset, isDown: true, isInside: true };
    this.#movement ??= {
      origin: this.#course.known, isDown: false, isInside: this.#client.law.isOfInterest(this.#course.known),
    };
    const movement = this.#movement;
    // The daemon knows this offset only by a command, or not at all.
    if (isTouch && (isUnderWay || movement.origin !== this.#course.known)) movement.caughtAt = movement.origin;
    if (movement.toldAt === undefined) Object.assign(movement, { toldAt: null, heardAt: 0, lifted: null });
    movement.last = sample;
    movement.isHeld = isHeld;
    const wasInside = movement.isInside;
    if (phase === "began") {
      this.#isWhereItWas = offset === this.#course.previous && offset !== this.#course.known;
      this.#course.stand(offset);
    }
    this.#course.see(offset);

    if (type === "pan") this.#pan(sample, wasMoved);
    else this.#scroll(sample, wasMoved);

    if (type === "pan" || movement.isInside || wasInside) this.#note(sample);
    this.#restsAt = offset;
    if (isEnd(phase)) movement.isDown = false;
    if (phase === "idle") {
      this.#pace.stand(offset);
      this.#course.rest(offset);
    }
    if (phase === "idle" || (type === "pan" && !movement.isDown)) this.#movement = null;
  }

  /** Records a sample that a client that sends every frame would have sent. */
  #note({ type, t, offset, phase }) {
    const movement = this.#movement;
    movement.heardAt = t;
    const isShown = type === "scroll" || movement.isHeld;
    const isLookedAt = phase === "dragging" || (type === "pan" && phase === "began" && !this.#isBusy);
    if (isShown && (offset !== this.#course.previous || isLookedAt)) this.#showProgress(offset);
    this.#course.previous = offset;
  }

  #scroll(sample, wasMoved) {
    const { t, offset, phase } = sample;
    const movement = this.#movement;
    const { law } = this.#client;
    const wasInside = movement.isInside;
    movement.isInside = law.isOfInterest(offset);
    const isOfInterest = movement.isInside || (wasInside && phase !== "began");
    switch (phase) {
      case "began":
        this.#pace.stand(offset, t);
        if (isOfInterest && (this.#isBusy || wasMoved || this.#wants(sample))) this.#tell(sample);
        return;
      case "dragging": case "decelerating":
        if (!isOfInterest) return;
        this.#pace.note(offset, t);
        if (!isFinger(sample) || !movement.isInside || this.#isNews(movement, t, !wasInside)
          || this.#wants(sample)) this.#tell(sample, !wasInside);
        return;
      case "ended": case "cancelled":
        return this.#lift(sample, isOfInterest);
      default:
        // A program has moved a resting list.
        if (movement.toldAt !== null || (sample.cause === "code" && law.isCrossed(this.#course.known, offset))) {
          this.#write(sample);
        }
    }
  }

  /** Rule 3: whether the list has entered a range of interest, or nothing was sent for the limit of silence. */
  #isNews({ toldAt }, t, enters) {
    return toldAt === null ? enters : t - toldAt >= this.#client.silence;
  }

  /** Handles the lift of the finger. */
  #lift(sample, isOfInterest) {
    const { t, offset, phase } = sample;
    const movement = this.#movement;
    const hasMoved = offset !== this.#course.previous;
    const isTold = movement.toldAt !== null;
    const isHeard = isOfInterest || isTold;
    if (isHeard && hasMoved) this.#pace.note(offset, t);
    const isLost = isTold && t - movement.toldAt >= this.#client.silence;
    const countsSpeed = isTold && !isLost && this.#client.hasLead && !this.#isPulled(offset);
    if (isHeard && hasMoved && phase === "ended" && (countsSpeed || (!isTold && this.#wants(sample)))) {
      this.#tell({ ...sample, phase: "dragging" });
    }
    if (movement.toldAt === null) movement.lifted = sample;
    else this.#write(sample);
  }

  /** Handles a sample of `pan`. The daemon moves the list as well, so samples are sent at every offset. */
  #pan(sample, wasMoved) {
    const { t, offset, phase } = sample;
    const movement = this.#movement;
    if (phase === "began") {
      this.#pace.stand(offset, t);
      if (this.#isBusy || wasMoved || !movement.isHeld || this.#wants(sample)) this.#tell(sample);
    } else if (phase === "dragging") {
      this.#pace.note(offset, t);
      if (!isFinger(sample) || !movement.isHeld || this.#wants(sample)) this.#tell(sample);
    } else {
      const hasMoved = offset !== this.#course.previous;
      if (movement.toldAt === null || (this.#client.hasLead && hasMoved)) {
        if (hasMoved) this.#pace.note(offset, t);
        this.#tell({ ...sample, phase: "dragging" });
      }
      this.#write(sample);
    }
  }

  // Samples to send

  /** Sends a sample, preceded by the samples of its movement that were held back. */
  #tell(sample, enters = false) {
    const { type, t, offset, phase } = sample;
    const movement = this.#movement;
    const isNew = movement.toldAt === null || t - movement.toldAt >= this.#client.silence;
    if (!isNew || !isFinger(sample)) return this.#write(sample);
    const isFirst = movement.toldAt === null && !enters;
    if (isFirst && phase === "dragging" && this.#course.hasTurned(movement.origin, offset)) {
      return this.#tellApart(sample);
    }
    if (type === "pan") {
      return isFirst ? this.#write(sample, "began", this.#caught) : this.#write(sample, "dragging");
    }
    const origin = isFirst ? movement.origin : offset;
    if (!isFirst) {
      this.#course.stand(offset);
      this.#pace.stand(offset, t);
    }
    if (phase === "decelerating") return this.#tellLifted(sample, origin, enters);
    return this.#write(sample, "began", origin === offset ? {} : { from: origin });
  }

  get #caught() {
    const { caughtAt } = this.#movement;
    return caughtAt === undefined ? {} : { offset: caughtAt };
  }

  /** Sends `began` separately. The finger has turned, so the place where it came down does not give the direction. */
  #tellApart(sample) {
    const { origin } = this.#movement;
    const began = { ...sample, phase: "began", offset: origin };
    if (sample.type === "pan") this.#write({ ...began, translation: 0 }, "began", this.#caught);
    else this.#write(began);
    this.#write(sample);
  }

  /** Sends `began` and `ended` first. The finger has left before any sample of it was sent. */
  #tellLifted(sample, origin, enters) {
    const movement = this.#movement;
    const held = enters ? null : movement.lifted;
    const lifted = { ...(held ?? sample), t: sample.t };
    if (lifted.phase !== "cancelled") lifted.phase = "ended";
    const { isDown } = movement;
    movement.isDown = true;
    this.#write(lifted, "began", origin === lifted.offset ? {} : { from: origin });
    this.#write(lifted);
    movement.isDown = isDown;
    this.#write(sample);
  }

  /** Sends the sample, with the state that the client shows from then on. */
  #write(sample, phase = sample.phase, extra = {}) {
    const { type, t, offset } = sample;
    const movement = this.#movement;
    const { hasLead, isForMovement, law } = this.#client;
    const begins = phase === "began";
    const fields = { t, ...(type === "pan" ? { translation: sample.translation } : { offset }), phase, ...extra };
    if (phase === "ended" && sample.velocity) fields.velocity = sample.velocity;
    if (!isFinger(sample)) fields.cause = sample.cause;
    // If the daemon moves the list, it knows the velocity. A list that is pulled does not load more at its end.
    const isPulled = this.#isPulled(offset);
    const isPaced = (type === "scroll" || movement.isHeld) && !isEnd(phase) && phase !== "idle"
      && !isEnd(sample.phase) && (!isPulled || law.follow.length > 0);
    if (hasLead && isPaced && this.#pace.speed !== 0) fields.velocity = this.#pace.speed * 1000;
    const before = begins ? null : this.#course.from(offset, phase, isForMovement || (hasLead && !isPulled));
    if (before !== null) fields.from = before;
    if (sample.phase === "began" && this.#isWhereItWas && type === "scroll") fields.from = offset;
    const from = fields.from ?? (!begins ? this.#course.known : type === "pan" ? movement.origin : offset);
    // Evaluated before the daemon's known offset is updated.
    const hasNotMoved = sample.phase === "began" || (type === "scroll" && from === offset);
    this.#course.tell(from, offset, begins);
    movement.toldAt = movement.heardAt = t;
    const state = this.#predict(sample, phase, hasNotMoved);
    if (state !== null) fields.predicted = state;
    const seq = this.#client.send(type, fields);
    if (state !== null) this.#prediction = { state, seq };
    if (state === "refreshing") this.#client.open(this.#client.refreshEdge, seq, t);
  }

  /** Repeats the last sample of a resting finger, if it is due. */
  rest(t) {
    const movement = this.#movement;
    if (!movement?.isDown || movement.toldAt === null || t - movement.heardAt < SIGN_OF_LIFE_MS) return;
    const sample = { ...movement.last, t, offset: this.#restsAt, phase: "dragging" };
    if (sample.type === "scroll" && !this.#client.law.isOfInterest(sample.offset)) return;
    this.#pace.note(sample.offset, t);
    this.#write(sample);
  }

  /** Rule 4: sends the current sample of the list, if the daemon does not know it. */
  present(t) {
    const movement = this.#movement;
    const { known } = this.#course;
    if (!movement) {
      if (this.#restsAt === known) return;
      this.#course.known = this.#restsAt;
      this.#client.send("scroll", { offset: this.#restsAt, phase: "idle" });
      return;
    }
    const { last: { type }, isDown } = movement;
    const offset = this.#restsAt;
    // A movement without a finger was sent already. Sending it again would cause another request.
    if (!isFinger(movement.last) && offset === known) return;
    this.#pace.note(offset, t);
    this.#course.see(offset);
    const enters = type === "scroll" && !movement.isInside;
    this.#tell({ ...movement.last, t, offset, phase: isDown ? "dragging" : "decelerating" }, enters);
    this.#course.previous = offset;
  }

  // Wanted samples

  /** Whether an edge without a visible pull is in a state other than idle, disabled or noMore. */
  get #isBusy() {
    const { law, edges } = this.#client;
    return Object.entries(edges).some(([name, { role, state }]) =>
      law.edges[name] === null && !QUIET.has(role === "refresh" ? this.refreshState : state));
  }

  #isPulled(offset) {
    return (this.#client.law.edges[this.#client.refreshEdge]?.pull(offset) ?? 0) > 0;
  }

  #wants({ type, offset, t }) {
    const { law, edges } = this.#client;
    const { toldAt } = this.#movement;
    const { known } = this.#course;
    return this.#course.turnsUnseen(offset) || law.isCrossed(known, offset) || law.isFollowed(offset)
      || Object.keys(edges).some((name) => this.#differs(name, offset))
      || Object.values(law.edges).some((edge) => edge?.armsByLead(offset, this.#pace.speed))
      || (type === "pan" && (law.isNearSomething(offset, NEAR) || law.isNearSomething(known, NEAR)))
      || (toldAt !== null && t - toldAt >= SIGN_OF_LIFE_MS);
  }

  /** Rule 8: whether the state of an edge by the law differs from the shown one. */
  #differs(name, offset) {
    const { law, edges } = this.#client;
    const edge = law.edges[name];
    if (edge === undefined) return false;
    const isRefresh = edges[name].role === "refresh";
    const state = isRefresh ? this.refreshState : edges[name].state;
    if (edge === null) return SHOWS_PULL.has(state);
    const isPulled = edge.pull(offset) > 0 && (isRefresh || !PULLED.has(this.refreshState));
    if (state === "eligible") return !isPulled || !edge.keepsArmed(offset);
    if (state !== "idle" && state !== "pulling" && state !== "approaching") return false;
    if (state === "idle" ? isPulled : !isPulled) return true;
    const mayArm = this.#movement.isDown || !isRefresh;
    return edge.arm !== null && mayArm
      && edge.beyond(offset, edge.arm) >= (isRefresh ? 0 : -NEARLY_ARMED);
  }

  // Predictions

  /** The shown state of the refresh edge. */
  get refreshState() {
    return this.predicted ?? this.#client.edges[this.#client.refreshEdge]?.state ?? "disabled";
  }

  #showProgress(offset) {
    const { law, edges } = this.#client;
    const isPulled = PULLED.has(this.refreshState) || this.predicted === "refreshing" || this.#isPulled(offset);
    for (const [name, edge] of Object.entries(law.edges)) {
      if (!edge || !edges[name] || (edges[name].role !== "refresh" && isPulled)) continue;
      this.#progress[name] = Math.min(edge.pull(offset), 1);
    }
  }

  /** The refresh edge's state after a sample of a finger or its inertia; null if it does not change. */
  #predict({ type, offset }, phase, hasNotMoved) {
    const law = this.#client.law.edges[this.#client.refreshEdge];
    // A finger that has not moved the list has not pulled it.
    if (!law || !isFinger(this.#movement.last) || phase === "idle" || (phase === "began" && hasNotMoved)) return null;
    const state = this.refreshState;
    if (!FREE.has(state)) return null;
    // If the daemon moves the list, the shown offset is behind. This close to a mark, the finger may be on its other
    // side.
    const isPan = type === "pan";
    if (isPan && (!this.#movement.isHeld || this.#client.law.isNearSomething(offset, NEAR))) return null;
    const isArmed = state === "eligible";
    // A sample that does not move the list is not evaluated.
    if (!isPan && isEnd(phase) && offset === this.#course.previous) {
      return isArmed && phase === "ended" && law.fires === "release" ? "refreshing" : null;
    }
    const next = predicted(phase, offset, law, { isArmed, isPan });
    return next === state ? null : next;
  }
}
