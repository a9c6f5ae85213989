// A finger that holds a list: where the list is for how far the finger has travelled, by the law's `resistance`.
// No DOM, no clock.

/** A table of points with straight lines in between, the last one going on. `from`, `to`: which way it is read. */
function read(table, from, to, value) {
  if (table.length < 2) return value;
  let next = table.findIndex((point) => point[from] > value);
  if (next === 0) return table[0][to];
  if (next < 0) next = table.length - 1;
  const [a, b] = [table[next - 1], table[next]];
  // Where the list does not go any farther, any distance shows the same.
  if (a[from] === b[from]) return b[to];
  return a[to] + ((b[to] - a[to]) * (value - a[from])) / (b[from] - a[from]);
}

export class Grip {
  #rest;
  #tables; // at the lower and at the upper end: finger travel beyond it, points shown beyond it
  #origin; // where the list would be without resistance for a translation of 0

  /** Takes hold of the list at `offset` when the finger has travelled `translation`. */
  constructor({ rest, tables }, offset, translation) {
    this.#rest = rest;
    this.#tables = tables;
    const edge = this.#edge(offset);
    const side = Math.sign(offset - edge);
    const beyond = read(this.#table(side), 1, 0, Math.abs(offset - edge));
    this.#origin = (side === 0 ? offset : edge + side * beyond) + translation;
  }

  #edge(offset) {
    const [lower, upper] = this.#rest;
    return Math.min(Math.max(offset, lower), Math.max(lower, upper));
  }

  #table(side) { return this.#tables[side < 0 ? 0 : 1]; }

  /** Where the list is for a finger that has travelled `translation`. */
  offset(translation) {
    const free = this.#origin - translation;
    const edge = this.#edge(free);
    const side = Math.sign(free - edge);
    return side === 0 ? free : edge + side * read(this.#table(side), 0, 1, Math.abs(free - edge));
  }

  /** How fast the list goes under a finger that moves it by `velocity`, both points per second. */
  velocity(velocity, translation) {
    return velocity * (this.offset(translation - 0.5) - this.offset(translation + 0.5));
  }
}
