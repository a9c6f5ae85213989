/** After so long without a frame a list has no speed. */
const GAP_MS = 200;

/** How fast a list goes, smoothed as the control law asks for it: points per second. No DOM, no clock. */
export class Speed {
  value = 0;
  #last = null;

  add(t, offset) {
    const last = this.#last;
    this.#last = { t, offset };
    if (!last || t - last.t > GAP_MS) this.value = 0;
    else if (t > last.t) this.value += ((1000 * (offset - last.offset)) / (t - last.t) - this.value) / 4;
  }
}
