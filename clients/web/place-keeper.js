// Keeps the reader's place when the items of a list are replaced (docs/protocol.md, "Refresh at
// depth"): the first item in sight stays where it is, or its nearest neighbour in the new list.

/** The list counts as being at its start within this number of points. */
const START_TOLERANCE = 1;

/**
 * Returns the name of the item that stays where it is, and its positions before and after. `before`
 * is the old list as pairs `[name, position]`, in order. `after` is the new list as a map of
 * positions by name. `first` is the index of the first item in sight. Null if the lists have no
 * item in common.
 */
export function keptItem(before, first, after) {
  for (let distance = 0; distance < before.length; distance += 1) {
    for (const [id, from] of [before[first + distance], before[first - distance]].filter(Boolean)) {
      if (after.has(id)) return { id, from, to: after.get(id) };
    }
  }
  return null;
}

/**
 * Keeps the place of one list. `content` contains the rows, and `dataset.id` of a row is the name of
 * its item.
 */
export class PlaceKeeper {
  #scrollView;
  #content;

  constructor(scrollView, content) {
    this.#scrollView = scrollView;
    this.#content = content;
  }

  /** Whether the list shows its start, so that new items appear there. */
  get isAtStart() { return this.#scrollView.offset <= START_TOLERANCE; }

  /** Replaces rows by `change`, and keeps the reader's place unless the list is at its start. */
  keep(change) {
    if (this.isAtStart) return change();
    const before = this.#positions();
    const first = before.findLastIndex(([, position]) => position <= this.#scrollView.offset);
    change();
    const kept = keptItem(before, Math.max(first, 0), new Map(this.#positions()));
    if (kept) this.#scrollView.holdItem(kept);
    return undefined;
  }

  /** Returns the names and positions of the rows, in points from the start of the content. */
  #positions() {
    const { top } = this.#content.getBoundingClientRect();
    return [...this.#content.children].map((row) => [row.dataset.id, row.getBoundingClientRect().top - top]);
  }
}
