// The `local` kind of client (docs/protocol.md, "The control law"): it paints each frame from law and programme
// without asking, tells the daemon only what it cannot know, and predicts what a release brings. No DOM, no clock:
// times come with what happens.

import { EdgeLaw } from "./edge-law.js";
import { EDGES } from "./edges.js";
import { flight } from "./flight.js";
import { Grip } from "./grip.js";
import { Painter } from "./painter.js";
import { Speed } from "./speed.js";
import { Stream, isWithin } from "./stream.js";

/** A finger of which the daemon has heard says so often that it is still there. */
const SIGN_OF_LIFE_MS = 2000;
/** By `pan` the daemon works out by itself where the list is: what it may see at a mark, is told. */
const NEAR = 0.2;
/** The states of a refresh edge that the finger changes. */
const FREE = new Set(["idle", "pulling", "eligible"]);
const isEnd = (phase) => phase === "ended" || phase === "cancelled";
const isFinger = ({ cause = "finger" }) => cause === "finger";

export class Local extends Stream {
  #motion;
  #law = null;
  #laws = {}; // by edge
  #tables = null; // resistance at the lower and at the upper end
  #deceleration = "normal";
  #painters = {}; // by edge

  #offset = NaN; // where the list is shown
  #speed = new Speed();
  #shown = "idle"; // the refresh edge's state here, told or predicted
  #predictedBy = 0; // the `seq` of the last prediction: what answers anything before does not count
  #opening = null; // {edge, room, duration, isTold}: the room of a predicted refresh
  #release = { seq: 0, t: NaN }; // of a list whose way the daemon is about to tell
  #restsAt = -Infinity; // when the list that is under way will be there

  /** `motion`: `full` or `reduced`, as in `hello`. */
  constructor(view, drawings, { motion = "full" } = {}) {
    super(view, drawings);
    this.#motion = motion;
  }

  get #refreshEdge() {
    return EDGES.find((name) => this.view[name]?.role === "refresh");
  }

  // What the daemon says

  begin(message) {
    super.begin(message);
    this.#law = this.#tables = this.#opening = null;
    this.#laws = {};
    this.#painters = {};
    this.#speed = new Speed();
    this.#predictedBy = 0;
    this.#release = { seq: 0, t: NaN };
    this.#restsAt = -Infinity;
    this.#deceleration = message.pan?.deceleration ?? "normal";
  }

  take(message, now) {
    const commands = super.take(message, now);
    if (message.law) this.#obey(message.law);
    if (message.type === "attached") this.#beginPainting(message, now);
    if (message.blend > 0) {
      for (const painter of Object.values(this.#painters)) painter.blend(message.blend, now);
    }
    const edge = this.#refreshEdge;
    if (message[edge]?.state && message.ack >= this.#predictedBy) this.#shown = this.view[edge].state;
    if (commands.inset) this.#placeInset(message, commands, now);
    if (commands.offset) this.#placeOffset(message, commands, now);
    this.#show(now);
    return commands;
  }

  #beginPainting(message, now) {
    const options = { motion: this.#motion, time: now };
    for (const name of EDGES) {
      const { programme, role, state } = message[name] ?? {};
      if (programme) this.#painters[name] = new Painter(programme, { ...options, role, state });
    }
    const edge = this.#refreshEdge;
    this.#shown = message[edge]?.state ?? "idle";
    // Where nothing was said of where it is, it rests where reading begins.
    const start = this.#law?.rest[this.#isLower(edge) ? 0 : 1] ?? NaN;
    if (Number.isNaN(this.told.offset)) this.told.offset = this.#offset = start;
  }

  #isLower(edge) {
    return this.#laws[edge]?.isLower ?? (edge !== "bottom" && edge !== "trailing");
  }

  #obey(law) {
    const before = this.#law?.rest;
    this.#law = law;
    this.#laws = {};
    for (const name of EDGES) if (law[name]) this.#laws[name] = new EdgeLaw(law[name]);
    if (law.resistance) {
      const { top, bottom, leading, trailing } = law.resistance;
      const [lower, upper] = [top ?? leading, bottom ?? trailing];
      this.#tables = [lower ?? upper, upper ?? lower];
    }
    // What changes under a finger leaves the list where it is.
    const isElsewhere = before?.[0] !== law.rest[0] || before?.[1] !== law.rest[1];
    if (this.gesture?.grip && isElsewhere) this.#hold(this.#offset, this.last.translation);
  }

  /** A room that opens since the prediction goes on opening. */
  #placeInset({ ack, blend = 0 }, commands, now) {
    const opening = this.#opening;
    if (blend > 0) commands.inset = { ...commands.inset, duration: blend, start: now };
    if (!opening || ack < opening.seq) return;
    this.#opening = null;
    if (blend > 0 || commands.inset[opening.edge] !== opening.room) return;
    const { [opening.edge]: _, ...others } = commands.inset;
    commands.inset = others;
  }

  /** Brings the daemon's `offset` together with where the list is shown. */
  #placeOffset({ ack, blend = 0 }, commands, now) {
    const { offset } = commands;
    if (this.gesture?.grip && this.gesture.isDown) {
      // A list under a finger is here already where the daemon's answer has it.
      commands.offset = blend > 0 ? { to: offset.to, duration: blend, start: now } : undefined;
      if (blend > 0) this.#hold(offset.to, this.last.translation);
      return;
    }
    // The way after a release began here when the finger left.
    if (offset.path && ack >= this.#release.seq && !Number.isNaN(this.#release.t)) {
      commands.offset = { ...offset, start: this.#release.t };
    } else if (blend > 0 && !offset.path) {
      commands.offset = { ...offset, duration: blend, start: now };
    }
    this.#release.t = NaN;
    this.#restsAt = (commands.offset.start ?? now) + (offset.duration ?? 0);
  }

  // What the user does

  scroll(sample) {
    if (!this.#law) return super.scroll(sample);
    this.#offset = sample.offset;
    this.#speed.add(sample);
    super.scroll(sample);
    this.#show(sample.t);
    return this.#opened(sample.t);
  }

  pan(sample) {
    const { t, phase, translation, velocity = 0 } = sample;
    if (phase === "began" || !this.gesture?.isDown) this.#takeHold(sample);
    const { gesture } = this;
    if (!gesture.grip) {
      super.pan(sample);
      this.#show(t);
      return this.#opened(t);
    }
    const offset = gesture.grip.offset(translation);
    const placed = { ...sample, offset };
    this.note("pan", { ...placed, phase: gesture.isDown ? "dragging" : phase }, true);
    this.#offset = offset;
    this.#speed.add(placed);
    if (this.wants("pan", placed, { within: true })) this.tell("pan", placed);
    if (!isEnd(phase)) {
      this.#show(t);
      return { ...this.#opened(t), offset: { to: offset, duration: 0, start: t } };
    }
    return this.#letGo(placed, phase === "ended" ? gesture.grip.velocity(velocity, translation) : 0);
  }

  #takeHold({ t, offset = this.#offset, translation, phase, cause }) {
    this.note("pan", { t, offset, translation, phase: "began", cause }, true);
    this.gesture.isCaught = t < this.#restsAt;
    const [lower, upper] = this.#law?.rest ?? [Infinity, -Infinity];
    // Beyond its ends the list may be farther out than any finger pulls it: that is the daemon's to weigh.
    if (!this.#tables || offset < lower || offset > upper) return;
    this.#hold(offset, phase === "began" ? translation : 0);
  }

  #hold(offset, translation) {
    this.gesture.grip = new Grip({ rest: this.#law.rest, tables: this.#tables }, offset, translation);
  }

  /** The list goes where the daemon will send it, as far as that can be known; a refresh keeps its room open. */
  #letGo(sample, velocity) {
    const { t, offset } = sample;
    let [lower, upper] = this.#law.rest;
    const { edge, room = 0 } = this.#opening ?? {};
    if (edge && this.#isLower(edge)) lower -= room;
    else upper += room;
    const way = flight({ offset, velocity, lower, upper, deceleration: this.#deceleration, start: t });
    const rest = way?.to ?? offset;
    // What flies elsewhere than the daemon knows of, it must know of.
    if (!this.hasTold && rest !== this.told.offset) this.tell("pan", sample);
    if (this.gesture.isTold) {
      this.#release = { seq: this.lastSeq, t };
      this.ignoreBefore(this.lastSeq);
    }
    this.told.offset = this.last.offset = rest;
    this.#restsAt = way ? t + way.duration : t;
    this.leave(sample);
    this.#show(t);
    return { ...this.#opened(t), offset: way ?? { to: offset, duration: 0, start: t } };
  }

  /** The room of a refresh that was just predicted. */
  #opened(t) {
    const opening = this.#opening;
    if (!opening || opening.isBegun) return null;
    opening.isBegun = true;
    const { edge, room, duration } = opening;
    return { inset: { [edge]: room, duration, start: t, curve: "easeInOut" } };
  }

  // What is told

  wants(type, sample, where) {
    if (!this.#law || !isFinger(sample)) return super.wants(type, sample, where);
    const { phase } = sample;
    if (where.enters && this.gesture) return true;
    if ((isEnd(phase) || phase === "idle") && this.hasTold) return true;
    if (!where.within && !where.leaves) return false;
    if (this.#asks(type, sample)) return true;
    // A finger that does nothing yet is told of where that alone may matter.
    const isBegun = phase === "began" || (type === "pan" && this.gesture?.isCaught && !this.gesture.isTold);
    return isBegun && (sample.t < this.#restsAt || this.gesture.isCaught || this.#hasHiddenEdge);
  }

  get #hasHiddenEdge() {
    return EDGES.some((name) => this.#law[name] === null);
  }

  /** Whether a sample changes anything for the daemon, or what is shown is not what would be told of it. */
  #asks(type, { t, offset, phase }) {
    const { crossings = [], follow = [] } = this.#law;
    const { told, gesture } = this;
    if (crossings.some((at) => Math.sign(offset - at) !== Math.sign(told.offset - at))) return true;
    if (this.#crossesInterest(offset) || isWithin(follow, offset)) return true;
    if (EDGES.some((name) => this.view[name] && this.#looksWrong(name, offset))) return true;
    const laws = Object.values(this.#laws);
    if (laws.some((law) => law.armsByLead(offset, this.#speed.value))) return true;
    if (type === "pan" && [...crossings, ...laws.flatMap((law) => law.marks)].some(
      (at) => Math.abs(offset - at) <= NEAR)) return true;
    return phase === "dragging" && gesture?.isTold && t - told.t >= SIGN_OF_LIFE_MS;
  }

  #crossesInterest(offset) {
    const isOther = (isInside) => isInside(offset) !== isInside(this.told.offset);
    return this.interest.some(([from, to]) =>
      (from !== null && isOther((at) => at >= from)) || (to !== null && isOther((at) => at <= to)));
  }

  /** Whether an edge shows a state that the law would not have at that offset. */
  #looksWrong(name, offset) {
    const law = this.#laws[name];
    const { state } = this.edge(name);
    const showsPull = state === "pulling" || state === "approaching";
    if (!law) return showsPull;
    if (law.isBeyondArm(offset) && (showsPull || state === "idle")) return true;
    return law.pull(offset) > 0 ? state === "idle" : showsPull;
  }

  /** Adds what the sample predicts, and the speed where an edge goes by it. */
  fields(type, sample, isLast) {
    if (!this.#law) return sample;
    const fields = { ...sample };
    const isMoving = sample.phase === "dragging" || sample.phase === "decelerating";
    const hasLead = Object.values(this.#laws).some((law) => law.hasLead);
    if (isMoving && hasLead && this.#speed.value !== 0) fields.velocity = this.#speed.value * 1000;
    const predicted = isLast && isFinger(sample) && this.gesture ? this.#predicted(type, sample) : this.#shown;
    if (predicted !== this.#shown) {
      fields.predicted = this.#shown = predicted;
      this.#predictedBy = Infinity; // until the message has its number
    }
    return fields;
  }

  /** What a finger's sample, or its inertia's, makes of the refresh edge. */
  #predicted(type, { phase }) {
    const shown = this.#shown;
    const law = this.#laws[this.#refreshEdge];
    if (!law || !FREE.has(shown)) return shown;
    const offset = this.#offset;
    const wasArmed = shown === "eligible";
    if (phase === "cancelled") return wasArmed ? "pulling" : shown;
    const isArmed = phase === "decelerating" || phase === "idle" ? false : law.arms(offset, wasArmed);
    if (isArmed) {
      const fires = law.fires === "reach" || (law.fires === "release" && phase === "ended");
      return fires ? "refreshing" : "eligible";
    }
    if (type === "pan" && phase === "ended") return "idle";
    return law.pull(offset) > 0 ? "pulling" : "idle";
  }

  tell(type, sample) {
    const before = this.#shown;
    const seq = super.tell(type, sample);
    if (this.#shown === before) return seq;
    this.#predictedBy = seq;
    const edge = this.#refreshEdge;
    const law = this.#laws[edge];
    if (this.#shown === "refreshing" && law.room > 0) {
      this.#opening = { edge, seq, room: law.room, duration: law.duration };
    }
    return seq;
  }

  // What is shown

  /** What an edge shows, told or predicted. */
  edge(name) {
    const told = this.view[name];
    const law = this.#laws[name];
    if (!told) return told;
    const state = told.role === "refresh" ? this.#shown : told.state;
    const shown = state === told.state ? told : { ...told, state, cause: undefined, result: undefined };
    if (state === "eligible") return { ...shown, progress: 1 };
    if (!law || (state !== "pulling" && state !== "approaching")) return shown;
    return { ...shown, progress: Math.min(law.pull(this.#offset), 1) };
  }

  #show(now) {
    for (const [name, painter] of Object.entries(this.#painters)) {
      const { state, progress = 0, result } = this.edge(name);
      painter.show(state, this.#laws[name]?.pull(this.#offset) ?? progress, result, now);
    }
  }

  isMoving(now) {
    return Object.values(this.#painters).some((painter) => painter.isMoving(now));
  }

  paint(now, rooms, offset) {
    this.#offset = offset;
    this.#show(now);
    for (const [name, painter] of Object.entries(this.#painters)) {
      const frame = painter.frame(now);
      if (frame) this.drawings[name]?.frame(frame);
    }
    super.paint(now, rooms, offset);
  }

  /** What an edge shows in numbers, for those who compare. */
  look(name, now) {
    const painter = this.#painters[name];
    return painter && { values: [...painter.values(now)], texts: painter.texts };
  }
}
