// Converts the output of an `IndicatorPlayer` into frames for layers. A frame contains only the
// changes since the previous frame. This module uses no DOM and no clock.

import { IndicatorPlayer } from "./indicator-player.js";
import { PROPERTIES, Programme, WIDTH } from "./programme.js";

const RED = PROPERTIES.indexOf("red");
const isColor = (part) => part >= RED && part < RED + 3;

/** Animates the indicator of one edge. */
export class IndicatorAnimator {
  #player;
  #values; // the values of the last returned frame
  #texts;
  #blend = null; // {from, start, duration}: the blend from the predicted values to the actual ones

  constructor(programme, options) {
    this.#player = new IndicatorPlayer(new Programme(programme), options);
    this.#values = Float64Array.from(this.#player.programme.own);
    this.#texts = this.#player.programme.layers.map(({ text }) => text ?? null);
  }

  /** Sets the edge's state, pull and result, which apply from `time` on. */
  setState(state, pull, result, time) {
    this.#player.setState(state, pull, result, time);
  }

  /**
   * Blends from the currently shown values to the values of the player, in `duration` milliseconds.
   */
  blend(duration, time) {
    if (duration > 0) this.#blend = { from: this.values(time), start: time, duration };
  }

  isAnimating(time) {
    return this.#blend !== null || this.#player.isAnimating(time);
  }

  /** Returns all numbers at `time`. */
  values(time) {
    const values = this.#player.values(time);
    if (!this.#blend) return values;
    const { from, start, duration } = this.#blend;
    const fraction = (time - start) / duration;
    if (fraction >= 1) this.#blend = null;
    else values.forEach((value, slot) => { values[slot] = from[slot] + (value - from[slot]) * fraction; });
    return values;
  }

  get texts() { return this.#player.texts; }

  /** Returns the changes since the last frame: `{"layer":{"property":value}}`, or null. */
  frame(time) {
    const values = this.values(time);
    const texts = this.#player.texts;
    let frame = null;
    const { layers } = this.#player.programme;
    layers.forEach(({ name, color }, index) => {
      const first = index * WIDTH;
      const set = (property, value) => {
        frame ??= {};
        (frame[name] ??= {})[property] = value;
      };
      let isRecoloured = false;
      for (let part = 0; part < WIDTH; part += 1) {
        if (values[first + part] === this.#values[first + part]) continue;
        if (isColor(part)) isRecoloured = true;
        else set(PROPERTIES[part], values[first + part]);
      }
      if (isRecoloured && color !== undefined) {
        set("color", `rgb(${values.subarray(first + RED, first + RED + 3).join(" ")})`);
      }
      if (texts[index] !== this.#texts[index]) set("text", texts[index]);
    });
    this.#values = values;
    this.#texts = texts;
    return frame;
  }
}
