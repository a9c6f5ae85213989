// Numbers that are animated by the timelines of docs/protocol.md, "Commands and timelines".

import { easing } from "./easing.js";

/** Whether the user prefers reduced motion. */
export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

/** The time in which a number that is beside its path returns to it. */
const FADE_MS = 150;

/** A number that is animated along a timeline or a computed path. */
export class Motion {
  value = 0;
  #from = 0;
  #to = 0;
  #timeline = null;
  #skipped = 0; // the fraction of the curve that was over when the command arrived
  #path = null; // {keys, start, came, ahead}: how far ahead of its path the number was at `came`

  get running() { return this.#timeline !== null || this.#path !== null; }
  /** The value at the end. */
  get target() { return this.running ? this.#to : this.value; }

  jump(value) {
    this.value = value;
    this.#timeline = null;
    this.#path = null;
  }

  /**
   * Animates from the current value, and arrives when the timeline ends or shortly after. A command that arrives late
   * uses the rest of its curve, stretched, so that there is no jump.
   */
  run(to, timeline, now) {
    this.#path = null;
    if (timeline.duration <= 0 || to === this.value) return this.jump(to);
    // A command that arrives almost at its end is still animated for a moment.
    const least = Math.min(FADE_MS, timeline.duration);
    const isLate = timeline.start + timeline.duration - now < least;
    if (isLate) timeline = { start: now, duration: least, curve: "easeOut" };
    this.#skipped = travelled(timeline, now);
    this.#from = this.value;
    this.#to = to;
    this.#timeline = timeline;
  }

  /**
   * Follows a path. The command took time to arrive, and the clocks may differ, so the number may be ahead of the path.
   * The difference fades out, so that there is no jump.
   */
  follow(keys, start, now) {
    const [, to] = keys.at(-1);
    this.#timeline = null;
    this.#to = to;
    this.#path = { keys, start, came: now, ahead: this.value - along(keys, now - start) };
  }

  finish() {
    if (this.running) this.jump(this.#to);
  }

  advance(now) {
    if (this.#path) return this.#advanceOnPath(now);
    if (!this.#timeline) return;
    if (now >= this.#timeline.start + this.#timeline.duration) return this.jump(this.#to);
    const whole = travelled(this.#timeline, now);
    const fraction = (whole - this.#skipped) / (1 - this.#skipped);
    this.value = this.#from + (this.#to - this.#from) * fraction;
  }

  #advanceOnPath(now) {
    const { keys, start, came, ahead } = this.#path;
    const left = 1 - clamp((now - came) / FADE_MS, 0, 1);
    if (now >= start + keys.at(-1)[0] && left === 0) return this.jump(this.#to);
    this.value = along(keys, now - start) + ahead * left * left;
  }
}

/** The position on a path of keys `[time, value]` at a time, by linear interpolation. */
function along(keys, time) {
  const next = keys.findIndex(([at]) => at > time);
  if (next < 0) return keys.at(-1)[1];
  if (next === 0) return keys[0][1];
  const [[t0, v0], [t1, v1]] = [keys[next - 1], keys[next]];
  return v0 + ((v1 - v0) * (time - t0)) / (t1 - t0);
}

/** The fraction of a timeline at a time of this page's clock. */
function travelled({ start, duration, curve }, now) {
  if (duration <= 0) return 1;
  const time = clamp((now - start) / duration, 0, 1);
  return easing(curve)(time);
}
