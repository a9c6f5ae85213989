// What an edge's indicator is drawn with: the layers of its programme or, from a daemon that sends none, the plain
// spinner. Knows nothing of states.

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

  /** Begins anew with a programme; null: with none. */
  begin(programme) {
    this.#layers?.remove();
    this.#spinner?.remove();
    this.#spinner = null;
    this.#layers = programme ? new Layers(this.#host, programme, { isAtEnd: this.#isAtEnd }) : null;
    this.lay(this.#room);
  }

  /** Takes what changed of the layers: `{"layer":{"property":value}}`. */
  frame(values) {
    this.#layers?.apply(values);
  }

  /** Takes the parameters of a plain spinner. */
  indicator(parameters) {
    if (this.#layers) return;
    if (!this.#spinner) {
      this.#spinner = new Spinner(this.#host);
      this.lay(this.#room);
    }
    this.#spinner.draw(parameters);
  }

  /** Puts it into the gap of so many points between the list's edge and its content. */
  lay(room) {
    this.#room = room;
    this.#layers?.lay(room);
    const depth = room.gap / 2;
    this.#spinner?.lay(room.width / 2, this.#isAtEnd ? room.height - depth : depth);
  }
}
