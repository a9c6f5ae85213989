// Decides which samples a `local` client sends (docs/protocol.md, "What a client sends"). The rule
// numbers are those of that section. This module uses no DOM and no clock.

import { DirectionTracker } from "./direction-tracker.js";
import { EdgeDisplay, PULLED_STATES } from "./edge-display.js";
import { clamp } from "./motion.js";
import { ScrollSpeedEstimator } from "./scroll-speed-estimator.js";
import { isEnd, isFinger, isWheelStep } from "./stream-client.js";

/** The interval at which a resting finger repeats its sample, if it has sent one before. */
const KEEPALIVE_MS = 2000;
/**
 * If a list is within this distance of the load-more threshold, the daemon can place the list at
 * the threshold.
 */
const ARM_DISTANCE = 0.5;
/** The largest velocity that the daemon accepts. A key that leads to the end of a long list can exceed it. */
const VELOCITY_MAX = 1e6;
const PROGRESS_STATES = new Set(["pulling", "eligible", "approaching"]);
const RESTING_STATES = new Set(["idle", "disabled", "noMore"]);

/**
 * Reports the samples of one list. `client` has `send(type, fields)`, `law`, `edges` (as received,
 * by name), `refreshEdge`, `loadMoreEdge`, `share(edge)`, `isLower(edge)`, `gestureSilence`,
 * `hasLead`, `isForMovement` and `reportsRows`. For a predicted refresh, the reporter calls the client's
 * `openRoom(name, seq, t)`. For the first sent sample of each movement, it calls `recordPlace(seq)`.
 */
export class SampleReporter {
  #client;
  #movement = null; // the current movement of the list
  #offset; // the offset of the list, from a sample or a command
  #direction;
  // Whether a finger came down at the previous offset, and that offset was not sent to the daemon.
  #startsAtPrevious = false;
  #speedEstimator = new ScrollSpeedEstimator();
  #display;

  constructor(client, offset) {
    this.#client = client;
    this.#offset = offset;
    this.#direction = new DirectionTracker(client, offset);
    this.#display = new EdgeDisplay(client);
  }

  /** The predicted state of the refresh edge. Null if the received state is shown. */
  get predicted() { return this.#display.predicted; }
  /** The progress of an edge's pull, from the last sample or from the daemon. */
  progress(name) { return this.#display.progress(name); }

  // Messages of the daemon

  /** Applies the edges in a message. If the message answers a prediction, the prediction ends. */
  handleMessage(message, names) {
    this.#display.handleMessage(message, names);
  }

  /**
   * Sets the offset after the daemon has moved the list. `isEcho`: the offset answers a sample of
   * the finger.
   */
  applyOffset(offset, { isEcho = false } = {}) {
    this.#offset = offset;
    this.#direction.setOffset(offset);
    this.#speedEstimator.setOffset(offset);
    const movement = this.#movement;
    if (!isEcho || !movement?.isDown || movement.last.type !== "pan" || movement.isAnchored) return;
    this.#display.updateProgress(offset);
  }

  /** Sets whether the client, and not the daemon, moves the list for the finger. */
  set isAnchored(isAnchored) {
    if (this.#movement) this.#movement.isAnchored = isAnchored;
  }

  // Input of the user

  /**
   * Handles a sample of the list: `{type, t, offset, phase}` and other fields. `isAnimated`: a
   * command moves the list. `isAnchored`: the client moves the list for the finger, and not the
   * daemon.
   */
  handleSample(sample, { isAnimated = false, isAnchored = true } = {}) {
    const { type, offset, phase } = sample;
    const wasMoved = isAnimated || (this.#movement !== null && this.#movement.sentAt !== null);
    const isTouch = phase === "began" || (!this.#movement && phase === "dragging");
    if (isTouch) this.#movement = { origin: sample.origin ?? offset, isDown: true, isInside: true };
    this.#movement ??= {
      origin: this.#direction.known, isDown: false, isInside: this.#isOfInterest(this.#direction.known),
    };
    const movement = this.#movement;
    // The client has not sent this offset. The daemon knows it at most from its own command.
    if (isTouch && (isAnimated || movement.origin !== this.#direction.known)) movement.caughtOffset = movement.origin;
    if (movement.sentAt === undefined) Object.assign(movement, { sentAt: null, lastSampleAt: null, unsentLift: null });
    movement.last = sample;
    movement.isAnchored = isAnchored;
    const wasInside = movement.isInside;
    if (phase === "began") {
      this.#startsAtPrevious = offset === this.#direction.previous && offset !== this.#direction.known;
      this.#direction.begin(offset);
    }
    this.#direction.update(offset);

    if (type === "pan") this.#handlePan(sample, wasMoved);
    else this.#handleScroll(sample, wasMoved);

    const hasMoved = offset !== this.#direction.previous;
    if (type === "pan" || movement.isInside || wasInside) this.#recordSample(sample);
    // If samples of the movement were sent, its end is sent at any offset (rule 2).
    else if (isEnd(phase) && movement.sentAt !== null) this.#direction.previous = offset;
    this.#offset = offset;
    if (isEnd(phase)) movement.isDown = false;
    if (phase === "idle") {
      if (hasMoved && movement.lastSampleAt !== null) this.#speedEstimator.reset(offset, sample.t);
      else this.#speedEstimator.reset(offset);
      this.#direction.recordRest(offset);
    }
    if (phase === "idle" || (type === "pan" && !movement.isDown)) this.#movement = null;
  }

  /** Records a sample that a `stream` client would send. */
  #recordSample({ type, t, offset, phase }) {
    const movement = this.#movement;
    // A `began` is sent only within a range of interest.
    if (type === "pan" || phase !== "began" || movement.isInside) movement.lastSampleAt = t;
    const isShown = type === "scroll" || movement.isAnchored;
    const isMotion = phase === "dragging" || phase === "decelerating";
    const isEvaluated = isMotion || (type === "pan" && phase === "began" && !this.#isBusy);
    // If `attention` is `movement`, the daemon does not evaluate the offset of a `cancelled`.
    const isIgnored = phase === "cancelled" && this.#client.isForMovement;
    const hasChanged = offset !== this.#direction.previous;
    if (isShown && !isIgnored && (hasChanged || isEvaluated)) this.#display.updateProgress(offset);
    this.#direction.previous = offset;
  }

  /** Handles a sample of `scroll`. */
  #handleScroll(sample, wasMoved) {
    const { t, offset, phase } = sample;
    const movement = this.#movement;
    const wasInside = movement.isInside;
    movement.isInside = this.#isOfInterest(offset);
    const isOfInterest = movement.isInside || (wasInside && phase !== "began");
    switch (phase) {
      case "began":
        this.#speedEstimator.reset(offset, t);
        if (isOfInterest && (this.#isBusy || wasMoved || this.#mustSend(sample))) this.#report(sample);
        return;
      case "dragging": case "decelerating":
        if (!isOfInterest) return;
        this.#speedEstimator.update(offset, t);
        if (!isFinger(sample) || !movement.isInside || this.#mustRestart(movement, t, !wasInside)
          || this.#mustSend(sample)) this.#report(sample, !wasInside);
        return;
      case "ended": case "cancelled":
        return this.#handleLift(sample, isOfInterest);
      default:
        // If a program moves a resting list, this can be the only sample of the movement.
        if (movement.sentAt !== null || sample.visible || (!isFinger(sample) && isOfInterest && offset !== this.#direction.known)) {
          this.#send(sample);
        }
    }
  }

  /**
   * Rule 3: whether the sample must be sent as the start of a gesture. If nothing of the movement
   * was sent, a gesture starts when the list enters a range of interest. If a sample was sent, a
   * gesture starts after the silence limit.
   */
  #mustRestart({ sentAt }, t, enters) {
    return sentAt === null ? enters : t - sentAt >= this.#client.gestureSilence;
  }

  /** Handles the lift of the finger. */
  #handleLift(sample, isOfInterest) {
    const { t, offset, phase } = sample;
    const movement = this.#movement;
    const hasMoved = offset !== this.#direction.previous;
    const isReported = movement.sentAt !== null;
    const isRelevant = isOfInterest || isReported;
    if (isRelevant && hasMoved) this.#speedEstimator.update(offset, t);
    const isOverdue = isReported && t - movement.sentAt >= this.#client.gestureSilence;
    const isSpeedRelevant = isReported && !isOverdue && this.#client.hasLead && !this.#display.isPulled(offset);
    const isDue = isSpeedRelevant ? hasMoved || (!this.#client.isForMovement && this.#armsByLead(offset))
      : !isReported && hasMoved && this.#mustSend(sample);
    const isUnseen = !isReported && movement.lastSampleAt !== null;
    if (isRelevant && isDue && phase === "cancelled" && isUnseen) return this.#reportSeparateBegan(sample);
    if (isRelevant && isDue && phase === "ended") this.#report({ ...sample, phase: "dragging" });
    if (movement.sentAt === null) movement.unsentLift = sample;
    else this.#send(sample);
  }

  /** Handles a sample of `pan`. The daemon computes the offset, so all offsets are of interest. */
  #handlePan(sample, wasMoved) {
    const { t, offset, phase } = sample;
    const movement = this.#movement;
    if (phase === "began") {
      this.#speedEstimator.reset(offset, t);
      if (this.#isBusy || wasMoved || !movement.isAnchored || this.#mustSend(sample)) this.#report(sample);
    } else if (phase === "dragging") {
      this.#speedEstimator.update(offset, t);
      if (!isFinger(sample) || !movement.isAnchored || this.#mustSend(sample)) this.#report(sample);
    } else {
      this.#handlePanLift(sample);
    }
  }

  #handlePanLift(sample) {
    const { t, offset, phase } = sample;
    const { hasLead } = this.#client;
    const isUnsent = this.#movement.sentAt === null;
    const hasMoved = offset !== this.#direction.previous;
    if (hasMoved && (isUnsent || hasLead)) this.#speedEstimator.update(offset, t);
    // A `began` at this offset would have the effect of a `dragging`, and could trigger the edge.
    if (phase === "cancelled" && isUnsent) return this.#reportSeparateBegan(sample);
    if (phase === "ended" && (isUnsent || (hasLead && (hasMoved || this.#armsByLead(offset))))) {
      this.#report({ ...sample, phase: "dragging" });
    }
    return this.#send(sample);
  }

  // Samples to send

  /** Sends a sample. If nothing of the movement was sent, it begins with `began`. */
  #report(sample, enters = false) {
    const { type, t, offset, phase } = sample;
    const movement = this.#movement;
    const isNew = movement.sentAt === null || t - movement.sentAt >= this.#client.gestureSilence;
    if (!isNew || !isFinger(sample)) return this.#send(sample);
    const isFirst = movement.sentAt === null && !enters;
    // If the finger has reversed, the daemon cannot infer the direction from the point where the
    // finger came down.
    if (isFirst && phase === "dragging" && this.#direction.hasTurned(movement.origin, offset)) {
      return this.#reportSeparateBegan(sample);
    }
    if (type === "pan") {
      return isFirst ? this.#send(sample, "began", this.#caughtFields) : this.#send(sample, "dragging");
    }
    const origin = isFirst ? movement.origin : offset;
    if (!isFirst) {
      this.#direction.begin(offset);
      this.#speedEstimator.reset(offset, t);
    }
    if (phase === "decelerating") return this.#reportLifted(sample, origin, enters);
    return this.#send(sample, "began", origin === offset ? {} : { from: origin });
  }

  get #caughtFields() {
    const { caughtOffset } = this.#movement;
    return caughtOffset === undefined ? {} : { offset: caughtOffset };
  }

  /** Sends `began` separately, at the place where the finger came down. */
  #reportSeparateBegan(sample) {
    const { origin } = this.#movement;
    const began = { ...sample, phase: "began", offset: origin };
    if (sample.type === "pan") this.#send({ ...began, translation: 0 }, "began", this.#caughtFields);
    else this.#send(began);
    this.#send(sample);
  }

  /**
   * Sends `began` and the lift of the finger before the sample, because the finger was lifted
   * before any of its samples was sent.
   */
  #reportLifted(sample, origin, enters) {
    const movement = this.#movement;
    const unsent = enters ? null : movement.unsentLift;
    const lift = { ...(unsent ?? sample), t: sample.t };
    if (lift.phase !== "cancelled") lift.phase = "ended";
    const { isDown } = movement;
    movement.isDown = true;
    // A `began` at the offset of a `cancelled` would have the effect of a `dragging`, and could
    // trigger the edge.
    if (lift.phase === "cancelled") {
      this.#reportSeparateBegan(lift);
    } else {
      this.#send(lift, "began", origin === lift.offset ? {} : { from: origin });
      this.#send(lift);
    }
    movement.isDown = isDown;
    this.#send(sample);
  }

  /**
   * Sends one sample. If the predicted state changes, the sample contains it.
   *
   * @param {any} sample
   */
  #send(sample, phase = sample.phase, extra = {}) {
    const { type, t, offset } = sample;
    const movement = this.#movement;
    const { hasLead, isForMovement, law } = this.#client;
    const begins = phase === "began";
    /** @type {Record<string, any>} */
    const fields = { t, ...(type === "pan" ? { translation: sample.translation } : { offset }), phase, ...extra };
    if (sample.visible) fields.visible = sample.visible;
    if (phase === "ended" && sample.velocity) fields.velocity = sample.velocity;
    if (!isFinger(sample)) fields.cause = sample.cause;
    // If the daemon moves the list, it knows the list's velocity. A list that is pulled at the
    // refresh edge does not load more.
    const isPulled = this.#display.isPulled(offset);
    const hasVelocity = (type === "scroll" || movement.isAnchored) && !isEnd(phase) && phase !== "idle"
      && sample.phase !== "began"
      && !isEnd(sample.phase) && (!isPulled || law.follow.length > 0);
    const velocity = clamp(this.#speedEstimator.speed * 1000, -VELOCITY_MAX, VELOCITY_MAX);
    if (hasLead && hasVelocity && velocity !== 0) fields.velocity = velocity;
    const countsSpeed = hasLead && !isPulled;
    // A speed of 0 is not sent, so the daemon would compute a speed from the sample.
    const isStill = countsSpeed && this.#speedEstimator.speed === 0 && this.#direction.isKnown;
    const mustNotMove = phase === "idle" || (isEnd(phase) ? isForMovement || countsSpeed : isStill);
    const before = begins ? null : this.#direction.originFor(offset, mustNotMove);
    if (before !== null) fields.from = before;
    if (sample.phase === "began" && this.#startsAtPrevious && type === "scroll") fields.from = offset;
    const from = fields.from ?? (!begins ? this.#direction.known : type === "pan" ? movement.origin : offset);
    // The next call of `recordSent` changes these values.
    const hasNotMoved = sample.phase === "began" || (type === "scroll" && from === offset);
    this.#direction.recordSent(from, offset, begins);
    const isFirst = begins || movement.sentAt === null || isWheelStep({ ...sample, phase });
    movement.sentAt = movement.lastSampleAt = t;
    const state = isFinger(movement.last) ? this.#display.predict(sample, phase, {
      isAnchored: movement.isAnchored, hasNotMoved, previous: this.#direction.previous,
    }) : null;
    if (state !== null) fields.predicted = state;
    const seq = this.#client.send(type, fields);
    if (isFirst) this.#client.recordPlace(seq);
    this.#display.recordProgressIfPullUnseen(seq);
    if (state !== null) this.#display.showPrediction(state, seq);
    if (state === "refreshing") this.#client.openRoom(this.#client.refreshEdge, seq, t);
  }

  /** Repeats the last sample of a resting finger, if it is due. */
  sendKeepAlive(t) {
    const movement = this.#movement;
    if (!movement?.isDown || movement.lastSampleAt === null || t - movement.lastSampleAt < KEEPALIVE_MS) return;
    const sample = { ...movement.last, t, offset: this.#offset, phase: "dragging" };
    if (sample.type === "scroll" && !this.#isOfInterest(sample.offset)) return;
    // A `stream` client would repeat its sample at this point, so this sample counts for the speed
    // (rule 9).
    this.#speedEstimator.update(sample.offset, t);
    movement.lastSampleAt = t;
    if (movement.sentAt !== null) this.#send(sample);
  }

  /** Sends the current sample of the list, if rule 4 requires it. */
  sendCurrent(t) {
    const movement = this.#movement;
    const { known } = this.#direction;
    if (!movement) {
      if (this.#offset === known) return;
      this.#direction.known = this.#offset;
      this.#client.recordPlace(this.#client.send("scroll", { offset: this.#offset, phase: "idle" }));
      return;
    }
    const { last: { type }, isDown } = movement;
    const offset = this.#offset;
    // The sample of a movement without a finger was already sent. If it were sent again, the daemon
    // would request another page.
    if (!isFinger(movement.last) && offset === known) return;
    this.#speedEstimator.update(offset, t);
    this.#direction.update(offset);
    const enters = type === "scroll" && !movement.isInside;
    this.#report({ ...movement.last, t, offset, phase: isDown ? "dragging" : "decelerating" }, enters);
    this.#direction.previous = offset;
  }

  // Conditions for sending

  /** Whether samples at this offset are considered. Where rows are reported, all are. */
  #isOfInterest(offset) { return this.#client.reportsRows || this.#client.law.isOfInterest(offset); }

  /**
   * Whether an edge without a visible pull is in a state other than `idle`, `disabled` or `noMore`.
   */
  get #isBusy() {
    const { law, edges } = this.#client;
    return Object.entries(edges).some(([name, { role, state }]) =>
      law.edges[name] === null && !RESTING_STATES.has(role === "refresh" ? this.#display.refreshState : state));
  }

  /** Rules 6 to 12: whether a sample of a finger must be sent. One that reports rows always is. */
  #mustSend({ type, offset, t, visible }) {
    const { law, edges } = this.#client;
    const { sentAt } = this.#movement;
    const { known } = this.#direction;
    return visible !== undefined || this.#direction.hasUnreportedTurn(offset) || law.isCrossed(known, offset) || law.isFollowed(offset)
      || Object.keys(edges).some((name) => this.#stateDiffers(name, offset))
      || this.#armsByLead(offset)
      || (type === "pan" && (law.isNearMark(offset) || law.isNearMark(known)))
      || (sentAt !== null && t - sentAt >= KEEPALIVE_MS);
  }

  /** Rule 9: whether a sample arms an edge by its `lead`. */
  #armsByLead(offset) {
    return Object.values(this.#client.law.edges).some((edge) => edge?.armsByLead(offset, this.#speedEstimator.speed));
  }

  /** Rule 8: whether the state of an edge according to the law differs from the shown state. */
  #stateDiffers(name, offset) {
    const { law, edges } = this.#client;
    const edge = law.edges[name];
    if (edge === undefined) return false;
    const isRefresh = edges[name].role === "refresh";
    const state = isRefresh ? this.#display.refreshState : edges[name].state;
    if (edge === null) return PROGRESS_STATES.has(state);
    const isPulled = edge.pull(offset) > 0 && (isRefresh || !PULLED_STATES.has(this.#display.refreshState));
    if (state === "eligible") return !isPulled || !edge.keepsArmed(offset);
    if (state !== "idle" && state !== "pulling" && state !== "approaching") return false;
    if (state === "idle" ? isPulled : !isPulled) return true;
    const mayArm = this.#movement.isDown || !isRefresh;
    return edge.arm !== null && mayArm
      && edge.distanceBeyond(offset, edge.arm) >= (isRefresh ? 0 : -ARM_DISTANCE);
  }
}
