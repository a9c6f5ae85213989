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
