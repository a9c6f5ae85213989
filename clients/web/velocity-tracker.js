/** The time span of the samples from which the velocity is computed. */
const WINDOW_MS = 100;

/** Computes the velocity of a movement, in points per second, from its latest samples. */
export class VelocityTracker {
  #samples = [];

  add(position, t) {
    this.#samples.push({ position, t });
    while (t - this.#samples[0].t > WINDOW_MS) this.#samples.shift();
  }

  velocity(now) {
    const recent = this.#samples.filter(({ t }) => now - t <= WINDOW_MS);
    if (recent.length < 2) return 0;
    const [first, last] = [recent[0], recent.at(-1)];
    return last.t > first.t ? ((last.position - first.position) / (last.t - first.t)) * 1000 : 0;
  }
}
