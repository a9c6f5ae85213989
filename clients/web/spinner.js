import { clamp, reducedMotion } from "./motion.js";

const TICKS = 12;
const SVG = "http://www.w3.org/2000/svg";

/** Draws a plain spinner from the parameters of an edge's `indicator`. */
export class Spinner {
  #svg;
  #ticks = [];
  #spin = 0;
  #animation = null;

  constructor(host) {
    const drawing = document.createElementNS(SVG, "svg");
    drawing.setAttribute("viewBox", "-16 -16 32 32");
    drawing.setAttribute("class", "spinner");
    drawing.setAttribute("aria-hidden", "true");
    for (let index = 0; index < TICKS; index += 1) {
      const tick = document.createElementNS(SVG, "line");
      tick.setAttribute("y1", "-7.5");
      tick.setAttribute("y2", "-13");
      tick.setAttribute("transform", `rotate(${(index * 360) / TICKS})`);
      drawing.append(tick);
      this.#ticks.push(tick);
    }
    host.append(drawing);
    this.#svg = drawing;
  }

  remove() {
    this.#animation?.cancel();
    this.#svg.remove();
  }

  /** Places the centre of the spinner. */
  layout(x, y) {
    this.#svg.style.left = `${x}px`;
    this.#svg.style.top = `${y}px`;
  }

  draw({ progress = 0, alpha = 0, scale = 1, rotation = 0, spin = 0 } = {}) {
    this.#ticks.forEach((tick, index) => {
      const drawn = clamp(progress * TICKS - index, 0, 1);
      tick.style.opacity = String(drawn * (0.2 + (0.8 * (index + 1)) / TICKS));
    });
    this.#svg.style.opacity = String(alpha);
    this.#svg.style.transform = `rotate(${rotation}rad) scale(${scale})`;
    if (spin !== this.#spin) this.#rotate(spin);
  }

  #rotate(spin) {
    this.#spin = spin;
    this.#animation?.cancel();
    this.#animation = null;
    if (spin === 0) return;
    // With reduced motion, a slow pulse replaces the rotation.
    this.#animation = reducedMotion.matches
      ? this.#svg.animate({ opacity: [1, 0.4, 1] }, { duration: 1800, iterations: Infinity })
      : this.#svg.animate(
        { rotate: ["0rad", `${Math.sign(spin) * 2 * Math.PI}rad`] },
        { duration: (2 * Math.PI * 1000) / Math.abs(spin), iterations: Infinity });
  }
}
