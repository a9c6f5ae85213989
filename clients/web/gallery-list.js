// One small list of the gallery: a view of a session, its elements, and its indicators.

import { Drawing } from "./drawing.js";
import { ScrollView } from "./scroll-view.js";

function made(name, className, ...children) {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
}

/** The texts of the states for readers. */
const STATE_TEXTS = {
  idle: "at rest", pulling: "pulling", eligible: "release", triggered: "waiting", refreshing: "refreshing",
  succeeded: "done", failed: "failed", finishing: "finishing", disabled: "off",
};

/**
 * A list that shows `indicator` on pull. `make` creates its kind of client from a view and drawings. `name` is the name
 * of the kind.
 */
export class GalleryList {
  element;
  #list = made("ol", "list");
  #state = made("span", "state");
  #kind;
  #scrollView;
  #view;

  constructor(client, { indicator, label, name, profile, motion, make }) {
    const indicators = made("div", "indicators");
    const [above, below] = [made("div", "above"), made("div", "below")];
    const stage = made("div", "stage", above, this.#list, below);
    const scroller = made("div", "scroller", made("div", "clip", stage));
    scroller.tabIndex = 0;
    scroller.setAttribute("role", "region");
    scroller.setAttribute("aria-label", `${label}, drawn by ${name}`);
    this.element = made("div", "sample",
      made("p", "caption", made("span", "kind", name), this.#state),
      made("div", "frame", indicators, scroller));
    this.element.dataset.kind = name;
    this.element.dataset.indicator = indicator;

    this.#view = client.view(indicator, () => ({
      profile, feed: "packages", announcements: false, ...this.#scrollView.describe(),
      // No platform holds the room here, whatever the profile is made for.
      top: { indicator, hold: true }, bottom: null, pan: { damping: "smartRefreshLayout" },
    }), [{ type: "refresh", cause: "code" }]);
    this.#kind = make(this.#view, { top: new Drawing(indicators) });
    this.#scrollView = new ScrollView(this.#kind, { scroller, stage, above, content: this.#list, below }, {
      isStill: () => motion === "reduced",
    });
    this.#view.addEventListener("items", ({ detail }) => this.#fill(detail));
    this.#view.addEventListener("error", ({ detail }) => this.#tell("failed", detail.message));
    for (const type of ["attached", "update", "lost"]) {
      this.#view.addEventListener(type, () => this.#showState());
    }
    this.#scrollView.addEventListener("move", () => this.#showState());
    this.#showState();
  }

  get state() { return this.element.dataset.state; }

  grab() { this.#scrollView.grab(); }
  drag(travel) { this.#scrollView.drag(travel); }
  letGo(phase) { this.#scrollView.letGo(phase); }
  refresh() { this.#view.send("refresh", { cause: "key" }); }

  end() {
    this.#scrollView.end();
  }

  #fill({ items }) {
    this.#list.replaceChildren(...items.map((item) => made("li", "entry",
      made("span", "name", item.name), made("span", "version", item.version))));
  }

  #showState() {
    if (!this.#view.attached) return this.#tell("", "no connection");
    const { state, progress } = this.#kind.edge("top");
    const percent = state === "pulling" ? ` ${Math.round((progress ?? 0) * 100)} %` : "";
    this.#tell(state, `${STATE_TEXTS[state] ?? state}${percent}`);
  }

  #tell(state, text) {
    if (this.element.dataset.state !== state) this.element.dataset.state = state;
    if (this.#state.textContent !== text) this.#state.textContent = text;
  }
}
