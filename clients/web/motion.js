// Animates numbers by the timelines of docs/protocol.md, "Commands and timelines".

import { easing } from "./easing.js";

/** Whether the user prefers reduced motion. Outside browsers, no user does. */
export const reducedMotion = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)") ?? { matches: false };

export const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

/** The time in milliseconds in which the difference between a value and its path fades out. */
const BLEND_MS = 150;

/** A number that is animated along a timeline or a computed path. */
export class AnimatedValue {
  value = 0;
  #from = 0;
  #to = 0;
  #timeline = null;
  #skipped = 0; // the fraction of the curve that was over when the command arrived
  #path = null; // {keys, start, receivedAt, lead}; `lead` is the initial distance from the path

  get isAnimating() { return this.#timeline !== null || this.#path !== null; }
  /** The value at the end of the animation. */
  get target() { return this.isAnimating ? this.#to : this.value; }

  /** Sets the value without animation. */
  set(value) {
    this.value = value;
    this.#timeline = null;
    this.#path = null;
  }

  /**
   * Animates from the current value to the target, which is reached when the timeline ends or
   * shortly after. If the command arrives late, the rest of the curve is scaled so that it leads
   * from the current value to the target in the remaining time. So the value does not jump.
   */
  animate(to, timeline, now) {
    this.#path = null;
    if (timeline.duration <= 0 || to === this.value) return this.set(to);
    // If a command arrives shortly before the end of its timeline, the value is animated for
    // `BLEND_MS`, but not longer than the timeline lasts.
    const least = Math.min(BLEND_MS, timeline.duration);
    const isLate = timeline.start + timeline.duration - now < least;
    if (isLate) timeline = { start: now, duration: least, curve: "easeOut" };
    this.#skipped = curveFraction(timeline, now);
    this.#from = this.value;
    this.#to = to;
    this.#timeline = timeline;
  }

  /**
   * Follows a path. The command took time to arrive, and the clocks can differ, so the value can
   * differ from the path. The difference fades out, so that the value does not jump.
   */
  followPath(keys, start, now) {
    const [, to] = keys.at(-1);
    this.#timeline = null;
    this.#to = to;
    this.#path = { keys, start, receivedAt: now, lead: this.value - positionOnPath(keys, now - start) };
  }

  /** Ends the animation at its target. */
  finish() {
    if (this.isAnimating) this.set(this.#to);
  }

  /** Updates the value for a frame at `now`. */
  advance(now) {
    if (this.#path) return this.#advanceOnPath(now);
    if (!this.#timeline) return;
    if (now >= this.#timeline.start + this.#timeline.duration) return this.set(this.#to);
    const whole = curveFraction(this.#timeline, now);
    const fraction = (whole - this.#skipped) / (1 - this.#skipped);
    this.value = this.#from + (this.#to - this.#from) * fraction;
  }

  #advanceOnPath(now) {
    const { keys, start, receivedAt, lead } = this.#path;
    const left = 1 - clamp((now - receivedAt) / BLEND_MS, 0, 1);
    if (now >= start + keys.at(-1)[0] && left === 0) return this.set(this.#to);
    this.value = positionOnPath(keys, now - start) + lead * left * left;
  }
}

/** Interpolates linearly in a path of keys `[time, value]`. */
function positionOnPath(keys, time) {
  const next = keys.findIndex(([at]) => at > time);
  if (next < 0) return keys.at(-1)[1];
  if (next === 0) return keys[0][1];
  const [[t0, v0], [t1, v1]] = [keys[next - 1], keys[next]];
  return v0 + ((v1 - v0) * (time - t0)) / (t1 - t0);
}

/** Returns the fraction of a timeline at a time of this page's clock. */
function curveFraction({ start, duration, curve }, now) {
  if (duration <= 0) return 1;
  const time = clamp((now - start) / duration, 0, 1);
  return easing(curve)(time);
}
