// Plays an indicator programme over time (docs/indicators.md, from "The parts" to "Reduced
// motion"). It receives the states of the edge, and computes the values of the programme's layers.
// This module uses no DOM and no clock: times are arguments, in milliseconds, and do not decrease.

import { PROPERTIES, WIDTH, isMovement } from "./programme.js";

/** A time that is too short to matter, in milliseconds. */
const INSTANTLY = 1e-6;

/** The part of the programme that is displayed in each state of the edge. */
const DISPLAYS = {
  pulling: "pull", approaching: "pull", eligible: "pull",
  refreshing: "run", loading: "run",
  succeeded: "end", failed: "end", finishing: "end",
  idle: "rest", noMore: "rest",
};
const FAILURES = new Set(["failed", "timedOut"]);
const NONE = new Map();

// The displayed part of the programme is {kind, start, end}. `end` is the end of a run or of a
// finish.
const REST = { kind: "rest", end: Infinity };
const PULL = { kind: "pull", end: Infinity };

/** Plays one programme at one edge. A load-more edge in the state `failed` is shown at rest. */
export class IndicatorPlayer {
  #programme;
  #isReduced;
  #role;

  #state = "idle"; // the received state of the edge
  #shown = "idle"; // the state that selects the entry of `states`
  #pull = 0;
  #result = null;
  #part = REST;
  #transitions = new Map(); // by slot, the running transition from the previous state's value
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

  /**
   * Sets the edge's state, its pull (1 is the threshold) and its result, which apply from `time`
   * on.
   */
  setState(state, pull = 0, result = null, time = 0) {
    this.#advance(time);
    const wasRunning = this.#display === "run";
    if (result) this.#result = result;
    this.#state = state;
    switch (this.#display) {
      case "pull":
        this.#change(PULL, state, time);
        this.#pull = pull;
        return;
      case "run":
        // The result of the previous run is discarded.
        if (!wasRunning) this.#result = null;
        return this.#continueRun(time);
      case "end": case "rest": return this.#endRun(time);
      default: return this.#change(REST, state, time);
    }
  }

  /** Returns the numbers of all slots at `time`, layer by layer in the order of `PROPERTIES`. */
  values(time, into = new Float64Array(this.#programme.own.length)) {
    this.#advance(time);
    return this.#allValues(this.#now, into);
  }

  /** The current texts of the layers, in their order; null for layers without text. */
  get texts() {
    const stateTexts = this.#programme.states.get(this.#shown)?.text ?? {};
    return this.#programme.layers.map(({ name, text }) =>
      (text === undefined ? null : Object.hasOwn(stateTexts, name) ? stateTexts[name] : text));
  }

  /** Whether anything is animated at `time` or will be later. */
  isAnimating(time) {
    this.#advance(time);
    if (this.#transitions.size > 0) return true;
    const { kind, start, end, tracks } = this.#part;
    if (kind !== "run" || this.#isReduced) return end < Infinity;
    const { run } = this.#programme;
    const isStill = tracks.size === 0 || (run.duration <= run.loopFrom && time >= start + run.duration);
    return end < Infinity || !isStill;
  }

  // Parts

  get #display() {
    // After a failed load, a load-more edge is at rest and waits for a retry.
    if (this.#state === "failed" && this.#role === "loadMore") return "rest";
    return DISPLAYS[this.#state] ?? "nothing";
  }

  #continueRun(time) {
    // If the run would have ended after its current cycle, it now continues.
    if (this.#part.kind === "run") return this.#change({ ...this.#part, end: Infinity }, this.#state, time);
    this.#change(this.#runSince(time), this.#state, time);
  }

  #runSince(time) {
    const { run } = this.#programme;
    return { kind: "run", tracks: this.#isReduced || !run ? NONE : run.tracks, start: time, end: Infinity };
  }

  /** Handles the end of the load: a run continues to its end, and then the finish plays. */
  #endRun(time) {
    const { kind, end } = this.#part;
    if (this.#isReduced || (kind !== "run" && kind !== "finish")) {
      return this.#change(REST, this.#state, time);
    }
    if (kind === "finish") {
      this.#change(this.#part, this.#stateOfFinish, time);
      if (end <= time || this.#part.isOver) this.#endFinish(time);
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

  #startFinish(time) {
    const clip = FAILURES.has(this.#result) ? this.#programme.failure : this.#programme.success;
    if (!clip && this.#display === "rest") return this.#change(REST, this.#state, time);
    const held = Float64Array.from(this.#programme.own, (_, slot) => this.#runEndValue(slot, time));
    this.#change({
      kind: "finish", tracks: clip?.tracks ?? NONE, held, start: time, end: time + (clip?.duration ?? 0),
    }, this.#stateOfFinish, time);
  }

  /** Ends a finish. Its last values stay, except in a state that is shown at rest. */
  #endFinish(time) {
    if (this.#display === "rest") return this.#change(REST, this.#state, time);
    Object.assign(this.#part, { end: Infinity, isOver: true });
  }

  /** The state that the finish displays: one of the states after a load. */
  get #stateOfFinish() {
    return ["succeeded", "failed", "finishing"].includes(this.#state) ? this.#state : "finishing";
  }

  // Time

  /**
   * Ends the parts that are over at `time`. Each part ends at its exact time, whatever the frame
   * rate is.
   */
  #advance(time) {
    while (this.#part.end <= time) {
      if (this.#part.kind === "run") this.#startFinish(this.#part.end);
      else this.#endFinish(this.#part.end);
    }
    this.#now = Math.max(this.#now, time);
    for (const [slot, { end }] of this.#transitions) {
      if (end <= time) this.#transitions.delete(slot);
    }
  }

  /**
   * Changes the part or the state. The new state's `enter` defines the transition of each property
   * of a layer. For a property that `enter` does not contain, the old state's `exit` defines it.
   */
  #change(part, shown, time) {
    const enter = this.#programme.states.get(shown)?.enter ?? [];
    const exit = this.#programme.states.get(this.#shown)?.exit ?? [];
    const isAnimated = shown !== this.#shown && !this.#isReduced;
    const before = isAnimated ? this.#allValues(time) : null;
    this.#part = part;
    this.#shown = shown;
    if (!isAnimated) return;
    this.#transitions.clear();
    for (let slot = 0; slot < before.length; slot += 1) {
      const names = ({ properties }) => !properties || properties.has(PROPERTIES[slot % WIDTH]);
      const transition = enter.find(names) ?? exit.find(names);
      if (!transition || transition.duration <= 0) continue;
      const { duration, easing } = transition;
      this.#transitions.set(slot, { from: before[slot], start: time, end: time + duration, duration, easing });
    }
  }

  // Numbers

  #allValues(time, into = new Float64Array(this.#programme.own.length)) {
    for (let slot = 0; slot < into.length; slot += 1) into[slot] = this.#value(slot, time);
    return into;
  }

  #value(slot, time) {
    const value = this.#targetValue(slot, time);
    const transition = this.#transitions.get(slot);
    if (!transition || time >= transition.end) return value;
    const { from, start, duration, easing } = transition;
    return from + (value - from) * easing((time - start) / duration);
  }

  /** The value in this state, without the running transition. */
  #targetValue(slot, time) {
    const set = this.#programme.states.get(this.#shown)?.set;
    return set?.has(slot) ? set.get(slot) : this.#partValue(slot, time);
  }

  /** The value in the displayed part. */
  #partValue(slot, time) {
    if (this.#isReduced && isMovement(slot)) return this.#pullValue(slot, 1);
    const { kind, start, tracks, held } = this.#part;
    switch (kind) {
      case "run": return tracks.get(slot)?.at(this.#runPosition(time - start)) ?? this.#pullValue(slot, 1);
      case "finish": return tracks.get(slot)?.at(time - start) ?? held[slot];
      case "pull": return this.#pullValue(slot, this.#pull);
      default: return this.#pullValue(slot, 0);
    }
  }

  /**
   * The value at the end of the run. If a cycle ends at the same time, the result is the value at
   * the end of that cycle, so that rounded times do not matter.
   */
  #runEndValue(slot, time) {
    const track = this.#part.kind === "run" ? this.#part.tracks.get(slot) : null;
    if (!track) return this.#partValue(slot, time);
    const { duration, loopFrom } = this.#programme.run;
    const elapsed = time - this.#part.start;
    const position = this.#runPosition(elapsed);
    const isAtEnd = position > duration - INSTANTLY
      || (elapsed > duration - INSTANTLY && position - loopFrom < INSTANTLY);
    return track.at(isAtEnd ? duration : position);
  }

  #pullValue(slot, pull) {
    return this.#programme.pull.get(slot)?.at(pull) ?? this.#programme.own[slot];
  }

  /** Converts a time since the start of the run to a position in the keys of the run. */
  #runPosition(elapsed) {
    const { duration, loopFrom } = this.#programme.run;
    if (elapsed < duration) return elapsed;
    const cycle = duration - loopFrom;
    return cycle > 0 ? loopFrom + ((elapsed - loopFrom) % cycle) : duration;
  }
}
