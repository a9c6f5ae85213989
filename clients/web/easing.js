// The easings of programmes (docs/indicators.md, "Tracks, keys, easing"). They map the position
// between two keys, 0...1, to the fraction of the change. This module uses no DOM and no clock.

const linear = (u) => u;
const hold = () => 0;

/**
 * Returns the CSS curve through (0, 0) and (1, 1) with these inner control points. Bisection finds
 * the curve's parameter to the last bit, because x increases with it. Newton's method would fail
 * where the curve is flat.
 */
function cubicBezier([x1, y1, x2, y2]) {
  const cubic = (a, b, s) => 3 * (1 - s) * (1 - s) * s * a + 3 * (1 - s) * s * s * b + s * s * s;
  return (u) => {
    if (u <= 0 || u >= 1) return u <= 0 ? 0 : 1;
    let low = 0;
    let high = 1;
    for (let step = 0; step < 50; step += 1) {
      const middle = (low + high) / 2;
      if (cubic(x1, x2, middle) < u) low = middle;
      else high = middle;
    }
    return cubic(y1, y2, (low + high) / 2);
  };
}

function steps([count, jump = "end"]) {
  const first = jump === "start" || jump === "both" ? 1 : 0;
  const parts = { start: count, end: count, none: count - 1, both: count + 1 }[jump];
  return (u) => (u <= 0 ? 0 : (Math.floor(u * count) + first) / parts);
}

function spring([damping, periods]) {
  const w = 2 * Math.PI * periods;
  const decay = damping * w;
  const v = w * Math.sqrt(1 - damping * damping);
  return (u) => 1 - Math.exp(-decay * u) * (Math.cos(v * u) + (decay / v) * Math.sin(v * u));
}

const NAMED = {
  linear,
  hold,
  ease: cubicBezier([0.25, 0.1, 0.25, 1]),
  easeIn: cubicBezier([0.42, 0, 1, 1]),
  easeOut: cubicBezier([0, 0, 0.58, 1]),
  easeInOut: cubicBezier([0.42, 0, 0.58, 1]),
};

/**
 * Returns the function for an easing in a programme. Unknown easings are linear.
 *
 * @param {string | {cubicBezier?: [number, number, number, number], steps?: any, spring?: any}} [description]
 * @returns {(fraction: number) => number}
 */
export function easing(description = "linear") {
  if (typeof description === "string") return NAMED[description] ?? linear;
  if (description.cubicBezier) return cubicBezier(description.cubicBezier);
  if (description.steps) return steps(description.steps);
  if (description.spring) return spring(description.spring);
  return linear;
}
