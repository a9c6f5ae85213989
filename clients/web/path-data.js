// Splits an SVG path into its sub-paths. A browser restarts the dash pattern at each sub-path. If
// only a part of the whole length is stroked, the dashes must therefore be computed for each
// sub-path.

/** The number of arguments of a command, by its lower-case letter. */
const ARGUMENTS = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };
const NUMBER = /[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y;
const FLAG = /[\s,]*([01])/y;
const COMMAND = /[\s,]*([MLHVCSQTAZmlhvcsqtaz])/y;

/**
 * Yields the commands of a path with their numbers. Implicit repetitions of a command are expanded.
 * The sequence ends at the first syntax error.
 */
function* commands(text) {
  let at = 0;
  const match = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found?.[1];
  };
  for (let letter = match(COMMAND); letter; letter = match(COMMAND)) {
    const count = ARGUMENTS[letter.toLowerCase()];
    do {
      const numbers = [];
      for (let index = 0; index < count; index += 1) {
        // The flags of an arc can be adjacent to each other and to the next number.
        const isFlag = (letter === "a" || letter === "A") && (index === 3 || index === 4);
        const number = match(isFlag ? FLAG : NUMBER);
        if (number === undefined) return;
        numbers.push(Number(number));
      }
      yield { letter, numbers };
      if (letter === "m") letter = "l";
      if (letter === "M") letter = "L";
    } while (count > 0 && hasNumberAt(text, at));
  }
}

function hasNumberAt(text, at) {
  NUMBER.lastIndex = at;
  return NUMBER.test(text);
}

/** Returns the texts of a path's sub-paths. Each starts at its absolute position. */
export function subpaths(text) {
  const found = [];
  let [x, y] = [0, 0];
  let start = [0, 0];
  let open = /** @type {string[] | null} */ (null);
  const begin = () => {
    start = [x, y];
    found.push(open = [`M${x} ${y}`]);
  };
  for (const { letter, numbers } of commands(text)) {
    const lower = letter.toLowerCase();
    const isRelative = letter === lower;
    const [fromX, fromY] = isRelative ? [x, y] : [0, 0];
    if (lower === "z") [x, y] = start;
    else if (lower === "h") x = fromX + numbers[0];
    else if (lower === "v") y = fromY + numbers[0];
    else if (lower === "m") {
      [x, y] = [fromX + numbers[0], fromY + numbers[1]];
      begin();
      continue;
    }
    // If a command follows the end of a sub-path without a move, the next sub-path starts at the
    // same point as the last one.
    if (open === null) {
      const [toX, toY] = [x, y];
      [x, y] = start;
      begin();
      [x, y] = [toX, toY];
    }
    if (!"zhvm".includes(lower)) [x, y] = [fromX + numbers.at(-2), fromY + numbers.at(-1)];
    open.push(`${letter}${numbers.join(" ")}`);
    if (lower === "z") open = null;
  }
  return found.filter((parts) => parts.length > 1).map((parts) => parts.join(""));
}
