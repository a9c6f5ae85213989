// Converts what a player shows into frames for layers, with only the changes since the last frame. No DOM, no clock.

import { Player } from "./player.js";
import { PROPERTIES, Programme, WIDTH } from "./programme.js";

const RED = PROPERTIES.indexOf("red");
const isColor = (part) => part >= RED && part < RED + 3;

export class Painter {
  #player;
  #values; // as last returned
  #texts;
  #blend = null; // {from, start, duration}: the transition from the predicted look to the actual one

  constructor(programme, options) {
    this.#player = new Player(new Programme(programme), options);
    this.#values = Float64Array.from(this.#player.programme.own);
    this.#texts = this.#player.programme.layers.map(({ text }) => text ?? null);
  }

  show(state, pull, result, time) {
    this.#player.show(state, pull, result, time);
  }

  /** Blends from what is shown to what follows, in `duration` milliseconds. */
  blend(duration, time) {
    if (duration > 0) this.#blend = { from: this.values(time), start: time, duration };
  }

  isMoving(time) {
    return this.#blend !== null || this.#player.isMoving(time);
  }

  /** All numbers at `time`. */
  values(time) {
    const values = this.#player.values(time);
    if (!this.#blend) return values;
    const { from, start, duration } = this.#blend;
    const way = (time - start) / duration;
    if (way >= 1) this.#blend = null;
    else values.forEach((value, slot) => { values[slot] = from[slot] + (value - from[slot]) * way; });
    return values;
  }

  get texts() { return this.#player.texts; }

  /** The changes since the last frame: `{"layer":{"property":value}}`, or null. */
  frame(time) {
    const values = this.values(time);
    const texts = this.#player.texts;
    let frame = null;
    const { layers } = this.#player.programme;
    layers.forEach(({ name, color }, index) => {
      const first = index * WIDTH;
      const put = (property, value) => {
        frame ??= {};
        (frame[name] ??= {})[property] = value;
      };
      let isRecoloured = false;
      for (let part = 0; part < WIDTH; part += 1) {
        if (values[first + part] === this.#values[first + part]) continue;
        if (isColor(part)) isRecoloured = true;
        else put(PROPERTIES[part], values[first + part]);
      }
      if (isRecoloured && color !== undefined) {
        put("color", `rgb(${values.subarray(first + RED, first + RED + 3).join(" ")})`);
      }
      if (texts[index] !== this.#texts[index]) put("text", texts[index]);
    });
    this.#values = values;
    this.#texts = texts;
    return frame;
  }
}
