// The gallery. It shows every built-in indicator on live lists, drawn by a `stream` client and by a
// `local` client.

import { SimulatedLink } from "./delayed-socket.js";
import { GalleryList } from "./gallery-list.js";
import { LocalClient } from "./local-client.js";
import { reducedMotion } from "./motion.js";
import { RefreshClient } from "./refresh-client.js";
import { StreamClient } from "./stream-client.js";

const INDICATORS = [
  { name: "spinner", profile: "default", about: "Twelve ticks that fill with the pull, as in UIRefreshControl" },
  { name: "indicator", profile: "iqpulltorefresh", about: "Fades in, and grows when the release would fire" },
  { name: "path", profile: "mrefresh2", about: "A line drawing that grows with the pull, as in MRefresh" },
  { name: "letters", profile: "appcoda", about: "Letters that turn in colour, one after the other" },
  { name: "compass", profile: "jackrabbit", about: "Two halves that meet, turn, and break apart" },
];
const KINDS = [
  { name: "stream", make: (view, indicators) => new StreamClient(view, indicators) },
  { name: "local", make: (view, indicators, motion) => new LocalClient(view, indicators, { motion }) },
];
const OWN_PROFILE = "";
/** The time in milliseconds in which the slider returns after its release. */
const RETURN_MS = 250;

const element = (id) => document.getElementById(id);
const slider = element("pull");
const kinds = KINDS.map((kind) => ({ ...kind, link: new SimulatedLink(), client: null, lists: [] }));

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
function restart() {
  endPull("cancelled");
  const motion = element("motion").checked ? "reduced" : "full";
  document.documentElement.dataset.motion = motion;
  for (const card of cards) card.querySelector(".samples").replaceChildren();
  for (const kind of kinds) {
    for (const list of kind.lists) list.detach();
    kind.client?.close();
    kind.client = new RefreshClient({
      name: `web-gallery/${kind.name}`, open: kind.link.open,
      frames: { mode: kind.name, language: navigator.language, motion },
    });
    kind.lists = INDICATORS.map(({ name, profile }, index) => {
      const list = new GalleryList(kind.client, {
        indicator: name, label: name, name: kind.name, motion,
        profile: element("profile").value || profile,
        make: (view, indicators) => kind.make(view, indicators, motion),
      });
      cards[index].querySelector(".samples").append(list.element);
      return list;
    });
    kind.client.addEventListener("status", showConnection);
    kind.client.addEventListener("welcome", ({ detail }) => offerProfiles(detail.profiles ?? []));
    kind.link.resetTraffic();
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
    for (const { link } of kinds) link.resetTraffic();
    for (const list of allLists()) list.beginDrag();
  }
  for (const list of allLists()) list.drag(travel);
  showTravel();
}

function endPull(phase) {
  if (!isHeld) return;
  isHeld = false;
  for (const list of allLists()) list.endDrag(phase);
  animateBack(slider.valueAsNumber, performance.now());
}

function animateBack(from, start) {
  const fraction = Math.min((performance.now() - start) / RETURN_MS, 1);
  slider.value = reducedMotion.matches ? 0 : from * (1 - fraction) ** 2;
  showTravel();
  if (slider.valueAsNumber > 0) isReturning = requestAnimationFrame(() => animateBack(from, start));
}

function showTravel() {
  const travel = Math.round(slider.valueAsNumber);
  element("travel").textContent = travel;
  slider.setAttribute("aria-valuetext", `${travel} points`);
  slider.style.setProperty("--part", `${(travel / slider.max) * 100}%`);
}

slider.addEventListener("input", pull);
for (const type of ["pointerup", "touchend"]) slider.addEventListener(type, () => endPull("ended"));
for (const type of ["pointercancel", "touchcancel", "blur"]) {
  slider.addEventListener(type, () => endPull("cancelled"));
}
// Keys change the pull step by step. The pull ends when one of the following keys is pressed.
slider.addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === " ") endPull("ended");
  else if (event.key === "Escape") endPull("cancelled");
  else return;
  event.preventDefault();
});

// The other controls

element("refresh").addEventListener("click", () => {
  for (const { link } of kinds) link.resetTraffic();
  for (const list of allLists()) list.refresh();
});
for (const choice of document.querySelectorAll("[name=latency]")) {
  choice.addEventListener("change", () => {
    for (const { link } of kinds) link.latency = Number(choice.value);
  });
}
element("profile").addEventListener("change", restart);
element("motion").addEventListener("change", restart);
reducedMotion.addEventListener("change", () => {
  element("motion").checked = reducedMotion.matches;
  restart();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) for (const { client } of kinds) client.reconnectNow();
});

// Traffic

const counts = new Intl.NumberFormat("en");

function showTraffic() {
  for (const { name, link: { traffic } } of kinds) {
    for (const [figure, value] of Object.entries(traffic)) {
      element(`${name}-${figure}`).textContent = counts.format(value);
    }
  }
}

setInterval(showTraffic, 200);

element("motion").checked = reducedMotion.matches;
showTravel();
restart();
