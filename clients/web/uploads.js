// The page "uploads" of the demo: a list that can be searched, filtered and sorted, and that
// changes while it is read. It uses the features of the protocol (docs/protocol.md, "Features").

import { announce, notify, showConnection } from "./connection-status.js";
import { IndicatorRenderer } from "./indicator-renderer.js";
import { LocalClient } from "./local-client.js";
import { showEdges, showMessages, showPlace } from "./message-panel.js";
import { reducedMotion } from "./motion.js";
import { packageRow } from "./package-row.js";
import { PlaceKeeper } from "./place-keeper.js";
import { RefreshClient } from "./refresh-client.js";
import { ScrollView } from "./scroll-view.js";

const FOOTER_HEIGHT = 64; // as in page.css
/** How long the daemon waits for the next letter before it searches. */
const TYPING_PAUSE_MS = 250;
/** When the reader comes back to the page, a list of at least this age is refreshed. */
const STALE_MS = 60000;

const element = (id) => document.getElementById(id);
const scroller = element("scroller");
const list = element("list");
const checked = (name) => document.querySelector(`[name=${name}]:checked`).value;

// The query

/** The parameters of the feed. A parameter without a value is left out. */
function parameters() {
  const values = {
    q: element("search").value.trim(), section: checked("section"), sort: element("sort").value,
    urgent: element("urgent").checked ? "true" : "",
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** Whether the form selects a part of the list. */
const isFiltered = () => ["q", "section", "urgent"].some((name) => name in parameters());

// The session, the view and its scroller

const motion = reducedMotion.matches ? "reduced" : "full";
const client = new RefreshClient({
  name: "web-uploads/1.0", frames: { mode: "local", language: navigator.language, motion },
  diagnostics: new URLSearchParams(location.search).has("diagnostics"), features: ["query", "unread"],
});
const view = client.view("uploads", () => ({
  profile: "iqpulltorefresh", feed: "uploads", parameters: parameters(), initial: "kept",
  ...scrollView.describe(), top: { depth: checked("depth"), staleAfter: STALE_MS }, bottom: { preloadItems: 4 },
}));
const indicatorHost = element("indicators");
const viewClient = new LocalClient(view, {
  top: new IndicatorRenderer(indicatorHost), bottom: new IndicatorRenderer(indicatorHost, { isAtEnd: true }),
}, { motion });
const scrollView = new ScrollView(viewClient, {
  scroller, stage: element("stage"), above: element("above"), content: list, below: element("below"),
}, { insets: { top: 0, bottom: FOOTER_HEIGHT } });
const placeKeeper = new PlaceKeeper(scrollView, list);

// The list

let total;
let ids = new Set(); // the identifiers of the shown items
let failure = "";
let isFresh = true; // whether no items of this session have arrived yet
/**
 * Whether the list moves to its start when its items are replaced next. If not, the reader's place
 * is kept.
 */
let showsStart = true;
let connectedAt = 0;
let wasLoading = false; // whether a load of this session was shown
const loads = new Map(); // the loads that run: {cause, pages, beganAt}

const counts = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" });

function row(item, isChanged) {
  const created = packageRow(item, { isChanged, corner: clock.format(item.time) });
  created.dataset.id = item.id;
  if (item.urgency === "high") created.classList.add("urgent");
  return created;
}

function showItems(message) {
  const { mode, items, total: announced, more, load } = message;
  const rows = document.createDocumentFragment();
  if (mode === "replace" || isFresh) {
    const marksNew = !showsStart && ids.size > 0;
    for (const item of items) rows.append(row(item, marksNew && !ids.has(item.id)));
    if (showsStart) {
      list.replaceChildren(rows);
      scrollView.moveToStart();
    } else {
      placeKeeper.keep(() => list.replaceChildren(rows));
    }
    ids = new Set();
    showsStart = false;
  } else {
    for (const item of items) rows.append(row(item, false));
    list.append(rows);
  }
  for (const { id } of items) ids.add(id);
  total = announced ?? (more ? undefined : ids.size);
  failure = "";
  showLoad(loads.get(load), message);
  if (mode === "replace" || isFresh) showSummary();
  isFresh = false;
  loads.delete(load);
  showFooter();
}

function showSummary() {
  const shown = counts.format(total ?? ids.size);
  const found = isFiltered() ? `${shown} found` : `${shown} uploads`;
  element("summary").textContent = `${found} · updated ${clock.format(new Date())}`;
  announce(`${found}. ${ids.size} shown.`);
}

/** Shows how long a load took, and how many pages it had. */
function showLoad(load, { pages = 1, mode }) {
  if (!load) return;
  const took = `${Math.round(performance.now() - load.beganAt)} ms`;
  const text = pages === 1 ? "1 page" : `${pages} pages`;
  element("figure-load").textContent = `${text}, ${took}`;
  if (!isFresh || mode !== "replace") return;
  const source = wasLoading ? "loaded" : "kept";
  element("figure-first").textContent = `${source}, ${Math.round(performance.now() - connectedAt)} ms`;
  element("figure-first").dataset.source = source;
}

// The two edges

function footerText(state) {
  const count = counts.format(ids.size);
  switch (state) {
    case "failed": return failure || "Loading failed.";
    case "noMore":
      if (ids.size === 0) return "Nothing found";
      return `End of the list: ${count} ${ids.size === 1 ? "upload" : "uploads"}`;
    case "loading": return "Loading more";
    default:
      if (ids.size === 0) return "";
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

/** Shows whether there are newer uploads, and how many if the daemon knows it. */
function showNewer({ newer, newerCount }) {
  const button = element("newer");
  if (newer !== undefined) {
    if (newer && button.hidden) announce("There are newer uploads.");
    button.hidden = !newer;
    if (!newer) button.textContent = "New uploads";
  }
  if (newerCount > 0) {
    button.textContent = newerCount === 1 ? "1 new upload" : `${counts.format(newerCount)} new uploads`;
  }
}

view.addEventListener("attached", () => {
  wasLoading = false;
  showNewer({ newer: false }); // A resumed view receives its state again.
  showState();
});
view.addEventListener("disconnected", showState);
view.addEventListener("ended", () => {
  isFresh = true;
  loads.clear();
  showState();
});
view.addEventListener("emptied", () => {
  list.replaceChildren();
  ids.clear();
  total = undefined;
});
view.addEventListener("update", ({ detail }) => {
  if (detail.top?.state === "refreshing") {
    wasLoading = true;
    announce("Refreshing.");
  }
  showNewer(detail);
  showState();
});
view.addEventListener("items", ({ detail }) => {
  const isQuery = loads.get(detail.load)?.cause === "query";
  showItems(detail);
  if (isQuery) element("query").dataset.state = "idle";
});
view.addEventListener("loading", ({ detail: { phase, kind, load, cause, message, pages } }) => {
  if (phase === "began") loads.set(load, { cause, pages, beganAt: performance.now() });
  if (phase !== "failed" && phase !== "timedOut" && phase !== "cancelled") return;
  const isQuery = loads.get(load)?.cause === "query";
  loads.delete(load);
  if (phase === "cancelled") return;
  failure = message ?? "The list did not load in time.";
  const isFirst = kind === "refresh";
  if (isQuery) {
    element("query").dataset.state = "idle";
    element("summary").textContent = "The list of an earlier query";
  }
  if (isFirst) notify(isQuery ? `${failure} The earlier list stays.` : failure, 6000);
  announce(failure);
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

// The controls

let sentQuery = JSON.stringify(parameters());

/**
 * Requests the list of the form's query. The earlier list stays until the first page of the new
 * list arrives.
 */
function search(debounceMs) {
  const query = parameters();
  if (JSON.stringify(query) === sentQuery) return;
  sentQuery = JSON.stringify(query);
  showsStart = true;
  element("query").dataset.state = "loading";
  view.send("configure", { parameters: query, debounceMs, shown: "keep" });
}

element("search").addEventListener("input", () => search(TYPING_PAUSE_MS));
element("query").addEventListener("change", () => search(0));
element("query").addEventListener("submit", (event) => {
  event.preventDefault();
  scroller.focus({ preventScroll: true });
});
element("depth").addEventListener("change", () => view.send("configure", { top: { depth: checked("depth") } }));

const causeOf = (event) => (event.detail === 0 ? "key" : "finger");
element("refresh").addEventListener("click", (event) => view.send("refresh", { cause: causeOf(event) }));
element("newer").addEventListener("click", (event) => {
  showsStart = true;
  if (!view.reveal()) view.send("refresh", { cause: causeOf(event) });
});
element("retry").addEventListener("click", () => view.send("retry", { edge: "bottom" }));
// If the list has the focus, it handles the key itself.
addEventListener("keydown", (event) => {
  if (event.target === document.body) scroller.focus();
  if (event.key.toLowerCase() !== "r" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("#scroller, input, select")) return;
  view.send("refresh", { cause: "key" });
});

showConnection(client);
showMessages(client);
client.addEventListener("status", ({ detail }) => {
  if (detail.status === "connecting") connectedAt = performance.now();
});
scroller.focus({ preventScroll: true, focusVisible: false });
showState();
client.connect();
