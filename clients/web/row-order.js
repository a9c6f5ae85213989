// Puts the rows of a list in order, and keeps the focus in them.

/**
 * Puts the rows of a parent in order. As few rows as possible are inserted again,
 * because a row that is inserted loses the focus.
 *
 * @param {Element} parent
 * @param {Element[]} rows
 */
export function arrangeRows(parent, rows) {
  const positions = new Map([...parent.children].map((child, position) => [child, position]));
  const staying = ascending(rows.map((row) => positions.get(row) ?? -1));
  for (let next = null, index = rows.length - 1; index >= 0; index -= 1) {
    if (!staying.has(index)) parent.insertBefore(rows[index], next);
    next = rows[index];
  }
}

/** Returns the indices of a longest ascending part of the values. Negative values are left out. */
function ascending(values) {
  const ends = []; // by length minus one, the index at which the part with the smallest last value ends
  const previous = [];
  for (const [index, value] of values.entries()) {
    if (value < 0) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[ends[middle]] < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1];
    ends[low] = index;
  }
  const found = new Set();
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) found.add(index);
  return found;
}

/**
 * Changes the rows and headers of a host. If the one with the focus is inserted again or made anew, it gets the focus
 * back. An element in the shadow of a row does not.
 *
 * @param {HTMLElement} host
 * @param {() => void} change
 */
export function keepFocus(host, change) {
  const root = /** @type {Document | ShadowRoot} */ (host.getRootNode());
  const active = root.activeElement;
  /** @type {any} */
  let row = active; // a row, or the header of a section
  const path = []; // the positions of the elements from the row to the one with the focus
  for (; row && row.parentElement !== host; row = row.parentElement) {
    path.unshift([...row.parentElement?.children ?? []].indexOf(row));
  }
  change();
  if (!row || root.activeElement === active) return;
  /** @type {any} */
  let target = row;
  for (const name of ["id", "section"]) {
    if (target?.isConnected || row.dataset[name] === undefined) continue;
    target = host.querySelector(`:scope > [data-${name}="${CSS.escape(row.dataset[name])}"]`);
  }
  if (!target?.isConnected) return;
  for (const position of path) target = target?.children[position];
  target?.focus({ preventScroll: true });
}
