// The path of a released list, as the daemon will compute it (docs/protocol.md, "Commands and timelines"): it slides,
// overshoots the end that it meets, and springs back. No DOM, no clock.

/** The rate of the spring at an end, per second; the spring is critically damped. */
const STIFFNESS = 18;
/** The rate at which a sliding list loses velocity, per second. */
const LOSSES = { normal: 2000 / 998, fast: 10_000 / 990 };
/** The smallest visible motion, in points. */
const IMPERCEPTIBLE = 0.5;
const STEP_MS = 16;
const LONGEST_MS = 8000;

/** The distance from rest after `t` seconds of a spring that starts `away` points from it at `velocity`. */
function sprung(away, velocity, t) {
  return (away + (velocity + STIFFNESS * away) * t) * Math.exp(-STIFFNESS * t);
}

/**
 * An `offset` command for a list that is released at `offset` with `velocity` (points per second); null if it stays.
 * The list may rest from `lower` to `upper`.
 */
export function flight({ offset, velocity, lower, upper, deceleration = "normal", start }) {
  const loss = LOSSES[deceleration] ?? LOSSES.normal;
  const isFree = offset >= lower && offset <= upper;
  if (isFree && Math.abs(velocity) / loss < IMPERCEPTIBLE) return null;

  // Inside its range, the list slides to the end that it meets. From there, or from beyond an end, a spring moves it.
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
