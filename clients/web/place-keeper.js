// Keeps the reader's place when the items of a list are replaced or changed (docs/protocol.md, "Refresh
// at depth"). The first item in sight stays where it is. If it is not in the new list, its nearest
// neighbour stays.

import { anchors } from "./item-anchor.js";

/** The list counts as being at its start within this number of points. */
const START_TOLERANCE = 1;

/**
 * Keeps the place of one list. `content` contains the rows, and `dataset.id` of a row is the name of
 * its item. `rows` returns the rows, if they are not the children of `content`. Rows without a name
 * are not considered.
 */
export class PlaceKeeper {
  #scrollView;
  #content;
  #elements;

  /**
   * @param {import("./scroll-view.js").ScrollView} scrollView
   * @param {Element} content
   * @param {() => Iterable<Element>} [rows]
   */
  constructor(scrollView, content, rows = () => content.children) {
    this.#scrollView = scrollView;
    this.#content = content;
    this.#elements = rows;
  }

  /** Whether the list shows its start, so that new items appear there. */
  get isAtStart() {
    const { isReversed, isAtStart, offset } = this.#scrollView;
    return isReversed ? isAtStart : offset <= START_TOLERANCE;
  }

  /** Replaces rows by `change`, and keeps the reader's place unless the list is at its start. */
  keep(change) {
    const finish = this.begin();
    change();
    finish();
  }

  /**
   * Records the reader's place before rows are replaced. Returns the function that must be called
   * after they were replaced.
   */
  begin() {
    if (this.isAtStart) {
      return () => {
        // The start of a reversed list moves with the length of its content.
        if (this.#scrollView.isReversed) this.#scrollView.keepAtStart();
      };
    }
    const [offset, rows] = [this.#scrollView.offset, this.#rows()];
    return () => {
      const kept = anchors(rows, this.#rows(), offset);
      if (kept) this.#scrollView.holdItem({ id: kept.before.id, from: kept.before.position, to: kept.after.position });
    };
  }

  /** Returns the rows. Their positions are in points from the start of the content. */
  #rows() {
    const start = this.#content.getBoundingClientRect().top;
    const named = /** @type {HTMLElement[]} */ ([...this.#elements()]).filter((row) => row.dataset.id !== undefined);
    return named.map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return { id: row.dataset.id, position: top - start, length: height };
    });
  }
}

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
