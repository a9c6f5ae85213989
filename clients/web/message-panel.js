// The panel beside the list: the states of both edges, some figures, and a log of the messages.

import { span } from "./package-row.js";

const LOG_LENGTH = 40;
/**
 * The number of the newest lines of the log with which a new message is compared. If one of these
 * lines is similar, the message is merged with that line. One line is for the latest samples, and
 * one for the latest updates.
 */
const MERGED_LINES = 2;

const element = (id) => document.getElementById(id);
const sizes = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

// The edges

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

/** Shows the states of both edges. */
export function showEdges(viewClient) {
  const [top, bottom] = [viewClient.edge("top"), viewClient.edge("bottom")];
  showEdge("top", top);
  showEdge("bottom", bottom);
  element("glance").textContent = `${top.state ?? "–"} · ${bottom.state ?? "–"}`;
}

/** Shows the offset of the list and the daemon's shares of its insets. */
export function showPlace(scrollView) {
  element("figure-offset").textContent = Math.round(scrollView.offset);
  element("figure-top").textContent = Math.round(scrollView.shares.top);
  element("figure-bottom").textContent = Math.round(scrollView.shares.bottom);
}

// The log

const rounded = (value) => Math.round(value * 100) / 100;

function timelineText({ duration }) {
  return duration > 0 ? ` in ${Math.round(duration)} ms` : "";
}

function updateText({ top, bottom, inset, offset, haptic, newerCount, away, revealed, read }) {
  const parts = [];
  for (const [name, edge] of [["top", top], ["bottom", bottom]]) {
    if (edge?.state) parts.push(edge.state);
    if (edge?.progress !== undefined) parts.push(`${rounded(edge.progress)}`);
    if (edge?.cause) parts.push(`by ${edge.cause}`);
    if (edge?.result) parts.push(edge.result);
    if (inset?.[name] !== undefined) parts.push(`inset ${name} ${rounded(inset[name])}${timelineText(inset)}`);
  }
  if (offset) parts.push(`offset ${rounded(offset.to)}${timelineText(offset)}`);
  if (newerCount > 0) parts.push(`${newerCount} newer`);
  if (away !== undefined) parts.push(away ? "away" : "not away");
  if (revealed) parts.push(`revealed: ${revealed}`);
  if (read) parts.push(`read ${read}`);
  if (haptic) parts.push(haptic.join(", "));
  return parts.join(" · ");
}

function messageSummary(message) {
  switch (message.type) {
    case "update": return updateText(message);
    case "pan": return `${message.phase} ${rounded(message.translation)}`;
    case "scroll": return `${message.phase} ${rounded(message.offset)}`;
    case "geometry": return message.content ? `content ${rounded(message.content.height)}` : "anchor";
    case "items": return `${message.mode} ${message.count}${message.more ? ", more" : ""}`;
    case "loading": {
      const { kind, phase, cause, pages } = message;
      return `${kind} ${phase}${cause === "query" ? " by query" : ""}${pages > 1 ? `, ${pages} pages` : ""}`;
    }
    case "configure": return JSON.stringify(message.parameters ?? message.top ?? message.bottom ?? {});
    case "refresh": case "retry": return message.cause ?? message.edge ?? "";
    case "read": return message.id;
    case "reveal": return message.id ?? message.edge ?? "newest";
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

/** Logs the messages of the client, and shows its round trip, from now on. */
export function showMessages(client) {
  client.addEventListener("sent", ({ detail }) => logMessage("sent", detail));
  client.addEventListener("received", ({ detail }) => {
    logMessage("received", detail);
    if (detail.type === "pong") {
      element("figure-trip").textContent = `${sizes.format(client.roundTrip)} ms`;
    }
  });
  element("panel").open = matchMedia("(min-width: 900px)").matches;
}
