// Shows a list in a host: the elements around its rows, the texts, and the announcements for screen
// readers. The page draws only the rows, as children of the host.

import { Edits } from "./edits.js";
import { buildListElements } from "./list-shadow.js";
import { RefreshList } from "./refresh-list.js";
import { drawnRows, placeRows } from "./row-window.js";

/** The height of the footer in points. The footer is an inset of the list. */
const FOOTER_HEIGHT = 56;
/** A lost connection is reported in a notice after this time, in milliseconds. */
const NOTICE_DELAY_MS = 1000;
/** A failed refresh is reported in a notice for this time, in milliseconds. */
const FAILURE_NOTICE_MS = 6000;

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** @type {import("./client-types.js").ListTexts} */
export const ENGLISH = {
  refresh: "Refresh", refreshing: "Refreshing.", loading: "Loading more", failed: "Loading failed.",
  retry: "Try again", empty: "Nothing here", unreachable: "Cannot connect. Trying again…",
  lost: "The connection is lost. Reconnecting…",
  refused: "The server refused the connection. Reload to try again.",
  unavailable: (message) => `The list cannot be shown. ${message}`,
  newer: (count) => (count > 0 ? plural(count, "new item") : "New items"),
  shown: (count, total) => (total === undefined ? `${count} shown` : `${count} of ${total}`),
  end: (count) => `End of the list: ${plural(count, "item")}`,
  updated: (count) => `Updated. ${plural(count, "item")} shown.`,
  rolledBack: "The change was not saved.",
  more: (added, count) => `${added} more, ${count} shown.`,
};

/** Changes a text, unless it is the same: while the list moves, this is called for each frame. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A list that is displayed in a host. */
export class ListDisplay {
  /** The list with its session. */
  list;

  #elements;
  #texts;
  #rowHeight;
  #noticeTimer = 0;
  #wasLost = false;
  #isRefused = false; // whether the notice states why the daemon has refused the list

  /**
   * @param {HTMLElement} host
   * @param {import("./client-types.js").ListDisplayOptions} options
   */
  constructor(host, { label = "List", texts = {}, footer = true, ...options }) {
    this.#texts = { ...ENGLISH, ...texts };
    const elements = buildListElements(host);
    this.#elements = elements;
    elements.scroller.setAttribute("aria-label", label);
    elements.content.setAttribute("aria-label", label);
    const height = footer ? FOOTER_HEIGHT : 0;
    elements.footer.hidden = !footer;
    elements.footer.style.height = `${height}px`;
    this.#rowHeight = options.rowHeight;
    if (options.rowHeight) {
      elements.content.classList.add("placed");
      elements.content.style.setProperty("--row-height", `${options.rowHeight}px`);
    }
    elements.refresh.hidden = false;
    elements.refresh.textContent = this.#texts.refresh;
    elements.retry.textContent = this.#texts.retry;
    const { scroller, stage, above, content, below, indicators } = elements;
    try {
      this.list = new RefreshList({ scroller, stage, above, content, below, indicators }, {
        insets: { top: 0, bottom: height },
        rows: () => elements.rows.assignedElements().filter((row) => !row.hasAttribute("data-section")),
        edits: Edits, ...options,
      });
    } catch (error) {
      this.#notify(this.#texts.unavailable(error.message));
      throw error;
    }
    this.#addListeners();
    this.#showState();
  }

  /** The element that contains the slot of the rows. */
  get content() { return this.#elements.content; }
  /** The rows to draw of a list with `rowHeight`: from `first` on, before `end`. */
  get drawnRows() {
    const { items, scrollView } = this.list;
    return this.#rowHeight ? drawnRows(scrollView.visibleRows, items.length) : { first: 0, end: items.length };
  }

  /** Puts the drawn rows in their place, of which `first` is the first one. */
  placeRows(first) {
    const { length: count } = this.list.items;
    if (this.#rowHeight) placeRows(this.#elements.content, { first, count, rowHeight: this.#rowHeight });
  }

  /** Ends the session. The rows stay. */
  close() {
    clearTimeout(this.#noticeTimer);
    this.list.close();
  }

  #addListeners() {
    const { list } = this;
    const { refresh, retry, newer } = this.#elements;
    const causeOf = (event) => (event.detail === 0 ? "key" : "finger");
    refresh.addEventListener("click", (event) => list.refresh(causeOf(event)));
    retry.addEventListener("click", () => list.retry());
    newer.addEventListener("click", (event) => list.showNewer(causeOf(event)));
    list.addEventListener("change", () => this.#showState());
    list.addEventListener("newer", () => this.#showNewer());
    list.addEventListener("refreshing", () => this.#announce(this.#texts.refreshing));
    list.addEventListener("items", ({ detail }) => this.#announceItems(detail));
    list.addEventListener("edited", ({ detail: { result, code } }) => {
      if (result !== "rolledBack" || code === "undone") return;
      this.#announce(this.#texts.rolledBack);
      this.#notify(this.#texts.rolledBack, FAILURE_NOTICE_MS);
    });
    list.addEventListener("failure", ({ detail: { message, kind } }) => {
      this.#announce(message);
      if (kind === "refresh") this.#notify(message, FAILURE_NOTICE_MS);
      if (kind !== "attach") return;
      this.#isRefused = true;
      this.#notify(this.#texts.unavailable(message));
    });
    list.addEventListener("status", ({ detail }) => this.#showStatus(detail));
  }

  #showState() {
    const { footer, footerText, retry, refresh, content, empty } = this.#elements;
    const state = this.list.bottom.state ?? "idle";
    const { items, view } = this.list;
    const isEmpty = items.length === 0 && (state === "noMore" || (view.hasRows && view.items !== null));
    footer.dataset.state = state;
    setText(footerText, this.#footerText(state, isEmpty));
    retry.hidden = state !== "failed";
    refresh.toggleAttribute("disabled", !this.list.isConnected);
    if (this.#isRefused && this.list.isConnected) {
      this.#isRefused = false;
      this.#notify("");
    }
    empty.hidden = !isEmpty;
    const isBusy = String(this.list.isLoading);
    if (content.getAttribute("aria-busy") !== isBusy) content.setAttribute("aria-busy", isBusy);
  }

  #footerText(state, isEmpty) {
    const { items, total, failure, view } = this.list;
    const texts = this.#texts;
    if (isEmpty) return this.#elements.emptySlot.assignedElements().length > 0 ? "" : texts.empty;
    if (view.hasRows) return items.length > 0 ? texts.end(items.length) : "";
    switch (state) {
      case "failed": return failure || texts.failed;
      case "noMore": return texts.end(items.length);
      // The indicator is drawn in the place of the text.
      case "loading": case "approaching": return "";
      default: return items.length === 0 ? "" : texts.shown(items.length, total);
    }
  }

  #showNewer() {
    const { newer } = this.#elements;
    const { hasNewer, newerCount } = this.list;
    const text = this.#texts.newer(newerCount);
    if (hasNewer && newer.hidden) this.#announce(text);
    newer.textContent = text;
    newer.hidden = !hasNewer;
  }

  #announceItems({ mode, items, isLive }) {
    const { length } = this.list.items;
    const texts = this.#texts;
    if (mode === "fill" || (isLive && length > 0)) return; // The user has asked for nothing, and there may be many such changes.
    if (length === 0) this.#announce(texts.empty);
    else if (mode === "replace") this.#announce(texts.updated(length));
    else if (items.length > 0) this.#announce(texts.more(items.length, length));
  }

  #showStatus({ status }) {
    if (status === "open") {
      clearTimeout(this.#noticeTimer);
      if (this.#wasLost) this.#notify("");
      this.#wasLost = false;
    } else if (status === "refused") {
      clearTimeout(this.#noticeTimer);
      // If the daemon has stated the reason, it stays.
      if (!this.#isRefused) this.#notify(this.#texts.refused);
    } else if (status === "lost" && !this.#wasLost) {
      this.#wasLost = true;
      clearTimeout(this.#noticeTimer);
      const text = this.list.client.welcome ? this.#texts.lost : this.#texts.unreachable;
      this.#noticeTimer = setTimeout(() => {
        this.#notify(text);
        this.#announce(text);
      }, NOTICE_DELAY_MS);
    }
  }

  /** Shows a notice above the list for `forMs` milliseconds, or until the next notice if it is 0. */
  #notify(text, forMs = 0) {
    const { notice } = this.#elements;
    clearTimeout(this.#noticeTimer);
    notice.textContent = text;
    notice.hidden = text === "";
    if (forMs > 0) this.#noticeTimer = setTimeout(() => this.#notify(""), forMs);
  }

  #announce(text) {
    this.#elements.announcer.textContent = text;
  }
}
