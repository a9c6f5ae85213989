// Keeps the first item in sight in its place while the items of a list are replaced
// (docs/protocol.md, "Anchors" and "Refresh at depth").

/**
 * Returns the positions of one item before and after a change of the list, each as an `anchor` of
 * `geometry`. The item is the first one in sight at `offset`, or its nearest neighbour that is in
 * both lists. Returns null if there is none. `before` and `after` are the rows of the list in
 * order: `{id, position, length}`.
 */
export function anchors(before, after, offset) {
  const inSight = before.findIndex(({ position, length }) => position + length > offset);
  if (inSight < 0) return null;
  const positions = new Map(after.map(({ id, position }) => [id, position]));
  for (let distance = 0; distance < before.length; distance += 1) {
    for (const row of [before[inSight + distance], before[inSight - distance]]) {
      if (!row || !positions.has(row.id)) continue;
      const { id, position } = row;
      return { before: { id, position }, after: { id, position: positions.get(id) } };
    }
  }
  return null;
}

/**
 * Replaces the items of one list. `rows` returns the rows of the list, as they are laid out. The
 * daemon then moves the list, so that the first item in sight stays where it is.
 */
export class ItemAnchor {
  #view;
  #scrollView;
  #rows;

  constructor(view, scrollView, rows) {
    this.#view = view;
    this.#scrollView = scrollView;
    this.#rows = rows;
  }

  /**
   * Calls `change`, which replaces the elements of the items. Reports the new sizes, and the
   * positions of the item before and after the change. If the list is at its start, no item is
   * reported, so that the list shows the new items there.
   */
  replace(change) {
    const { offset, isAtStart } = this.#scrollView;
    const rows = isAtStart ? [] : this.#rows();
    change();
    const found = anchors(rows, this.#rows(), offset);
    this.#view.batch(() => {
      if (found) this.#view.send("geometry", { anchor: found.before });
      this.#scrollView.measure(found && { anchor: found.after });
    });
  }
}
