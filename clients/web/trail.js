/** The last tenth of a second of a movement, for its velocity in points per second. */
export class Trail {
  #samples = [];

  add(position, t) {
    this.#samples.push({ position, t });
    while (t - this.#samples[0].t > 100) this.#samples.shift();
  }

  velocity(now) {
    const recent = this.#samples.filter(({ t }) => now - t <= 100);
    if (recent.length < 2) return 0;
    const [first, last] = [recent[0], recent.at(-1)];
    return last.t > first.t ? ((last.position - first.position) / (last.t - first.t)) * 1000 : 0;
  }
}
