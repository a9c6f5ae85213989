// The control law of one edge (docs/protocol.md, "The control law"). No DOM, no clock.

/** A list that is so near to its threshold may be at it for the daemon. */
const NEAR = 0.5;

export class EdgeLaw {
  #law;
  #start; // where a pull begins
  #whole; // where it is 1
  #side; // 1 where a pull goes towards larger offsets, -1 where towards smaller ones

  constructor(law) {
    this.#law = law;
    this.#start = law.pull[0][0];
    this.#whole = law.pull[1][0];
    this.#side = Math.sign(this.#whole - this.#start);
  }

  get room() { return this.#law.room ?? 0; }
  get duration() { return this.#law.duration ?? 0; }
  get fires() { return this.#law.fires; }
  get hasLead() { return this.#law.lead !== undefined; }
  /** Whether a pull goes towards smaller offsets. */
  get isLower() { return this.#side < 0; }
  /** The offsets that matter to the pull. */
  get marks() { return [this.#start, ...(this.#law.arm === undefined ? [] : [this.#law.arm])]; }

  /** The pull at an offset: 1 at the threshold, more beyond it. */
  pull(offset) {
    return Math.max((offset - this.#start) / (this.#whole - this.#start), 0);
  }

  /** Whether a finger at that offset arms the edge or, if it is `armed`, has not disarmed it. */
  arms(offset, armed) {
    const { arm, disarm, strict = false } = this.#law;
    if (arm === undefined || arm === null) return false;
    const beyond = this.#side * (offset - arm);
    if (!armed) return strict ? beyond > 0 : beyond >= 0;
    return disarm === undefined ? beyond >= 0 : this.#side * (offset - disarm) > 0;
  }

  /** Whether the list is where the edge would be armed, give or take what may be lost on the way. */
  isBeyondArm(offset) {
    const { arm } = this.#law;
    return arm !== undefined && arm !== null && this.#side * (offset - arm) >= -NEAR;
  }

  /** Whether a list that goes at `speed`, points per millisecond, is so near that this arms the edge. */
  armsByLead(offset, speed) {
    if (!this.hasLead) return false;
    const [ms, at] = this.#law.lead;
    return this.#side * (offset + speed * ms - at) >= 0;
  }
}
