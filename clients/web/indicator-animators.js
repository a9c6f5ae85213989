// The animators of a view's indicators, by edge. This module uses no DOM and no clock: times are
// arguments.

import { EDGES } from "./edges.js";
import { IndicatorAnimator } from "./indicator-animator.js";

/** The animators of one view. `motion` is `full` or `reduced`. */
export class IndicatorAnimators {
  #motion;
  #animators = {}; // by edge
  #programmes = {}; // by edge, the JSON text of the programme that its animator plays

  constructor(motion) {
    this.#motion = motion;
  }

  /** Removes all animators. */
  clear() {
    this.#animators = {};
    this.#programmes = {};
  }

  /** Whether the animator of the edge `name` already plays the programme in `edge`, a member of a message. */
  plays(name, edge) {
    return this.#animators[name] !== undefined && JSON.stringify(edge?.programme) === this.#programmes[name];
  }

  /**
   * Replaces the animators of those edges that get a new indicator in a message. The states of the
   * edges are members of `view`.
   */
  handleMessage(message, view, time) {
    for (const name of EDGES) {
      const { programme, indicator } = message[name] ?? {};
      if (!programme && indicator !== null) continue;
      if (message.type === "attached" && this.plays(name, message[name])) continue;
      const { role, state } = view[name];
      const options = { motion: this.#motion, time, role, state };
      if (programme) this.#animators[name] = new IndicatorAnimator(programme, options);
      else delete this.#animators[name];
      this.#programmes[name] = JSON.stringify(programme);
    }
    if (!(message.blend > 0)) return;
    for (const animator of Object.values(this.#animators)) animator.blend(message.blend, time);
  }

  /**
   * Sets the state of each edge, which applies from `time` on. `shown` returns `{state, pull,
   * result}` for the name of an edge.
   */
  setStates(shown, time) {
    for (const [name, animator] of Object.entries(this.#animators)) {
      const { state, pull, result } = shown(name);
      animator.setState(state, pull, result, time);
    }
  }

  isAnimating(time) {
    return Object.values(this.#animators).some((animator) => animator.isAnimating(time));
  }

  /** Returns the frames to draw at `time`: pairs of an edge and its changed values. */
  frames(time) {
    return Object.entries(this.#animators)
      .map(([name, animator]) => [name, animator.frame(time)]).filter(([, frame]) => frame);
  }

  /** Returns the numbers and texts that an edge shows; undefined if it has no animator. */
  shownValues(name, time) {
    const animator = this.#animators[name];
    return animator && { values: [...animator.values(time)], texts: animator.texts };
  }
}
