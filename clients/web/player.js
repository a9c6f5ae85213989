// The look of an indicator over time. The input is the states of its edge; the output is the values of its programme's
// layers (docs/indicators.md, from "The parts" to "Reduced motion"). No DOM, no clock: times are arguments, in
// milliseconds, and do not decrease.

import { PROPERTIES, WIDTH, isMovement } from "./programme.js";

/** A negligible time, in milliseconds. */
const INSTANTLY = 1e-6;

/** The display of each state: the pull; the run; the end of the run and the finish; the rest after them. */
const DISPLAYS = {
  pulling: "pull", approaching: "pull", eligible: "pull",
  refreshing: "run", loading: "run",
  succeeded: "end", failed: "end", finishing: "end",
  idle: "rest", noMore: "rest",
};
const FAILURES = new Set(["failed", "timedOut"]);
const NONE = new Map();

// The displayed part: {kind, start, end}. `end` is the end of a run or of a finish.
const REST = { kind: "rest", end: Infinity };
const PULL = { kind: "pull", end: Infinity };

/** Plays one programme at one edge. `role` is the role of the edge: at a load-more edge, `failed` is a rest. */
export class Player {
  #programme;
  #isReduced;
  #role;

  #state = "idle"; // of the edge, as received
  #shown = "idle"; // the state that selects the entry of `states`
  #pull = 0;
  #result = null;
  #part = REST;
  #ways = new Map(); // by slot, the transition from the previous state's value to the next one's
  #now = 0;

  /** Creates a player for an edge that has been in `state` since `time`. */
  constructor(programme, {
    motion = "full", role = "refresh", state = "idle", pull = 0, time = 0,
  } = {}) {
    this.#programme = programme;
    this.#isReduced = motion === "reduced";
    this.#role = role;
    this.#state = this.#shown = state;
    this.#pull = pull;
    if (this.#display === "pull") this.#part = PULL;
    if (this.#display === "run") this.#part = this.#runSince(time);
  }

  get programme() { return this.#programme; }

  /** Sets the edge's state since `time`, its pull (1 is the threshold) and its result. */
  show(state, pull = 0, result = null, time = 0) {
    this.#advance(time);
    const wasRunning = this.#display === "run";
    if (result) this.#result = result;
    this.#state = state;
    switch (this.#display) {
      case "pull":
        this.#turn(PULL, state, time);
        this.#pull = pull;
        return;
      case "run":
        // The result of the previous run does not matter.
        if (!wasRunning) this.#result = null;
        return this.#runs(time);
      case "end": case "rest": return this.#ends(time);
      default: return this.#turn(REST, state, time);
    }
  }

  /** The numbers of all slots at `time`, layer by layer in the order of `PROPERTIES`. */
  values(time, into = new Float64Array(this.#programme.own.length)) {
    this.#advance(time);
    return this.#all(this.#now, into);
  }

  /** The current texts of the layers, in their order; null for layers without text. */
  get texts() {
    const said = this.#programme.states.get(this.#shown)?.text ?? {};
    return this.#programme.layers.map(({ name, text }) =>
      (text === undefined ? null : Object.hasOwn(said, name) ? said[name] : text));
  }

  /** Whether anything is animated at `time` or will be later. */
  isMoving(time) {
    this.#advance(time);
    if (this.#ways.size > 0) return true;
    const { kind, start, end, tracks } = this.#part;
    if (kind !== "run" || this.#isReduced) return end < Infinity;
    const { run } = this.#programme;
    const isStill = tracks.size === 0 || (run.duration <= run.loopFrom && time >= start + run.duration);
    return end < Infinity || !isStill;
  }

  // Parts

  get #display() {
    // A load-more edge whose load failed waits for a retry.
    if (this.#state === "failed" && this.#role === "loadMore") return "rest";
    return DISPLAYS[this.#state] ?? "nothing";
  }

  #runs(time) {
    // A run that was about to end continues.
    if (this.#part.kind === "run") return this.#turn({ ...this.#part, end: Infinity }, this.#state, time);
    this.#turn(this.#runSince(time), this.#state, time);
  }

  #runSince(time) {
    const { run } = this.#programme;
    return { kind: "run", tracks: this.#isReduced || !run ? NONE : run.tracks, start: time, end: Infinity };
  }

  /** Ends a refresh: the run continues to its ending. */
  #ends(time) {
    const { kind, end } = this.#part;
    if (this.#isReduced || (kind !== "run" && kind !== "finish")) {
      return this.#turn(REST, this.#state, time);
    }
    if (kind === "finish") {
      this.#turn(this.#part, this.#stateOfFinish, time);
      if (end <= time || this.#part.isOver) this.#finishes(time);
    } else if (end === Infinity) {
      this.#part.end = this.#endOfRun(time);
      this.#advance(time);
    }
  }

  #endOfRun(time) {
    const { run, ending } = this.#programme;
    if (!run || ending === "atOnce") return time;
    if (ending === "atRelease") return this.#state === "finishing" ? Infinity : time;
    const { start } = this.#part;
    if (ending === "atStep") return start + Math.ceil((time - start) / run.step) * run.step;
    const first = start + run.duration;
    if (time <= first) return first;
    const cycle = run.duration - run.loopFrom;
    return cycle > 0 ? first + Math.ceil((time - first) / cycle) * cycle : time;
  }

  #finish(time) {
    const clip = FAILURES.has(this.#result) ? this.#programme.failure : this.#programme.success;
    if (!clip && this.#display === "rest") return this.#turn(REST, this.#state, time);
    const held = Float64Array.from(this.#programme.own, (_, slot) => this.#ended(slot, time));
    this.#turn({
      kind: "finish", tracks: clip?.tracks ?? NONE, held, start: time, end: time + (clip?.duration ?? 0),
    }, this.#stateOfFinish, time);
  }

  /** Ends a finish. Its last look stays, or the rest follows if the state requires it. */
  #finishes(time) {
    if (this.#display === "rest") return this.#turn(REST, this.#state, time);
    Object.assign(this.#part, { end: Infinity, isOver: true });
  }

  /** During a finish, the state is one of an ended load. */
  get #stateOfFinish() {
    return ["succeeded", "failed", "finishing"].includes(this.#state) ? this.#state : "finishing";
  }

  // Time

  /** Ends parts at their exact times, however rarely this is called. */
  #advance(time) {
    while (this.#part.end <= time) {
      if (this.#part.kind === "run") this.#finish(this.#part.end);
      else this.#finishes(this.#part.end);
    }
    this.#now = Math.max(this.#now, time);
    for (const [slot, { end }] of this.#ways) {
      if (end <= time) this.#ways.delete(slot);
    }
  }

  /** Changes the part or the state. Each property has the transition that one of the two states defines. */
  #turn(part, shown, time) {
    const entered = this.#programme.states.get(shown)?.enter ?? [];
    const left = this.#programme.states.get(this.#shown)?.exit ?? [];
    const crosses = shown !== this.#shown && !this.#isReduced;
    const before = crosses ? this.#all(time) : null;
    this.#part = part;
    this.#shown = shown;
    if (!crosses) return;
    this.#ways.clear();
    for (let slot = 0; slot < before.length; slot += 1) {
      const names = ({ properties }) => !properties || properties.has(PROPERTIES[slot % WIDTH]);
      const way = entered.find(names) ?? left.find(names);
      if (!way || way.duration <= 0) continue;
      const { duration, easing } = way;
      this.#ways.set(slot, { from: before[slot], start: time, end: time + duration, duration, easing });
    }
  }

  // Numbers

  #all(time, into = new Float64Array(this.#programme.own.length)) {
    for (let slot = 0; slot < into.length; slot += 1) into[slot] = this.#value(slot, time);
    return into;
  }

  #value(slot, time) {
    const value = this.#aimed(slot, time);
    const way = this.#ways.get(slot);
    if (!way || time >= way.end) return value;
    return way.from + (value - way.from) * way.easing((time - way.start) / way.duration);
  }

  /** The value in this state, without the running transition. */
  #aimed(slot, time) {
    const set = this.#programme.states.get(this.#shown)?.set;
    return set?.has(slot) ? set.get(slot) : this.#played(slot, time);
  }

  /** The value in the displayed part. */
  #played(slot, time) {
    if (this.#isReduced && isMovement(slot)) return this.#pulled(slot, 1);
    const { kind, start, tracks, held } = this.#part;
    switch (kind) {
      case "run": return tracks.get(slot)?.at(this.#place(time - start)) ?? this.#pulled(slot, 1);
      case "finish": return tracks.get(slot)?.at(time - start) ?? held[slot];
      case "pull": return this.#pulled(slot, this.#pull);
      default: return this.#pulled(slot, 0);
    }
  }

  /**
   * The value at the end of the run. A run that ends with a cycle is at the end of that cycle, whatever the rounding of
   * times.
   */
  #ended(slot, time) {
    const track = this.#part.kind === "run" ? this.#part.tracks.get(slot) : null;
    if (!track) return this.#played(slot, time);
    const { duration, loopFrom } = this.#programme.run;
    const gone = time - this.#part.start;
    const place = this.#place(gone);
    const isAtEnd = place > duration - INSTANTLY
      || (gone > duration - INSTANTLY && place - loopFrom < INSTANTLY);
    return track.at(isAtEnd ? duration : place);
  }

  #pulled(slot, pull) {
    return this.#programme.pull.get(slot)?.at(pull) ?? this.#programme.own[slot];
  }

  /** The position in the run's keys for a time since its start. */
  #place(gone) {
    const { duration, loopFrom } = this.#programme.run;
    if (gone < duration) return gone;
    const round = duration - loopFrom;
    return round > 0 ? loopFrom + ((gone - loopFrom) % round) : duration;
  }
}
