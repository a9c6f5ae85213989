// Renders an edge's indicator: the layers of its programme or, without a programme, the plain
// spinner. This module does not depend on the states of the edge.

import { LayerTree } from "./layer-tree.js";
import { Spinner } from "./spinner.js";

/** Renders one edge's indicator in `host`, an element of the list's size, behind its rows. */
export class IndicatorRenderer {
  #host;
  #isAtEnd;
  #layers = null;
  #spinner = null;
  #area = { gap: 0, width: 0, height: 0 };

  /**
   * @param {Element} host
   * @param {{isAtEnd?: boolean}} options
   */
  constructor(host, { isAtEnd = false } = {}) {
    this.#host = host;
    this.#isAtEnd = isAtEnd;
  }

  /** Replaces the programme; null means none. */
  setProgramme(programme) {
    this.#layers?.remove();
    this.#spinner?.remove();
    this.#spinner = null;
    this.#layers = programme ? new LayerTree(this.#host, programme, { isAtEnd: this.#isAtEnd }) : null;
    this.layout(this.#area);
  }

  /** Applies changed properties of layers: `{"layer":{"property":value}}`. */
  applyFrame(values) {
    this.#layers?.apply(values);
  }

  /** Applies the parameters of a plain spinner. */
  applySpinner(parameters) {
    if (this.#layers) return;
    if (!this.#spinner) {
      this.#spinner = new Spinner(this.#host);
      this.layout(this.#area);
    }
    this.#spinner.draw(parameters);
  }

  /** Places the indicator in the gap between the list's edge and its content. */
  layout(area) {
    this.#area = area;
    this.#layers?.layout(area);
    const depth = area.gap / 2;
    this.#spinner?.layout(area.width / 2, this.#isAtEnd ? area.height - depth : depth);
  }
}
