// The drawing of an edge's indicator: the layers of its programme or, if the daemon sends none, the plain spinner. It
// does not depend on states.

import { Layers } from "./layers.js";
import { Spinner } from "./spinner.js";

/** The indicator of one edge, in `host`, an element that covers the list behind its content. */
export class Drawing {
  #host;
  #isAtEnd;
  #layers = null;
  #spinner = null;
  #room = { gap: 0, width: 0, height: 0 };

  constructor(host, { isAtEnd = false } = {}) {
    this.#host = host;
    this.#isAtEnd = isAtEnd;
  }

  /** Starts again with a programme, or without one if it is null. */
  begin(programme) {
    this.#layers?.remove();
    this.#spinner?.remove();
    this.#spinner = null;
    this.#layers = programme ? new Layers(this.#host, programme, { isAtEnd: this.#isAtEnd }) : null;
    this.lay(this.#room);
  }

  /** Applies changed properties of layers: `{"layer":{"property":value}}`. */
  frame(values) {
    this.#layers?.apply(values);
  }

  /** Applies the parameters of a plain spinner. */
  indicator(parameters) {
    if (this.#layers) return;
    if (!this.#spinner) {
      this.#spinner = new Spinner(this.#host);
      this.lay(this.#room);
    }
    this.#spinner.draw(parameters);
  }

  /** Places the indicator in the gap between the list's edge and its content. */
  lay(room) {
    this.#room = room;
    this.#layers?.lay(room);
    const depth = room.gap / 2;
    this.#spinner?.lay(room.width / 2, this.#isAtEnd ? room.height - depth : depth);
  }
}
