// Decodes the control law of a view (docs/protocol.md, "The control law"). This module uses no DOM
// and no clock.

import { EDGES } from "./edges.js";

/**
 * During a `pan`, the daemon's offset differs from the shown offset by less than this number of
 * points.
 */
const MARK_DISTANCE = 0.2;

/**
 * Whether an offset lies in a range. If an end of the range is missing, the range has no limit
 * there.
 */
const contains = ([from, to], offset) => (from ?? -Infinity) <= offset && offset <= (to ?? Infinity);

export const isWithin = (ranges, offset) => ranges.some((range) => contains(range, offset));

/** The control law of one view. */
export class ControlLaw {
  rest;
  /** The laws of the edges by name. `null` if a pull at the edge is not visible. */
  edges = {};
  crossings;
  follow;
  interest;
  /** The resistance tables by edge. Null before the first law. */
  resistance;

  constructor(law, before = null) {
    // Members that have not changed since the previous law are absent, so the previous values are
    // kept.
    this.rest = law.rest ?? before?.rest;
    this.crossings = law.crossings ?? before?.crossings ?? [];
    this.follow = law.follow ?? before?.follow ?? [];
    this.interest = law.interest ?? before?.interest ?? [];
    Object.assign(this.edges, before?.edges);
    for (const name of EDGES) {
      if (law[name] !== undefined) this.edges[name] = law[name] && new EdgeLaw(law[name]);
    }
    this.resistance = law.resistance ?? before?.resistance ?? null;
  }

  get hasLead() { return Object.values(this.edges).some((edge) => edge?.hasLead); }

  /**
   * Returns the resistance tables of the lower end (at the smallest offsets) and of the upper end.
   * If only one edge has a table, it applies to both ends. `isLower` returns whether an edge is at
   * the lower end.
   */
  resistanceTables(isLower) {
    const names = Object.keys(this.resistance);
    const [lower, upper] = [names.find(isLower), names.find((name) => !isLower(name))];
    return [this.resistance[lower ?? upper], this.resistance[upper ?? lower]];
  }

  isFollowed(offset) { return isWithin(this.follow, offset); }

  isOfInterest(offset) { return isWithin(this.interest, offset); }

  /** Whether a crossing or the end of a range of interest is between two offsets. */
  isCrossed(from, to) {
    return this.crossings.some((at) => Math.sign(from - at) !== Math.sign(to - at))
      || this.interest.some((range) => contains(range, from) !== contains(range, to));
  }

  /**
   * Whether an offset is very close to a crossing, to the end of a range of interest, or to an
   * offset at which a pull starts, arms or disarms. In this case, the daemon's offset can be on the
   * other side.
   */
  isNearMark(offset) {
    const marks = Object.values(this.edges).flatMap((edge) => edge?.marks ?? []);
    return [...this.crossings, ...this.interest.flat(), ...marks].some(
      (at) => at !== null && Math.abs(at - offset) < MARK_DISTANCE);
  }
}

/** The control law of one edge. */
export class EdgeLaw {
  #law;
  #begin;
  #full;

  constructor(law) {
    this.#law = law;
    this.#begin = law.pull[0][0];
    this.#full = law.pull[1][0];
  }

  get arm() { return this.#law.arm ?? null; }
  get fires() { return this.#law.fires; }
  get room() { return this.#law.room ?? 0; }
  get duration() { return this.#law.duration ?? 0; }
  get hasLead() { return this.#law.lead !== undefined; }
  /** Whether a pull leads towards smaller offsets. */
  get isLower() { return this.#full < this.#begin; }
  get marks() {
    const { arm, disarm } = this.#law;
    return [this.#begin, arm, disarm].filter((at) => at !== undefined && at !== null);
  }

  /** The distance of `offset` beyond `place`, in the direction of the pull. */
  distanceBeyond(offset, place) {
    return this.isLower ? place - offset : offset - place;
  }

  /**
   * The progress of the pull: 0 where the pull starts, 1 at its full length, more beyond that
   * length.
   */
  pull(offset) {
    const distance = this.distanceBeyond(offset, this.#begin);
    return distance > 0 ? distance / this.distanceBeyond(this.#full, this.#begin) : 0;
  }

  /** Whether a finger at this offset arms the edge, or keeps it armed if `isArmed`. */
  arms(offset, isArmed) {
    const distance = this.distanceBeyond(offset, this.#law.arm);
    return (this.#law.strict ? distance > 0 : distance >= 0) || (isArmed && this.keepsArmed(offset));
  }

  /** Whether an armed edge stays armed at this offset. */
  keepsArmed(offset) {
    if (this.arm === null) return false;
    const { arm, disarm = arm, strict = false } = this.#law;
    const distance = this.distanceBeyond(offset, arm);
    return !(strict && distance === 0) && (distance >= 0 || this.distanceBeyond(offset, disarm) > 0);
  }

  /** Whether a list at this speed, in points per millisecond, arms the edge by its `lead`. */
  armsByLead(offset, speed) {
    if (!this.hasLead) return false;
    const [time, place] = this.#law.lead;
    const ahead = offset + speed * time;
    return this.distanceBeyond(ahead, place) >= -0.01 && this.distanceBeyond(ahead, offset) > 0;
  }
}
