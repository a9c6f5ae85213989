// One list of a page: its session, its view, its scroller and its items. The page draws the rows, and
// this module does the rest.

import { DetailEvent, TypedEventTarget } from "./detail-event.js";
import { IndicatorRenderer } from "./indicator-renderer.js";
import { LocalClient } from "./local-client.js";
import { reducedMotion } from "./motion.js";
import { PlaceKeeper } from "./place-keeper.js";
import { RefreshClient } from "./refresh-client.js";
import { ScrollView } from "./scroll-view.js";
import { StreamClient } from "./stream-client.js";

/**
 * Returns the features of the protocol that a list uses.
 *
 * @param {import("./client-types.js").RefreshListOptions} options
 */
const featuresOf = ({ edits, rowHeight }) => /** @type {import("./protocol-types.js").FeatureName[]} */ ([
  "query", "unread", "patch", "live", ...(edits ? ["edits"] : []), ...(rowHeight ? ["visibleRange"] : []),
]);
/** The durations of haptic cues in milliseconds, for phones that can vibrate. */
const VIBRATIONS = { impact: 18, selection: 8 };
const FAILED_PHASES = new Set(["failed", "timedOut"]);

/**
 * A list with its session.
 *
 * Events:
 * - `change`: an edge, the connection or the items may have changed; also while the list moves.
 * - `items` (detail: `ItemsDetail`): change the rows now.
 * - `edited` (detail: the message): what has become of an edit (docs/protocol.md, "Edits").
 * - `failure` (detail: `{message, kind, code}`): a load has failed (`kind` is `refresh` or `more`), or
 *   the daemon has refused the list (`kind` is `attach`), for example because it has no such feed.
 * - `newer`: `hasNewer` or `newerCount` has changed.
 * - `refreshing`: a refresh has begun. `status`: as of `RefreshClient`.
 * - `haptic` (detail: the cue): a phone has vibrated, if it can.
 *
 * @extends {TypedEventTarget<import("./client-types.js").ListEvents>}
 */
export class RefreshList extends TypedEventTarget {
  /** The session. */
  client;
  /** The view of the session. */
  view;
  /** The client of the view: `LocalClient` or `StreamClient`. */
  viewClient;
  /** The scroller. */
  scrollView;
  /**
   * The items in the order of the list. Each change makes a new array.
   * @type {import("./client-types.js").Item[]}
   */
  items = [];
  /**
   * The number of items that the whole list has, if it is known.
   * @type {number | undefined}
   */
  total = undefined;
  /** The message of the last failure; empty after a load that succeeded. */
  failure = "";
  /** Whether the daemon has newer items than the list. */
  hasNewer = false;
  /** The number of newer items, if the daemon knows it; otherwise 0. */
  newerCount = 0;

  #isFresh = true; // whether no items of this session have arrived yet
  #showsStart = false; // whether the next replaced list shows its start
  #options;
  #placeKeeper;
  #finishKeeping = null; // after `items`, the function that keeps the reader's place
  #abort = new AbortController();

  /**
   * @param {import("./client-types.js").ListElements} elements
   * @param {import("./client-types.js").RefreshListOptions} [options]
   */
  constructor(elements, options = {}) {
    super();
    this.#options = options;
    const { frames = "local", view = "list", features = featuresOf(options), parameters } = options;
    const motion = reducedMotion.matches ? "reduced" : "full";
    const language = options.language ?? navigator.language;
    this.client = new RefreshClient({ ...options, frames: { mode: frames, language, motion }, features });
    this.view = this.client.view(
      view, () => this.#describe(), features ? [] : [{ type: "refresh", cause: "code" }],
      options.storage ? () => this.#state() : null);
    this.view.parameters = parameters ?? null;
    const { indicators: host, ...listElements } = elements;
    const indicators = {
      top: new IndicatorRenderer(host), bottom: new IndicatorRenderer(host, { isAtEnd: true }),
    };
    this.viewClient = frames === "stream"
      ? new StreamClient(this.view, indicators) : new LocalClient(this.view, indicators, { motion });
    this.scrollView = new ScrollView(this.viewClient, listElements, {
      insets: options.insets, rowHeight: options.rowHeight,
    });
    this.#placeKeeper = new PlaceKeeper(this.scrollView, elements.content, options.rows);
    this.#addListeners(Boolean(features));
  }

  /** The edge at which the list is pulled to refresh. @returns {import("./client-types.js").Edge} */
  get top() { return this.viewClient.edge("top"); }
  /** The edge at which more items are loaded. @returns {import("./client-types.js").Edge} */
  get bottom() { return this.viewClient.edge("bottom"); }
  /** Whether the daemon can be asked for something at once. */
  get isConnected() { return this.view.attached && !this.view.isDisconnected; }
  /** Whether a load of the list is shown. */
  get isLoading() { return this.top.state === "refreshing" || this.bottom.state === "loading"; }

  /**
   * Connects. If the page was reloaded, returns what `saveState` returned on the previous page, after
   * the event `items` for its items.
   *
   * @returns {any}
   */
  connect() {
    const saved = this.view.savedState;
    if (saved) {
      this.view.restoreItems(saved.items);
      this.#show({ mode: "replace", items: this.view.items, more: true, total: saved.total });
      this.scrollView.restoreOffset(saved.offset);
    }
    this.client.connect();
    return saved?.more;
  }

  /** Ends the session and detaches from the elements. The list cannot be used afterwards. */
  close() {
    this.#abort.abort();
    this.client.close();
    this.scrollView.detach();
  }

  /**
   * Refreshes the list. `cause` is `finger`, `key`, `accessibility` or `code`.
   *
   * @param {import("./protocol-types.js").IntentCause} [cause]
   */
  refresh(cause = "code") {
    this.view.send("refresh", { cause });
  }

  /**
   * Loads more items, if there are more.
   *
   * @param {import("./protocol-types.js").IntentCause} [cause]
   */
  loadMore(cause = "code") {
    this.view.send("loadMore", { cause });
  }

  /**
   * Repeats the failed load of an edge.
   *
   * @param {"top" | "bottom"} [edge]
   */
  retry(edge = "bottom") {
    this.view.send("retry", { edge });
  }

  /**
   * Shows the newer items. If the daemon cannot bring them into sight, the list is refreshed.
   *
   * @param {import("./protocol-types.js").IntentCause} [cause]
   */
  showNewer(cause = "code") {
    this.#showsStart = true;
    if (!this.view.reveal()) this.refresh(cause);
  }

  /**
   * Makes a new query of the feed. The items stay until those of the new query arrive, unless `shown`
   * is `clear`. `debounceMs`: the daemon waits this long for a further query. Returns whether the
   * daemon supports queries. Before the first connection, the query is that of the first load.
   *
   * @param {Record<string, string>} parameters
   * @param {{debounceMs?: number, shown?: "keep" | "clear"}} [options]
   */
  query(parameters, options = {}) {
    this.#showsStart = true;
    if (this.isConnected) return this.view.query(parameters, options);
    this.view.parameters = parameters;
    return true;
  }

  /** Keeps the reader's place after rows were drawn; for lists with `isRenderedLater`. */
  handleRendered() {
    this.#finishKeeping?.();
    this.#finishKeeping = null;
  }

  #describe() {
    const { feed, profile = "default", attach, features, rowHeight } = this.#options;
    const initial = features !== null ? /** @type {const} */ ("kept") : undefined;
    const paging = rowHeight ? { ...attach?.paging, access: /** @type {const} */ ("random") } : attach?.paging;
    return { profile, feed, initial, ...attach, ...(paging && { paging }), ...this.scrollView.describe() };
  }

  #state() {
    const { total } = this;
    return { items: this.view.receivedItems ?? this.items, total, offset: this.scrollView.offset, more: this.#options.saveState?.() };
  }

  #addListeners(hasFeatures) {
    const { view, client, scrollView } = this;
    const change = () => this.dispatchEvent(new Event("change"));
    view.addEventListener("attached", () => this.#handleAttached());
    view.addEventListener("update", ({ detail }) => this.#handleUpdate(detail));
    view.addEventListener("items", ({ detail }) => this.#show(detail));
    view.addEventListener("edited", ({ detail }) => this.dispatchEvent(new DetailEvent("edited", detail)));
    view.addEventListener("loading", ({ detail }) => this.#handleLoading(detail));
    view.addEventListener("emptied", () => this.#show({ mode: "replace", items: [], more: true }));
    client.addEventListener("error", ({ detail }) => this.#handleError(detail));
    view.addEventListener("disconnected", change);
    view.addEventListener("ended", () => {
      this.#isFresh = true;
      change();
    });
    scrollView.addEventListener("move", change);
    scrollView.addEventListener("haptic", ({ detail }) => {
      // Before the user has touched the page, a browser does not permit vibrations.
      const isActive = /** @type {any} */ (navigator).userActivation?.hasBeenActive;
      if (isActive) navigator.vibrate?.(VIBRATIONS[detail] ?? VIBRATIONS.selection);
      this.dispatchEvent(new DetailEvent("haptic", detail));
    });
    client.addEventListener("status", ({ detail }) => {
      this.dispatchEvent(new DetailEvent("status", detail));
      change();
    });
    if (!hasFeatures) return;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) view.disappear();
      else view.appear();
    }, { signal: this.#abort.signal });
  }

  #handleAttached() {
    // A resumed view receives this state again.
    this.hasNewer = false;
    this.newerCount = 0;
    this.dispatchEvent(new Event("newer"));
    // A daemon without features does not know `initial`.
    const mustAsk = this.#options.features !== null && !this.client.features.areKnown;
    if (mustAsk && !this.view.isResuming) this.refresh();
    this.dispatchEvent(new Event("change"));
  }

  /** @param {import("./protocol-types.js").ReceivedUpdate} update */
  #handleUpdate({ top, newer, newerCount, revealed }) {
    if (revealed) this.#showsStart = false;
    if (newer !== undefined || newerCount !== undefined) {
      this.hasNewer = newer ?? this.hasNewer;
      this.newerCount = this.hasNewer ? newerCount ?? this.newerCount : 0;
      this.dispatchEvent(new Event("newer"));
    }
    if (top?.state === "refreshing") this.dispatchEvent(new Event("refreshing"));
    this.dispatchEvent(new Event("change"));
  }

  /** @param {import("./protocol-types.js").ReceivedLoading} loading */
  #handleLoading({ phase, kind, message, code }) {
    if (FAILED_PHASES.has(phase)) this.#fail(message ?? "The list did not load in time.", kind, code);
  }

  /**
   * Reports an error of the daemon. An error that may be temporary is followed by a new connection.
   *
   * @param {import("./client-types.js").ClientError} error
   */
  #handleError({ code, message, field, temporary }) {
    const { isRefused } = this.view;
    if (temporary && !isRefused) return;
    console.error(`refreshd: ${message} (${code}${field ? `, field ${field}` : ""})`);
    if (isRefused || !this.client.welcome) this.#fail(message, "attach", code);
  }

  /**
   * @param {string} message
   * @param {import("./client-types.js").ListEvents["failure"]["kind"]} kind
   * @param {string} [code]
   */
  #fail(message, kind, code) {
    this.failure = message;
    this.dispatchEvent(new DetailEvent("failure", { message, kind, code }));
    this.dispatchEvent(new Event("change"));
  }

  /**
   * @param {{
   *   mode: string, items: import("./client-types.js").Item[], total?: number, more?: boolean, removed?: number,
   *   operations?: any[], offset?: number,
   * }} message
   */
  #show({ mode: received, items, total, more, removed = 0, operations, offset }) {
    // The items of the previous session are shown until the first items of this session arrive.
    const mode = /** @type {import("./client-types.js").ItemsDetail["mode"]} */ (this.#isFresh ? "replace" : received);
    const before = this.items;
    if (mode === "replace") this.items = items;
    else if (mode === "fill") this.items = this.view.items;
    else this.items = mode === "prepend" ? [...items, ...before] : [...before, ...items];
    this.#isFresh = false;
    const estimate = operations && this.total !== undefined ? this.total + items.length - before.length : undefined;
    this.total = total ?? (more ? estimate : this.items.length);
    if (!operations) this.failure = ""; // Operations do not answer a load.
    if (mode === "replace") {
      // Rows of a list with random access have their places by their numbers.
      this.#finishKeeping = this.#showsStart
        ? () => this.scrollView.moveToStart() : this.view.hasRows ? null : this.#placeKeeper.begin();
      if (!operations) this.#showsStart = false;
    }
    this.dispatchEvent(new DetailEvent("items", {
      mode, items, removed, before, isLive: operations !== undefined, ...(mode === "fill" && { offset }),
    }));
    if (!this.#options.isRenderedLater) this.handleRendered();
    this.dispatchEvent(new Event("change"));
  }
}
