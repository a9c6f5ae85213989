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
const PULLED = new Set(["pulling", "eligible"]);
const isEnd = (phase) => phase === "ended" || phase === "cancelled";

export class Local extends Stream {
  #motion;
  #law = null;
  #laws = {}; // by edge
  #tables = null; // resistance at the lower and at the upper end
  #deceleration = "normal";
  #painters = {}; // by edge
  #shares = {}; // the daemon's share of each inset, as told

  #offset = NaN; // where the list is shown
  #speed = new Speed();
  #isArmed = false; // the refresh edge, by the finger
  #isNear = false; // an edge is armed by its lead
  #hasFired = false; // in this gesture
  #believed = "idle"; // what the daemon thinks that the refresh edge shows here
  #prediction = null; // {edge, room, duration, seq}: a refresh that is shown and not told yet
  #release = { seq: 0, t: NaN }; // of a list whose way the daemon is about to tell
  #restsAt = -Infinity; // when the list that is under way will be there
  #held = []; // {seq, offset}: where the list was when the daemon heard of the finger

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
    this.#law = this.#tables = this.#prediction = null;
    this.#laws = {};
    this.#painters = {};
    this.#shares = {};
    this.#speed = new Speed();
    this.#isArmed = this.#isNear = this.#hasFired = false;
    this.#release = { seq: 0, t: NaN };
    this.#deceleration = message.pan?.deceleration ?? "normal";
  }

  take(message, now) {
    const commands = super.take(message, now);
    if (message.type === "attached") this.#beginPainting(message, now);
    if (message.law) this.#obey(message.law);
    if (message.blend > 0) {
      for (const painter of Object.values(this.#painters)) painter.blend(message.blend, now);
    }
    if (message[this.#refreshEdge]?.state) this.#believed = this.view[this.#refreshEdge].state;
    for (const name of EDGES) {
      if (message.inset?.[name] !== undefined) this.#shares[name] = message.inset[name];
    }
    this.#settle(message, commands, now);
    if (commands.offset) this.#place(message, commands, now);
    this.#show(now);
    return commands;
  }

  #beginPainting(message, now) {
    const options = { motion: this.#motion, time: now };
    for (const name of EDGES) {
      const { programme, role, state } = message[name] ?? {};
      if (programme) this.#painters[name] = new Painter(programme, { ...options, role, state });
    }
    if (message.law && Number.isNaN(this.told.offset)) {
      // Nothing was said of where it is: it rests where reading begins.
      this.told.offset = this.#offset = message.law.rest[this.#isLower(this.#refreshEdge) ? 0 : 1];
    }
  }

  #isLower(edge) {
    const pull = this.#law?.[edge]?.pull;
    return pull ? pull.at(-1)[0] < pull[0][0] : edge !== "bottom" && edge !== "trailing";
  }

  #obey(law) {
    this.#law = law;
    this.#laws = {};
    for (const name of EDGES) if (law[name]) this.#laws[name] = new EdgeLaw(law[name]);
    if (law.resistance) {
      const { top, bottom, leading, trailing } = law.resistance;
      const [lower, upper] = [top ?? leading, bottom ?? trailing];
      this.#tables = [lower ?? upper, upper ?? lower];
    }
    if (!this.#laws[this.#refreshEdge]) this.#isArmed = false;
    // What changes under a finger leaves the list where it is.
    const { gesture } = this;
    if (gesture?.grip) gesture.grip = this.#hold(this.#offset, this.last.translation);
  }

  /** Once the daemon has answered a prediction, what it tells counts. */
  #settle({ ack, blend = 0 }, commands, now) {
    const prediction = this.#prediction;
    if (!prediction || ack < prediction.seq) return;
    this.#prediction = null;
    const { edge, room } = prediction;
    if (room === 0) return;
    const share = this.#shares[edge] ?? 0;
    if (share === room) {
      // It opens already, since the prediction.
      const { [edge]: _, ...others } = commands.inset ?? {};
      commands.inset = others;
    } else {
      commands.inset = {
        ...commands.inset, [edge]: share, duration: blend, start: now, curve: "linear",
      };
    }
  }

  /** Brings the daemon's `offset` together with where the list is shown. */
  #place({ ack, blend = 0 }, commands, now) {
    const { offset } = commands;
    const { gesture } = this;
    if (gesture?.isDown && gesture.grip) {
      commands.offset = this.#moveHeld(offset, ack, now);
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

  /** A list under a finger is where the daemon puts it already, but for what holds still what is seen. */
  #moveHeld(offset, ack, now) {
    const way = offset.to - (this.#held.findLast(({ seq }) => seq <= ack)?.offset ?? offset.to);
    if (Math.abs(way) < 0.5) return undefined;
    for (const held of this.#held) held.offset += way;
    this.#offset += way;
    this.gesture.grip = this.#hold(this.#offset, this.last.translation);
    return { to: this.#offset, duration: 0, start: now };
  }

  // What the user does

  scroll(sample) {
    if (!this.#law) return super.scroll(sample);
    this.#feel(sample);
    super.scroll(sample);
    this.#show(sample.t);
    return this.#opened(sample.t);
  }

  pan(sample) {
    if (!this.#tables) return super.pan(sample);
    const { t, phase, translation, velocity = 0 } = sample;
    const begins = phase === "began" || !this.gesture?.isDown;
    if (begins) this.note("pan", { ...sample, phase: "began", offset: sample.offset ?? this.#offset }, true);
    const isCaught = begins && t < this.#restsAt;
    if (begins) {
      this.#held = [];
      this.#hasFired = this.#isArmed = false;
      this.gesture.grip = this.#hold(this.last.offset, phase === "began" ? translation : 0);
    }
    const { gesture } = this;
    const offset = gesture.grip.offset(translation);
    const placed = { ...sample, offset };
    this.note("pan", { ...placed, phase: "dragging" }, true);
    this.#feel(placed);
    const ends = isEnd(phase);
    const way = ends
      ? this.#letGo(offset, phase === "ended" ? gesture.grip.velocity(velocity, translation) : 0, t)
      : null;
    const rest = way?.to ?? offset;
    const asks = isCaught || this.#asks(placed);
    if (asks || (ends && (gesture.isTold || Math.abs(rest - this.told.offset) > 0.5))) {
      const seq = this.tell("pan", placed);
      if (ends) {
        this.ignoreBefore(seq);
        this.#release = { seq, t };
      }
      this.#held.push({ seq, offset });
    }
    if (ends) this.told.offset = rest;
    this.leave(placed);
    this.#show(t);
    return { ...this.#opened(t), offset: way ?? { to: offset, duration: 0, start: t } };
  }

  #hold(offset, translation) {
    return new Grip({ rest: this.#law.rest, tables: this.#tables }, offset, translation);
  }

  /** The way of a list that was let go: a refresh that fires holds it at its room. */
  #letGo(offset, velocity, t) {
    let [lower, upper] = this.#law.rest;
    const { edge, room = 0 } = this.#prediction ?? {};
    if (edge && this.#isLower(edge)) lower -= room;
    else upper += room;
    const way = flight({ offset, velocity, lower, upper, deceleration: this.#deceleration, start: t });
    this.#restsAt = way ? t + way.duration : t;
    return way;
  }

  /** What a sample does to the edges, before anything is told of it. */
  #feel({ t, offset, phase, cause }) {
    this.#offset = offset;
    this.#speed.add(t, offset);
    if (phase === "began") this.#hasFired = this.#isArmed = false;
    const edge = this.#refreshEdge;
    const law = this.#laws[edge];
    if (!law || cause === "code") return;
    const isDown = phase === "began" || phase === "dragging";
    if (isDown || phase === "ended") this.#isArmed = law.arms(offset, this.#isArmed);
    const fires = law.fires === "release" ? phase === "ended" : law.fires === "reach" && isDown;
    if (fires && this.#isArmed && !this.#hasFired) {
      this.#hasFired = true;
      this.#prediction = { edge, room: law.room, duration: law.duration, seq: Infinity };
    }
    if (!isDown) this.#isArmed = false;
  }

  /** The room of a refresh that was just predicted. */
  #opened(t) {
    const prediction = this.#prediction;
    if (!prediction?.room || prediction.isOpen) return null;
    prediction.isOpen = true;
    const { edge, room, duration } = prediction;
    return { inset: { [edge]: room, duration, start: t, curve: "easeInOut" } };
  }

  // What is told

  wants(sample, where) {
    if (!this.#law) return super.wants(sample, where);
    if (where.enters && this.gesture) return true;
    const asks = where.within && this.#asks(sample);
    return asks || (this.hasTold && (isEnd(sample.phase) || sample.phase === "idle"));
  }

  /** Whether the daemon must know of a sample: what it asked for, a prediction, or a sign of life. */
  #asks({ t, offset, phase }) {
    const wasNear = this.#isNear;
    this.#isNear = Object.values(this.#laws).some((law) => law.armsByLead(offset, this.#speed.value));
    if ((this.#isNear && !wasNear) || this.#prediction?.seq === Infinity) return true;
    const { crossings = [], follow = [] } = this.#law;
    const { told } = this;
    if (crossings.some((at) => Math.sign(offset - at) !== Math.sign(told.offset - at))) return true;
    if (isWithin(follow, offset)) return true;
    return phase === "dragging" && this.gesture?.isTold && t - told.t >= SIGN_OF_LIFE_MS;
  }

  tell(type, sample) {
    const seq = super.tell(type, sample);
    if (this.#prediction?.seq === Infinity) this.#prediction.seq = seq;
    return seq;
  }

  /** Adds what was predicted since the last message, and the speed where an edge goes by it. */
  fields(type, sample, isLast) {
    if (!this.#law) return sample;
    const fields = { ...sample };
    const isMoving = sample.phase === "dragging" || sample.phase === "decelerating";
    const hasLead = Object.values(this.#laws).some((law) => law.hasLead);
    if (isMoving && hasLead && this.#speed.value !== 0) fields.velocity = this.#speed.value;
    const shown = this.edge(this.#refreshEdge)?.state;
    if (isLast && shown !== undefined && shown !== this.#believed) {
      fields.predicted = this.#believed = shown;
    }
    return fields;
  }

  // What is shown

  /** What an edge shows, told or predicted. */
  edge(name) {
    const told = this.view[name];
    const law = this.#laws[name];
    if (told?.role === "refresh") return this.#refreshShown(told, law);
    if (!law || told?.state !== "approaching") return told;
    return { ...told, progress: Math.min(law.pull(this.#offset), 1) };
  }

  #refreshShown(told, law) {
    if (this.#prediction) return { ...told, state: "refreshing", cause: "finger", result: undefined };
    const { gesture } = this;
    if (!law || !gesture) return told;
    // Nobody reports the way back of a list that the daemon moves: with the finger its pull is over.
    const isPulled = gesture.type === "scroll" || gesture.isDown;
    const pull = isPulled ? law.pull(this.#offset) : 0;
    if (this.#isArmed) return { ...told, state: "eligible", progress: 1 };
    if (pull > 0) return { ...told, state: "pulling", progress: Math.min(pull, 1) };
    return PULLED.has(told.state) ? { ...told, state: "idle" } : told;
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
