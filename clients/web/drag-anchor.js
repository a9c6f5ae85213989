// Anchors a drag: it maps the travel of the finger to the offset of the list by the `resistance` of
// the control law. This module uses no DOM and no clock.

/**
 * Interpolates linearly in a table of points and extends its last segment. `from` and `to` are the
 * columns of the input and of the output.
 */
function interpolate(table, from, to, value) {
  if (table.length < 2) return value;
  let next = table.findIndex((point) => point[from] > value);
  if (next === 0) return table[0][to];
  if (next < 0) next = table.length - 1;
  const [a, b] = [table[next - 1], table[next]];
  // If the shown distance is constant in the last segment, the result is the end of the segment.
  if (a[from] === b[from]) return b[to];
  return a[to] + ((b[to] - a[to]) * (value - a[from])) / (b[from] - a[from]);
}

/** The point of the list that a finger holds during a drag. */
export class DragAnchor {
  #rest;
  #tables; // for the lower and the upper end: pairs of travel and shown distance, beyond the end
  #origin; // the offset without resistance for a translation of 0

  /** Anchors the list at `offset` for a finger that has travelled `translation`. */
  constructor({ rest, tables }, offset, translation) {
    this.#rest = rest;
    this.#tables = tables;
    const edge = this.#nearestRest(offset);
    const side = Math.sign(offset - edge);
    const beyond = interpolate(this.#table(side), 1, 0, Math.abs(offset - edge));
    this.#origin = (side === 0 ? offset : edge + side * beyond) + translation;
  }

  #nearestRest(offset) {
    const [lower, upper] = this.#rest;
    return Math.min(Math.max(offset, lower), Math.max(lower, upper));
  }

  #table(side) { return this.#tables[side < 0 ? 0 : 1]; }

  /** The offset of the list for a finger that has travelled `translation`. */
  offset(translation) {
    const unresisted = this.#origin - translation;
    const edge = this.#nearestRest(unresisted);
    const side = Math.sign(unresisted - edge);
    return side === 0 ? unresisted : edge + side * interpolate(this.#table(side), 0, 1, Math.abs(unresisted - edge));
  }

  /**
   * The velocity of the list under a finger that moves at `velocity`, both in points per second.
   */
  velocity(velocity, translation) {
    return velocity * (this.offset(translation - 0.5) - this.offset(translation + 0.5));
  }
}
