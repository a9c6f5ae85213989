// Binds a DOM scroller to a view of the refresh.v1 protocol (docs/protocol.md). The user's input is sent as `geometry`,
// `scroll` and `pan`. `inset` and `offset` are received and applied.
//
// There are two ways to move a list. Inside its content the browser scrolls, and the view reports the offset
// (`scroll`). The browser does nothing for a gesture that starts at an edge and goes beyond it. In that case the view
// reports the travel (`pan`) and receives the offset as an answer.
//
// The kind of client, `Stream` or `Local`, decides who answers and which samples the daemon receives.

import { Hands } from "./hands.js";
import { Motion, clamp, reducedMotion } from "./motion.js";
import { Trail } from "./trail.js";

/** The interval at which a resting finger is checked for its silence. */
const REST_LOOK_MS = 250;
/** The time without a scroll event that counts as rest, if the browser has no `scrollend`, ... */
const SCROLL_SILENCE_MS = 300;
/** ... and after a `scrollend`: Chromium may send one last scroll event after it. */
const SCROLL_END_MS = 50;
/** Browsers round `scrollTop` to device pixels, so an edge is reached within one pixel. */
const EDGE_TOLERANCE = 1;
/** The time in which the list moves to a place other than the shown one. */
const GENTLY_MS = 200;
/** The time after a key, a wheel or a tap within which a scroll is attributed to it. */
const CAUSE_MS = 500;

/**
 * A list that the daemon moves. `kind` is the kind of client. `parts` are the elements: `scroller` scrolls; in it,
 * `stage` is translated by an over-scroll and contains `above`, `content` and `below`. The height of the rooms `above`
 * and `below` is the host's own `insets` plus the daemon's share. `isStill` returns whether commands must be followed
 * without animation.
 *
 * Events: `move`, after each change of offset or rooms; `haptic`, with the cue as detail.
 */
export class ScrollView extends EventTarget {
  #view;
  #kind;
  #parts;
  #insets;
  #isStill;
  #ending = new AbortController();
  #frame = 0;
  #sizes = { viewport: { width: 0, height: 0 }, content: { width: 0, height: 0 } };
  #described = ""; // the sizes that were last sent to the daemon

  // The offset of the list, and its animations.
  #offset = new Motion();
  #above = new Motion();
  #below = new Motion();
  #written = NaN; // the scrollTop that was set, until its scroll event arrives

  #isLoose = false; // released, and its path has not arrived yet
  #drifted = false; // closing rooms moved the list, and the daemon does not know it yet

  // The user's input.
  #hands;
  #pan = null; // the gesture for which the daemon moves the list: {origin, translation, cause, trail}
  #scroll = null; // the current scrolling: {finger, trail}
  #cause = { name: "code", until: 0 };
  #timers = { rest: 0, silence: 0 };

  constructor(kind, parts, {
    insets = { top: 0, bottom: 0 }, isStill = () => reducedMotion.matches,
  } = {}) {
    super();
    this.#view = kind.view;
    this.#kind = kind;
    this.#parts = parts;
    this.#insets = insets;
    this.#isStill = isStill;
    this.#offset.jump(-insets.top);
    this.#listen();
    this.#layout();
  }

  /** The content offset: 0 at the start of the content, negative while it is pulled down. */
  get offset() { return this.#offset.value; }
  /** The daemon's current share of each inset. */
  get shares() { return { top: this.#above.value, bottom: this.#below.value }; }
  /** The part of an `attach` that only the scroller knows. `pan` requests the law for this kind of motion. */
  describe() {
    if (!this.#view.isAway) for (const motion of this.#motions) motion.finish();
    this.#layout();
    const geometry = this.#geometry();
    this.#described = sizesText(geometry);
    // The session knows the target of a list that is being animated.
    const rests = !this.#pan && !this.#isLoose && !this.#offset.running;
    return { geometry, pan: {}, ...(rests && { offset: this.#offset.value }) };
  }

  /** Puts the list at the offset it had on the previous page. */
  put(offset) {
    this.#offset.jump(offset);
    this.#layout();
  }

  // Simulated fingers

  /** Takes hold of the list like a finger that comes down on it. */
  grab() {
    this.#beginPan(0, "finger", performance.now());
  }

  /** Moves that finger to this travel, in points. */
  drag(travel) {
    this.#movePan(travel, performance.now());
  }

  /** Lifts the finger: `ended` or `cancelled`. */
  letGo(phase = "ended") {
    this.#endPan(phase, performance.now());
  }

  #listen() {
    const { scroller, content } = this.#parts;
    const view = this.#view;
    for (const type of ["attached", "update"]) {
      view.addEventListener(type, ({ detail }) => this.#take(detail));
    }
    view.addEventListener("away", () => this.#settle());
    view.addEventListener("lost", () => {
      this.#kind.lose();
      this.#release();
    });

    const { signal } = this.#ending;
    const sizes = new ResizeObserver(() => this.#measure());
    sizes.observe(scroller);
    sizes.observe(content);
    signal.addEventListener("abort", () => sizes.disconnect());

    const passive = { passive: true, signal };
    scroller.addEventListener("scroll", (event) => this.#scrolled(event), passive);
    scroller.addEventListener("scrollend", () => this.#awaitSilence(SCROLL_END_MS), passive);
    this.#hands = new Hands(scroller, this.#forHands(), signal);
  }

  /** The list as input handlers see it: its state, and the actions on it. */
  #forHands() {
    return {
      pan: () => this.#pan,
      isMoved: () => this.#offset.running,
      isScrolling: () => this.#scroll !== null,
      isAtEnd: () => this.#atBottom,
      leaves: (along) => (along > 0 ? this.#atTop : this.#atBottom),
      blame: (cause) => this.#blame(cause),
      ask: (intent, cause) => this.#view.send(intent, { cause }),
      beginPan: (position, cause, t) => this.#beginPan(position, cause, t),
      movePan: (position, t) => this.#movePan(position, t),
      endPan: (phase, t) => this.#endPan(phase, t),
      fingerRests: () => this.#repeatAtRest(),
      fingerLeft: (phase, t) => this.#fingerLeft(phase, t),
    };
  }

  /** Detaches from the elements for good. */
  end() {
    this.#ending.abort();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timers.silence);
    this.#forgetPan();
  }

  // Geometry

  #geometry() {
    const { scroller, content } = this.#parts;
    const visible = scroller.getBoundingClientRect();
    const whole = content.getBoundingClientRect();
    // Rounded so that the browser, which scrolls by whole pixels, can reach the end that the daemon computes.
    return {
      viewport: { width: Math.ceil(visible.width), height: Math.ceil(visible.height) },
      content: { width: Math.floor(whole.width), height: Math.floor(whole.height) },
      insets: { top: this.#insets.top, left: 0, bottom: this.#insets.bottom, right: 0 },
      scale: devicePixelRatio,
    };
  }

  #measure() {
    const geometry = this.#geometry();
    const { viewport, content, scale } = geometry;
    this.#sizes = { viewport, content };
    this.#described = sizesText(geometry);
    this.#view.send("geometry", { viewport, content, scale });
    this.#layout();
  }

  /** The space for the indicators: the visible gap between each end of the list and its content. */
  get #rooms() {
    const { viewport: { width, height }, content } = this.#sizes;
    const offset = this.#offset.value;
    return {
      top: { gap: Math.max(0, -offset), width, height },
      bottom: { gap: Math.max(0, offset + height - content.height), width, height },
    };
  }

  get #topRoom() { return this.#insets.top + this.#above.value; }
  get #scrollMax() {
    const { scroller } = this.#parts;
    return Math.max(0, scroller.scrollHeight - Math.ceil(scroller.getBoundingClientRect().height));
  }
  get #atTop() { return this.#offset.value <= EDGE_TOLERANCE - this.#topRoom; }
  get #atBottom() {
    return this.#offset.value >= this.#scrollMax - this.#topRoom - EDGE_TOLERANCE;
  }

  /** Shows the list at `offset`: by `scrollTop` as far as possible, and beyond that by a transform. */
  #layout() {
    const { scroller, stage, above, below } = this.#parts;
    above.style.height = `${this.#topRoom}px`;
    below.style.height = `${this.#insets.bottom + this.#below.value}px`;
    if (!this.#pan && !this.#isLoose && !this.#offset.running) {
      // Nothing moves the list. As in any browser, it stays inside its rooms when these shrink.
      const end = this.#scrollMax - this.#topRoom;
      const kept = clamp(this.#offset.value, -this.#topRoom, end);
      this.#drifted ||= kept !== this.#offset.value;
      this.#offset.jump(kept);
    }
    const wanted = this.#offset.value + this.#topRoom;
    const inside = clamp(wanted, 0, this.#scrollMax);
    const before = scroller.scrollTop;
    if (Math.abs(before - inside) >= 0.5) {
      scroller.scrollTop = inside;
      if (scroller.scrollTop !== before) this.#written = scroller.scrollTop;
    }
    const beyond = inside - wanted;
    stage.style.transform = Math.abs(beyond) < 0.01 ? "" : `translateY(${beyond}px)`;
    this.#kind.paint(performance.now(), this.#rooms, this.#offset.value);
    this.dispatchEvent(new Event("move"));
  }

  // Commands

  #take(message) {
    const now = performance.now();
    const isBack = this.#view.isComingBack && message.type === "update";
    const commands = this.#kind.take(message, now);
    this.#follow(isBack ? this.#goOn(commands, now) : commands, now);
    // The sizes have changed since they were last sent.
    if (message.type === "attached" && this.#described !== sizesText(this.#geometry())) this.#measure();
  }

  /**
   * Continues running animations after a resumption, and animates to targets that changed in the meantime. Nothing
   * jumps.
   */
  #goOn({ inset = {}, offset, ...others }, now) {
    const gently = { duration: this.#isStill() ? 0 : GENTLY_MS, start: now, curve: "easeOut" };
    const { top, bottom, ...timeline } = inset;
    const rooms = {};
    if (top !== undefined && top !== this.#above.target) rooms.top = top;
    if (bottom !== undefined && bottom !== this.#below.target) rooms.bottom = bottom;
    if (!offset && this.#isLoose) {
      // The list reached its target.
      const end = this.#scrollMax - this.#topRoom - this.#below.value + (bottom ?? this.#below.target);
      offset = { to: clamp(this.#offset.value, -this.#insets.top - (top ?? this.#above.target), end), ...gently };
    }
    return { ...others, offset, inset: { ...(timeline.duration > 0 ? timeline : gently), ...rooms } };
  }

  /** Follows commands whose times are of this page's clock; null means none. */
  #follow(commands, now) {
    const { inset, offset, haptic } = commands ?? {};
    if (inset?.top !== undefined) this.#run(this.#above, inset.top, inset, now);
    if (inset?.bottom !== undefined) this.#run(this.#below, inset.bottom, inset, now);
    if (offset) {
      // Answers to samples before the release have no duration. The path after the release has one.
      this.#isLoose &&= !(offset.duration > 0);
      this.#run(this.#offset, offset.to, offset, now);
    }
    for (const cue of haptic ?? []) this.dispatchEvent(new CustomEvent("haptic", { detail: cue }));
    this.#advance(now);
  }

  #run(motion, target, command, now) {
    const { duration = 0, start = now, path, curve = "linear" } = command;
    const time = this.#isStill() ? 0 : duration;
    if (path && time > 0) return motion.follow(path, start, now);
    motion.run(target, { duration: time, start, curve }, now);
  }

  #advance(now) {
    cancelAnimationFrame(this.#frame);
    for (const motion of this.#motions) motion.advance(now);
    this.#layout();
    const isUnderWay = this.#motions.some((motion) => motion.running);
    if (isUnderWay || this.#kind.isMoving(now)) {
      this.#frame = requestAnimationFrame(() => this.#advance(performance.now()));
    }
    if (this.#drifted && !isUnderWay) {
      this.#drifted = false;
      if (!this.#scroll && !this.#pan) this.#sendScroll("idle", now, { cause: "code" });
    }
  }

  get #motions() { return [this.#above, this.#below, this.#offset]; }

  /** Closes the rooms and releases the list after the session has ended, and its shares with it. */
  #release() {
    this.#forgetPan();
    this.#isLoose = false;
    this.#scroll = null;
    const now = performance.now();
    const gently = { duration: this.#isStill() ? 0 : GENTLY_MS, start: now, curve: "easeOut" };
    const end = this.#scrollMax - this.#topRoom - this.#below.value;
    const rest = clamp(this.#offset.value, -this.#insets.top, end);
    this.#above.run(0, gently, now);
    this.#below.run(0, gently, now);
    this.#offset.run(rest, gently, now);
    this.#advance(now);
  }

  // Scrolling by the browser

  #scrolled(event) {
    const { scroller } = this.#parts;
    if (Math.abs(scroller.scrollTop - this.#written) < 1) {
      this.#written = NaN;
      return;
    }
    this.#written = NaN;
    if (this.#pan) return;
    this.#isLoose = false;
    this.#offset.jump(scroller.scrollTop - this.#topRoom);
    this.#layout();

    const finger = this.#hands.isScrolling;
    const begins = finger && !this.#scroll?.finger;
    if (!this.#scroll && !finger && event.timeStamp > this.#cause.until) this.#blame("code");
    this.#scroll ??= { finger: false, trail: new Trail() };
    this.#scroll.finger ||= finger;
    this.#scroll.trail.add(this.#offset.value, event.timeStamp);
    const phase = begins ? "began" : finger ? "dragging" : "decelerating";
    this.#sendScroll(phase, event.timeStamp);
    this.#awaitSilence();
  }

  #sendScroll(phase, t, more = {}) {
    if (!this.#view.attached) return;
    const offset = this.#offset.value;
    this.#follow(this.#kind.scroll({ t, offset, phase, ...causeField(this.#cause.name), ...more }), t);
  }

  /** Sets the cause of a scroll that starts soon. */
  #blame(name) {
    this.#cause = { name, until: performance.now() + CAUSE_MS };
  }

  #awaitSilence(patience = SCROLL_SILENCE_MS) {
    clearTimeout(this.#timers.silence);
    this.#timers.silence = setTimeout(() => this.#rested(), patience);
  }

  #rested() {
    if (!this.#scroll || this.#hands.isScrolling) return;
    clearTimeout(this.#timers.silence);
    this.#scroll = null;
    this.#sendScroll("idle", performance.now());
    this.#blame("code");
  }

  /** Handles the lift of a finger that scrolled. */
  #fingerLeft(phase, t) {
    clearInterval(this.#timers.rest);
    if (!this.#scroll?.finger) return;
    const velocity = this.#scroll.trail.velocity(t);
    this.#sendScroll(phase, t, phase === "ended" ? { velocity } : {});
    this.#scroll.finger = false;
    this.#awaitSilence();
  }

  // Panning by the daemon

  #beginPan(position, cause, t) {
    if (!this.#view.attached || (this.#view.isAway && !this.#kind.isIndependent)) return;
    if (this.#scroll) this.#rested();
    // The list stays at the shown offset, whatever the daemon's offset is by then.
    const { value: offset } = this.#offset;
    this.#offset.jump(offset);
    this.#isLoose = false;
    this.#pan = { origin: position, translation: 0, cause, trail: new Trail() };
    this.#parts.scroller.classList.add("panning");
    this.#sendPan("began", t, { offset });
    if (cause === "finger") this.#repeatAtRest();
  }

  #movePan(position, t) {
    if (!this.#pan) return;
    this.#pan.translation = position - this.#pan.origin;
    this.#pan.trail.add(-this.#pan.translation, t);
    this.#sendPan("dragging", t);
    if (this.#pan.cause === "finger") this.#repeatAtRest();
  }

  #endPan(phase, t) {
    if (!this.#pan) return;
    const velocity = phase === "ended" ? { velocity: this.#pan.trail.velocity(t) } : {};
    const { translation, cause } = this.#pan;
    this.#forgetPan();
    this.#isLoose = true;
    this.#follow(this.#kind.pan({ t, translation, phase, ...causeField(cause), ...velocity }), t);
    if (this.#view.isAway) this.#settle();
  }

  /** Moves a released list to the end of its content if no path will arrive. */
  #settle() {
    if (!this.#isLoose || this.#offset.running) return;
    const now = performance.now();
    this.#isLoose = false;
    const rest = clamp(this.#offset.value, -this.#topRoom, this.#scrollMax - this.#topRoom);
    this.#offset.run(rest, { duration: this.#isStill() ? 0 : GENTLY_MS, start: now, curve: "easeOut" }, now);
    this.#advance(now);
  }

  #forgetPan() {
    this.#pan = null;
    this.#hands.forgetPan();
    clearInterval(this.#timers.rest);
    this.#parts.scroller.classList.remove("panning");
  }

  #sendPan(phase, t, more = {}) {
    const { translation, cause } = this.#pan;
    this.#follow(this.#kind.pan({ t, translation, phase, ...causeField(cause), ...more }), t);
  }

  #repeatAtRest() {
    clearInterval(this.#timers.rest);
    this.#timers.rest = setInterval(() => {
      if (this.#pan || this.#scroll?.finger) this.#kind.rest(performance.now());
    }, REST_LOOK_MS);
  }
}

const sizesText = ({ viewport, content, scale }) => JSON.stringify([viewport, content, scale]);

/** `finger` is the default and is left out. */
function causeField(cause) {
  return cause === "finger" ? {} : { cause };
}
