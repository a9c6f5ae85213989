// The demo page: it shows the daemon's state and forwards the user's input.

import { announce, notify, showConnection } from "./connection-status.js";
import { RefreshList } from "./dom.js";
import { showEdges, showMessages, showPlace } from "./message-panel.js";
import { packageRow } from "./package-row.js";

const FOOTER_HEIGHT = 64; // as in page.css

const element = (id) => document.getElementById(id);
const scroller = element("scroller");
const rows = element("list");

// The list, with its session

const settings = new URLSearchParams(location.search);
/**
 * `/?frames=stream` selects a `stream` client instead of a `local` client. With `/?diagnostics`, the
 * daemon reports ignored messages and fields. The page shows them in the log and in the console.
 */
const list = new RefreshList({
  scroller, stage: element("stage"), above: element("above"), content: rows, below: element("below"),
  indicators: element("indicators"),
}, {
  feed: "packages", profile: "iqpulltorefresh", frames: settings.get("frames") === "stream" ? "stream" : "local",
  diagnostics: settings.has("diagnostics"), features: null, storage: sessionStorage,
  insets: { top: 0, bottom: FOOTER_HEIGHT }, saveState: () => element("summary").textContent,
});

// The rows

const counts = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** `removed` is the number of items that the daemon omitted, because they are in the list. */
function showItems({ mode, items, before, removed }) {
  const fresh = document.createDocumentFragment();
  const known = new Map(mode === "replace" ? before.map((item) => [item.name, item.version]) : []);
  for (const item of items) {
    const isChanged = known.size > 0 && known.get(item.name) !== item.version;
    fresh.append(packageRow(item, { isChanged }));
  }
  if (mode === "replace") rows.replaceChildren(fresh);
  else rows.append(fresh);
  const { length } = list.items;
  if (mode === "replace") {
    const whole = list.total === undefined ? "Installed on this machine" : `${counts.format(list.total)} installed`;
    element("summary").textContent = `${whole} · updated ${clock.format(new Date())}`;
    announce(`Updated. ${length} packages shown.`);
  } else {
    const kept = removed > 0 ? `, ${removed} of the page were already in the list` : "";
    announce(`${items.length} more packages, ${length} shown${kept}.`);
  }
}

// The two edges

function footerText(state) {
  const { items: { length }, total, failure } = list;
  const count = counts.format(length);
  switch (state) {
    case "failed": return failure || "Loading failed.";
    case "noMore": return `End of the list: ${count} packages`;
    case "loading": return "Loading more";
    default:
      if (length === 0) return "";
      return total === undefined ? `${count} shown` : `${count} of ${counts.format(total)}`;
  }
}

function showState() {
  showEdges(list.viewClient);
  element("refresh").disabled = !list.isConnected;
  const state = list.bottom.state ?? "idle";
  element("footer").dataset.state = state;
  element("footer-text").textContent = footerText(state);
  element("retry").hidden = state !== "failed";
}

/** Shows whether the daemon has newer packages. */
function showNewer() {
  if (element("newer").hidden === !list.hasNewer) return;
  element("newer").hidden = !list.hasNewer;
  if (list.hasNewer) announce("Newer packages are available.");
}

list.addEventListener("items", ({ detail }) => showItems(detail));
list.addEventListener("refreshing", () => announce("Refreshing."));
list.addEventListener("newer", showNewer);
list.addEventListener("failure", ({ detail: { message, kind } }) => {
  announce(message);
  if (kind === "refresh") notify(message, 6000);
});
list.addEventListener("change", () => {
  showPlace(list.scrollView);
  showState();
});

// The controls

const causeOf = (event) => (event.detail === 0 ? "key" : "finger");
element("refresh").addEventListener("click", (event) => list.refresh(causeOf(event)));
element("newer").addEventListener("click", (event) => list.refresh(causeOf(event)));
element("retry").addEventListener("click", () => list.retry());
addEventListener("keydown", (event) => {
  // If nothing has the focus, focus the list. If the list has the focus, it handles the keys itself.
  if (event.target === document.body) scroller.focus();
  if (event.key.toLowerCase() !== "r" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!scroller.contains(event.target)) list.refresh("key");
});

showConnection(list.client);
showMessages(list.client);
scroller.focus({ preventScroll: true, focusVisible: false });
showState();
const summary = list.connect();
if (summary) element("summary").textContent = summary;
