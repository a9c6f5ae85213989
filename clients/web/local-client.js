// The `local` client of a view (docs/protocol.md, "What a local client shows"). It renders each
// frame from the control law and the programme, and sends only the samples that the daemon needs.
// It shows the effect of a release immediately. This module uses no DOM and no clock: times are
// arguments.

import { ControlLaw, isWithin } from "./control-law.js";
import { DragAnchor } from "./drag-anchor.js";
import { EDGES } from "./edges.js";
import { IndicatorAnimators } from "./indicator-animators.js";
import { releasePath } from "./release-path.js";
import { SampleReporter } from "./sample-reporter.js";
import { StreamClient, isEnd } from "./stream-client.js";

/** The time in which the effect of a wrong prediction is undone. */
const CORRECTION_MS = 150;

/** The `local` client of one view. */
export class LocalClient extends StreamClient {
  #law = null;
  #reporter = null; // null if there is no law; the client then sends samples like a `stream` client
  #deceleration = "normal";
  #hasLead = false; // whether the velocity of the list can cause an edge to load
  #isForMovement = false; // whether `attention` is `movement`, so that a resting finger has no effect
  #lower = {}; // by edge, whether the edge is at the smallest offsets; only edges that a law contained
  #animators;
  #shares = {}; // the daemon's share of each inset, received or predicted

  #offset = NaN; // the shown offset of the list
  #drag = null; // {anchor, translation}: the drag of a list that this client moves
  #isPanned = false; // whether a finger holds the list
  #seq = 0;
  #panSeqs = new Set(); // the `seq`s of the sent samples of the current pan
  #opening = null; // {edge, room, duration, start, seq}: the opening room of a predicted refresh
  // The last release, until the daemon answers it with a path: its `seq`, time and offset.
  #release = { seq: 0, t: NaN, offset: null };
  #animationEnd = -Infinity; // the end of the current animation of the list

  /**
   * `motion`: `full` or `reduced`, as in `hello`.
   *
   * @param {import("./view.js").View} view
   * @param {import("./stream-client.js").Indicators} [indicators]
   * @param {{motion?: string}} options
   */
  constructor(view, indicators, { motion = "full" } = {}) {
    super(view, indicators);
    this.#animators = new IndicatorAnimators(motion);
  }

  get canPanOffline() { return this.#reporter !== null && Boolean(this.#law.resistance); }

  get #refreshEdge() {
    return EDGES.find((name) => this.view[name]?.role === "refresh");
  }

  // Messages of the daemon

  attach(message) {
    super.attach(message);
    this.#law = this.#reporter = this.#drag = this.#opening = null;
    this.#isPanned = false;
    this.#animators.clear();
    this.#shares = {};
    this.#release = { seq: 0, t: NaN, offset: null };
    this.#animationEnd = -Infinity;
    this.#lower = {};
    this.#panSeqs = new Set();
    this.#applyOptions(message);
  }

  resume(message) {
    // After a reload, the page does not show the view yet, so the view is attached.
    if (!this.#reporter) return this.attach(message);
    super.resume(message);
    this.#applyOptions(message);
  }

  isDrawn(name, edge) {
    return this.#animators.plays(name, edge);
  }

  #applyOptions(message) {
    this.#deceleration = message.pan?.deceleration ?? "normal";
    this.#hasLead = EDGES.some((name) => typeof message[name]?.leadTime === "number");
    this.#isForMovement = message.attention === "movement";
  }

  handle(message, now) {
    const commands = super.handle(message, now);
    const before = this.#law;
    if (message.law) this.#applyLaw(message);
    if (message.type === "attached" && this.#law && !this.#reporter) this.#startReporting();
    this.#animators.handleMessage(message, this.view, now);
    this.#reporter?.handleMessage(message, EDGES);
    for (const name of EDGES) {
      if (message.inset?.[name] !== undefined) this.#shares[name] = message.inset[name];
    }
    this.#reconcileInset(message, commands, now);
    let isPlaced = false;
    if (message.offset) isPlaced = this.#reconcileOffset(message, commands, now);
    // A resumed session does not repeat commands that have finished.
    else if (this.view.isResuming) this.#forgetRelease();
    else this.#returnToRelease(message, commands, now);
    // If `rest` or `resistance` of the law changes, a dragged list stays where it is.
    const isOther = message.law && JSON.stringify([before?.rest, before?.resistance])
      !== JSON.stringify([this.#law.rest, this.#law.resistance]);
    // If the shown offset is beyond the previous range `rest`, the offset is not exact. In this
    // case the daemon moves the list.
    if (this.#drag && isOther && !isPlaced) this.#reanchorDrag(this.#offset, isWithin([before.rest], this.#offset));
    this.#updateAnimators(now);
    return commands;
  }

  #applyLaw({ type, law }) {
    this.#law = new ControlLaw(law, type === "attached" ? null : this.#law);
    this.#hasLead ||= this.#law.hasLead;
    for (const [name, edge] of Object.entries(this.#law.edges)) {
      if (edge) this.#lower[name] = edge.isLower;
    }
  }

  #startReporting() {
    const edge = this.#refreshEdge;
    // If no offset was given, the list rests at its refresh edge.
    if (Number.isNaN(this.#offset)) this.#offset = this.#law.rest[this.#isLower(edge) ? 0 : 1];
    const client = this;
    this.#reporter = new SampleReporter({
      get law() { return client.#law; },
      get edges() { return client.#edges; },
      get refreshEdge() { return client.#refreshEdge; },
      get loadMoreEdge() { return EDGES.find((name) => client.view[name]?.role === "loadMore"); },
      get gestureSilence() { return client.gestureSilence; },
      get hasLead() { return client.#hasLead; },
      get isForMovement() { return client.#isForMovement; },
      get reportsRows() { return client.view.hasRows; },
      send: (type, fields) => this.#send(type, fields),
      recordPlace: (seq) => this.recordPlace(seq),
      share: (name) => this.#shares[name] ?? 0,
      isLower: (name) => this.#isLower(name),
      openRoom: (name, seq, t) => this.#openRoom(name, seq, t),
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

  /** Reconciles the daemon's `inset` with a room that is opening by a prediction. */
  #reconcileInset({ ack, blend = 0 }, commands, now) {
    if (blend > 0 && commands.inset) commands.inset = { ...commands.inset, duration: blend, start: now };
    const opening = this.#opening;
    if (!opening) return;
    if (ack < opening.seq) {
      // The update contains the state before the prediction.
      if (this.view.isResuming) commands.inset = this.#keepOpening(commands.inset);
      return;
    }
    this.#opening = null;
    const { edge, room, duration, isTentative } = opening;
    const received = commands.inset?.[edge];
    if (received === undefined && isTentative) {
      this.#shares[edge] = 0;
      commands.inset = { duration: CORRECTION_MS, start: now, curve: "easeInOut", ...commands.inset, [edge]: 0 };
    }
    if (blend > 0 || received !== room || (isTentative && commands.inset.duration !== duration)) return;
    const { [edge]: _, ...others } = commands.inset;
    commands.inset = others;
  }

  #keepOpening(inset) {
    const { edge, room } = this.#opening;
    this.#shares[edge] = room;
    const { [edge]: _, ...others } = inset ?? {};
    return others;
  }

  /**
   * Reconciles the daemon's `offset` with the shown offset. Returns whether a drag continues from
   * the daemon's offset.
   */
  #reconcileOffset({ ack, blend = 0, offset: { to } }, commands, now) {
    if (this.isLate(ack)) {
      // The movement that makes the answer outdated has also ended the path of the release.
      if (ack >= this.#release.seq) this.#forgetRelease();
      return false;
    }
    // A list that a finger drags is already at the offset in the daemon's answer.
    if (this.#drag && blend === 0 && this.#panSeqs.has(ack)) {
      commands.offset = undefined;
      return false;
    }
    this.#reporter?.applyOffset(to, { isEcho: blend === 0 && this.#panSeqs.has(ack) });
    const { offset } = commands;
    if (!offset) return false;
    // A `local` client starts the path of a release at the time of the release. If the client
    // predicted no path, only the answer to the release itself contains this path. A later path has
    // another cause.
    const { seq, t, offset: released } = this.#release;
    const answersRelease = released === null ? ack === seq : ack >= seq;
    if (offset.path && answersRelease && !Number.isNaN(t)) {
      commands.offset = { ...offset, start: t };
    } else if (blend > 0 && !offset.path) {
      commands.offset = { ...offset, duration: blend, start: now };
    }
    if (this.#drag) this.#reanchorDrag(to, true);
    this.#forgetRelease();
    this.#animationEnd = (commands.offset.start ?? now) + (offset.duration ?? 0);
    return this.#drag !== null;
  }

  /** Ends the wait for the path of the last release. */
  #forgetRelease() {
    this.#release = { seq: this.#release.seq, t: NaN, offset: null };
  }

  /** Moves the list back to where it was released, if the daemon did not confirm the path. */
  #returnToRelease({ ack }, commands, now) {
    const { seq, offset } = this.#release;
    if (!(ack >= seq)) return;
    // A path that the daemon sends later is not an answer to this release.
    this.#release = { seq, t: NaN, offset: null };
    if (offset === null) return;
    this.#animationEnd = now + CORRECTION_MS;
    this.#reporter.applyOffset(offset);
    commands.offset = { to: offset, duration: CORRECTION_MS, start: now, curve: "easeOut" };
  }

  setOffset(offset) {
    super.setOffset(offset);
    this.#offset = offset;
    this.#forgetRelease();
    this.#reporter?.applyOffset(offset);
  }

  // Input of the user

  /**
   * @param {any} sample
   * @returns {import("./client-types.js").Commands | null}
   */
  scroll(sample) {
    if (!this.#reporter) return super.scroll(sample);
    this.#offset = sample.offset;
    const isAnimated = sample.t < this.#animationEnd;
    this.#animationEnd = -Infinity;
    if (!isAnimated) this.#release.offset = null;
    this.#reporter.handleSample({ type: "scroll", ...sample }, { isAnimated });
    this.#updateAnimators(sample.t);
    return this.#openingCommand();
  }

  /**
   * @param {any} sample
   * @returns {import("./client-types.js").Commands | null}
   */
  pan(sample) {
    if (!this.#reporter) return super.pan(sample);
    const { t, phase, translation, velocity = 0 } = sample;
    const isAnimated = t < this.#animationEnd;
    const begins = phase === "began" || !this.#isPanned;
    const origin = sample.offset ?? this.#offset;
    if (begins) {
      this.#animationEnd = -Infinity;
      this.#release.offset = null;
      this.#panSeqs = new Set();
      this.#beginPan(origin, phase === "began" ? 0 : translation);
    }
    const anchor = this.#drag?.anchor;
    if (this.#drag) this.#drag.translation = translation;
    this.#offset = anchor ? anchor.offset(translation) : begins ? origin : this.#offset;
    this.#reporter.handleSample(
      { ...sample, type: "pan", offset: this.#offset, origin }, { isAnimated, isAnchored: anchor !== undefined });
    if (begins) this.ignoreBefore(this.#seq);
    const releaseVelocity = phase === "ended" ? anchor?.velocity(velocity, translation) : 0;
    const path = isEnd(phase) ? this.#handleRelease(sample, releaseVelocity) : null;
    this.#updateAnimators(t);
    const here = anchor ? { to: this.#offset, duration: 0, start: t } : undefined;
    return { ...this.#openingCommand(), offset: path ?? here };
  }

  #beginPan(offset, translation) {
    this.#isPanned = true;
    this.#drag = null;
    // If the list is beyond an end, the daemon moves it, because the list can be farther out than a
    // finger can pull it.
    if (this.#law.resistance && isWithin([this.#law.rest], offset)) this.#anchorDrag(offset, translation);
  }

  #anchorDrag(offset, translation) {
    const law = { rest: this.#law.rest, tables: this.#law.resistanceTables((name) => this.#isLower(name)) };
    this.#drag = { anchor: new DragAnchor(law, offset, translation), translation };
  }

  /** Anchors the drag again after the list's range or offset has changed under the finger. */
  #reanchorDrag(offset, isExact) {
    this.#offset = offset;
    if (isExact && isWithin([this.#law.rest], offset)) this.#anchorDrag(offset, this.#drag.translation);
    else this.#drag = null;
    this.#reporter.isAnchored = this.#drag !== null;
  }

  /**
   * Predicts the path of the list after the release, if possible. If a refresh begins, its room is
   * part of the range in which the list can rest.
   */
  #handleRelease({ t }, velocity) {
    const isAnchored = this.#drag !== null;
    this.#drag = null;
    this.#isPanned = false;
    this.#release = { seq: this.#seq, t, offset: null };
    this.ignoreBefore(this.#seq);
    if (!isAnchored) {
      this.#release.t = NaN;
      return null;
    }
    this.#predictRoom(t);
    let [lower, upper] = this.#law.rest;
    const { edge, room = 0 } = this.#opening ?? {};
    if (edge && this.#isLower(edge)) lower -= room;
    else upper += room;
    const path = releasePath({
      offset: this.#offset, velocity, lower, upper, deceleration: this.#deceleration, start: t,
    });
    this.#animationEnd = path ? t + path.duration : t;
    if (path) this.#release.offset = this.#offset;
    return path;
  }

  /** Opens the room of a refresh at the release, if the list is pulled beyond the refresh edge. */
  #predictRoom(t) {
    const edge = this.#refreshEdge;
    const { hold, room, length, insetDuration } = this.view[edge] ?? {};
    if (this.#opening || !hold || (this.#shares[edge] ?? 0) !== 0 || this.edge(edge).state !== "refreshing") return;
    const [lower, upper] = this.#law.rest;
    if (this.#isLower(edge) ? this.#offset >= lower : this.#offset <= upper) return;
    this.#opening = {
      edge, seq: this.#seq, room: room ?? length, duration: insetDuration, start: t, isTentative: true,
    };
    this.#shares[edge] = this.#opening.room;
  }

  sendKeepAlive(t) {
    if (!this.#reporter) return super.sendKeepAlive(t);
    this.#reporter.sendKeepAlive(t);
  }

  sendPendingSample(now, type) {
    if (!this.#reporter) return super.sendPendingSample(now, type);
    const before = this.#seq;
    this.#reporter.sendCurrent(now);
    // The sample and the message that follows it get the same answer. If the geometry does not
    // change, the client already shows the offset in that answer.
    if (this.#panSeqs.has(this.#seq) && this.#seq !== before && type !== "geometry") this.#panSeqs.add(this.#seq + 1);
  }

  #send(type, fields) {
    this.#seq = this.view.send(type, fields);
    if (type === "pan") this.#panSeqs.add(this.#seq);
    return this.#seq;
  }

  // Display

  /** Opens the room of a predicted refresh. */
  #openRoom(edge, seq, t) {
    const { room, duration } = this.#law.edges[edge];
    if (room === 0 || this.#shares[edge] === room) return;
    this.#shares[edge] = room;
    this.#opening = { edge, seq, room, duration, start: t };
  }

  /** Returns the command that opens the room of a predicted refresh, once for each prediction. */
  #openingCommand() {
    const opening = this.#opening;
    if (!opening || opening.isSent) return null;
    opening.isSent = true;
    const { edge, room, duration, start } = opening;
    return { inset: { [edge]: room, duration, start, curve: "easeInOut" } };
  }

  /**
   * The shown state of an edge, received or predicted.
   *
   * @param {string} name
   * @returns {import("./client-types.js").Edge}
   */
  edge(name) {
    const received = this.view[name];
    if (!received || !this.#reporter) return received;
    const predicted = received.role === "refresh" ? this.#reporter.predicted : null;
    const shown = predicted === null
      ? received : { ...received, state: predicted, cause: undefined, result: undefined };
    switch (shown.state) {
      case "eligible": return { ...shown, progress: 1 };
      case "pulling": case "approaching": return { ...shown, progress: this.#reporter.progress(name) };
      default: return shown;
    }
  }

  /** Sets the shown states of the edges in their animators. */
  #updateAnimators(now) {
    this.#animators.setStates((name) => {
      const { state, progress = 0, result } = this.edge(name);
      // Beyond the threshold, the length of the pull increases, but the progress stays 1.
      const pull = progress < 1 ? progress : Math.max(this.#law?.edges[name]?.pull(this.#offset) ?? 1, 1);
      return { state, pull, result };
    }, now);
  }

  isAnimating(now) {
    return this.#animators.isAnimating(now);
  }

  paint(now, areas, offset) {
    this.#offset = offset;
    this.#updateAnimators(now);
    for (const [name, frame] of this.#animators.frames(now)) this.indicators[name]?.applyFrame(frame);
    super.paint(now, areas, offset);
  }

  /** Returns the numbers that an edge shows, for comparisons. */
  shownValues(name, now) {
    return this.#animators.shownValues(name, now);
  }
}
