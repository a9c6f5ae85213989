// The demo page: it shows the daemon's state and forwards the user's input.

import { IndicatorRenderer } from "./indicator-renderer.js";
import { LocalClient } from "./local-client.js";
import { reducedMotion } from "./motion.js";
import { RefreshClient } from "./refresh-client.js";
import { ScrollView } from "./scroll-view.js";
import { StreamClient } from "./stream-client.js";

const FOOTER_HEIGHT = 64; // as in page.css
const LOG_LENGTH = 40;
/**
 * The number of the newest lines of the log with which a new message is compared. If one of them is
 * similar, the message is merged with it. One line is for the latest samples, and one for the
 * latest updates.
 */
const MERGED_LINES = 2;

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

const sizes = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
const counts = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

function sizeText(kibibytes) {
  if (kibibytes === null || kibibytes === undefined) return "";
  return kibibytes < 1024 ? `${kibibytes} KiB` : `${sizes.format(kibibytes / 1024)} MiB`;
}

function span(className, text) {
  const created = document.createElement("span");
  created.className = className;
  created.textContent = text;
  return created;
}

function row(item, changed) {
  const created = document.createElement("li");
  created.className = changed ? "row changed" : "row";
  created.dataset.name = item.name;
  const title = span("title", "");
  title.append(span("name", item.name), span("version", item.version));
  created.append(
    title, span("size", sizeText(item.installedKiB)),
    span("description", item.description), span("section", item.section));
  return created;
}

/** `removed` is the number of items that the daemon omitted because the list has them. */
function showItems({ mode: requestedMode, items, total: announced, more, removed = 0 }) {
  // The items of the previous session are shown until the first items of this session arrive.
  const mode = isFresh ? "replace" : requestedMode;
  isFresh = false;
  const fresh = document.createDocumentFragment();
  if (mode === "replace") {
    const known = new Map(loaded.map((item) => [item.name, item.version]));
    for (const item of items) {
      fresh.append(row(item, known.size > 0 && known.get(item.name) !== item.version));
    }
    list.replaceChildren(fresh);
    loaded = items;
  } else {
    for (const item of items) fresh.append(row(item, false));
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

const showsProgress = new Set(["pulling", "approaching", "eligible"]);

function showEdge(name, edge) {
  const box = element(`edge-${name}`);
  const state = edge.state ?? "";
  const progress = showsProgress.has(state) ? edge.progress ?? 0 : 0;
  if (box.dataset.state !== state) box.dataset.state = state;
  box.dataset.progress = progress;
  box.querySelector(".edge-state").textContent = state || "–";
  box.querySelector(".edge-detail").textContent =
    showsProgress.has(state) ? `${Math.round(progress * 100)} %` : edge.cause ?? edge.result ?? "";
  box.querySelector(".meter span").style.transform = `scaleX(${progress})`;
}

function showState() {
  const [top, bottom] = [viewClient.edge("top"), viewClient.edge("bottom")];
  showEdge("top", top);
  showEdge("bottom", bottom);
  element("glance").textContent = `${top.state ?? "–"} · ${bottom.state ?? "–"}`;
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
  element("figure-offset").textContent = Math.round(scrollView.offset);
  element("figure-top").textContent = Math.round(scrollView.shares.top);
  element("figure-bottom").textContent = Math.round(scrollView.shares.bottom);
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

// The connection

const statusTexts = {
  connecting: "Connecting", open: "Connected", lost: "Reconnecting", refused: "Refused",
};
/** The page shows interruptions of the connection that last longer than this time. */
const NOTICE_DELAY_MS = 1000;
const refusals = { 4005: "This list is open in another tab. Reload to continue here." };
let noticeTimer = 0;

function notify(text, forMs = 0) {
  const notice = element("notice");
  clearTimeout(noticeTimer);
  notice.textContent = text;
  notice.hidden = text === "";
  if (forMs > 0) noticeTimer = setTimeout(() => notify(""), forMs);
}

function announce(text) {
  element("announcer").textContent = text;
}

let wasLost = false;
let disconnectionTimer = 0;

client.addEventListener("status", ({ detail: { status, code } }) => {
  // While the client reconnects after a loss, the page shows the status `lost`.
  const shown = status === "connecting" && wasLost ? "lost" : status;
  element("connection").dataset.status = shown;
  element("connection-text").textContent = statusTexts[shown];
  if (status === "lost" && !wasLost) {
    disconnectionTimer = setTimeout(() => {
      notify("The connection to the daemon is lost. Reconnecting…");
      announce("The connection to the daemon is lost. Reconnecting.");
    }, NOTICE_DELAY_MS);
  } else if (status === "refused") {
    clearTimeout(disconnectionTimer);
    notify(refusals[code] ?? "The daemon refused this page. Reload to try again.");
  } else if (status === "open") {
    clearTimeout(disconnectionTimer);
    const wasNoticeShown = !element("notice").hidden && wasLost;
    notify("");
    if (wasNoticeShown) announce("Reconnected.");
  }
  wasLost = shown === "lost";
});

// The panel

const rounded = (value) => Math.round(value * 100) / 100;

function timelineText({ duration }) {
  return duration > 0 ? ` in ${Math.round(duration)} ms` : "";
}

function updateText({ top, bottom, inset, offset, haptic }) {
  const parts = [];
  for (const [name, edge] of [["top", top], ["bottom", bottom]]) {
    if (edge?.state) parts.push(edge.state);
    if (edge?.progress !== undefined) parts.push(`${rounded(edge.progress)}`);
    if (edge?.cause) parts.push(`by ${edge.cause}`);
    if (edge?.result) parts.push(edge.result);
    if (inset?.[name] !== undefined) parts.push(`inset ${name} ${rounded(inset[name])}${timelineText(inset)}`);
  }
  if (offset) parts.push(`offset ${rounded(offset.to)}${timelineText(offset)}`);
  if (haptic) parts.push(haptic.join(", "));
  return parts.join(" · ");
}

function messageSummary(message) {
  switch (message.type) {
    case "update": return updateText(message);
    case "pan": return `${message.phase} ${rounded(message.translation)}`;
    case "scroll": return `${message.phase} ${rounded(message.offset)}`;
    case "geometry": return `content ${rounded(message.content?.height ?? 0)}`;
    case "items": return `${message.mode} ${message.count}${message.more ? ", more" : ""}`;
    case "loading": return `${message.kind} ${message.phase}`;
    case "refresh": case "retry": return message.cause ?? message.edge ?? "";
    case "hello": return message.client;
    case "welcome": return message.server ?? `session ${message.session}`;
    case "attached": return `${message.profile}`;
    case "error": return `${message.code}`;
    case "diagnostic": return `${message.code} ${message.field ?? ""}`;
    default: return "";
  }
}

/**
 * Whether a message belongs to a type that occurs very often: a sample, a geometry or an update
 * without a state.
 */
function isFrequent({ type, phase, top, bottom }) {
  if (type === "pan" || type === "scroll") return phase === "dragging" || phase === "decelerating";
  return type === "geometry" || (type === "update" && !top?.state && !bottom?.state);
}

function logMessage(way, message) {
  if (message.type === "ping" || message.type === "pong") return;
  const log = element("log");
  const kind = `${way} ${message.type} ${message.phase ?? ""}`;
  const existing = isFrequent(message)
    && [...log.children].slice(0, MERGED_LINES).find((line) => line.dataset.kind === kind);
  if (existing) {
    const times = Number(existing.dataset.times) + 1;
    existing.dataset.times = times;
    existing.querySelector(".times").textContent = `×${times}`;
    existing.querySelector(".gist").textContent = messageSummary(message);
    return;
  }
  const line = document.createElement("li");
  line.className = `${way}${["error", "diagnostic"].includes(message.type) ? " error" : ""}`;
  line.dataset.kind = isFrequent(message) ? kind : "";
  line.dataset.times = 1;
  line.append(
    span("way", way === "sent" ? "↑" : "↓"), span("what", message.type),
    span("gist", messageSummary(message)), span("times", ""));
  log.prepend(line);
  if (log.children.length > LOG_LENGTH) log.lastElementChild.remove();
}

client.addEventListener("sent", ({ detail }) => logMessage("sent", detail));
client.addEventListener("received", ({ detail }) => {
  logMessage("received", detail);
  if (detail.type === "pong") {
    element("figure-trip").textContent = `${sizes.format(client.roundTrip)} ms`;
  }
});

element("panel").open = matchMedia("(min-width: 900px)").matches;
scroller.focus({ preventScroll: true, focusVisible: false });
showState();
if (view.savedState) {
  showItems({ mode: "replace", items: view.savedState.items, total: view.savedState.total, more: true });
  element("summary").textContent = view.savedState.summary;
  scrollView.restoreOffset(view.savedState.offset);
}
client.connect();
