// The elements that a list needs around its rows, in the shadow root of its host. The rows are
// children of the host, so that the styles of the page apply to them.

const STYLES = `
:host {
  --accent: var(--refresh-list-accent, color-mix(in srgb, CanvasText 60%, Canvas));
  display: block; position: relative; overflow: hidden; height: 100%; min-height: 10em;
}
:host([hidden]), [hidden] { display: none !important; }
.indicators, .scroller, .layers { position: absolute; inset: 0; }
.indicators { overflow: hidden; pointer-events: none; color: var(--accent); }
.layers { width: 100%; height: 100%; overflow: hidden; }
.spinner { position: absolute; width: 26px; height: 26px; margin: -13px; opacity: 0; }
.spinner line { stroke: currentcolor; stroke-width: 2.2; stroke-linecap: round; }
.scroller {
  overflow: hidden auto; overflow-anchor: none; overscroll-behavior: none; touch-action: pan-y pinch-zoom;
}
.scroller:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.panning { user-select: none; -webkit-user-select: none; cursor: grabbing; }
.clip { overflow: clip; min-height: 100%; }
.stage { will-change: transform; }
.content { display: flow-root; background: var(--refresh-list-background, Canvas); }
.content.placed { box-sizing: border-box; overflow: hidden; }
.content.placed ::slotted(:not([slot])) {
  box-sizing: border-box !important; height: var(--row-height) !important; margin: 0 !important; overflow: hidden !important;
}
::slotted([data-placeholder]) {
  --bar: color-mix(in srgb, currentcolor 9%, transparent);
  background: linear-gradient(var(--bar), var(--bar)) 16px 50% / min(62%, 20em) 0.8em no-repeat !important;
}
::slotted([data-section]) { padding: 12px 16px 4px; font-size: 0.875em; font-weight: 600; color: var(--accent); }
.footer {
  display: flex; gap: 12px; align-items: center; justify-content: center; box-sizing: border-box; padding: 0 16px;
}
.empty { position: absolute; inset: 0 0 auto; }
.footer, .notice { font-size: 0.875em; }
button { font: inherit; font-size: 0.875em; padding: 0.5em 1em; border: 1px solid; border-radius: 2em; cursor: pointer;
  background: var(--refresh-list-background, Canvas); color: var(--accent); }
.newer, .notice, .refresh { position: absolute; z-index: 1; left: 50%; translate: -50%; width: max-content; }
.newer { top: 12px; }
.notice { bottom: 12px; max-width: calc(100% - 32px); box-sizing: border-box; margin: 0; padding: 0.6em 1em;
  border: 1px solid; border-radius: 1.4em; background: var(--refresh-list-background, Canvas); }
.refresh { top: 12px; z-index: 2; }
.refresh:not(:focus-visible), .unseen {
  position: absolute; width: 1px; height: 1px; padding: 0; border: 0; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
@media (forced-colors: active) { .indicators { color: CanvasText; } }
`;

/**
 * @param {string} name
 * @param {string} part the part by which the page can style the element (`::part`)
 * @param {Record<string, string>} [attributes]
 * @param {Element[]} [children]
 */
function element(name, part, attributes = {}, children = []) {
  const created = document.createElement(name);
  created.className = part;
  created.setAttribute("part", part);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

/** Adds the styles. A policy that forbids inline styles (CSP) permits such a style sheet. */
function addStyles(root) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
}

/**
 * Builds the elements in the shadow root of `host`. The root has the parts `indicators`, `scroller`,
 * `content`, `empty`, `footer`, `retry`, `newer`, `refresh` and `notice`. It has the slot `empty`, and a
 * slot without a name for the rows.
 *
 * @param {HTMLElement} host
 */
export function buildListElements(host) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  addStyles(root);
  const button = (part) => element("button", part, { type: "button", hidden: "" });
  const rows = document.createElement("slot");
  const above = element("div", "above");
  const content = element("div", "content", { role: "list" }, [rows]);
  const emptySlot = document.createElement("slot");
  emptySlot.name = "empty";
  const empty = element("div", "empty", { hidden: "" }, [emptySlot]);
  const footerText = document.createElement("span");
  const retry = button("retry");
  const footer = element("div", "footer", {}, [footerText, retry]);
  const below = element("div", "below", {}, [footer]);
  const stage = element("div", "stage", {}, [above, content, empty, below]);
  const scroller = element("div", "scroller", { tabindex: "0", role: "region" }, [
    element("div", "clip", {}, [stage]),
  ]);
  const indicators = element("div", "indicators", { "aria-hidden": "true" });
  const refresh = button("refresh");
  const newer = button("newer");
  const notice = element("p", "notice", { hidden: "" });
  const announcer = element("p", "unseen", { role: "status", "aria-live": "polite" });
  root.replaceChildren(refresh, indicators, scroller, newer, notice, announcer);
  return {
    scroller, stage, above, content, below, indicators, rows, empty, emptySlot, footer, footerText, retry, refresh,
    newer, notice, announcer,
  };
}
