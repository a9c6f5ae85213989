// The page "announcements" of the demo. It shows the items of the feed `messages` as a chat. The newest
// message is at the bottom (docs/protocol.md, "Axes and edges"). While the newest message is not in
// sight, new messages are only counted (docs/protocol.md, "Unread items" and "Live items"). If the feed
// accepts it, the user can send messages (docs/protocol.md, "Edits").

import { announce, notify, showConnection } from "./connection-status.js";
import { Edits } from "./edits.js";
import { IndicatorRenderer } from "./indicator-renderer.js";
import { LocalClient } from "./local-client.js";
import { showEdges, showMessages, showPlace } from "./message-panel.js";
import { reducedMotion } from "./motion.js";
import { span } from "./package-row.js";
import { PlaceKeeper } from "./place-keeper.js";
import { arrangeRows } from "./row-order.js";
import { RefreshClient } from "./refresh-client.js";
import { ScrollView } from "./scroll-view.js";

const FOOTER_HEIGHT = 64; // as in page.css
/** A message counts as read when it has been in sight for this time. */
const READ_MS = 200;

const element = (id) => document.getElementById(id);
const scroller = element("scroller");
const list = element("list");

// The session, the view and its scroller

const motion = reducedMotion.matches ? "reduced" : "full";
const client = new RefreshClient({
  name: "web-chat/1.0", frames: { mode: "local", language: navigator.language, motion }, storage: sessionStorage,
  diagnostics: new URLSearchParams(location.search).has("diagnostics"),
  features: ["unread", "patch", "live", "edits"], edits: Edits,
});
const view = client.view("chat", () => ({
  profile: "iqpulltorefresh", feed: "messages", axis: "vertical", reversed: true, initial: "kept",
  ...scrollView.describe(), bottom: { changes: "cue", arrivals: "stick" }, top: { preloadItems: 4, rearm: "content" },
}), [], () => ({ items: view.receivedItems ?? messages, total, offset: scrollView.offset }));
const indicatorHost = element("indicators");
const viewClient = new LocalClient(view, {
  top: new IndicatorRenderer(indicatorHost), bottom: new IndicatorRenderer(indicatorHost, { isAtEnd: true }),
}, { motion });
const scrollView = new ScrollView(viewClient, {
  scroller, stage: element("stage"), above: element("above"), content: list, below: element("below"),
}, { insets: { top: FOOTER_HEIGHT, bottom: 0 }, isReversed: true });
const placeKeeper = new PlaceKeeper(scrollView, list);

// The messages. Their `id` is a number, and a newer message has a larger one. A message that is being sent has a text.

let messages = []; // the oldest first
let shown = new Map(); // by `id`, the text of each shown message, and its row
let total;
let failure = "";
let isFresh = true; // whether no items of this session have arrived yet
let latest = { newer: false, newerCount: 0, away: false }; // as in the last updates
let isRevealing = false; // whether a `reveal` has not ended yet
let readMark = 0; // the newest message that was read
/** The first message after this one is marked as new. Null: no message is marked. */
let newAfter = null;
let readTimer = 0;
const author = sessionStorage.getItem("author") ?? Math.random().toString(36).slice(2);
sessionStorage.setItem("author", author);

const counts = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en", { timeStyle: "short", hourCycle: "h23" });

const inOrder = (items) => items.toSorted((one, other) => one.time - other.time || one.id - other.id);

function row(item) {
  const { id, time, name, version, description, section, urgency } = item;
  const created = document.createElement("li");
  created.className = urgency === "high" ? "row message urgent" : "row message";
  created.dataset.id = id;
  const bubble = span("bubble", "");
  created.append(bubble);
  if (item.author) {
    created.classList.add("written");
    created.classList.toggle("own", item.author === author);
    bubble.append(span("description", description), span("time", isDraft(item) ? "Sending…" : clock.format(time)));
    return created;
  }
  const title = span("title", "");
  title.append(span("name", name), span("version", version));
  bubble.append(
    span("section", section), title, span("description", description), span("time", clock.format(time)));
  return created;
}

const isDraft = ({ id }) => typeof id === "string";

/** Shows received messages: the whole list, or messages that are older than the shown ones. */
function showItems({ mode, items, total: announced, more, operations }) {
  const page = inOrder(items);
  const before = messages.length;
  messages = mode === "replace" || isFresh ? page : [...page, ...messages];
  const estimate = operations && total !== undefined ? total + messages.length - before : undefined;
  total = announced ?? (more ? estimate : messages.length);
  isFresh = false;
  if (!operations) failure = "";
  placeKeeper.keep(showMessageRows);
  scheduleRead();
}

function showMessageRows() {
  const before = shown;
  shown = new Map(messages.map((item) => {
    const text = JSON.stringify(item);
    const old = before.get(item.id);
    return [item.id, old?.text === text ? old : { text, row: row(item) }];
  }));
  const rows = [...shown.values()].map((one) => one.row);
  const kept = new Set(rows);
  for (const old of before.values()) if (!kept.has(old.row)) old.row.remove();
  arrangeRows(list, rows);
  markNew();
  element("summary").textContent = `A simulated archive · ${counts.format(total ?? messages.length)} messages`;
  showState();
}

// What is new, and what was read

/** Shows the line "New" above the first message after `newAfter`, if the list has older messages. */
function markNew() {
  list.querySelector(".new")?.remove();
  const first = messages.findIndex(({ id }) => id > newAfter);
  if (newAfter !== null && first > 0) list.children[first].prepend(span("new", "New"));
}

/** Shows the button that leads to the newest message, with the number of unread messages. */
function showNewer() {
  const button = element("newer");
  const { newer, newerCount, away } = latest;
  const unread = messages.filter(({ id }) => id > readMark).length + (newerCount ?? 0);
  button.classList.toggle("quiet", unread === 0 && !newer);
  button.hidden = !newer && !away;
  button.textContent = unread > 0 ? `${counts.format(unread)} new ${unread === 1 ? "message" : "messages"}`
    : newer ? "New messages" : "Latest";
}

function reveal() {
  isRevealing = view.reveal();
  if (!isRevealing) view.send("refresh", { cause: "code" });
}

/** Applies the members of an update that are about unread messages. */
function applyUnread({ newer, newerCount, away, revealed, read }) {
  if (read !== undefined) {
    readMark = Math.max(readMark, Number(read));
    newAfter = readMark;
    markNew();
  }
  if (away && !latest.away) newAfter = readMark;
  const before = latest;
  latest = {
    newer: newer ?? before.newer, newerCount: newerCount === undefined ? before.newerCount : newerCount,
    away: away ?? before.away,
  };
  if (revealed) isRevealing = false;
  if (latest.newer && !before.newer && latest.away) announce("There are new messages.");
  // While the newest end is in sight, the list shows new messages without a click.
  const hasChanged = newer || newerCount || away === false || revealed === "reached";
  if (hasChanged && latest.newer && !latest.away && !isRevealing) reveal();
  showNewer();
}

function scheduleRead() {
  readTimer ||= setTimeout(() => {
    readTimer = 0;
    read();
  }, READ_MS);
}

/** Records the newest message in sight as read. */
function read() {
  if (document.hidden || !view.attached || view.isDisconnected || isFresh) return;
  const end = scroller.getBoundingClientRect().bottom + 1;
  const newest = [...list.children].findLast((shown) =>
    Number(shown.dataset.id) > 0 && shown.lastElementChild.getBoundingClientRect().bottom <= end);
  const id = Number(newest?.dataset.id ?? 0);
  if (id > readMark) {
    readMark = id;
    view.markRead(String(id));
    showNewer();
  }
  // If the newest message is in sight, the messages that follow are not marked as new.
  if (id === messages.at(-1)?.id && !list.querySelector(".new")) newAfter = null;
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) newAfter = readMark;
  else scheduleRead();
});

// The two edges

function footerText(state) {
  switch (state) {
    case "failed": return failure || "Loading failed.";
    case "noMore": return messages.length === 0 ? "No messages" : "The oldest message";
    case "loading": return "Loading older messages";
    default: return "";
  }
}

function showState() {
  showEdges(viewClient);
  const state = viewClient.edge("top").state ?? "idle";
  element("footer").dataset.state = state;
  element("footer-text").textContent = footerText(state);
  element("retry").hidden = state !== "failed";
  element("refresh").disabled = !view.attached || view.isDisconnected;
  element("composer").hidden = !view.acceptedEdits.includes("insert");
  showNewer();
}

view.addEventListener("attached", () => {
  // A resumed view receives its state again.
  latest = { newer: false, newerCount: 0, away: false };
  isRevealing = false;
  if (!view.isResuming && readMark > 0) view.markRead(String(readMark));
  showState();
});
view.addEventListener("disconnected", showState);
view.addEventListener("ended", () => {
  isFresh = true;
  showState();
});
view.addEventListener("emptied", () => {
  list.replaceChildren();
  shown.clear();
  messages = [];
});
view.addEventListener("update", ({ detail }) => {
  if (detail.bottom?.state === "refreshing") announce("Refreshing.");
  applyUnread(detail);
  showState();
});
view.addEventListener("items", ({ detail }) => showItems(detail));
view.addEventListener("loading", ({ detail: { phase, kind, message } }) => {
  if (phase !== "failed" && phase !== "timedOut") return;
  failure = message ?? "The messages did not load in time.";
  announce(failure);
  if (kind === "refresh") notify(failure, 6000);
  showState();
});

scrollView.addEventListener("move", () => {
  showPlace(scrollView);
  // Show the effect of a finger before the daemon answers.
  showState();
  scheduleRead();
});
scrollView.addEventListener("haptic", ({ detail }) => {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(detail === "impact" ? 18 : 8);
});

// Sending

element("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = element("text").value.trim();
  if (text === "") return;
  element("text").value = "";
  const id = `draft-${author}-${Date.now()}`;
  // A clock that is late does not put the message before those that it follows.
  const time = Math.max(Date.now(), (messages.at(-1)?.time ?? 0) + 1);
  view.edit({ insert: { id, time, author, description: text }, at: "start" });
  scrollView.moveToStart();
});
view.addEventListener("edited", ({ detail: { result, code } }) => {
  if (result !== "rolledBack" || code === "undone") return;
  announce("The message was not sent.");
  notify("The message was not sent.", 6000);
});

// The controls

element("newer").addEventListener("click", reveal);
element("refresh").addEventListener("click", ({ detail }) => {
  view.send("refresh", { cause: detail === 0 ? "key" : "finger" });
});
element("retry").addEventListener("click", () => view.send("retry", { edge: "top" }));
// If the list has the focus, it handles the key itself.
addEventListener("keydown", (event) => {
  if (event.target === document.body) scroller.focus();
  if (event.key.toLowerCase() !== "r" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!scroller.contains(event.target)) view.send("refresh", { cause: "key" });
});

showConnection(client);
showMessages(client);
scroller.focus({ preventScroll: true, focusVisible: false });
if (view.savedState) {
  total = view.savedState.total;
  isFresh = false;
  view.restoreItems(view.savedState.items);
  messages = inOrder(view.items);
  showMessageRows();
  scrollView.restoreOffset(view.savedState.offset);
}
showState();
client.connect();
