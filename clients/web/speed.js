/** After so long without a frame a list has no speed... */
const GAP_MS = 200;
/** ... and two frames so near to each other tell none. */
const SAME_MS = 1;

/** How fast a list goes, smoothed as the control law asks for it: points per millisecond. No DOM, no clock. */
export class Speed {
  value = 0;
  #last = null;

  add({ t, offset, phase }) {
    const last = this.#last;
    const stands = (phase === "ended" || phase === "idle") && offset === last?.offset;
    if (phase === "began" || phase === "idle") this.value = 0;
    else if (!last || t - last.t >= GAP_MS) this.value = 0;
    else if (stands || t - last.t < SAME_MS) return;
    else this.value += ((offset - last.offset) / (t - last.t) - this.value) / 4;
    this.#last = { t, offset };
  }
}
