// Draws a list whose rows all have the same height: only the rows in sight and some around them are in the
// document (docs/protocol.md, "What is in sight").

import { arrangeRows, keepFocus } from "./row-order.js";

/** The number of rows that are drawn before and after those in sight. */
const OVERSCAN = 6;

/**
 * Returns the rows to draw, of `count` rows: from `first` on, before `end`.
 *
 * @param {{first: number, last: number}} visible the rows in sight
 * @param {number} count
 */
export function drawnRows({ first, last }, count) {
  const end = Math.min(count, last + 1 + OVERSCAN);
  return { first: Math.max(0, Math.min(first - OVERSCAN, end - 1)), end };
}

/**
 * Gives the content the height of all rows, and puts those that are drawn in their place.
 *
 * @param {HTMLElement} content
 * @param {{first: number, count: number, rowHeight: number}} rows
 */
export function placeRows(content, { first, count, rowHeight }) {
  content.style.height = `${count * rowHeight}px`;
  content.style.paddingTop = `${first * rowHeight}px`;
}

/** The drawn rows of one list. They are children of `host`. */
export class RowWindow {
  #host;
  #content;
  #list;
  #rowHeight;
  #create;
  #shown = new Map(); // by the number of the row: {item, row}
  #drawn = { first: 0, end: 0, items: null }; // what was drawn last

  /**
   * `create` returns the element of a row; its item is null while it is not loaded.
   *
   * @param {HTMLElement} host
   * @param {HTMLElement} content
   * @param {import("./refresh-list.js").RefreshList} list
   * @param {{rowHeight: number, create: (item: any) => HTMLElement}} options
   */
  constructor(host, content, list, { rowHeight, create }) {
    this.#host = host;
    this.#content = content;
    this.#list = list;
    this.#rowHeight = rowHeight;
    this.#create = create;
  }

  /** Draws the rows that are in sight now. */
  draw() {
    const { items, scrollView } = this.#list;
    const { first, end } = drawnRows(scrollView.visibleRows, items.length);
    const drawn = this.#drawn;
    if (first === drawn.first && end === drawn.end && items === drawn.items) return;
    this.#drawn = { first, end, items };
    placeRows(this.#content, { first, count: items.length, rowHeight: this.#rowHeight });
    const before = this.#shown;
    this.#shown = new Map();
    for (let number = first; number < end; number += 1) {
      const item = items[number];
      const old = before.get(number);
      this.#shown.set(number, old?.item === item ? old : { item, row: this.#row(item, number) });
      this.#shown.get(number).row.setAttribute("aria-setsize", String(items.length));
    }
    keepFocus(this.#host, () => this.#replace([...before.values()].map(({ row }) => row)));
  }

  #replace(before) {
    const rows = [...this.#shown.values()].map(({ row }) => row);
    const kept = new Set(rows);
    for (const row of before) {
      if (kept.has(row)) continue;
      // The keys still move the list after a row with the focus has left.
      if (row.contains(document.activeElement)) this.#list.scrollView.focus();
      row.remove();
    }
    arrangeRows(this.#host, rows);
  }

  #row(item, number) {
    const row = this.#create(item);
    row.setAttribute("aria-posinset", String(number + 1));
    if (item !== null) return row;
    row.dataset.placeholder = "";
    row.setAttribute("role", "listitem");
    row.setAttribute("aria-busy", "true");
    return row;
  }
}
