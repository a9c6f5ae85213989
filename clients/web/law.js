// The control law of a view as a client reads it (docs/protocol.md, "The control law"). No DOM, no clock.

import { EDGES } from "./edges.js";

/** Whether an offset lies in a range whose ends may be open. */
const contains = ([from, to], offset) => (from ?? -Infinity) <= offset && offset <= (to ?? Infinity);

export const isWithin = (ranges, offset) => ranges.some((range) => contains(range, offset));

export class Law {
  rest;
  /** By name; `null` where nothing of a pull is seen. */
  edges = {};
  crossings;
  follow;
  interest;
  /** Tables by edge; null while they were not told. */
  resistance;

  constructor(law, before = null) {
    // What did not change since the law before is left out.
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

  /** Resistance at the lower and at the upper end, of which one may stand for both. `isLower` tells edges apart. */
  tables(isLower) {
    const names = Object.keys(this.resistance);
    const [lower, upper] = [names.find(isLower), names.find((name) => !isLower(name))];
    return [this.resistance[lower ?? upper], this.resistance[upper ?? lower]];
  }

  isFollowed(offset) { return isWithin(this.follow, offset); }

  isOfInterest(offset) { return isWithin(this.interest, offset); }

  /** Whether two offsets lie on different sides of something. */
  isCrossed(from, to) {
    return this.crossings.some((at) => Math.sign(from - at) !== Math.sign(to - at))
      || this.interest.some((range) => contains(range, from) !== contains(range, to));
  }

  /** Whether an offset is so near to something that the daemon may have the list on its other side. */
  isNearSomething(offset, distance) {
    const marks = Object.values(this.edges).flatMap((edge) => edge?.marks ?? []);
    return [...this.crossings, ...this.interest.flat(), ...marks].some(
      (at) => at !== null && Math.abs(at - offset) < distance);
  }
}

export class EdgeLaw {
  #law;
  #begin;
  #whole;

  constructor(law) {
    this.#law = law;
    this.#begin = law.pull[0][0];
    this.#whole = law.pull[1][0];
  }

  get arm() { return this.#law.arm ?? null; }
  get fires() { return this.#law.fires; }
  get room() { return this.#law.room ?? 0; }
  get duration() { return this.#law.duration ?? 0; }
  get hasLead() { return this.#law.lead !== undefined; }
  /** Whether a pull goes towards smaller offsets. */
  get isLower() { return this.#whole < this.#begin; }
  get marks() {
    const { arm, disarm } = this.#law;
    return [this.#begin, arm, disarm].filter((at) => at !== undefined && at !== null);
  }

  /** How far `offset` is beyond `place`, in the direction of the pull. */
  beyond(offset, place) {
    return this.isLower ? place - offset : offset - place;
  }

  /** 0 before the pull, 1 where it is whole, more beyond. */
  pull(offset) {
    const way = this.beyond(offset, this.#begin);
    return way > 0 ? way / this.beyond(this.#whole, this.#begin) : 0;
  }

  /** Whether a finger at that offset arms the edge or, if it is armed, has not disarmed it. */
  arms(offset, isArmed) {
    const way = this.beyond(offset, this.#law.arm);
    return (this.#law.strict ? way > 0 : way >= 0) || (isArmed && this.keepsArmed(offset));
  }

  /** Whether an edge that is armed is so at that offset as well. */
  keepsArmed(offset) {
    if (this.arm === null) return false;
    const { arm, disarm = arm, strict = false } = this.#law;
    const way = this.beyond(offset, arm);
    return !(strict && way === 0) && (way >= 0 || this.beyond(offset, disarm) > 0);
  }

  /** Whether a list that goes at `speed`, points per millisecond, is so near that this arms the edge. */
  armsByLead(offset, speed) {
    if (!this.hasLead) return false;
    const [time, place] = this.#law.lead;
    const ahead = offset + speed * time;
    return this.beyond(ahead, place) >= -0.01 && this.beyond(ahead, offset) > 0;
  }
}
