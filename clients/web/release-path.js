// The path of a list after its release, computed as the daemon computes it (docs/protocol.md,
// "Commands and timelines"). The list slides, overshoots an end, and springs back. This module uses
// no DOM and no clock.

/** The rate of the critically damped spring at an end, per second. */
const STIFFNESS = 18;
/** The rates at which a sliding list loses velocity, per second. */
const DECAY_RATES = { normal: 2000 / 998, fast: 10_000 / 990 };
/** The smallest visible motion, in points. */
const IMPERCEPTIBLE = 0.5;
const STEP_MS = 16;
const DURATION_MAX_MS = 8000;

/**
 * Returns a spring's distance from rest after `t` seconds. The spring starts `away` points from
 * rest at `velocity`.
 */
function springOffset(away, velocity, t) {
  return (away + (velocity + STIFFNESS * away) * t) * Math.exp(-STIFFNESS * t);
}

/**
 * Returns an `offset` command for a list that is released at `offset` with `velocity`, in points
 * per second. Null if the list does not move. The list can rest at the offsets from `lower` to
 * `upper`.
 */
export function releasePath({ offset, velocity, lower, upper, deceleration = "normal", start }) {
  const decay = DECAY_RATES[deceleration] ?? DECAY_RATES.normal;
  const isFree = offset >= lower && offset <= upper;
  if (isFree && Math.abs(velocity) / decay < IMPERCEPTIBLE) return null;

  // Inside its range, the list slides towards one end. At that end, and beyond either end, a spring
  // moves the list.
  const ahead = velocity < 0 ? lower : upper;
  const fraction = isFree ? ((ahead - offset) * decay) / velocity : 0;
  const slideSeconds = fraction < 1 ? -Math.log(1 - fraction) / decay : Infinity;
  const edge = isFree ? ahead : Math.min(Math.max(offset, lower), upper);
  const away = isFree ? 0 : offset - edge;
  const edgeVelocity = isFree ? velocity * (1 - fraction) : velocity;
  const at = (seconds) => (seconds < slideSeconds
    ? offset + (velocity / decay) * (1 - Math.exp(-decay * seconds))
    : edge + springOffset(away, edgeVelocity, seconds - slideSeconds));
  const to = slideSeconds === Infinity
    ? Math.min(Math.max(offset + velocity / decay, lower), upper) : edge;

  const path = [[0, offset]];
  let time = 0;
  do {
    time += STEP_MS;
    path.push([time, at(time / 1000)]);
  } while (time < DURATION_MAX_MS && (Math.abs(path.at(-1)[1] - to) > IMPERCEPTIBLE || time / 1000 < slideSeconds + 0.1)
    && !(slideSeconds === Infinity && Math.abs(path.at(-1)[1] - to) <= IMPERCEPTIBLE));
  path.push([time + STEP_MS, to]);
  return { to, duration: time + STEP_MS, start, path };
}
