// What a `local` client tells the daemon of what moves the list, and what it predicts (docs/protocol.md, "What a client
// sends" and "What a local client predicts"; the numbers are those of the rules there). No DOM, no clock.

import { Course } from "./course.js";
import { Pace } from "./pace.js";
import { predicted } from "./prediction.js";
import { isEnd, isFinger } from "./stream.js";

/** A finger of which the daemon has heard says so often that it is still there. */
const SIGN_OF_LIFE_MS = 2000;
/** By `pan` the daemon works out by itself where the list is: so near to a mark it may be on the other side. */
const NEAR = 0.2;
/** A load-more edge that is so near to its threshold may be at it for the daemon. */
const NEARLY_ARMED = 0.5;
const FREE = new Set(["idle", "pulling", "eligible"]);
const PULLED = new Set(["pulling", "eligible"]);
const SHOWS_PULL = new Set(["pulling", "eligible", "approaching"]);
const QUIET = new Set(["idle", "disabled", "noMore"]);

/**
 * `client` gives `send(type, fields)`, `law`, `edges` (what was told, by name), `refreshEdge` and `loadMoreEdge`,
 * `share(edge)`, `isLower(edge)`, `silence`, `hasLead`, `isForMovement`, and hears of a refresh that is predicted by
 * `open(name, seq, t)`.
 */
export class Teller {
  #client;
  #movement = null; // what moves, or has moved, the list
  #restsAt; // where the list is, by a sample or by a command
  #course;
  #isWhereItWas = false; // a finger came down where the list was, and the daemon has not heard
  #pace = new Pace();
  #prediction = null; // {state, seq}
  #progress = {}; // of each edge

  constructor(client, offset) {
    this.#client = client;
    this.#restsAt = offset;
    this.#course = new Course(client, offset);
  }

  /** The refresh edge's state that is shown without having been told; null: the told one. */
  get predicted() { return this.#prediction?.state ?? null; }
  /** How far an edge is pulled, by the last sample or as it was told. */
  progress(name) { return this.#progress[name] ?? 0; }

  // What the daemon says

  /** Takes what a message says of the edges and of what was predicted. */
  hear(message, names) {
    for (const name of names) {
      const { state, progress } = message[name] ?? {};
      if (state !== undefined) this.#progress[name] = 0;
      if (progress !== undefined) this.#progress[name] = progress;
    }
    if (this.#prediction && message.ack >= this.#prediction.seq) this.#prediction = null;
  }

  /** The daemon has moved the list. */
  moved(offset) {
    this.#restsAt = offset;
    this.#course.put(offset);
    this.#pace.move(offset);
    const movement = this.#movement;
    if (movement?.isDown && movement.last.type === "pan" && !movement.isHeld) this.#showProgress(offset);
  }

  /** Whether the finger's list is moved here from now on, and not by the daemon. */
  set isHeld(isHeld) {
    if (this.#movement) this.#movement.isHeld = isHeld;
  }

  // What the user does

  /**
   * The list is where a sample has it: `{type, t, offset, phase}` and its other fields. `isUnderWay`: a command moves
   * it. `isHeld`: the finger's list is moved here, and not by the daemon.
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
    // The daemon has it there only by a command, or not at all.
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

  /** A sample that the daemon would have heard from a client that tells every frame. */
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
        // Of a list that rests: what a program has moved it by.
        if (movement.toldAt !== null || (sample.cause === "code" && law.isCrossed(this.#course.known, offset))) {
          this.#write(sample);
        }
    }
  }

  /** 3: what comes into interest is told from its beginning. */
  #isNews({ toldAt }, t, enters) {
    return toldAt === null ? enters : t - toldAt >= this.#client.silence;
  }

  /** The finger leaves. */
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

  /** By `pan` the daemon moves the list as well: it hears of it wherever it is. */
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

  // How it is told

  /** Sends a sample and, before it, what was held back of its movement. */
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

  /** The finger has turned: where it came down does not say which way it goes. */
  #tellApart(sample) {
    const { origin } = this.#movement;
    const began = { ...sample, phase: "began", offset: origin };
    if (sample.type === "pan") this.#write({ ...began, translation: 0 }, "began", this.#caught);
    else this.#write(began);
    this.#write(sample);
  }

  /** The finger has left before anything was to be told of it. */
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

  /** Sends the sample with what the client shows from then on. */
  #write(sample, phase = sample.phase, extra = {}) {
    const { type, t, offset } = sample;
    const movement = this.#movement;
    const { hasLead, isForMovement, law } = this.#client;
    const begins = phase === "began";
    const fields = { t, ...(type === "pan" ? { translation: sample.translation } : { offset }), phase, ...extra };
    if (phase === "ended" && sample.velocity) fields.velocity = sample.velocity;
    if (!isFinger(sample)) fields.cause = sample.cause;
    // Where the daemon moves the list it knows how fast; and one that is pulled asks for nothing at its end.
    const isPulled = this.#isPulled(offset);
    const isPaced = (type === "scroll" || movement.isHeld) && !isEnd(phase) && phase !== "idle"
      && !isEnd(sample.phase) && (!isPulled || law.follow.length > 0);
    if (hasLead && isPaced && this.#pace.speed !== 0) fields.velocity = this.#pace.speed * 1000;
    const before = begins ? null : this.#course.from(offset, phase, isForMovement || (hasLead && !isPulled));
    if (before !== null) fields.from = before;
    if (sample.phase === "began" && this.#isWhereItWas && type === "scroll") fields.from = offset;
    const from = fields.from ?? (!begins ? this.#course.known : type === "pan" ? movement.origin : offset);
    // Looked at before the daemon knows it there.
    const hasNotMoved = sample.phase === "began" || (type === "scroll" && from === offset);
    this.#course.tell(from, offset, begins);
    movement.toldAt = movement.heardAt = t;
    const state = this.#predict(sample, phase, hasNotMoved);
    if (state !== null) fields.predicted = state;
    const seq = this.#client.send(type, fields);
    if (state !== null) this.#prediction = { state, seq };
    if (state === "refreshing") this.#client.open(this.#client.refreshEdge, seq, t);
  }

  /** A finger rests: the last sample once more is its sign of life, when it is time for one. */
  rest(t) {
    const movement = this.#movement;
    if (!movement?.isDown || movement.toldAt === null || t - movement.heardAt < SIGN_OF_LIFE_MS) return;
    const sample = { ...movement.last, t, offset: this.#restsAt, phase: "dragging" };
    if (sample.type === "scroll" && !this.#client.law.isOfInterest(sample.offset)) return;
    this.#pace.note(sample.offset, t);
    this.#write(sample);
  }

  /** 4: what the daemon was not told of where the list is and what holds it. */
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
    // Of what no finger moves all is told already, and once more would ask once more.
    if (!isFinger(movement.last) && offset === known) return;
    this.#pace.note(offset, t);
    this.#course.see(offset);
    const enters = type === "scroll" && !movement.isInside;
    this.#tell({ ...movement.last, t, offset, phase: isDown ? "dragging" : "decelerating" }, enters);
    this.#course.previous = offset;
  }

  // What is wanted

  /** Whether something goes on at an edge of which nothing of a pull is seen. */
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

  /** 7: whether the law says another state of an edge than is shown. */
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

  // What is predicted

  /** The refresh edge's state as it is shown. */
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

  /** What a finger's sample, or its inertia's, makes of the refresh edge; null: what it was. */
  #predict({ type, offset }, phase, hasNotMoved) {
    const law = this.#client.law.edges[this.#client.refreshEdge];
    // A finger that has not moved the list has not pulled it.
    if (!law || !isFinger(this.#movement.last) || phase === "idle" || (phase === "began" && hasNotMoved)) return null;
    const state = this.refreshState;
    if (!FREE.has(state)) return null;
    // Where the daemon moves the list it is shown late; and so near, the finger may be on either side for it.
    const isPan = type === "pan";
    if (isPan && (!this.#movement.isHeld || this.#client.law.isNearSomething(offset, NEAR))) return null;
    const isArmed = state === "eligible";
    // What does not move the list is not looked at.
    if (!isPan && isEnd(phase) && offset === this.#course.previous) {
      return isArmed && phase === "ended" && law.fires === "release" ? "refreshing" : null;
    }
    const next = predicted(phase, offset, law, { isArmed, isPan });
    return next === state ? null : next;
  }
}
