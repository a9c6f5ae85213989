// Lays out the elements of a list: its rooms, its scroll position and its over-scroll.

import { AnimatedValue, clamp } from "./motion.js";

/**
 * The list counts as being at an edge within this number of pixels, because browsers round
 * `scrollTop`.
 */
const EDGE_TOLERANCE = 1;

/**
 * The layout of one list. The arguments of the constructor are those of `ScrollView`. The members
 * `above` and `below` are the daemon's shares of the insets.
 */
export class ListLayout {
  offset = new AnimatedValue();
  above = new AnimatedValue();
  below = new AnimatedValue();

  #elements;
  #insets;
  #isReversed;
  #sizes = { viewport: { width: 0, height: 0 }, content: { width: 0, height: 0 } };
  #expectedScrollTop = NaN; // the scrollTop that was set, until its scroll event arrives

  constructor(elements, insets, isReversed = false) {
    this.#elements = elements;
    this.#insets = insets;
    this.#isReversed = isReversed;
    this.offset.set(-insets.top);
  }

  get animatedValues() { return [this.above, this.below, this.offset]; }
  get isAnimating() { return this.animatedValues.some((value) => value.isAnimating); }

  // Sizes

  /** Returns the sizes and insets as in a `geometry` message. */
  geometry() {
    const { scroller, content } = this.#elements;
    const visible = scroller.getBoundingClientRect();
    const whole = content.getBoundingClientRect();
    // The browser scrolls by whole pixels. The sizes are rounded, so that the browser can reach the
    // end that the daemon computes.
    return {
      viewport: { width: Math.ceil(visible.width), height: Math.ceil(visible.height) },
      content: { width: Math.floor(whole.width), height: Math.floor(whole.height) },
      insets: { top: this.#insets.top, left: 0, bottom: this.#insets.bottom, right: 0 },
      scale: devicePixelRatio,
    };
  }

  /** Sets the sizes from a measured geometry. */
  setSizes({ viewport, content }) {
    this.#sizes = { viewport, content };
  }

  /** The space for the indicators: the visible gap between each end of the list and its content. */
  get indicatorAreas() {
    const { viewport: { width, height }, content } = this.#sizes;
    const offset = this.offset.value;
    return {
      top: { gap: Math.max(0, -offset), width, height },
      bottom: { gap: Math.max(0, offset + height - content.height), width, height },
    };
  }

  get viewportHeight() { return this.#sizes.viewport.height; }
  get #topInset() { return this.#insets.top + this.above.value; }
  get #scrollMax() {
    const { scroller } = this.#elements;
    return Math.max(0, scroller.scrollHeight - Math.ceil(scroller.getBoundingClientRect().height));
  }

  // Offsets

  get isAtTop() { return this.offset.value <= EDGE_TOLERANCE - this.#topInset; }
  get isAtBottom() {
    return this.offset.value >= this.#scrollMax - this.#topInset - EDGE_TOLERANCE;
  }

  /** Whether the list is at its refresh edge, where reading begins, or is beyond it. */
  get isAtStart() {
    return this.#isReversed ? this.offset.value >= this.startOffset - EDGE_TOLERANCE : this.isAtTop;
  }
  /** Whether the list is at its other edge, where more items are loaded. */
  get isAtEnd() { return this.#isReversed ? this.isAtTop : this.isAtBottom; }

  /**
   * Whether the list is at its start or beyond it, and is not animated to another place. This is the
   * start of the content that was measured last.
   */
  get leadsToStart() {
    const { value, target } = this.offset;
    const { top, bottom } = this.#insets;
    if (!this.#isReversed) return Math.max(value, target) <= EDGE_TOLERANCE - top;
    const { viewport, content } = this.#sizes;
    return Math.min(value, target) >= Math.max(-top, content.height + bottom - viewport.height) - EDGE_TOLERANCE;
  }

  /** The offset, limited to the range in which the list can rest. */
  get clampedOffset() { return this.clamped(this.offset.value); }

  /** Returns an offset, limited to the range in which the list can rest. */
  clamped(offset) { return clamp(offset, -this.#topInset, this.#scrollMax - this.#topInset); }

  /** Returns the offset, limited to the resting range of a list with these inset shares. */
  restingOffset(top, bottom) {
    const end = this.#scrollMax - this.#topInset - this.below.value + bottom;
    return clamp(this.offset.value, -this.#insets.top - top, end);
  }

  /**
   * The offset at which the list shows its start. At this offset, a reversed list hides the
   * daemon's room below its content.
   */
  get startOffset() { return (this.#isReversed ? this.#scrollMax - this.below.value : 0) - this.#topInset; }

  /**
   * Adapts the commands of a resumed session. Running animations continue. If a target has changed,
   * an animation with the timeline `correction` leads to it. `isReleased`: the list was released,
   * and its path has not arrived.
   *
   * @param {{inset?: any, offset?: any, haptic?: string[]}} commands
   * @param {{correction: any, isReleased: boolean}} state
   */
  resumedCommands({ inset = {}, offset, ...others }, { correction, isReleased }) {
    const { top, bottom, ...timeline } = inset;
    const rooms = {};
    if (top !== undefined && top !== this.above.target) rooms.top = top;
    if (bottom !== undefined && bottom !== this.below.target) rooms.bottom = bottom;
    if (!offset && isReleased) {
      // In the session, the list is already at its target, so no path will arrive.
      offset = { to: this.restingOffset(top ?? this.above.target, bottom ?? this.below.target), ...correction };
    }
    return { ...others, offset, inset: { ...(timeline.duration > 0 ? timeline : correction), ...rooms } };
  }

  /**
   * Whether the current scroll event was caused by `place`. This method must be called once for
   * each event.
   */
  isOwnScroll() {
    const isOwn = Math.abs(this.#elements.scroller.scrollTop - this.#expectedScrollTop) < 1;
    this.#expectedScrollTop = NaN;
    return isOwn;
  }

  /** Sets the offset from the scroll position of the browser. */
  readScrollTop() {
    this.offset.set(this.#elements.scroller.scrollTop - this.#topInset);
  }

  // Elements

  /** Sets the heights of both rooms. */
  resizeRooms() {
    const { above, below } = this.#elements;
    above.style.height = `${this.#topInset}px`;
    below.style.height = `${this.#insets.bottom + this.below.value}px`;
  }

  /**
   * Shows the list at its offset. Within the scroll range, `scrollTop` moves the list. Beyond that
   * range, a transform moves it.
   */
  place() {
    const { scroller, stage } = this.#elements;
    const target = this.offset.value + this.#topInset;
    const inside = clamp(target, 0, this.#scrollMax);
    const before = scroller.scrollTop;
    if (Math.abs(before - inside) >= 0.5) {
      scroller.scrollTop = inside;
      if (scroller.scrollTop !== before) this.#expectedScrollTop = scroller.scrollTop;
    }
    const beyond = inside - target;
    stage.style.transform = Math.abs(beyond) < 0.01 ? "" : `translateY(${beyond}px)`;
  }
}

/** Returns a text that is equal for equal sizes of a geometry. */
export const sizesText = ({ viewport, content, scale }) => JSON.stringify([viewport, content, scale]);
