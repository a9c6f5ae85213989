// Binds a DOM scroller to a view of the refresh.v1 protocol (docs/protocol.md). It sends the user's
// input as `geometry`, `scroll` and `pan`, and applies the received `inset` and `offset`.
//
// A list moves in two ways. Inside its content, the browser scrolls, and the view reports the
// offset (`scroll`). If a gesture starts at an edge and goes beyond it, the browser does nothing.
// The view then reports the travel of the finger (`pan`), and receives the offset as an answer.
//
// The view client decides which samples the daemon receives. A `StreamClient` shows the daemon's
// answers. A `LocalClient` also predicts them.

import { DetailEvent, TypedEventTarget } from "./detail-event.js";
import { InputHandler, causeField } from "./input-handler.js";
import { ListLayout, sizesText } from "./list-layout.js";
import { reducedMotion } from "./motion.js";
import { isEnd } from "./stream-client.js";
import { VelocityTracker } from "./velocity-tracker.js";

/** The interval at which a resting finger is checked for a due keep-alive sample. */
const KEEPALIVE_CHECK_MS = 250;
/** The time without a scroll event that counts as rest, if the browser has no `scrollend`. */
const SCROLL_SILENCE_MS = 300;
/**
 * The time without a scroll event after a `scrollend` that counts as rest. Chromium can send one
 * last scroll event after `scrollend`.
 */
const SCROLL_END_MS = 50;
/** The duration of an animation that the daemon has not commanded. */
const CORRECTION_MS = 200;
/** The time after a key, a wheel or a tap within which a scroll is attributed to it. */
const CAUSE_MS = 500;

/**
 * A list that the browser and the daemon move. `viewClient` is a `StreamClient` or a `LocalClient`.
 * `elements` are the elements of the list: `scroller` scrolls; in it, `stage` is translated by an
 * over-scroll and contains `above`, `content` and `below`. The height of the rooms `above` and
 * `below` is the host's own `insets` plus the daemon's share. `isReversed`: as `reversed` of
 * `attach`; the content of a reversed list must fill the viewport. `isStill` returns whether
 * commands are applied without animation. `rowHeight`: the height of each row, if all rows have the same
 * and the rows in sight are reported (docs/protocol.md, "What is in sight").
 *
 * Events: `move`, after each change of offset or rooms; `haptic`, with the cue as detail.
 *
 * @extends {TypedEventTarget<{move: undefined, haptic: string}>}
 */
export class ScrollView extends TypedEventTarget {
  #view;
  #viewClient;
  #elements;
  #list;
  #isStill;
  #abort = new AbortController();
  #frame = 0;
  #reportedSizes = ""; // the sizes that were last sent to the daemon
  #rowHeight;
  #reportedRows = {}; // the rows in sight that were last sent to the daemon

  #isReleased = false; // whether the list was released and its path has not arrived yet
  #awaitsStart = false; // whether the daemon has yet to move the list to the start of its new content
  #isOffsetUnreported = false; // whether closing rooms moved the list to an offset that was not sent

  // The user's input.
  #input;
  #pan = null; // a gesture that leads out of the content: {origin, translation, cause, tracker}
  #scroll = null; // the current scrolling: {finger, tracker}
  #cause = { name: "code", until: 0 };
  #timers = { keepAlive: 0, rest: 0 };

  /**
   * @param {import("./stream-client.js").StreamClient} viewClient
   * @param {Omit<import("./client-types.js").ListElements, "indicators">} elements
   * @param {{insets?: {top: number, bottom: number}, isReversed?: boolean, isStill?: () => boolean, rowHeight?: number}} options
   */
  constructor(viewClient, elements, {
    insets = { top: 0, bottom: 0 }, isReversed = false, isStill = () => reducedMotion.matches,
    rowHeight,
  } = {}) {
    super();
    this.#view = viewClient.view;
    this.#viewClient = viewClient;
    this.#elements = elements;
    this.#list = new ListLayout(elements, insets, isReversed);
    this.isReversed = isReversed;
    this.#rowHeight = rowHeight;
    this.#isStill = isStill;
    this.#addListeners();
    this.#layout();
    if (isReversed) this.restoreOffset(this.#list.startOffset);
  }

  /** The content offset: 0 at the start of the content, negative for a list pulled beyond it. */
  get offset() { return this.#list.offset.value; }
  /** Whether the list is at the start of its content, is pulled beyond it, or will be moved to it. */
  get isAtStart() { return this.#awaitsStart || this.#list.isAtStart; }
  /** The first and the last row in sight, if the rows have a height. They may lie after the last row of the list. */
  get visibleRows() {
    const height = this.#rowHeight;
    if (!height) return undefined;
    const first = Math.max(0, Math.floor(this.offset / height));
    return { first, last: Math.max(first, Math.ceil((this.offset + this.#list.viewportHeight) / height) - 1) };
  }
  /** The daemon's current share of each inset. */
  get shares() { return { top: this.#list.above.value, bottom: this.#list.below.value }; }
  /**
   * Returns the part of an `attach` that comes from the scroller. The member `pan` requests the
   * control law for drags that the view reports by `pan`.
   */
  describe() {
    if (!this.#view.isDisconnected) for (const value of this.#list.animatedValues) value.finish();
    this.#layout();
    const geometry = this.#list.geometry();
    this.#list.setSizes(geometry);
    this.#reportedSizes = sizesText(geometry);
    // A list that is being animated omits its offset, because the session already has its target.
    const offset = this.#isMoving ? undefined : this.#list.offset.value;
    this.#viewClient.recordDescribedOffset(offset);
    // An `attach` has no rows in sight. The next layout after `attached` reports them.
    this.#reportedRows = {};
    return { geometry, pan: {}, ...(offset !== undefined && { offset }) };
  }

  /** Sets the offset that the list had on the previous page. */
  restoreOffset(offset) {
    this.#awaitsStart = false;
    this.#list.offset.set(offset);
    this.#layout();
  }

  // Simulated fingers

  /** Begins a simulated drag, like a finger that comes down on the list. */
  beginDrag() {
    this.#beginPan(0, "finger", performance.now());
  }

  /** Moves the simulated finger to this distance from where it came down, in points. */
  drag(travel) {
    this.#movePan(travel, performance.now());
  }

  /** Lifts the simulated finger; `phase` is `ended` or `cancelled`. */
  endDrag(phase = "ended") {
    this.#endPan(phase, performance.now());
  }

  #addListeners() {
    const { scroller, content } = this.#elements;
    const view = this.#view;
    for (const type of /** @type {const} */ (["attached", "update"])) {
      view.addEventListener(type, ({ detail }) => this.#handle(detail));
    }
    view.addEventListener("disconnected", () => this.#settle());
    view.addEventListener("ended", () => {
      this.#viewClient.end();
      this.#end();
    });

    const { signal } = this.#abort;
    const sizes = new ResizeObserver(() => this.measure());
    sizes.observe(scroller);
    sizes.observe(content);
    signal.addEventListener("abort", () => sizes.disconnect());

    const passive = { passive: true, signal };
    scroller.addEventListener("scroll", (event) => this.#handleScroll(event), passive);
    scroller.addEventListener("scrollend", () => this.#scheduleRest(SCROLL_END_MS), passive);
    this.#input = new InputHandler(scroller, this.#inputTarget(), signal);
  }

  /** Returns the interface of the list for the input handler: its state, and the actions on it. */
  #inputTarget() {
    return {
      pan: () => this.#pan,
      isAnimating: () => this.#list.offset.isAnimating,
      isScrolling: () => this.#scroll !== null,
      isAtEnd: (isForward) => isForward !== this.isReversed && this.#list.isAtEnd,
      leadsOut: (along) => (along > 0 ? this.#list.isAtTop : this.#list.isAtBottom),
      setCause: (cause) => this.#setCause(cause),
      request: (intent, cause) => this.#view.send(intent, /** @type {any} */ ({ cause })),
      beginPan: (position, cause, t) => this.#beginPan(position, cause, t),
      movePan: (position, t) => this.#movePan(position, t),
      endPan: (phase, t) => this.#endPan(phase, t),
      startKeepAlive: () => this.#startKeepAlive(),
      endScroll: (phase, t) => this.#endScroll(phase, t),
    };
  }

  /** Gives the focus to the list. */
  focus() {
    this.#elements.scroller.focus({ preventScroll: true });
  }

  /** Detaches from the elements. This object cannot be used afterwards. */
  detach() {
    this.#abort.abort();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timers.rest);
    this.#clearPan();
  }

  // Geometry

  /**
   * Measures the elements. Sends their sizes if they have changed, or if `more` is given. If `more`
   * has an `offset`, the list is moved there after the message was sent. A sample that is sent
   * before the message has the previous offset.
   */
  measure(more = null) {
    const geometry = this.#list.geometry();
    if (!more && this.#reportedSizes === sizesText(geometry)) return;
    const { viewport, content, scale } = geometry;
    this.#list.setSizes(geometry);
    this.#reportedSizes = sizesText(geometry);
    const seq = this.#view.send("geometry", { viewport, content, scale, ...this.#reportRows(), ...more });
    if (more?.offset !== undefined) {
      if (!more.anchor) this.#viewClient.recordPlace(seq);
      this.#place(more.offset);
    }
    this.#layout();
  }

  /**
   * Keeps an item in its place in the viewport after items were replaced. The item `id` began at
   * `from` and now begins at `to`, in points from the start of the content.
   */
  holdItem({ id, from, to }) {
    this.#awaitsStart = false;
    this.#view.batch(() => {
      this.#view.send("geometry", { anchor: { id, position: from } });
      const offset = this.offset + to - from;
      const reachable = this.#reachable(offset);
      // The daemon moves a list that a finger pulls. Until its command arrives, the list shows the same offset.
      if (this.#pan) this.#list.offset.set(offset);
      this.measure({ anchor: { id, position: to }, offset: reachable });
    });
  }

  /**
   * Moves the list to its start, for the items of another list. A list that a finger holds beyond its
   * content stays. An animation that leads elsewhere, or to the start from afar, ends.
   */
  moveToStart() {
    const list = this.#list;
    const isElsewhere = this.#isMoving && !this.#pan && !list.leadsToStart;
    this.#view.batch(() => {
      if (isElsewhere) {
        // For the daemon, only a sample ends the animation. It must know the new content before.
        this.measure({});
        this.#isReleased = false;
        list.offset.set(list.clamped(list.startOffset));
        this.#sendScroll("idle", performance.now(), { cause: "code" });
      }
      this.keepAtStart();
    });
  }

  /**
   * Keeps a list at its start after its items have changed. A list in motion is moved there by the
   * daemon.
   */
  keepAtStart() {
    this.#awaitsStart = this.isReversed && this.#isMoving && !this.#pan;
    this.measure({ offset: this.#reachable(this.#list.startOffset) });
  }

  /** Whether a finger moves the list beyond its content, or an animation moves the list. */
  get #isMoving() { return this.#pan !== null || this.#isReleased || this.#list.offset.isAnimating; }

  /**
   * Returns the offset, limited to the range in which the list can rest. Undefined for a list in
   * motion, which the daemon moves.
   */
  #reachable(offset) { return this.#isMoving ? undefined : this.#list.clamped(offset); }

  #place(offset) {
    this.#list.offset.set(offset);
    this.#viewClient.setOffset(offset);
    if (this.#scroll) this.#scroll.tracker = new VelocityTracker();
  }

  /** Lays out the list, draws its indicators and dispatches `move`. */
  #layout() {
    const list = this.#list;
    list.resizeRooms();
    if (!this.#isMoving) {
      // As in any browser, a list at rest stays inside its rooms when the rooms shrink.
      const offset = list.clampedOffset;
      this.#isOffsetUnreported ||= offset !== list.offset.value;
      list.offset.set(offset);
    }
    list.place();
    this.#viewClient.paint(performance.now(), list.indicatorAreas, list.offset.value);
    this.dispatchEvent(new Event("move"));
    // A scroll reports the rows in its samples.
    const { attached, isDisconnected } = this.#view;
    if (attached && !isDisconnected && !this.#scroll && this.#haveRowsChanged) this.#view.send("geometry", this.#reportRows());
  }

  get #haveRowsChanged() {
    const { first, last } = this.visibleRows ?? this.#reportedRows;
    return first !== this.#reportedRows.first || last !== this.#reportedRows.last;
  }

  /** Returns the member of a message that reports the rows in sight. */
  #reportRows() {
    const visible = this.visibleRows;
    if (!visible) return {};
    this.#reportedRows = visible;
    return { visible };
  }

  // Commands

  #handle(message) {
    const now = performance.now();
    const isBack = this.#view.isResuming && message.type === "update";
    const commands = this.#viewClient.handle(message, now);
    const state = { correction: this.#correction(now), isReleased: this.#isReleased };
    this.#apply(isBack ? this.#list.resumedCommands(commands, state) : commands, now);
    // Send the sizes again if they have changed.
    if (message.type === "attached") this.measure();
  }

  /** Applies commands with times of this page's clock. `commands` is null if there are none. */
  #apply(commands, now) {
    const { inset, offset, haptic } = commands ?? {};
    if (inset?.top !== undefined) this.#animate(this.#list.above, inset.top, inset, now);
    if (inset?.bottom !== undefined) this.#animate(this.#list.below, inset.bottom, inset, now);
    if (offset) {
      this.#awaitsStart = false;
      // Only the path after the release has a duration. Answers to samples before the release have
      // no duration.
      this.#isReleased &&= !(offset.duration > 0);
      this.#animate(this.#list.offset, offset.to, offset, now);
    }
    for (const cue of haptic ?? []) this.dispatchEvent(new DetailEvent("haptic", cue));
    this.#advance(now);
  }

  #animate(value, target, command, now) {
    const { duration = 0, start = now, path, curve = "linear" } = command;
    const time = this.#isStill() ? 0 : duration;
    if (path && time > 0) return value.followPath(path, start, now);
    value.animate(target, { duration: time, start, curve }, now);
  }

  #advance(now) {
    cancelAnimationFrame(this.#frame);
    for (const value of this.#list.animatedValues) value.advance(now);
    this.#layout();
    const { isAnimating } = this.#list;
    if (isAnimating || this.#viewClient.isAnimating(now)) {
      this.#frame = requestAnimationFrame(() => this.#advance(performance.now()));
    }
    if (this.#isOffsetUnreported && !isAnimating) {
      this.#isOffsetUnreported = false;
      if (!this.#scroll && !this.#pan) this.#sendScroll("idle", now, { cause: "code" });
    }
  }

  /** Returns the timeline of an animation that the daemon has not commanded. */
  #correction(now) {
    return { duration: this.#isStill() ? 0 : CORRECTION_MS, start: now, curve: "easeOut" };
  }

  /** Closes the rooms and releases the list after the end of the session. */
  #end() {
    this.#clearPan();
    this.#isReleased = this.#awaitsStart = false;
    this.#scroll = null;
    const now = performance.now();
    const correction = this.#correction(now);
    const rest = this.#list.restingOffset(0, 0);
    this.#list.above.animate(0, correction, now);
    this.#list.below.animate(0, correction, now);
    this.#list.offset.animate(rest, correction, now);
    this.#advance(now);
  }

  // Scrolling by the browser

  #handleScroll(event) {
    if (this.#list.isOwnScroll() || this.#pan) return;
    this.#isReleased = this.#awaitsStart = false;
    this.#list.readScrollTop();
    const finger = this.#input.isScrolling;
    const begins = finger && !this.#scroll?.finger;
    if (!this.#scroll && !finger && event.timeStamp > this.#cause.until) this.#setCause("code");
    this.#scroll ??= { finger: false, tracker: new VelocityTracker() };
    this.#layout();
    this.#scroll.finger ||= finger;
    this.#scroll.tracker.add(this.#list.offset.value, event.timeStamp);
    const phase = begins ? "began" : finger ? "dragging" : "decelerating";
    this.#sendScroll(phase, event.timeStamp);
    this.#scheduleRest();
  }

  #sendScroll(phase, t, more = {}) {
    if (!this.#view.attached) return;
    const offset = this.#list.offset.value;
    const reports = phase === "idle" || (!isEnd(phase) && this.#haveRowsChanged);
    const rows = reports ? this.#reportRows() : {};
    this.#apply(this.#viewClient.scroll({ t, offset, phase, ...causeField(this.#cause.name), ...rows, ...more }), t);
  }

  /** Sets the cause of a scroll that starts soon. */
  #setCause(name) {
    this.#cause = { name, until: performance.now() + CAUSE_MS };
  }

  /** Treats the list as resting after this time without another scroll event. */
  #scheduleRest(delay = SCROLL_SILENCE_MS) {
    clearTimeout(this.#timers.rest);
    this.#timers.rest = setTimeout(() => this.#handleRest(), delay);
  }

  #handleRest() {
    if (!this.#scroll || this.#input.isScrolling) return;
    clearTimeout(this.#timers.rest);
    this.#scroll = null;
    this.#sendScroll("idle", performance.now());
    this.#setCause("code");
  }

  /** Handles the lift of a finger that scrolled. */
  #endScroll(phase, t) {
    clearInterval(this.#timers.keepAlive);
    if (!this.#scroll?.finger) return;
    const velocity = this.#scroll.tracker.velocity(t);
    this.#sendScroll(phase, t, phase === "ended" ? { velocity } : {});
    this.#scroll.finger = false;
    this.#scheduleRest();
  }

  // Panning by the daemon

  #beginPan(position, cause, t) {
    if (!this.#view.attached || (this.#view.isDisconnected && !this.#viewClient.canPanOffline)) return;
    if (this.#scroll) this.#handleRest();
    // The list stays at the shown offset, even if the daemon has another offset.
    const { value: offset } = this.#list.offset;
    this.#list.offset.set(offset);
    this.#isReleased = this.#awaitsStart = false;
    this.#pan = { origin: position, translation: 0, cause, tracker: new VelocityTracker() };
    this.#elements.scroller.classList.add("panning");
    this.#sendPan("began", t, { offset });
    if (cause === "finger") this.#startKeepAlive();
  }

  #movePan(position, t) {
    if (!this.#pan) return;
    this.#pan.translation = position - this.#pan.origin;
    this.#pan.tracker.add(-this.#pan.translation, t);
    this.#sendPan("dragging", t);
    if (this.#pan.cause === "finger") this.#startKeepAlive();
  }

  #endPan(phase, t) {
    if (!this.#pan) return;
    const velocity = phase === "ended" ? { velocity: this.#pan.tracker.velocity(t) } : {};
    const { translation, cause } = this.#pan;
    this.#clearPan();
    this.#isReleased = true;
    this.#apply(this.#viewClient.pan({ t, translation, phase, ...causeField(cause), ...velocity }), t);
    if (this.#view.isDisconnected) this.#settle();
  }

  /** Moves a released list into its resting range if the daemon cannot send a path. */
  #settle() {
    if (!this.#isReleased || this.#list.offset.isAnimating) return;
    const now = performance.now();
    this.#isReleased = this.#awaitsStart = false;
    this.#list.offset.animate(this.#list.clampedOffset, this.#correction(now), now);
    this.#advance(now);
  }

  #clearPan() {
    this.#pan = null;
    this.#input.cancelPan();
    clearInterval(this.#timers.keepAlive);
    this.#elements.scroller.classList.remove("panning");
  }

  #sendPan(phase, t, more = {}) {
    const { translation, cause } = this.#pan;
    this.#apply(this.#viewClient.pan({ t, translation, phase, ...causeField(cause), ...more }), t);
  }

  /** Starts to check a resting finger. Each sample of the finger starts the check again. */
  #startKeepAlive() {
    clearInterval(this.#timers.keepAlive);
    this.#timers.keepAlive = setInterval(() => {
      if (this.#pan || this.#scroll?.finger) this.#viewClient.sendKeepAlive(performance.now());
    }, KEEPALIVE_CHECK_MS);
  }
}
