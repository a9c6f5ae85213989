// The demo page: it shows the daemon's state and forwards the user's input.

import { Drawing } from "./drawing.js";
import { Local } from "./local.js";
import { reducedMotion } from "./motion.js";
import { RefreshClient } from "./refresh-client.js";
import { ScrollView } from "./scroll-view.js";
import { Stream } from "./stream.js";

const FOOTER_HEIGHT = 64; // as in page.css
const LOG_LENGTH = 40;
/** The number of parallel streams: samples in one direction, updates in the other. Each has one line of the log. */
const STREAMS = 2;

const element = (id) => document.getElementById(id);
const scroller = element("scroller");
const list = element("list");

// The session, the view and its scroller

const motion = reducedMotion.matches ? "reduced" : "full";
/** `/?frames=stream` selects the other kind of client, which computes nothing. */
const mode = new URLSearchParams(location.search).get("frames") === "stream" ? "stream" : "local";
/** `/?diagnostics` makes the daemon report what it ignores, in the log beside the list and in the console. */
const diagnostics = new URLSearchParams(location.search).has("diagnostics");
const client = new RefreshClient({
  frames: { mode, language: navigator.language, motion }, storage: sessionStorage, diagnostics,
});
const view = client.view("list",
  () => ({ profile: "iqpulltorefresh", feed: "packages", ...scrollView.describe() }),
  [{ type: "refresh", cause: "code" }],
  () => ({ items: loaded, total, offset: scrollView.offset, summary: element("summary").textContent }));
const indicators = element("indicators");
const drawings = { top: new Drawing(indicators), bottom: new Drawing(indicators, { isAtEnd: true }) };
const kind = mode === "stream" ? new Stream(view, drawings) : new Local(view, drawings, { motion });
const scrollView = new ScrollView(kind, {
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
  const made = document.createElement("span");
  made.className = className;
  made.textContent = text;
  return made;
}

function row(item, changed) {
  const made = document.createElement("li");
  made.className = changed ? "row changed" : "row";
  made.dataset.name = item.name;
  const title = span("title", "");
  title.append(span("name", item.name), span("version", item.version));
  made.append(
    title, span("size", sizeText(item.installedKiB)),
    span("description", item.description), span("section", item.section));
  return made;
}

/** `removed`: the number of items that were left out because they are in the list already. */
function showItems({ mode: asked, items, total: announced, more, removed = 0 }) {
  // Items of the previous session are shown until the first ones of this session arrive.
  const mode = isFresh ? "replace" : asked;
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
  const state = kind.edge("bottom").state ?? "idle";
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
  const [top, bottom] = [kind.edge("top"), kind.edge("bottom")];
  showEdge("top", top);
  showEdge("bottom", bottom);
  element("glance").textContent = `${top.state ?? "–"} · ${bottom.state ?? "–"}`;
  element("refresh").disabled = !view.attached || view.isAway;
  showFooter();
}

/** Shows whether the daemon has newer packages. */
function showNewer(isNewer) {
  if (element("newer").hidden === !isNewer) return;
  element("newer").hidden = !isNewer;
  if (isNewer) announce("Newer packages are available.");
}

view.addEventListener("attached", () => {
  showNewer(false); // A new view has received nothing yet, and a resumed one receives it again.
  showState();
});
view.addEventListener("away", showState);
view.addEventListener("lost", () => {
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
  // The effect of a finger is visible before the daemon answers.
  showState();
});
scrollView.addEventListener("haptic", ({ detail }) => {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(detail === "impact" ? 18 : 8);
});

element("refresh").addEventListener("click", (event) => {
  view.send("refresh", { cause: event.detail === 0 ? "key" : "finger" });
});
// While the list is focused, it handles the key itself.
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
  // If nothing is focused, the list is, because the page is about it.
  if (event.target === document.body) scroller.focus();
});

// The connection

const statusTexts = {
  connecting: "Connecting", open: "Connected", lost: "Reconnecting", refused: "Refused",
};
/** Shorter interruptions of the connection are not shown. */
const PATIENCE_MS = 1000;
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
let awayTimer = 0;

client.addEventListener("status", ({ detail: { status, code } }) => {
  // For the user, an attempt to connect after a loss is still the loss.
  const shown = status === "connecting" && wasLost ? "lost" : status;
  element("connection").dataset.status = shown;
  element("connection-text").textContent = statusTexts[shown];
  if (status === "lost" && !wasLost) {
    awayTimer = setTimeout(() => {
      notify("The connection to the daemon is lost. Reconnecting…");
      announce("The connection to the daemon is lost. Reconnecting.");
    }, PATIENCE_MS);
  } else if (status === "refused") {
    clearTimeout(awayTimer);
    notify(refusals[code] ?? "The daemon refused this page. Reload to try again.");
  } else if (status === "open") {
    clearTimeout(awayTimer);
    const wasTold = !element("notice").hidden && wasLost;
    notify("");
    if (wasTold) announce("Reconnected.");
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

function gist(message) {
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

/** Whether a message is one of many similar ones: samples of a movement, and updates without a state. */
function isStream({ type, phase, top, bottom }) {
  if (type === "pan" || type === "scroll") return phase === "dragging" || phase === "decelerating";
  return type === "geometry" || (type === "update" && !top?.state && !bottom?.state);
}

function logged(way, message) {
  if (message.type === "ping" || message.type === "pong") return;
  const log = element("log");
  const kind = `${way} ${message.type} ${message.phase ?? ""}`;
  const same = isStream(message)
    && [...log.children].slice(0, STREAMS).find((line) => line.dataset.kind === kind);
  if (same) {
    const times = Number(same.dataset.times) + 1;
    same.dataset.times = times;
    same.querySelector(".times").textContent = `×${times}`;
    same.querySelector(".gist").textContent = gist(message);
    return;
  }
  const line = document.createElement("li");
  line.className = `${way}${["error", "diagnostic"].includes(message.type) ? " error" : ""}`;
  line.dataset.kind = isStream(message) ? kind : "";
  line.dataset.times = 1;
  line.append(
    span("way", way === "sent" ? "↑" : "↓"), span("what", message.type),
    span("gist", gist(message)), span("times", ""));
  log.prepend(line);
  if (log.children.length > LOG_LENGTH) log.lastElementChild.remove();
}

client.addEventListener("sent", ({ detail }) => logged("sent", detail));
client.addEventListener("received", ({ detail }) => {
  logged("received", detail);
  if (detail.type === "pong") {
    element("figure-trip").textContent = `${sizes.format(client.roundTrip)} ms`;
  }
});

element("panel").open = matchMedia("(min-width: 900px)").matches;
scroller.focus({ preventScroll: true, focusVisible: false });
showState();
if (view.kept) {
  showItems({ mode: "replace", items: view.kept.items, total: view.kept.total, more: true });
  element("summary").textContent = view.kept.summary;
  scrollView.put(view.kept.offset);
}
client.connect();
