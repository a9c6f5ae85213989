// The custom element `<refresh-list>`.

import { ListDisplay } from "./list-display.js";
import { arrangeRows, keepFocus } from "./row-order.js";
import { RowWindow } from "./row-window.js";
import { plainRow, rowFromTemplate } from "./row-template.js";
import { sectionsOf } from "./sections.js";

/** A base class for places without a DOM, so that a server can import this module. */
const Base = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (/** @type {unknown} */ (class {}));
/** The events of the list that the element dispatches too. */
const EVENTS = /** @type {const} */ (["status", "items", "failure", "newer", "haptic", "edited"]);

/** @typedef {import("./client-types.js").ListDisplayOptions} ListDisplayOptions */

/**
 * A list that can be pulled to refresh, and that loads more items at its end.
 *
 * Attributes: `url` (of the session; the host of the page by default), `feed`, `view` (`list`),
 * `profile` (`default`), `frames` (`local` or `stream`), `key` (the member that names an item, `id`),
 * `label` (the name of the list for screen readers), `resume` (a reloaded page resumes its session),
 * `no-footer`, `row-height` (in points: all rows have this height, and only those in sight are loaded and drawn).
 * A change of `url`, `feed`, `view`, `profile`, `frames`, `resume`, `no-footer` or `row-height` begins a
 * new session. A change of `key` or `label` counts from the next session on.
 *
 * A child `<template>` is the row: the text of an element with `data-field="name"` is the member
 * `name` of the item, and `data-field-href="page"` sets the attribute `href`. A child with
 * `slot="empty"` is shown when the list has no items.
 *
 * Events (their `detail` is that of `RefreshList`): `state` (`{top, bottom, isConnected}`, when
 * `top.state`, `bottom.state` or the connection changes), `items`, `edited`, `status`, `failure`, `newer`, `haptic`.
 */
export class RefreshListElement extends Base {
  static observedAttributes = ["url", "feed", "view", "profile", "frames", "resume", "no-footer", "row-height"];

  /**
   * Options that have no attribute. Set them before the element is connected to the document.
   * @type {ListDisplayOptions}
   */
  options = {};
  /**
   * Returns the row of an item, instead of the template.
   * @type {((item: import("./client-types.js").Item) => HTMLElement) | null}
   */
  renderItem = null;
  /**
   * Returns the row of an item that is not loaded yet, in a list with `row-height`.
   * @type {(() => HTMLElement) | null}
   */
  renderPlaceholder = null;

  /**
   * Returns the header of a section. Without it, the header is the value as text.
   * @type {((section: import("./client-types.js").ListSection) => HTMLElement) | null}
   */
  renderSection = null;

  /** @type {ListDisplay | null} */
  #display = null;
  /** @type {Record<string, string> | undefined} */
  #parameters = undefined;
  #rows = []; // the shown rows in order: {id, text, row}
  #headers = new Map(); // the headers of the sections, by their sections as JSON
  /** @type {RowWindow | null} */
  #window = null; // the rows of a list with `row-height`
  #shownState = "";
  #isUpdateQueued = false;

  /** The list with its session; null while the element is not in the document. */
  get list() { return this.#display?.list ?? null; }
  /** The items in the order of the list. */
  get items() { return this.list?.items ?? []; }
  /** The parameters of the feed. A change makes a new query. */
  get parameters() { return this.#parameters; }
  set parameters(parameters) {
    this.#parameters = parameters;
    if (parameters) this.list?.query(parameters);
  }

  /** Refreshes the list. */
  refresh() { this.list?.refresh(); }
  /** Loads more items, if there are more. */
  loadMore() { this.list?.loadMore(); }
  /**
   * Repeats the failed load of an edge.
   *
   * @param {"top" | "bottom"} [edge]
   */
  retry(edge = "bottom") { this.list?.retry(edge); }

  /** The edits that the feed accepts. */
  get acceptedEdits() { return this.list?.view.acceptedEdits ?? []; }
  /**
   * Changes the list, as `edit` of `View`. Returns the name of the edit.
   *
   * @param {import("./protocol-types.js").EditOperation} operation
   * @param {{delayMs?: number}} [options]
   */
  edit(operation, options) {
    if (!this.list) throw new Error("refreshd: the list is not in the document");
    return this.list.view.edit(operation, options);
  }
  /**
   * Undoes an edit that was not performed yet.
   *
   * @param {string} edit
   */
  undo(edit) { return this.list?.view.undo(edit) ?? false; }

  connectedCallback() { this.#queueUpdate(); }

  disconnectedCallback() { this.#queueUpdate(); }

  attributeChangedCallback() {
    if (this.isConnected) this.#queueUpdate(true);
  }

  /**
   * Begins or ends the session after the current turn. So an element that is moved in the document
   * keeps its session, and several changed attributes begin one session.
   */
  #queueUpdate(mustRestart = false) {
    if (mustRestart) this.#close();
    if (this.#isUpdateQueued) return;
    this.#isUpdateQueued = true;
    queueMicrotask(() => {
      this.#isUpdateQueued = false;
      if (!this.isConnected) this.#close();
      else if (!this.#display) this.#open();
    });
  }

  #open() {
    const attribute = (name) => this.getAttribute(name) ?? undefined;
    const set = Object.fromEntries(["url", "feed", "view", "profile", "frames", "label"]
      .map((name) => [name, attribute(name)]).filter(([, value]) => value !== undefined));
    if (this.hasAttribute("resume")) set.storage = sessionStorage;
    const rowHeight = Number(this.getAttribute("row-height") ?? this.options.rowHeight ?? 0);
    try {
      this.#display = new ListDisplay(this, {
        name: "web-element/1.0", parameters: this.#parameters, footer: !this.hasAttribute("no-footer"),
        ...this.options, ...set, rowHeight,
      });
    } catch (error) {
      // An option is wrong, for example `url` has no scheme.
      console.error(error);
      const detail = { message: error.message, kind: "attach" };
      this.dispatchEvent(new CustomEvent("failure", { detail }));
      return;
    }
    const { list } = this.#display;
    if (rowHeight > 0) this.#openWindow(rowHeight);
    else list.addEventListener("items", ({ detail }) => this.#showItems(detail));
    list.addEventListener("change", () => this.#reportState());
    for (const type of EVENTS) {
      list.addEventListener(type, ({ detail }) => this.dispatchEvent(new CustomEvent(type, { detail })));
    }
    list.connect();
  }

  /** Draws only the rows in sight. */
  #openWindow(rowHeight) {
    const { list, content } = this.#display;
    this.#window = new RowWindow(this, content, list, {
      rowHeight, create: (item) => (item === null ? this.renderPlaceholder?.() ?? document.createElement("div") : this.#row(item).row),
    });
    const draw = () => this.#window?.draw();
    list.addEventListener("items", draw);
    list.scrollView.addEventListener("move", draw);
  }

  #close() {
    this.#display?.close();
    this.#display = this.#window = null;
    this.#shownState = "";
  }

  #reportState() {
    const { list } = this;
    if (!list) return;
    const { top, bottom, isConnected } = list;
    const shown = JSON.stringify([top.state, bottom.state, isConnected]);
    if (shown === this.#shownState) return;
    this.#shownState = shown;
    this.dispatchEvent(new CustomEvent("state", { detail: { top, bottom, isConnected } }));
  }

  /** Shows the rows of received items, and the headers of their sections. The focus stays in its row. */
  #showItems(detail) {
    keepFocus(this, () => this.#change(detail));
  }

  #change(detail) {
    for (const header of this.#headers.values()) header.remove();
    this.#showRows(detail);
    const before = this.#headers;
    this.#headers = new Map();
    for (const section of sectionsOf(this.items, this.list?.view.sectionKey)) {
      if (section.value === null) continue;
      const key = JSON.stringify(section);
      const header = before.get(key) ?? this.#header(section);
      this.#headers.set(key, header);
      this.#rows[section.start].row.before(header);
    }
  }

  /** @param {import("./client-types.js").ListSection} section */
  #header(section) {
    const header = this.renderSection?.(section) ?? document.createElement("div");
    if (!this.renderSection) header.textContent = String(section.value);
    header.dataset.section = String(section.value);
    if (!header.hasAttribute("role")) {
      header.setAttribute("role", "heading");
      header.setAttribute("aria-level", "2");
    }
    return header;
  }

  /** Shows the rows of received items. A row whose item has not changed stays. */
  #showRows({ mode, items }) {
    if (mode === "replace") {
      const known = new Map(this.#rows.map((shown) => [shown.id, shown]));
      const rows = items.map((item) => this.#row(item, known.get(this.#idOf(item))));
      const kept = new Set(rows.map(({ row }) => row));
      for (const { row } of this.#rows) if (!kept.has(row)) row.remove();
      this.#rows = rows;
      arrangeRows(this, rows.map(({ row }) => row));
      return;
    }
    const rows = items.map((item) => this.#row(item));
    const elements = rows.map(({ row }) => row);
    if (mode === "prepend" && this.#rows.length > 0) this.#rows[0].row.before(...elements);
    else this.append(...elements);
    this.#rows = mode === "prepend" ? [...rows, ...this.#rows] : [...this.#rows, ...rows];
  }

  #idOf(item) {
    const id = item[this.getAttribute("key") ?? "id"] ?? item.name;
    return id === undefined ? undefined : String(id);
  }

  #row(item, shown = undefined) {
    const id = this.#idOf(item);
    const text = JSON.stringify(item);
    if (shown && id !== undefined && shown.text === text) return shown;
    /** @type {HTMLTemplateElement | null} */
    const template = this.querySelector(":scope > template");
    const row = this.renderItem?.(item) ?? (template ? rowFromTemplate(template, item) : plainRow(item));
    if (id !== undefined) row.dataset.id = id;
    if (!row.hasAttribute("role")) row.setAttribute("role", "listitem");
    return { id, text, row };
  }
}

/** Defines the element `<refresh-list>`, unless it is defined. */
export function defineRefreshList(name = "refresh-list") {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, RefreshListElement);
}
