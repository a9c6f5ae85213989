// The hold of a finger on a list: the list's offset for the travel of the finger, by the law's `resistance`. No DOM, no
// clock.

/**
 * Interpolates linearly in a table of points; the last segment is extended. `from` and `to` are the input and output
 * column.
 */
function read(table, from, to, value) {
  if (table.length < 2) return value;
  let next = table.findIndex((point) => point[from] > value);
  if (next === 0) return table[0][to];
  if (next < 0) next = table.length - 1;
  const [a, b] = [table[next - 1], table[next]];
  // If the list does not move any farther, any travel has the same result.
  if (a[from] === b[from]) return b[to];
  return a[to] + ((b[to] - a[to]) * (value - a[from])) / (b[from] - a[from]);
}

export class Grip {
  #rest;
  #tables; // at the lower and at the upper end: finger travel beyond it, points shown beyond it
  #origin; // the offset without resistance for a translation of 0

  /** Takes hold of the list at `offset`, when the finger has travelled `translation`. */
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

  /** The offset of the list for a finger that has travelled `translation`. */
  offset(translation) {
    const free = this.#origin - translation;
    const edge = this.#edge(free);
    const side = Math.sign(free - edge);
    return side === 0 ? free : edge + side * read(this.#table(side), 0, 1, Math.abs(free - edge));
  }

  /** The velocity of the list under a finger that moves at `velocity`, both in points per second. */
  velocity(velocity, translation) {
    return velocity * (this.offset(translation - 0.5) - this.offset(translation + 0.5));
  }
}
