// The `local` kind of client (docs/protocol.md, "What a local client shows"). It renders each frame from the law and
// the programme, sends only what the daemon cannot know, and shows the effect of a release immediately. No DOM, no
// clock: times are arguments.

import { EDGES } from "./edges.js";
import { flight } from "./flight.js";
import { Grip } from "./grip.js";
import { Law, isWithin } from "./law.js";
import { Painter } from "./painter.js";
import { Stream, isEnd } from "./stream.js";
import { Teller } from "./teller.js";

/** The time in which a room closes that was opened by mistake. */
const CLOSING_MS = 150;

export class Local extends Stream {
  #motion;
  #law = null;
  #teller = null; // null without a law: then samples are sent as by any other client
  #deceleration = "normal";
  #hasLead = false; // whether an edge may load by the velocity of the list
  #isForMovement = false; // whether a resting finger changes nothing visible
  #lower = {}; // which edges have the smallest offsets, as far as laws have shown it
  #painters = {}; // by edge
  #programmes = {}; // by edge, the text of the programme that its painter plays
  #shares = {}; // the daemon's share of each inset, received or predicted

  #offset = NaN; // the shown offset of the list
  #hold = null; // {grip, translation}: the hold of a finger on a list that is moved here
  #isPanned = false; // whether a finger holds the list
  #seq = 0;
  #pans = new Set(); // the `seq`s of sent samples of the finger that holds the list
  #opening = null; // {edge, room, duration, seq}: the room of a predicted refresh
  #release = { seq: 0, t: NaN, offset: null }; // a release whose path has yet to arrive: `seq`, time and offset
  #restsAt = -Infinity; // when the current motion of the list ends

  /** `motion`: `full` or `reduced`, as in `hello`. */
  constructor(view, drawings, { motion = "full" } = {}) {
    super(view, drawings);
    this.#motion = motion;
  }

  get isIndependent() { return this.#teller !== null && Boolean(this.#law.resistance); }

  get #refreshEdge() {
    return EDGES.find((name) => this.view[name]?.role === "refresh");
  }

  // Messages of the daemon

  begin(message) {
    super.begin(message);
    this.#law = this.#teller = this.#hold = this.#opening = null;
    this.#isPanned = false;
    this.#painters = {};
    this.#programmes = {};
    this.#shares = {};
    this.#release = { seq: 0, t: NaN, offset: null };
    this.#restsAt = -Infinity;
    this.#lower = {};
    this.#pans = new Set();
    this.#beginOptions(message);
  }

  goOn(message) {
    // A reloaded page has shown nothing yet.
    if (!this.#teller) return this.begin(message);
    super.goOn(message);
    this.#beginOptions(message);
  }

  isDrawn(name, edge) {
    return this.#painters[name] !== undefined && JSON.stringify(edge?.programme) === this.#programmes[name];
  }

  #beginOptions(message) {
    this.#deceleration = message.pan?.deceleration ?? "normal";
    this.#hasLead = EDGES.some((name) => typeof message[name]?.leadTime === "number");
    this.#isForMovement = message.attention === "movement";
  }

  take(message, now) {
    const commands = super.take(message, now);
    const before = this.#law;
    if (message.law) this.#takeLaw(message);
    if (message.type === "attached" && this.#law && !this.#teller) this.#beginTelling();
    this.#beginPainting(message, now);
    if (message.blend > 0) {
      for (const painter of Object.values(this.#painters)) painter.blend(message.blend, now);
    }
    this.#teller?.hear(message, EDGES);
    for (const name of EDGES) {
      if (message.inset?.[name] !== undefined) this.#shares[name] = message.inset[name];
    }
    this.#placeInset(message, commands, now);
    if (message.offset) this.#placeOffset(message, commands, now);
    // A resumed session does not repeat commands that have finished.
    else if (this.view.isComingBack) this.#release = { seq: this.#release.seq, t: NaN, offset: null };
    else this.#stay(message, commands, now);
    // A change of the range under a finger leaves the list where it is.
    const isOther = message.law && JSON.stringify([before?.rest, before?.resistance])
      !== JSON.stringify([this.#law.rest, this.#law.resistance]);
    // Beyond the old range, the shown offset is not exact, so the daemon must decide.
    if (this.#hold && isOther) this.#holdAnew(this.#offset, isWithin([before.rest], this.#offset));
    this.#show(now);
    return commands;
  }

  #takeLaw({ type, law }) {
    this.#law = new Law(law, type === "attached" ? null : this.#law);
    this.#hasLead ||= this.#law.hasLead;
    for (const [name, edge] of Object.entries(this.#law.edges)) {
      if (edge) this.#lower[name] = edge.isLower;
    }
  }

  #beginTelling() {
    const edge = this.#refreshEdge;
    // If no offset was given, the list rests at the start of reading.
    if (Number.isNaN(this.#offset)) this.#offset = this.#law.rest[this.#isLower(edge) ? 0 : 1];
    const client = this;
    this.#teller = new Teller({
      get law() { return client.#law; },
      get edges() { return client.#edges; },
      get refreshEdge() { return client.#refreshEdge; },
      get loadMoreEdge() { return EDGES.find((name) => client.view[name]?.role === "loadMore"); },
      get silence() { return client.silence; },
      get hasLead() { return client.#hasLead; },
      get isForMovement() { return client.#isForMovement; },
      send: (type, fields) => this.#send(type, fields),
      share: (name) => this.#shares[name] ?? 0,
      isLower: (name) => this.#isLower(name),
      open: (name, seq, t) => this.#open(name, seq, t),
    }, this.#offset);
  }

  get #edges() {
    return Object.fromEntries(EDGES.filter((name) => this.view[name]).map((name) => [name, this.view[name]]));
  }

  #isLower(edge) {
    if (this.#lower[edge] !== undefined) return this.#lower[edge];
    const other = EDGES.find((name) => name !== edge && this.#lower[name] !== undefined);
    return other === undefined ? edge !== "bottom" && edge !== "trailing" : !this.#lower[other];
  }

  #beginPainting(message, time) {
    for (const name of EDGES) {
      const { programme, indicator } = message[name] ?? {};
      if (!programme && indicator !== null) continue;
      if (message.type === "attached" && this.isDrawn(name, message[name])) continue;
      const { role, state } = this.view[name];
      if (programme) this.#painters[name] = new Painter(programme, { motion: this.#motion, time, role, state });
      else delete this.#painters[name];
      this.#programmes[name] = JSON.stringify(programme);
    }
  }

  /** A room that has been opening since the prediction continues to open. */
  #placeInset({ ack, blend = 0 }, commands, now) {
    if (blend > 0 && commands.inset) commands.inset = { ...commands.inset, duration: blend, start: now };
    const opening = this.#opening;
    if (!opening) return;
    if (ack < opening.seq) {
      // The update has the state before the prediction, and does not include it yet.
      if (this.view.isComingBack) commands.inset = this.#keepOpening(commands.inset);
      return;
    }
    this.#opening = null;
    const { edge, room, isGuess } = opening;
    const told = commands.inset?.[edge];
    if (told === undefined && isGuess) {
      this.#shares[edge] = 0;
      commands.inset = { ...commands.inset, [edge]: 0, duration: CLOSING_MS, start: now, curve: "easeInOut" };
    }
    if (blend > 0 || told !== room) return;
    const { [edge]: _, ...others } = commands.inset;
    commands.inset = others;
  }

  #keepOpening(inset) {
    const { edge, room } = this.#opening;
    this.#shares[edge] = room;
    const { [edge]: _, ...others } = inset ?? {};
    return others;
  }

  /** Reconciles the daemon's `offset` with the shown one. */
  #placeOffset({ ack, blend = 0, offset: { to } }, commands, now) {
    // A list under a finger already is where the daemon's answer places it.
    if (this.#hold && blend === 0 && this.#pans.has(ack)) {
      commands.offset = undefined;
      return;
    }
    this.#teller?.moved(to);
    const { offset } = commands;
    if (!offset) return;
    // The path after a release started here when the finger left.
    if (offset.path && ack >= this.#release.seq && !Number.isNaN(this.#release.t)) {
      commands.offset = { ...offset, start: this.#release.t };
    } else if (blend > 0 && !offset.path) {
      commands.offset = { ...offset, duration: blend, start: now };
    }
    if (this.#hold) this.#holdAnew(to, true);
    this.#release = { seq: this.#release.seq, t: NaN, offset: null };
    this.#restsAt = (commands.offset.start ?? now) + (offset.duration ?? 0);
  }

  /** Moves a list back that was predicted to move, but stays at its release for the daemon. */
  #stay({ ack }, commands, now) {
    const { seq, offset } = this.#release;
    if (offset === null || !(ack >= seq)) return;
    this.#release = { seq, t: NaN, offset: null };
    this.#restsAt = now + CLOSING_MS;
    this.#teller.moved(offset);
    commands.offset = { to: offset, duration: CLOSING_MS, start: now, curve: "easeOut" };
  }

  // Input of the user

  scroll(sample) {
    if (!this.#teller) return super.scroll(sample);
    this.#offset = sample.offset;
    const isUnderWay = sample.t < this.#restsAt;
    this.#restsAt = -Infinity;
    this.#teller.move({ type: "scroll", ...sample }, { isUnderWay });
    this.#show(sample.t);
    return this.#opened();
  }

  pan(sample) {
    if (!this.#teller) return super.pan(sample);
    const { t, phase, translation, velocity = 0 } = sample;
    const isUnderWay = t < this.#restsAt;
    const begins = phase === "began" || !this.#isPanned;
    const origin = sample.offset ?? this.#offset;
    if (begins) {
      this.#restsAt = -Infinity;
      this.#release.offset = null;
      this.#pans = new Set();
      this.#beginPan(origin, phase === "began" ? 0 : translation);
    }
    const grip = this.#hold?.grip;
    if (this.#hold) this.#hold.translation = translation;
    this.#offset = grip ? grip.offset(translation) : begins ? origin : this.#offset;
    this.#teller.move(
      { ...sample, type: "pan", offset: this.#offset, origin }, { isUnderWay, isHeld: grip !== undefined });
    if (begins) this.ignoreBefore(this.#seq);
    const way = isEnd(phase) ? this.#letGo(sample, phase === "ended" ? grip?.velocity(velocity, translation) : 0) : null;
    this.#show(t);
    const here = grip ? { to: this.#offset, duration: 0, start: t } : undefined;
    return { ...this.#opened(), offset: way ?? here };
  }

  #beginPan(offset, translation) {
    this.#isPanned = true;
    this.#hold = null;
    // Beyond its ends, the list may be farther out than any finger pulls it, so the daemon must decide.
    if (this.#law.resistance && isWithin([this.#law.rest], offset)) this.#takeHold(offset, translation);
  }

  #takeHold(offset, translation) {
    const law = { rest: this.#law.rest, tables: this.#law.tables((name) => this.#isLower(name)) };
    this.#hold = { grip: new Grip(law, offset, translation), translation };
  }

  /** Takes hold again after the list's range or offset has changed under the finger. */
  #holdAnew(offset, isExact) {
    this.#offset = offset;
    if (isExact && isWithin([this.#law.rest], offset)) this.#takeHold(offset, this.#hold.translation);
    else this.#hold = null;
    this.#teller.isHeld = this.#hold !== null;
  }

  /** Predicts the path of the list after the release, as far as possible. A refresh keeps its room open. */
  #letGo({ t }, velocity) {
    const isHeld = this.#hold !== null;
    this.#hold = null;
    this.#isPanned = false;
    this.#release = { seq: this.#seq, t, offset: null };
    this.ignoreBefore(this.#seq);
    if (!isHeld) {
      this.#release.t = NaN;
      return null;
    }
    this.#guessRoom(t);
    let [lower, upper] = this.#law.rest;
    const { edge, room = 0 } = this.#opening ?? {};
    if (edge && this.#isLower(edge)) lower -= room;
    else upper += room;
    const way = flight({
      offset: this.#offset, velocity, lower, upper, deceleration: this.#deceleration, start: t,
    });
    this.#restsAt = way ? t + way.duration : t;
    if (way) this.#release.offset = this.#offset;
    return way;
  }

  /** Opens the room of a refresh that waited for the release, if the list was pulled beyond its end. */
  #guessRoom(t) {
    const edge = this.#refreshEdge;
    const { hold, room, length, insetDuration } = this.view[edge] ?? {};
    if (this.#opening || !hold || (this.#shares[edge] ?? 0) !== 0 || this.edge(edge).state !== "refreshing") return;
    const [lower, upper] = this.#law.rest;
    if (this.#isLower(edge) ? this.#offset >= lower : this.#offset <= upper) return;
    this.#opening = { edge, seq: this.#seq, room: room ?? length, duration: insetDuration, start: t, isGuess: true };
    this.#shares[edge] = this.#opening.room;
  }

  rest(t) {
    if (!this.#teller) return super.rest(t);
    this.#teller.rest(t);
  }

  preface(now, type) {
    if (!this.#teller) return super.preface(now, type);
    const before = this.#seq;
    this.#teller.present(now);
    // Both messages have one answer. Its offset for the finger is already shown, unless the geometry changes.
    if (this.#pans.has(this.#seq) && this.#seq !== before && type !== "geometry") this.#pans.add(this.#seq + 1);
  }

  #send(type, fields) {
    this.#seq = this.view.send(type, fields);
    if (type === "pan") this.#pans.add(this.#seq);
    return this.#seq;
  }

  // Display

  /** Opens the room of a predicted refresh. */
  #open(edge, seq, t) {
    const { room, duration } = this.#law.edges[edge];
    if (room === 0 || this.#shares[edge] === room) return;
    this.#shares[edge] = room;
    this.#opening = { edge, seq, room, duration, start: t };
  }

  /** The command that opens the room, once. */
  #opened() {
    const opening = this.#opening;
    if (!opening || opening.isBegun) return null;
    opening.isBegun = true;
    const { edge, room, duration, start } = opening;
    return { inset: { [edge]: room, duration, start, curve: "easeInOut" } };
  }

  /** The shown state of an edge, received or predicted. */
  edge(name) {
    const told = this.view[name];
    if (!told || !this.#teller) return told;
    const predicted = told.role === "refresh" ? this.#teller.predicted : null;
    const shown = predicted === null ? told : { ...told, state: predicted, cause: undefined, result: undefined };
    switch (shown.state) {
      case "eligible": return { ...shown, progress: 1 };
      case "pulling": case "approaching": return { ...shown, progress: this.#teller.progress(name) };
      default: return shown;
    }
  }

  #show(now) {
    for (const [name, painter] of Object.entries(this.#painters)) {
      const { state, progress = 0, result } = this.edge(name);
      // Beyond the threshold the pull continues, but the progress does not.
      const pull = progress < 1 ? progress : Math.max(this.#law?.edges[name]?.pull(this.#offset) ?? 1, 1);
      painter.show(state, pull, result, now);
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

  /** The numbers that an edge shows, for comparisons. */
  look(name, now) {
    const painter = this.#painters[name];
    return painter && { values: [...painter.values(now)], texts: painter.texts };
  }
}
