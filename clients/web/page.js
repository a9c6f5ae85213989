// The demo page: it shows the daemon's state and forwards the user's input.

import { announce, notify, showConnection } from "./connection-status.js";
import { IndicatorRenderer } from "./indicator-renderer.js";
import { LocalClient } from "./local-client.js";
import { showEdges, showMessages, showPlace } from "./message-panel.js";
import { reducedMotion } from "./motion.js";
import { packageRow } from "./package-row.js";
import { RefreshClient } from "./refresh-client.js";
import { ScrollView } from "./scroll-view.js";
import { StreamClient } from "./stream-client.js";

const FOOTER_HEIGHT = 64; // as in page.css

const element = (id) => document.getElementById(id);
const scroller = element("scroller");
const list = element("list");

// The session, the view and its scroller

const motion = reducedMotion.matches ? "reduced" : "full";
/** `/?frames=stream` selects a `stream` client instead of a `local` client. */
const mode = new URLSearchParams(location.search).get("frames") === "stream" ? "stream" : "local";
/**
 * With `/?diagnostics`, the daemon reports ignored messages and fields. The page shows them in the
 * log and in the console.
 */
const diagnostics = new URLSearchParams(location.search).has("diagnostics");
const client = new RefreshClient({
  frames: { mode, language: navigator.language, motion }, storage: sessionStorage, diagnostics,
});
const view = client.view("list",
  () => ({ profile: "iqpulltorefresh", feed: "packages", ...scrollView.describe() }),
  [{ type: "refresh", cause: "code" }],
  () => ({ items: loaded, total, offset: scrollView.offset, summary: element("summary").textContent }));
const indicatorHost = element("indicators");
const indicators = {
  top: new IndicatorRenderer(indicatorHost), bottom: new IndicatorRenderer(indicatorHost, { isAtEnd: true }),
};
const viewClient = mode === "stream"
  ? new StreamClient(view, indicators) : new LocalClient(view, indicators, { motion });
const scrollView = new ScrollView(viewClient, {
  scroller, stage: element("stage"), above: element("above"), content: list, below: element("below"),
}, { insets: { top: 0, bottom: FOOTER_HEIGHT } });

// The list

let total;
let loaded = [];
let failure = "";
let isFresh = true; // whether no items of this session have arrived yet

const counts = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** `removed` is the number of items that the daemon omitted, because they are in the list. */
function showItems({ mode: requestedMode, items, total: announced, more, removed = 0 }) {
  // The items of the previous session are shown until the first items of this session arrive.
  const mode = isFresh ? "replace" : requestedMode;
  isFresh = false;
  const fresh = document.createDocumentFragment();
  if (mode === "replace") {
    const known = new Map(loaded.map((item) => [item.name, item.version]));
    for (const item of items) {
      const isChanged = known.size > 0 && known.get(item.name) !== item.version;
      fresh.append(packageRow(item, { isChanged }));
    }
    list.replaceChildren(fresh);
    loaded = items;
  } else {
    for (const item of items) fresh.append(packageRow(item));
    list.append(fresh);
    loaded = loaded.concat(items);
  }
  total = announced ?? (more ? undefined : loaded.length);
  failure = "";
  if (mode === "replace") {
    const whole = total === undefined ? "Installed on this machine" : `${counts.format(total)} installed`;
    element("summary").textContent = `${whole} · updated ${clock.format(new Date())}`;
    announce(`Updated. ${loaded.length} packages shown.`);
  } else {
    const known = removed > 0 ? `, ${removed} of the page were already in the list` : "";
    announce(`${items.length} more packages, ${loaded.length} shown${known}.`);
  }
  showFooter();
}

// The two edges

function footerText(state) {
  const count = counts.format(loaded.length);
  switch (state) {
    case "failed": return failure || "Loading failed.";
    case "noMore": return `End of the list: ${count} packages`;
    case "loading": return "Loading more";
    default:
      if (loaded.length === 0) return "";
      return total === undefined ? `${count} shown` : `${count} of ${counts.format(total)}`;
  }
}

function showFooter() {
  const state = viewClient.edge("bottom").state ?? "idle";
  element("footer").dataset.state = state;
  element("footer-text").textContent = footerText(state);
  element("retry").hidden = state !== "failed";
}

function showState() {
  showEdges(viewClient);
  element("refresh").disabled = !view.attached || view.isDisconnected;
  showFooter();
}

/** Shows whether the daemon has newer packages. */
function showNewer(isNewer) {
  if (element("newer").hidden === !isNewer) return;
  element("newer").hidden = !isNewer;
  if (isNewer) announce("Newer packages are available.");
}

view.addEventListener("attached", () => {
  showNewer(false); // A new view has no state yet, and a resumed view receives its state again.
  showState();
});
view.addEventListener("disconnected", showState);
view.addEventListener("ended", () => {
  isFresh = true;
  showState();
});
view.addEventListener("emptied", () => {
  list.replaceChildren();
  loaded = [];
  total = undefined;
});
view.addEventListener("update", ({ detail }) => {
  if (detail.top?.state === "refreshing") announce("Refreshing.");
  if (detail.newer !== undefined) showNewer(detail.newer);
  showState();
});
view.addEventListener("items", ({ detail }) => showItems(detail));
view.addEventListener("loading", ({ detail }) => {
  if (detail.phase !== "failed" && detail.phase !== "timedOut") return;
  failure = detail.message ?? "The list did not load in time.";
  announce(failure);
  if (detail.kind === "refresh") notify(failure, 6000);
  showFooter();
});

scrollView.addEventListener("move", () => {
  showPlace(scrollView);
  // Show the effect of a finger before the daemon answers.
  showState();
});
scrollView.addEventListener("haptic", ({ detail }) => {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(detail === "impact" ? 18 : 8);
});

element("refresh").addEventListener("click", (event) => {
  view.send("refresh", { cause: event.detail === 0 ? "key" : "finger" });
});
// If the list has the focus, it handles the key itself.
window.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "r" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (element("scroller").contains(event.target)) return;
  view.send("refresh", { cause: "key" });
});
element("newer").addEventListener("click", (event) => {
  view.send("refresh", { cause: event.detail === 0 ? "key" : "finger" });
});
element("retry").addEventListener("click", () => view.send("retry", { edge: "bottom" }));
addEventListener("keydown", (event) => {
  // If nothing has the focus, focus the list.
  if (event.target === document.body) scroller.focus();
});

showConnection(client);
showMessages(client);
scroller.focus({ preventScroll: true, focusVisible: false });
showState();
if (view.savedState) {
  showItems({ mode: "replace", items: view.savedState.items, total: view.savedState.total, more: true });
  element("summary").textContent = view.savedState.summary;
  scrollView.restoreOffset(view.savedState.offset);
}
client.connect();
