// The gallery: every built-in indicator on live lists, drawn by a `stream` client beside a `local` one.

import { Line } from "./delayed-socket.js";
import { GalleryList } from "./gallery-list.js";
import { Local } from "./local.js";
import { reducedMotion } from "./motion.js";
import { RefreshClient } from "./refresh-client.js";
import { Stream } from "./stream.js";

const INDICATORS = [
  { name: "spinner", profile: "default", about: "Twelve ticks that fill with the pull, as in UIRefreshControl" },
  { name: "indicator", profile: "iqpulltorefresh", about: "Fades in, and grows when the release would fire" },
  { name: "path", profile: "mrefresh2", about: "A line drawing that grows with the pull, as in MRefresh" },
  { name: "letters", profile: "appcoda", about: "Letters that turn in colour, one after the other" },
  { name: "compass", profile: "jackrabbit", about: "Two halves that meet, turn, and break apart" },
];
const KINDS = [
  { name: "stream", make: (view, drawings) => new Stream(view, drawings) },
  { name: "local", make: (view, drawings, motion) => new Local(view, drawings, { motion }) },
];
const OWN_PROFILE = "";
/** The time in which the slider returns after its release. */
const RETURN_MS = 250;

const element = (id) => document.getElementById(id);
const slider = element("pull");
const kinds = KINDS.map((kind) => ({ ...kind, line: new Line(), client: null, lists: [] }));

// The lists

const cards = INDICATORS.map(({ name, about }) => {
  const card = element("card").content.firstElementChild.cloneNode(true);
  card.querySelector("h2").textContent = name;
  card.querySelector("p").textContent = about;
  card.dataset.indicator = name;
  element("cards").insertBefore(card, element("about"));
  return card;
});

const allLists = () => kinds.flatMap(({ lists }) => lists);

/** Ends the sessions and starts new ones with the current profile and motion. */
function begin() {
  letGo("cancelled");
  const motion = element("motion").checked ? "reduced" : "full";
  document.documentElement.dataset.motion = motion;
  for (const card of cards) card.querySelector(".samples").replaceChildren();
  for (const kind of kinds) {
    for (const list of kind.lists) list.end();
    kind.client?.close();
    kind.client = new RefreshClient({
      name: `web-gallery/${kind.name}`, open: kind.line.open,
      frames: { mode: kind.name, language: navigator.language, motion },
    });
    kind.lists = INDICATORS.map(({ name, profile }, index) => {
      const list = new GalleryList(kind.client, {
        indicator: name, label: name, name: kind.name, motion,
        profile: element("profile").value || profile,
        make: (view, drawings) => kind.make(view, drawings, motion),
      });
      cards[index].querySelector(".samples").append(list.element);
      return list;
    });
    kind.client.addEventListener("status", showConnection);
    kind.client.addEventListener("welcome", ({ detail }) => offerProfiles(detail.profiles ?? []));
    kind.line.forget();
    kind.client.connect();
  }
}

function offerProfiles(names) {
  const select = element("profile");
  if (select.length > 1) return;
  for (const name of names) select.append(new Option(name, name));
}

// The connection

const STATUS_TEXTS = { connecting: "Connecting", open: "Connected", lost: "Reconnecting", refused: "Refused" };

function showConnection() {
  const statuses = kinds.map(({ client }) => client?.status ?? "connecting");
  const status = ["refused", "lost", "connecting"].find((name) => statuses.includes(name)) ?? "open";
  if (element("connection").dataset.status === status) return;
  element("connection").dataset.status = status;
  element("connection-text").textContent = STATUS_TEXTS[status];
}

// The pull

let isHeld = false;
let isReturning = 0;

function pull() {
  cancelAnimationFrame(isReturning);
  const travel = slider.valueAsNumber;
  if (!isHeld && travel === 0) return showTravel();
  if (!isHeld) {
    isHeld = true;
    for (const { line } of kinds) line.forget();
    for (const list of allLists()) list.grab();
  }
  for (const list of allLists()) list.drag(travel);
  showTravel();
}

function letGo(phase) {
  if (!isHeld) return;
  isHeld = false;
  for (const list of allLists()) list.letGo(phase);
  goBack(slider.valueAsNumber, performance.now());
}

function goBack(from, start) {
  const way = Math.min((performance.now() - start) / RETURN_MS, 1);
  slider.value = reducedMotion.matches ? 0 : from * (1 - way) ** 2;
  showTravel();
  if (slider.valueAsNumber > 0) isReturning = requestAnimationFrame(() => goBack(from, start));
}

function showTravel() {
  const travel = Math.round(slider.valueAsNumber);
  element("travel").textContent = travel;
  slider.setAttribute("aria-valuetext", `${travel} points`);
  slider.style.setProperty("--part", `${(travel / slider.max) * 100}%`);
}

slider.addEventListener("input", pull);
for (const type of ["pointerup", "touchend"]) slider.addEventListener(type, () => letGo("ended"));
for (const type of ["pointercancel", "touchcancel", "blur"]) {
  slider.addEventListener(type, () => letGo("cancelled"));
}
// Keys pull step by step, and the pull is held until one of these keys.
slider.addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === " ") letGo("ended");
  else if (event.key === "Escape") letGo("cancelled");
  else return;
  event.preventDefault();
});

// The other controls

element("refresh").addEventListener("click", () => {
  for (const { line } of kinds) line.forget();
  for (const list of allLists()) list.refresh();
});
for (const choice of document.querySelectorAll("[name=latency]")) {
  choice.addEventListener("change", () => {
    for (const { line } of kinds) line.latency = Number(choice.value);
  });
}
element("profile").addEventListener("change", begin);
element("motion").addEventListener("change", begin);
reducedMotion.addEventListener("change", () => {
  element("motion").checked = reducedMotion.matches;
  begin();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) for (const { client } of kinds) client.hurry();
});

// Traffic

const counts = new Intl.NumberFormat("en");

function showTraffic() {
  for (const { name, line: { traffic } } of kinds) {
    for (const [figure, value] of Object.entries(traffic)) {
      element(`${name}-${figure}`).textContent = counts.format(value);
    }
  }
}

setInterval(showTraffic, 200);

element("motion").checked = reducedMotion.matches;
showTravel();
begin();
