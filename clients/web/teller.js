// What a `local` client tells the daemon of what moves the list, and what it predicts (docs/protocol.md, "What a client
// sends" and "What a local client predicts"; the numbers are those of the rules there). No DOM, no clock.

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

/**
 * `client` gives `send(type, fields)`, `law`, `edges` (what was told, by name), `silence`, and hears of a refresh
 * that is predicted by `open(name, seq, t)`.
 */
export class Teller {
  #client;
  #movement = null; // what moves, or has moved, the list
  #restsAt; // where the list is that nobody moves
  #known; // where the daemon knows it
  #knownTowardsEnd = false; // which way it went when the daemon last heard that it moves
  #previous; // where it was in the frame before
  #turn; // where before it moved last
  #towardsEnd = false; // and whether that led to its end
  #pace = new Pace();
  #prediction = null; // {state, seq}
  #progress = {}; // of each edge

  constructor(client, offset) {
    this.#client = client;
    this.#restsAt = this.#known = this.#previous = this.#turn = offset;
  }

  /** The refresh edge's state that is shown without having been told; null: the told one. */
  get predicted() { return this.#prediction?.state ?? null; }
  /** How far an edge is pulled, by the last sample or as it was told. */
  progress(name) { return this.#progress[name] ?? 0; }
  get movement() { return this.#movement; }

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
    this.#restsAt = this.#known = this.#previous = this.#turn = offset;
    this.#towardsEnd = this.#knownTowardsEnd;
    this.#pace.move(offset);
    const movement = this.#movement;
    if (movement?.isDown && movement.last.type === "pan" && !movement.isHeld) this.#showProgress(offset);
  }

  // What the user does

  /**
   * The list is where a sample has it: `{type, t, offset, phase}` and its other fields. `isUnderWay`: a command moves
   * it. `isHeld`: the finger's list is moved here, and not by the daemon.
   */
  move(sample, { isUnderWay = false, isHeld = true } = {}) {
    const { type, t, offset, phase } = sample;
    const wasTold = this.#movement !== null && this.#movement.toldAt !== null;
    if (phase === "began" || (!this.#movement && phase === "dragging")) {
      this.#catchList(t);
      this.#movement = {
        origin: sample.origin ?? offset, isDown: true, toldAt: null, heardAt: 0, isInside: true, lifted: null, isHeld,
      };
    }
    this.#movement ??= {
      origin: this.#known, isDown: false, toldAt: null, heardAt: 0, lifted: null, isHeld,
      isInside: this.#client.law.isOfInterest(this.#known),
    };
    const movement = this.#movement;
    movement.last = sample;
    const wasInside = movement.isInside;
    if (phase === "began") this.#stand(offset);
    if (offset !== this.#previous) {
      this.#turn = this.#previous;
      this.#towardsEnd = this.#leads(this.#previous, offset);
    }

    if (type === "pan") this.#pan(sample, isUnderWay || wasTold);
    else this.#scroll(sample, isUnderWay || wasTold);

    if (isEnd(phase)) movement.isDown = false;
    if (phase === "idle") {
      this.#pace.stand(offset);
      this.#stand(offset);
      this.#knownTowardsEnd = false;
    }
    const isHeard = type === "pan" || movement.isInside || wasInside;
    if (isHeard) movement.heardAt = t;
    const isShown = type === "scroll" || movement.isHeld;
    if (isHeard && isShown && (offset !== this.#previous || phase === "dragging")) this.#showProgress(offset);
    this.#restsAt = offset;
    if (isHeard) this.#previous = offset;
    if (phase === "idle" || (type === "pan" && !movement.isDown)) this.#movement = null;
  }

  /** Nothing has moved the list yet. */
  #stand(offset) {
    this.#turn = this.#previous = offset;
    this.#towardsEnd = false;
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
        if (isOfInterest && (law.hasUnseenEdge || wasMoved || this.#wants(sample))) this.#tell(sample);
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
        if (movement.toldAt !== null || (sample.cause === "code" && law.isCrossed(this.#known, offset))) {
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
    const { t, offset } = sample;
    const movement = this.#movement;
    const hasMoved = offset !== this.#previous;
    const isHeard = isOfInterest || movement.toldAt !== null;
    if (isHeard && hasMoved) this.#pace.note(offset, t);
    if (isHeard && hasMoved && (movement.toldAt === null || this.#hasLead) && this.#wants(sample)) {
      this.#tell({ ...sample, phase: "dragging", isEnd: true });
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
      const isWanted = this.#client.law.hasUnseenEdge || wasMoved || !movement.isHeld || this.#wants(sample);
      if (isWanted) this.#tell(sample);
    } else if (phase === "dragging") {
      this.#pace.note(offset, t);
      if (!isFinger(sample) || !movement.isHeld || this.#wants(sample)) this.#tell(sample);
    } else {
      const hasMoved = offset !== this.#previous;
      if (movement.toldAt === null || (this.#hasLead && hasMoved)) {
        if (hasMoved) this.#pace.note(offset, t);
        this.#tell({ ...sample, phase: "dragging", isEnd: true });
      }
      this.#write(sample);
    }
  }

  // How it is told

  /** Sends a sample and, before it, what was held back of its movement. */
  #tell(sample, enters = false) {
    const { type, offset, phase } = sample;
    const movement = this.#movement;
    const isNew = movement.toldAt === null || sample.t - movement.toldAt >= this.#client.silence;
    if (!isNew || !isFinger(sample)) return this.#write(sample);
    const isFirst = movement.toldAt === null && !enters;
    const goes = offset === this.#previous ? this.#towardsEnd : this.#leads(this.#previous, offset);
    if (isFirst && phase === "dragging" && this.#leads(movement.origin, offset) !== goes) {
      return this.#tellApart(sample);
    }
    if (type === "pan") {
      return isFirst ? this.#write(sample, "began", { offset: movement.origin }) : this.#write(sample, "dragging");
    }
    const origin = isFirst ? movement.origin : offset;
    if (!isFirst) {
      this.#stand(offset);
      this.#pace.stand(offset, sample.t);
    }
    if (phase === "decelerating") return this.#tellLifted(sample, origin, enters);
    return this.#write(sample, "began", origin === offset ? {} : { from: origin });
  }

  /** The finger has turned: where it came down does not say which way it goes. */
  #tellApart(sample) {
    const { origin } = this.#movement;
    const began = { ...sample, phase: "began", offset: origin };
    if (sample.type === "pan") this.#write({ ...began, translation: 0 }, "began", { offset: origin });
    else this.#write(began);
    this.#write(sample);
  }

  /** The finger has left before anything was to be told of it. */
  #tellLifted(sample, origin, enters) {
    const movement = this.#movement;
    const held = enters ? null : movement.lifted;
    const lifted = { ...(held ?? sample), t: sample.t };
    if (lifted.phase !== "cancelled") lifted.phase = "ended";
    movement.isDown = true;
    this.#write(lifted, "began", origin === lifted.offset ? {} : { from: origin });
    this.#write(lifted);
    movement.isDown = false;
    this.#write(sample);
  }

  /** A finger takes a list that moves: where it was before is told first. */
  #catchList(t) {
    const movement = this.#movement;
    if (!movement || movement.toldAt === null || !movement.isInside || movement.isDown) return;
    if (this.#known === this.#previous || movement.last.type === "pan") return;
    this.#write({ ...movement.last, t, offset: this.#previous });
  }

  /** Sends the sample with what the client shows from then on. */
  #write(sample, phase = sample.phase, extra = {}) {
    const { type, t, offset } = sample;
    const movement = this.#movement;
    const fields = { t, ...(type === "pan" ? { translation: sample.translation } : { offset }), phase, ...extra };
    if (phase === "ended" && sample.velocity) fields.velocity = sample.velocity;
    if (!isFinger(sample)) fields.cause = sample.cause;
    // Where the daemon moves the list it knows how fast.
    const isPaced = (type === "scroll" || movement.isHeld) && (phase === "dragging" || phase === "decelerating"
      || phase === "began") && !isEnd(sample.phase) && !sample.isEnd;
    if (this.#hasLead && isPaced && this.#pace.speed !== 0) fields.velocity = this.#pace.speed * 1000;
    if (phase !== "began") {
      const from = this.#from(offset, phase);
      if (from !== null) fields.from = from;
    }
    const from = extra.from ?? fields.from ?? (phase !== "began" ? this.#known
      : type === "pan" ? movement.origin : offset);
    if (offset !== from) this.#knownTowardsEnd = this.#leads(from, offset);
    if (phase === "began" && from === offset) this.#knownTowardsEnd = false;
    this.#known = offset;
    movement.toldAt = movement.heardAt = t;
    const hasNotMoved = sample.phase === "began" || (type === "scroll" && from === offset);
    const state = this.#predict(sample, phase, hasNotMoved);
    if (state !== null) fields.predicted = state;
    const seq = this.#client.send(type, fields);
    if (state !== null) this.#prediction = { state, seq };
    if (state === "refreshing") this.#client.open(this.#refreshEdge, seq, t);
  }

  /** A finger rests: the last sample once more is its sign of life, when it is time for one. */
  rest(t) {
    const movement = this.#movement;
    if (!movement?.isDown || movement.toldAt === null || t - movement.heardAt < SIGN_OF_LIFE_MS) return;
    const sample = { ...movement.last, t, phase: "dragging" };
    if (sample.type === "scroll" && !this.#client.law.isOfInterest(sample.offset)) return;
    this.#pace.note(sample.offset, t);
    this.#write(sample);
  }

  /** 4: what the daemon was not told of where the list is and what holds it. */
  present() {
    const movement = this.#movement;
    if (!movement) {
      if (this.#restsAt === this.#known) return;
      this.#known = this.#restsAt;
      this.#client.send("scroll", { offset: this.#restsAt, phase: "idle" });
      return;
    }
    if (movement.last.offset === this.#known && (movement.toldAt !== null || !movement.isDown)) return;
    const { last } = movement;
    this.#pace.note(last.offset, last.t);
    const enters = last.type === "scroll" && !movement.isInside;
    this.#tell({ ...last, phase: movement.isDown ? "dragging" : "decelerating" }, enters);
  }

  // What is wanted

  get #refreshEdge() {
    return Object.keys(this.#client.edges).find((name) => this.#client.edges[name].role === "refresh");
  }

  get #loadMoreEdge() {
    return Object.keys(this.#client.edges).find((name) => this.#client.edges[name].role === "loadMore");
  }

  get #hasLead() {
    return Object.values(this.#client.edges).some(({ leadTime }) => typeof leadTime === "number")
      || Object.values(this.#client.law.edges).some((edge) => edge?.hasLead);
  }

  #wants({ type, offset, t }) {
    const { law, edges } = this.#client;
    const { toldAt } = this.#movement;
    return this.#turns(offset) || law.isCrossed(this.#known, offset)
      || law.follow.some(([from, to]) => (from ?? -Infinity) <= offset && offset <= (to ?? Infinity))
      || Object.keys(edges).some((name) => this.#differs(name, offset))
      || Object.values(law.edges).some((edge) => edge?.armsByLead(offset, this.#pace.speed))
      || (type === "pan" && (law.isNearSomething(offset, NEAR) || law.isNearSomething(this.#known, NEAR)))
      || (toldAt !== null && t - toldAt >= SIGN_OF_LIFE_MS);
  }

  /** 7: whether the list has turned since the daemon last heard of it, while nothing is seen of its end. */
  #turns(offset) {
    if (offset === this.#previous || this.#client.law.edges[this.#loadMoreEdge] !== null) return false;
    return this.#leads(this.#previous, offset) !== this.#knownTowardsEnd;
  }

  /** Where the list was before, if the daemon would take it to have moved otherwise. */
  #from(offset, phase) {
    const previous = this.#previous;
    if ((isEnd(phase) || phase === "idle") && offset === previous) return this.#known === previous ? null : previous;
    const taken = offset === this.#known ? this.#knownTowardsEnd : this.#leads(this.#known, offset);
    if (offset !== previous) return taken === this.#leads(previous, offset) ? null : previous;
    return taken === this.#towardsEnd || this.#leads(this.#turn, offset) !== this.#towardsEnd ? null : this.#turn;
  }

  /** Whether such a way leads to the end of the content: from a pull beyond the start it does not. */
  #leads(from, to) {
    const refresh = this.#refreshEdge;
    const name = refresh ?? this.#loadMoreEdge;
    if (name === undefined) return false;
    const { law } = this.#client;
    const share = refresh === undefined ? 0 : this.#client.share(refresh);
    return this.#client.isLower(name) === (refresh !== undefined)
      ? to > from && from >= law.rest[0] + share
      : to < from && from <= law.rest[1] - share;
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
    if (state === "eligible") return !isPulled;
    if (state !== "idle" && state !== "pulling" && state !== "approaching") return false;
    if (state === "idle" ? isPulled : !isPulled) return true;
    const mayArm = this.#movement.isDown || !isRefresh;
    return edge.arm !== null && mayArm
      && edge.beyond(offset, edge.arm) >= (isRefresh ? 0 : -NEARLY_ARMED);
  }

  // What is predicted

  /** The refresh edge's state as it is shown. */
  get refreshState() {
    return this.predicted ?? this.#client.edges[this.#refreshEdge]?.state ?? "disabled";
  }

  #showProgress(offset) {
    const { law, edges } = this.#client;
    const refresh = law.edges[this.#refreshEdge];
    const isPulled = PULLED.has(this.refreshState) || this.predicted === "refreshing"
      || (refresh?.pull(offset) ?? 0) > 0;
    for (const [name, edge] of Object.entries(law.edges)) {
      if (!edge || !edges[name] || (edges[name].role !== "refresh" && isPulled)) continue;
      this.#progress[name] = Math.min(edge.pull(offset), 1);
    }
  }

  /** What a finger's sample, or its inertia's, makes of the refresh edge; null: what it was. */
  #predict(sample, phase, hasNotMoved) {
    const { type, offset } = sample;
    const law = this.#client.law.edges[this.#refreshEdge];
    // A finger that has not moved the list has not pulled it.
    if (!law || !isFinger(this.#movement.last) || phase === "idle" || (phase === "began" && hasNotMoved)) return null;
    const state = this.refreshState;
    if (!FREE.has(state)) return null;
    // Where the daemon moves the list it is shown late; and so near, the finger may be on either side for it.
    const isPan = type === "pan";
    if (isPan && (!this.#movement.isHeld || this.#client.law.isNearSomething(offset, NEAR))) return null;
    const isArmed = state === "eligible";
    if (isEnd(phase) && offset === this.#previous && !isArmed) return isPan && state === "pulling" ? "idle" : null;
    const next = predicted(phase, offset, law, { isArmed, isPan });
    return next === state ? null : next;
  }
}
