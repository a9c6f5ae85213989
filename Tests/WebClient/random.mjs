// Random numbers for property tests, and the operations of a list in the simplest way.

/** Random numbers from 0 up to a limit, from a seed (Mulberry32). */
export function randomNumbers(seed) {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** Returns the seed of a test, and prints it. */
export function seedOf(t) {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  t.diagnostic(`SEED=${seed}`);
  return seed;
}

/** Applies an operation to an array in the simplest way. Returns whether it fits. */
export function applyToModel(list, operation) {
  const indexOf = (key) => list.findIndex(({ id }) => id === key);
  const item = operation.insert ?? operation.update;
  const key = item ? item.id : operation.remove ?? operation.move;
  const index = indexOf(key);
  if ((index < 0) !== Boolean(operation.insert)) return false;
  if (operation.update) list[index] = item;
  if (operation.update) return true;
  const placeKey = operation.before ?? operation.after;
  if (placeKey !== undefined && indexOf(placeKey) < 0) return false;
  if (placeKey === key) return true;
  const [moved = item] = index < 0 ? [] : list.splice(index, 1);
  if ("remove" in operation) return true;
  const places = { start: 0, end: list.length };
  const place = operation.at ? places[operation.at] : indexOf(placeKey) + (operation.after === undefined ? 0 : 1);
  list.splice(place, 0, moved);
  return true;
}
