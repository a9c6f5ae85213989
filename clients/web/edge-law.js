// The control law of one edge (docs/protocol.md, "The control law"). No DOM, no clock.

export class EdgeLaw {
  #table;
  #side; // 1 where a pull goes towards larger offsets, -1 where towards smaller ones
  #law;

  constructor(law) {
    this.#law = law;
    this.#table = law.pull;
    this.#side = Math.sign(law.pull.at(-1)[0] - law.pull[0][0]) || 1;
  }

  get room() { return this.#law.room ?? 0; }
  get duration() { return this.#law.duration ?? 0; }
  get fires() { return this.#law.fires ?? null; }
  get hasLead() { return Boolean(this.#law.lead); }

  /** The pull at an offset: 1 at the threshold, more beyond it. */
  pull(offset) {
    const table = this.#table;
    const beyond = ([at]) => this.#side * (offset - at);
    if (beyond(table[0]) <= 0) return 0;
    // On the last line also what lies beyond it.
    let next = table.findIndex((point) => beyond(point) < 0);
    if (next < 0) next = table.length - 1;
    if (next === 0) return table[0][1];
    const [[from, low], [to, high]] = [table[next - 1], table[next]];
    return low + ((high - low) * (offset - from)) / (to - from);
  }

  /** Whether a finger at that offset arms the edge, or, if it is `armed`, has not disarmed it. */
  arms(offset, armed) {
    const { arm = null, disarm = arm, strict = false } = this.#law;
    if (arm === null) return false;
    if (armed) return this.#side * (offset - disarm) >= 0;
    const beyond = this.#side * (offset - arm);
    return strict ? beyond > 0 : beyond >= 0;
  }

  /** Whether a list that goes at `speed`, points per second, is so near that this arms the edge. */
  armsByLead(offset, speed) {
    if (!this.#law.lead) return false;
    const [ms, at] = this.#law.lead;
    return this.#side * speed > 0 && this.#side * (offset + (speed * ms) / 1000 - at) >= 0;
  }
}
