// One small list of the gallery: a view of a session, its elements, and its indicators.

import { IndicatorRenderer } from "./indicator-renderer.js";
import { ScrollView } from "./scroll-view.js";

function createElement(name, className, ...children) {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
}

/** The shown texts of the states. */
const STATE_TEXTS = {
  idle: "at rest", pulling: "pulling", eligible: "release", triggered: "waiting", refreshing: "refreshing",
  succeeded: "done", failed: "failed", finishing: "finishing", disabled: "off",
};

/**
 * A list that shows `indicator` when it is pulled. `make` creates the list's view client from a
 * view and indicators. `name` is the kind of the view client.
 */
export class GalleryList {
  element;
  #list = createElement("ol", "list");
  #state = createElement("span", "state");
  #viewClient;
  #scrollView;
  #view;

  constructor(client, { indicator, label, name, profile, motion, make }) {
    const host = createElement("div", "indicators");
    const [above, below] = [createElement("div", "above"), createElement("div", "below")];
    const stage = createElement("div", "stage", above, this.#list, below);
    const scroller = createElement("div", "scroller", createElement("div", "clip", stage));
    scroller.tabIndex = 0;
    scroller.setAttribute("role", "region");
    scroller.setAttribute("aria-label", `${label}, drawn by ${name}`);
    this.element = createElement("div", "sample",
      createElement("p", "caption", createElement("span", "kind", name), this.#state),
      createElement("div", "frame", host, scroller));
    this.element.dataset.kind = name;
    this.element.dataset.indicator = indicator;

    this.#view = client.view(indicator, () => ({
      profile, feed: "packages", announcements: false, ...this.#scrollView.describe(),
      // The room is held open with every profile.
      top: { indicator, hold: true }, bottom: null, pan: { damping: "smartRefreshLayout" },
    }), [{ type: "refresh", cause: "code" }]);
    this.#viewClient = make(this.#view, { top: new IndicatorRenderer(host) });
    this.#scrollView = new ScrollView(this.#viewClient, { scroller, stage, above, content: this.#list, below }, {
      isStill: () => motion === "reduced",
    });
    this.#view.addEventListener("items", ({ detail }) => this.#fill(detail));
    this.#view.addEventListener("error", ({ detail }) => this.#showStatus("failed", detail.message));
    for (const type of ["attached", "update", "ended"]) {
      this.#view.addEventListener(type, () => this.#showState());
    }
    this.#scrollView.addEventListener("move", () => this.#showState());
    this.#showState();
  }

  get state() { return this.element.dataset.state; }

  beginDrag() { this.#scrollView.beginDrag(); }
  drag(travel) { this.#scrollView.drag(travel); }
  endDrag(phase) { this.#scrollView.endDrag(phase); }
  refresh() { this.#view.send("refresh", { cause: "key" }); }

  detach() {
    this.#scrollView.detach();
  }

  #fill({ items }) {
    this.#list.replaceChildren(...items.map((item) => createElement("li", "entry",
      createElement("span", "name", item.name), createElement("span", "version", item.version))));
  }

  #showState() {
    if (!this.#view.attached) return this.#showStatus("", "no connection");
    const { state, progress } = this.#viewClient.edge("top");
    const percent = state === "pulling" ? ` ${Math.round((progress ?? 0) * 100)} %` : "";
    this.#showStatus(state, `${STATE_TEXTS[state] ?? state}${percent}`);
  }

  #showStatus(state, text) {
    if (this.element.dataset.state !== state) this.element.dataset.state = state;
    if (this.#state.textContent !== text) this.#state.textContent = text;
  }
}
