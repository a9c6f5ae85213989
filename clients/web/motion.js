// Numbers that move along the timelines of docs/protocol.md, "Commands and timelines".

/** Whether the user asked for less motion. */
export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

/** A number on its way along a timeline. */
export class Motion {
  value = 0;
  #from = 0;
  #to = 0;
  #timeline = null;
  #skipped = 0; // the fraction of the way that was over when the command came

  get running() { return this.#timeline !== null; }

  jump(value) {
    this.value = value;
    this.#timeline = null;
  }

  /**
   * Begins where the number is now and arrives when the timeline ends: a command that was under way for a
   * while takes the rest of its curve, stretched, so that nothing leaps.
   */
  run(to, timeline, now) {
    this.#skipped = travelled(timeline, now);
    if (timeline.duration <= 0 || this.#skipped >= 1 || to === this.value) return this.jump(to);
    this.#from = this.value;
    this.#to = to;
    this.#timeline = timeline;
  }

  finish() {
    if (this.#timeline) this.jump(this.#to);
  }

  advance(now) {
    if (!this.#timeline) return;
    if (now >= this.#timeline.start + this.#timeline.duration) return this.jump(this.#to);
    const whole = travelled(this.#timeline, now);
    const fraction = (whole - this.#skipped) / (1 - this.#skipped);
    this.value = this.#from + (this.#to - this.#from) * fraction;
  }
}

/** How much of its way a timeline has gone at a time of this page's clock. */
function travelled({ start, duration, curve }, now) {
  if (duration <= 0) return 1;
  const time = clamp((now - start) / duration, 0, 1);
  return Array.isArray(curve) ? sampled(curve, time) : eased(curve, time);
}

function sampled(curve, time) {
  const position = time * (curve.length - 1);
  const index = Math.min(Math.floor(position), curve.length - 2);
  if (index < 0) return 1;
  return curve[index] + (curve[index + 1] - curve[index]) * (position - index);
}

/** The CSS curves of these names, as the two inner control points of a cubic. */
const BEZIERS = {
  easeIn: [0.42, 0, 1, 1],
  easeOut: [0, 0, 0.58, 1],
  easeInOut: [0.42, 0, 0.58, 1],
};

function eased(name, time) {
  const points = BEZIERS[name];
  if (!points || time <= 0 || time >= 1) return time;
  const [x1, y1, x2, y2] = points;
  const cubic = (a, b, s) => 3 * a * s * (1 - s) ** 2 + 3 * b * s ** 2 * (1 - s) + s ** 3;
  let low = 0;
  let high = 1;
  for (let step = 0; step < 24; step += 1) {
    const middle = (low + high) / 2;
    if (cubic(x1, x2, middle) < time) low = middle;
    else high = middle;
  }
  return cubic(y1, y2, (low + high) / 2);
}
