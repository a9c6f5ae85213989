// The sub-paths of an SVG path, each as a separate path. A browser restarts dashes with each sub-path, so a stroke of a
// part of the whole length must be distributed among them.

/** The number of arguments of a command, by its lower-case letter. */
const ARGUMENTS = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };
const NUMBER = /[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y;
const FLAG = /[\s,]*([01])/y;
const COMMAND = /[\s,]*([MLHVCSQTAZmlhvcsqtaz])/y;

/** The commands of a path with their numbers, repetitions written out. The list ends at the first syntax error. */
function* commands(text) {
  let at = 0;
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found?.[1];
  };
  for (let letter = take(COMMAND); letter; letter = take(COMMAND)) {
    const count = ARGUMENTS[letter.toLowerCase()];
    do {
      const numbers = [];
      for (let index = 0; index < count; index += 1) {
        // The flags of an arc may be adjacent to each other and to the next number.
        const isFlag = (letter === "a" || letter === "A") && (index === 3 || index === 4);
        const number = take(isFlag ? FLAG : NUMBER);
        if (number === undefined) return;
        numbers.push(Number(number));
      }
      yield { letter, numbers };
      if (letter === "m") letter = "l";
      if (letter === "M") letter = "L";
    } while (count > 0 && follows(text, at));
  }
}

function follows(text, at) {
  NUMBER.lastIndex = at;
  return NUMBER.test(text);
}

/** The texts of a path's sub-paths. Each starts at its absolute position. */
export function subpaths(text) {
  const found = [];
  let [x, y] = [0, 0];
  let start = [0, 0];
  let open = null;
  const begin = () => {
    start = [x, y];
    found.push(open = [`M${x} ${y}`]);
  };
  for (const { letter, numbers } of commands(text)) {
    const small = letter.toLowerCase();
    const isRelative = letter === small;
    const [fromX, fromY] = isRelative ? [x, y] : [0, 0];
    if (small === "z") [x, y] = start;
    else if (small === "h") x = fromX + numbers[0];
    else if (small === "v") y = fromY + numbers[0];
    else if (small === "m") {
      [x, y] = [fromX + numbers[0], fromY + numbers[1]];
      begin();
      continue;
    }
    // After a closing line, the next sub-path starts where the last one did.
    if (open === null) {
      const [toX, toY] = [x, y];
      [x, y] = start;
      begin();
      [x, y] = [toX, toY];
    }
    if (!"zhvm".includes(small)) [x, y] = [fromX + numbers.at(-2), fromY + numbers.at(-1)];
    open.push(`${letter}${numbers.join(" ")}`);
    if (small === "z") open = null;
  }
  return found.filter((parts) => parts.length > 1).map((parts) => parts.join(""));
}
