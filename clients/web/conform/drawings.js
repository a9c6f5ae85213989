// A replacement for the drawing elements of a browser: SVG elements that only store their attributes. A layered
// indicator made of them is reported as a user would see it.

import { Drawing } from "../drawing.js";

/** The part of an SVG element that the client uses. */
class Shape {
  style = {};
  textContent = "";
  #attributes = new Map();
  #parts = [];
  #whole = null;

  setAttribute(name, value) { this.#attributes.set(name, String(value)); }
  getAttribute(name) { return this.#attributes.get(name) ?? null; }
  get firstChild() { return this.#parts[0] ?? null; }
  get parts() { return [...this.#parts]; }
  getTotalLength() { return 1; }

  append(...parts) {
    for (const part of parts) {
      part.#whole = this;
      this.#parts.push(part);
    }
  }

  remove() {
    if (this.#whole) this.#whole.#parts = this.#whole.#parts.filter((part) => part !== this);
    this.#whole = null;
  }
}

/** Call it before anything is drawn. */
export function furnishDrawings() {
  globalThis.document = Object.assign(new EventTarget(), {
    hidden: false,
    createElementNS: () => new Shape(),
  });
}

/** The indicator of one edge. */
export class Easel extends Drawing {
  #host;

  constructor(options) {
    const host = new Shape();
    super(host, options);
    this.#host = host;
  }

  /** The properties of each drawn layer, by name; undefined if nothing is drawn. */
  get layers() {
    const drawn = this.#host.parts.flatMap(({ parts: [origin] }) => origin?.parts ?? []);
    const layers = drawn.filter((layer) => layer.getAttribute("data-layer") !== null);
    return layers.length > 0
      ? Object.fromEntries(layers.map((layer) => [layer.getAttribute("data-layer"), look(layer)])) : undefined;
  }
}

const rounded = (value) => Math.round(value * 1e4) / 1e4;

function look(layer) {
  const [x, y, turn, scale] = layer.getAttribute("transform").match(/-?[\d.]+(?:e-?\d+)?/g).map(Number);
  const text = layer.firstChild?.textContent;
  return {
    x, y, rotation: rounded((turn * Math.PI) / 180), scale, opacity: Number(layer.getAttribute("opacity")),
    color: layer.getAttribute("color"), ...(text && { text }),
  };
}
