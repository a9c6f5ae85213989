// Draws the layers of a programme with the values that it receives (docs/indicators.md, "Layers"
// and "Frames"). Other modules determine the meaning and the timing of values.

import { createImage } from "./images.js";
import { subpaths } from "./path-data.js";

const SVG = "http://www.w3.org/2000/svg";
/** @type {Record<string, any>} */
const PROPERTIES = {
  x: 0, y: 0, rotation: 0, scale: 1, opacity: 1, color: "currentColor", strokeStart: 0, strokeEnd: 1,
};
const clampedToUnit = (value) => Math.min(Math.max(value, 0), 1);

function element(name, attributes = {}) {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  return created;
}

/** The layers of one programme in `host`, an element of the list's size, behind its rows. */
export class LayerTree {
  #svg = element("svg", { class: "layers", "aria-hidden": "true" });
  #origin = element("g");
  #layers = new Map();
  #programme;
  #isAtEnd;

  /** `isAtEnd`: whether the indicator belongs to the bottom edge of the list. */
  constructor(host, programme, { isAtEnd = false } = {}) {
    this.#programme = programme;
    this.#isAtEnd = isAtEnd;
    for (const layer of programme.layers) {
      const drawing = new Layer(layer);
      this.#layers.set(layer.name, drawing);
      this.#origin.append(drawing.element);
    }
    this.#svg.append(this.#origin);
    host.append(this.#svg);
  }

  remove() {
    this.#svg.remove();
  }

  /** Applies changed values: `{"layer":{"property":value}}`. */
  apply(frame) {
    for (const [name, values] of Object.entries(frame)) this.#layers.get(name)?.apply(values);
  }

  /**
   * Places the origin as the programme specifies. `gap` is the distance in points between the
   * list's edge and its content.
   */
  layout({ gap, width, height }) {
    const half = (this.#programme.size?.[1] ?? 60) / 2;
    const place = this.#programme.place ?? "gap";
    const depth = { gap: gap / 2, edge: half, content: gap - half }[place];
    const y = this.#isAtEnd ? height - depth : depth;
    this.#origin.setAttribute("transform", `translate(${width / 2} ${y})`);
    const middle = this.#isAtEnd ? depth - gap / 2 : gap / 2 - depth;
    for (const layer of this.#layers.values()) layer.resizeBox(width, gap, middle);
    // If the gap is closed, the indicator is invisible.
    this.#svg.style.visibility = gap > 0 ? "" : "hidden";
  }
}

/** One layer: a group with a transform, and its drawing inside. */
class Layer {
  element;
  #values;
  #source;
  // The sub-paths of a stroked path: {path, begin, end} each. `begin` and `end` are fractions of
  // the whole length.
  #strokes = null;

  constructor(layer) {
    this.element = element("g", { "data-layer": layer.name });
    this.#source = layer;
    this.#values = { ...PROPERTIES };
    this.#draw(layer);
    const own = Object.fromEntries(
      Object.keys(PROPERTIES).filter((name) => name in layer).map((name) => [name, layer[name]]));
    this.apply({ ...PROPERTIES, ...own });
  }

  #draw(layer) {
    if (layer.path !== undefined) this.#drawPath(layer);
    else if (layer.text !== undefined) this.#drawText(layer);
    else if (layer.image !== undefined) {
      const drawing = createImage(layer.image, layer.width, layer.height);
      if (drawing) this.element.append(drawing);
    } else if (layer.box !== undefined) {
      this.element.append(element("rect", { rx: layer.box.corner ?? 0, fill: "currentColor" }));
    }
  }

  #drawPath({ path, strokeWidth = 0, cap = "butt", filled = strokeWidth === 0 }) {
    const parts = strokeWidth > 0 && !filled ? subpaths(path) : [path];
    const paths = parts.map((d) => element("path", {
      d, pathLength: 1, fill: filled ? "currentColor" : "none", stroke: strokeWidth > 0 ? "currentColor" : "none",
      "stroke-width": strokeWidth, "stroke-linecap": cap, "stroke-linejoin": "round",
    }));
    this.element.append(...paths);
    if (strokeWidth <= 0) return;
    const lengths = paths.map((one) => one.getTotalLength());
    const whole = lengths.reduce((sum, length) => sum + length, 0) || 1;
    let begin = 0;
    this.#strokes = paths.map((one, index) => {
      const stroke = { path: one, begin, end: begin + lengths[index] / whole };
      begin = stroke.end;
      return stroke;
    });
  }

  #drawText({ text, fontSize = 17, font }) {
    const drawing = element("text", {
      "text-anchor": "middle", "dominant-baseline": "central", "font-size": fontSize, fill: "currentColor",
    });
    if (font) drawing.setAttribute("font-family", font);
    drawing.textContent = text;
    this.element.append(drawing);
  }

  /** Applies changed values of this layer. */
  apply(values) {
    Object.assign(this.#values, values);
    const { x, y, rotation, scale, opacity, color, text } = this.#values;
    if ("x" in values || "y" in values || "rotation" in values || "scale" in values) {
      const turn = (rotation * 180) / Math.PI;
      this.element.setAttribute("transform", `translate(${x} ${y}) rotate(${turn}) scale(${scale})`);
    }
    if ("opacity" in values) this.element.setAttribute("opacity", clampedToUnit(opacity));
    if ("color" in values) this.element.setAttribute("color", color);
    if ("text" in values && this.#source.text !== undefined) {
      this.element.firstChild.textContent = text;
    }
    if ("strokeStart" in values || "strokeEnd" in values) this.#stroke();
  }

  /** Strokes the part of the path's length that the values select. */
  #stroke() {
    const from = clampedToUnit(this.#values.strokeStart);
    const to = clampedToUnit(this.#values.strokeEnd);
    for (const { path, begin, end } of this.#strokes ?? []) {
      const length = end - begin || 1;
      const start = clampedToUnit((from - begin) / length);
      const stop = clampedToUnit((to - begin) / length);
      const isWhole = start <= 0 && stop >= 1;
      const isShown = isWhole || (stop > start && to > from);
      path.setAttribute("stroke-opacity", isShown ? 1 : 0);
      // A path that is stroked completely has no dashes, so that its end is joined to its start.
      path.setAttribute("stroke-dasharray", isWhole ? "none" : `${Math.max(stop - start, 0)} 2`);
      path.setAttribute("stroke-dashoffset", isWhole ? 0 : -start);
    }
  }

  /**
   * Resizes a box that fills the list's width or the gap between the list's edge and its content.
   * `middle` is the middle of the gap, relative to the origin.
   */
  resizeBox(width, gap, middle) {
    const { box } = this.#source;
    if (box === undefined) return;
    const rect = this.element.firstChild;
    const [w, h] = [box.width ?? width, box.height ?? gap];
    const centre = (box.height ?? null) === null ? middle : 0;
    for (const [name, value] of Object.entries({ x: -w / 2, y: centre - h / 2, width: w, height: h })) {
      rect.setAttribute(name, value);
    }
  }
}
