// The way of a list that was let go, as the daemon will work it out (docs/protocol.md, "Commands and timelines"): it
// slides, swings over the end that it meets, and springs back. No DOM, no clock.

/** Per second: how fast the spring at an end pulls; it is critically damped. */
const STIFFNESS = 18;
/** Per second: how much of its velocity a sliding list loses. */
const LOSSES = { normal: 2000 / 998, fast: 10_000 / 990 };
/** Nobody sees a list move by less, in points. */
const IMPERCEPTIBLE = 0.5;
const STEP_MS = 16;
const LONGEST_MS = 8000;

/** A spring `away` points from where it rests, moving at `velocity`: how far away it is after `t` seconds. */
function sprung(away, velocity, t) {
  return (away + (velocity + STIFFNESS * away) * t) * Math.exp(-STIFFNESS * t);
}

/**
 * An `offset` command for a list that is let go at `offset` with `velocity` (points per second); null where it
 * stays. It may rest from `lower` to `upper`.
 */
export function flight({ offset, velocity, lower, upper, deceleration = "normal", start }) {
  const loss = LOSSES[deceleration] ?? LOSSES.normal;
  const isFree = offset >= lower && offset <= upper;
  if (isFree && Math.abs(velocity) / loss < IMPERCEPTIBLE) return null;

  // Free, it slides to the end that it meets; from there, or from beyond, a spring takes it.
  const ahead = velocity < 0 ? lower : upper;
  const part = isFree ? ((ahead - offset) * loss) / velocity : 0;
  const slides = part < 1 ? -Math.log(1 - part) / loss : Infinity;
  const edge = isFree ? ahead : Math.min(Math.max(offset, lower), upper);
  const away = isFree ? 0 : offset - edge;
  const met = isFree ? velocity * (1 - part) : velocity;
  const at = (seconds) => (seconds < slides
    ? offset + (velocity / loss) * (1 - Math.exp(-loss * seconds))
    : edge + sprung(away, met, seconds - slides));
  const to = slides === Infinity
    ? Math.min(Math.max(offset + velocity / loss, lower), upper) : edge;

  const path = [[0, offset]];
  let time = 0;
  do {
    time += STEP_MS;
    path.push([time, at(time / 1000)]);
  } while (time < LONGEST_MS && (Math.abs(path.at(-1)[1] - to) > IMPERCEPTIBLE || time / 1000 < slides + 0.1)
    && !(slides === Infinity && Math.abs(path.at(-1)[1] - to) <= IMPERCEPTIBLE));
  path.push([time + STEP_MS, to]);
  return { to, duration: time + STEP_MS, start, path };
}
