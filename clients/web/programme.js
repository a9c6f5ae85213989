// Decodes an indicator programme (docs/indicators.md) once, so that each frame needs only
// arithmetic. This module uses no DOM and no clock.

import { easing } from "./easing.js";

/**
 * The animated properties: ten numbers for each layer, in this order. A colour is three numbers,
 * 0...255 each. The index of a number among the numbers of all layers is its slot.
 */
export const PROPERTIES = [
  "x", "y", "rotation", "scale", "opacity", "red", "green", "blue", "strokeStart", "strokeEnd",
];
export const WIDTH = PROPERTIES.length;
const RED = PROPERTIES.indexOf("red");
const COLOR_PARTS = ["red", "green", "blue"];
const DEFAULTS = { x: 0, y: 0, rotation: 0, scale: 1, opacity: 1, strokeStart: 0, strokeEnd: 1 };

/** The properties that move a layer. With reduced motion, a run does not animate them. */
const MOVEMENT = new Set(["x", "y", "rotation", "scale"].map((name) => PROPERTIES.indexOf(name)));
export const isMovement = (slot) => MOVEMENT.has(slot % WIDTH);

/** The three parts of `#rrggbb`. */
export function colorParts(text) {
  return [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
}

/**
 * A track: one number as a function of a position. Each key of a track has the easing of the
 * segment that ends at the key.
 */
class Track {
  #positions;
  #values;
  #easings;

  constructor(keys, valueOf) {
    this.#positions = keys.map(([position]) => position);
    this.#values = keys.map(([, value]) => valueOf(value));
    this.#easings = keys.map(([, , name]) => easing(name));
  }

  at(position) {
    const positions = this.#positions;
    // Find the last key at or before the position. If two keys have the same position, the later
    // key counts.
    let low = -1;
    let high = positions.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (positions[middle] <= position) low = middle;
      else high = middle;
    }
    if (low < 0) return this.#values[0];
    if (high === positions.length || positions[low] === position) return this.#values[low];
    const u = (position - positions[low]) / (positions[high] - positions[low]);
    const from = this.#values[low];
    return from + (this.#values[high] - from) * this.#easings[high](u);
  }
}

/** A decoded programme. */
export class Programme {
  constructor(source) {
    this.source = source;
    this.size = source.size ?? [60, 60];
    this.place = source.place ?? "gap";
    this.layers = source.layers ?? [];
    /**
     * The layers' own values, a number for each slot. A layer without a colour has the colour 0, 0,
     * 0.
     */
    this.own = Float64Array.from(this.layers.flatMap(ownValues));
    this.pull = this.#part(source.pull);
    this.run = source.run ? this.#run(source.run) : null;
    this.ending = source.finish?.ending ?? "atOnce";
    this.success = this.#finish(source.finish?.success);
    this.failure = this.#finish(source.finish?.failure);
    this.states = new Map(Object.entries(source.states ?? {}).map(
      ([name, state]) => [name, this.#state(state)]));
  }

  #part(part) {
    return this.#slots(part?.tracks ?? {}, (keys, valueOf) => new Track(keys, valueOf));
  }

  #run(run) {
    return {
      duration: run.duration, loopFrom: run.loopFrom ?? 0, step: run.step ?? run.duration,
      tracks: this.#part(run),
    };
  }

  #finish(finish) {
    return finish ? { duration: finish.duration, tracks: this.#part(finish) } : null;
  }

  #state(state) {
    return {
      set: this.#slots(state.set ?? {}, (value, valueOf) => valueOf(value)),
      enter: (state.enter ?? []).map(transition),
      exit: (state.exit ?? []).map(transition),
      text: state.text ?? {},
    };
  }

  /**
   * Returns the values of an object by slot. The object contains the values by layer and property.
   * `*` stands for all layers that do not have the property themselves.
   */
  #slots(byLayer, made) {
    const slots = new Map();
    const add = (index, property, value) => {
      const first = index * WIDTH;
      if (property !== "color") {
        slots.set(first + PROPERTIES.indexOf(property), made(value, Number));
      } else if (this.layers[index].color !== undefined) {
        COLOR_PARTS.forEach((_, part) =>
          slots.set(first + RED + part, made(value, (text) => colorParts(text)[part])));
      }
    };
    this.layers.forEach(({ name }, index) => {
      const all = Object.hasOwn(byLayer, "*") ? byLayer["*"] : {};
      const own = Object.hasOwn(byLayer, name) ? byLayer[name] : {};
      for (const [property, value] of Object.entries({ ...all, ...own })) add(index, property, value);
    });
    return slots;
  }
}

function ownValues(layer) {
  const [red, green, blue] = layer.color === undefined ? [0, 0, 0] : colorParts(layer.color);
  const own = { ...DEFAULTS, ...layer, red, green, blue };
  return PROPERTIES.map((name) => own[name]);
}

/** The transition of some properties to a new state. */
function transition({ duration, easing: name, properties }) {
  const named = properties?.flatMap((property) => (property === "color" ? COLOR_PARTS : [property]));
  return { duration, easing: easing(name), properties: named && new Set(named) };
}
