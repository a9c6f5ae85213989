// Fake SVG elements that only store their attributes. The driver reads these attributes, and
// reports an indicator as a user would see it.

import { IndicatorRenderer } from "../indicator-renderer.js";

/** The members of an SVG element that the client uses. */
class FakeSVGElement {
  style = {};
  textContent = "";
  #attributes = new Map();
  #children = [];
  #parent = null;

  setAttribute(name, value) { this.#attributes.set(name, String(value)); }
  getAttribute(name) { return this.#attributes.get(name) ?? null; }
  get firstChild() { return this.#children[0] ?? null; }
  get children() { return [...this.#children]; }
  getTotalLength() { return 1; }

  append(...children) {
    for (const child of children) {
      child.#parent = this;
      this.#children.push(child);
    }
  }

  remove() {
    if (this.#parent) this.#parent.#children = this.#parent.#children.filter((child) => child !== this);
    this.#parent = null;
  }
}

/** Installs a `document` that creates fake elements. Call it before anything is drawn. */
export function installFakeDocument() {
  globalThis.document = Object.assign(new EventTarget(), {
    hidden: false,
    createElementNS: () => new FakeSVGElement(),
  });
}

/** Renders one edge's indicator into a fake element. */
export class FakeIndicator extends IndicatorRenderer {
  #host;

  constructor(options) {
    const host = new FakeSVGElement();
    super(host, options);
    this.#host = host;
  }

  /** The properties of each drawn layer by name; undefined if nothing is drawn. */
  get layers() {
    const drawn = this.#host.children.flatMap(({ children: [origin] }) => origin?.children ?? []);
    const layers = drawn.filter((layer) => layer.getAttribute("data-layer") !== null);
    if (layers.length === 0) return undefined;
    return Object.fromEntries(
      layers.map((layer) => [layer.getAttribute("data-layer"), shownProperties(layer)]));
  }
}

const rounded = (value) => Math.round(value * 1e4) / 1e4;

function shownProperties(layer) {
  const [x, y, turn, scale] = layer.getAttribute("transform").match(/-?[\d.]+(?:e-?\d+)?/g).map(Number);
  const text = layer.firstChild?.textContent;
  return {
    x, y, rotation: rounded((turn * Math.PI) / 180), scale, opacity: Number(layer.getAttribute("opacity")),
    color: layer.getAttribute("color"), ...(text && { text }),
  };
}
