// What an indicator shows at a time: the states of its edge in, the values of its programme's layers out
// (docs/indicators.md, from "The parts" to "Reduced motion"). No DOM, no clock: times are arguments, in
// milliseconds, and do not fall.

import { PROPERTIES, WIDTH, isMovement } from "./programme.js";

/** Milliseconds that are none. */
const INSTANTLY = 1e-6;

/** What a state shows: the pull; the run; the end of the run and the finish; those, and then the rest. */
const DISPLAYS = {
  pulling: "pull", approaching: "pull", eligible: "pull",
  refreshing: "run", loading: "run",
  succeeded: "end", failed: "end", finishing: "end",
  idle: "rest", noMore: "rest",
};
const FAILURES = new Set(["failed", "timedOut"]);
const NONE = new Map();

// What is shown: {kind, start, end}. `end`: when a run will end, or a finish will be over.
const REST = { kind: "rest", end: Infinity };
const PULL = { kind: "pull", end: Infinity };

/** Plays one programme at one edge. `role` is that edge's: a load-more edge's `failed` is a rest. */
export class Player {
  #programme;
  #isReduced;
  #role;

  #state = "idle"; // of the edge, as told
  #shown = "idle"; // of those, the one by which `states` is looked up
  #pull = 0;
  #result = null;
  #part = REST;
  #ways = new Map(); // by slot, the way from what one state showed to what the next one does
  #now = 0;

  /** An edge that has been in `state` since `time`. */
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

  /** Takes what the edge is in since `time`: its state, its pull (1: the threshold) and how it ended. */
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
        // What the one before came to is its own affair.
        if (!wasRunning) this.#result = null;
        return this.#runs(time);
      case "end": case "rest": return this.#ends(time);
      default: return this.#turn(REST, state, time);
    }
  }

  /** The number of every slot at `time`, layer by layer in the order of `PROPERTIES`. */
  values(time, into = new Float64Array(this.#programme.own.length)) {
    this.#advance(time);
    return this.#all(this.#now, into);
  }

  /** What each layer says now, in their order; null where it is no text. */
  get texts() {
    const said = this.#programme.states.get(this.#shown)?.text ?? {};
    return this.#programme.layers.map(({ name, text }) =>
      (text === undefined ? null : Object.hasOwn(said, name) ? said[name] : text));
  }

  /** Whether anything moves by itself, or will, from `time` on. */
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
    // A load-more edge whose load failed waits to be asked again.
    if (this.#state === "failed" && this.#role === "loadMore") return "rest";
    return DISPLAYS[this.#state] ?? "nothing";
  }

  #runs(time) {
    // A run that was about to end goes on.
    if (this.#part.kind === "run") return this.#turn({ ...this.#part, end: Infinity }, this.#state, time);
    this.#turn(this.#runSince(time), this.#state, time);
  }

  #runSince(time) {
    const { run } = this.#programme;
    return { kind: "run", tracks: this.#isReduced || !run ? NONE : run.tracks, start: time, end: Infinity };
  }

  /** The refresh is over: the run goes to its ending. */
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

  /** The finish is over: it stays as it ended, or the rest follows where the state asks for it. */
  #finishes(time) {
    if (this.#display === "rest") return this.#turn(REST, this.#state, time);
    Object.assign(this.#part, { end: Infinity, isOver: true });
  }

  /** During a finish the state is one that says that something has ended. */
  get #stateOfFinish() {
    return ["succeeded", "failed", "finishing"].includes(this.#state) ? this.#state : "finishing";
  }

  // Time

  /** Lets what ends by itself end at its own instant, however rarely anybody looks. */
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

  /** Another part, or another state's look: each property goes over as one of the two states says. */
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

  /** What the state shows, on the way to which a property may still be. */
  #aimed(slot, time) {
    const set = this.#programme.states.get(this.#shown)?.set;
    return set?.has(slot) ? set.get(slot) : this.#played(slot, time);
  }

  /** What the part that is shown says. */
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
   * What the run shows at its end. One that ends with a cycle has come to that cycle's end, however the sum of its
   * times is rounded.
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

  /** Where in the run's keys a time since its beginning lies. */
  #place(gone) {
    const { duration, loopFrom } = this.#programme.run;
    if (gone < duration) return gone;
    const round = duration - loopFrom;
    return round > 0 ? loopFrom + ((gone - loopFrom) % round) : duration;
  }
}
