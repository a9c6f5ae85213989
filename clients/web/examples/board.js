// A board: its cards are added, moved and removed. Each change is shown at once, and a removal can be undone.
// The feed `board` accepts insert, move and remove (docs/backends.md, "Edits"). If it has the sections `/list`, a card
// belongs to the section of the card next to which it is put.

import "../element.js";

/** The time in which a removal can be undone. The daemon waits for it before it tells the backend. */
const UNDO_MS = 5000;
/** A card that is swiped by this part of its width is removed. */
const SWIPE_PART = 0.35;
/** A finger must travel this far to the side before it swipes. */
const SWIPE_MIN = 10;

const element = (id) => document.getElementById(id);
const list = /** @type {import("../refresh-list-element.js").RefreshListElement} */ (document.querySelector("refresh-list"));

// The cards of others appear as they are added.
list.options = { attach: { top: { arrivals: "insert" } } };
list.renderItem = ({ title }) => {
  const row = document.createElement("div");
  row.className = "row";
  row.innerHTML = '<div class="card"><span class="title"></span><button class="handle" type="button">☰</button></div>';
  row.querySelector(".title").textContent = title;
  row.querySelector(".handle").setAttribute("aria-label", `Move ${title}: drag, or use the arrow keys`);
  return row;
};

const rows = () => [...list.querySelectorAll(".row")];
const itemOf = (row) => list.items.find(({ id }) => String(id) === row.dataset.id);
const keyOf = (row) => itemOf(row).id;

// Adding. The key is the page's, and the backend keeps it.

element("add").addEventListener("submit", (event) => {
  event.preventDefault();
  const title = element("title").value.trim();
  const id = `card-${Date.now()}-${Math.random().toString(36).slice(2)}`;
  if (title !== "") list.edit({ insert: { id, title, list: list.items[0]?.list }, at: "start" });
  element("title").value = "";
});

// Moving

/** Moves a card to the place `index` in the list. */
function moveTo(row, index) {
  const others = rows().filter((one) => one !== row);
  const from = rows().indexOf(row);
  if (index === from || index < 0 || index > others.length) return;
  const place = index < from ? { before: keyOf(others[index]) } : { after: keyOf(others[index - 1]) };
  list.edit({ move: keyOf(row), ...place });
}

/**
 * Follows a finger that drags a card by its handle. The places are measured anew at each move, because the cards of
 * others come and go meanwhile. `offsetTop` does not contain the transforms.
 */
function drag(row, start) {
  const grip = start.clientY - row.getBoundingClientRect().top;
  let along = 0; // how far the card is from its place
  let to = -1;
  const parts = () => [...list.querySelectorAll(".row, [data-section]")];
  row.classList.add("dragged");
  return {
    move({ clientY }) {
      along += clientY - grip - row.getBoundingClientRect().top;
      row.style.transform = `translateY(${along}px)`;
      const from = rows().indexOf(row);
      const middle = (one) => one.offsetTop + one.offsetHeight / 2;
      const dragged = middle(row) + along;
      to = rows().filter((one, index) => index !== from && (index < from ? middle(one) <= dragged : middle(one) < dragged)).length;
      const [origin, end] = [parts().indexOf(row), parts().indexOf(rows()[to])];
      for (const [index, other] of parts().entries()) {
        if (other === row) continue;
        const shift = index > origin && index <= end ? -row.offsetHeight : index < origin && index >= end ? row.offsetHeight : 0;
        other.classList.add("shifting");
        other.style.transform = shift === 0 ? "" : `translateY(${shift}px)`;
      }
    },
    end(isCancelled) {
      for (const one of parts()) {
        one.classList.remove("dragged", "shifting");
        one.style.transform = "";
      }
      if (!isCancelled && row.isConnected) moveTo(row, to);
    },
  };
}

// Removing

let removal = ""; // the name of the last edit that removes a card

function remove(row) {
  const { id, title } = itemOf(row);
  removal = list.edit({ remove: id }, { delayMs: UNDO_MS });
  element("removed").textContent = `Removed: ${title}`;
  element("toast").hidden = false;
}

element("undo").addEventListener("click", () => list.undo(removal));
// An edit has its answer when it was performed, or undone.
list.addEventListener("edited", ({ detail: { edit } }) => {
  if (edit === removal) element("toast").hidden = true;
});

/** Follows a finger that swipes a card to the left. */
function swipe(row, start) {
  const card = row.querySelector(".card");
  let along = 0;
  return {
    move({ clientX }) {
      along = Math.min(0, clientX - start.clientX);
      row.classList.toggle("swiped", along < -SWIPE_MIN);
      card.style.transform = along < -SWIPE_MIN ? `translateX(${along}px)` : "";
    },
    end(isCancelled) {
      row.classList.remove("swiped");
      card.style.transform = "";
      if (!isCancelled && -along > SWIPE_PART * row.clientWidth) remove(row);
    },
  };
}

// Fingers and keys. Those on a handle do not reach the list, which would scroll.

let gesture = null;
let pointer = 0; // the finger of the gesture

list.addEventListener("touchstart", (event) => {
  if (event.target.closest(".handle")) event.stopPropagation();
}, { capture: true, passive: true });
// Otherwise the browser takes the swipe for a fling, and ignores a tap on "Undo" that follows at once.
list.addEventListener("touchmove", (event) => {
  if (event.cancelable && event.target.closest(".swiped")) event.preventDefault();
}, { passive: false });
list.addEventListener("pointerdown", (event) => {
  const row = event.target.closest(".row");
  if (!row || gesture) return;
  const isHandle = event.target.closest(".handle");
  if (!isHandle && event.pointerType === "mouse") return;
  if (isHandle) event.stopPropagation();
  event.target.setPointerCapture(event.pointerId);
  pointer = event.pointerId;
  gesture = isHandle ? drag(row, event) : swipe(row, event);
}, { capture: true });
list.addEventListener("pointermove", (event) => {
  if (event.pointerId === pointer) gesture?.move(event);
});
for (const type of ["pointerup", "pointercancel"]) {
  list.addEventListener(type, (event) => {
    if (event.pointerId !== pointer) return;
    if (type === "pointerup") gesture?.move(event);
    gesture?.end(type === "pointercancel");
    gesture = null;
  });
}
list.addEventListener("keydown", (event) => {
  const row = event.target.closest(".handle") && event.target.closest(".row");
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!row || (!step && event.key !== "Delete")) return;
  event.preventDefault();
  event.stopPropagation();
  if (!step) return remove(row);
  moveTo(row, rows().indexOf(row) + step);
  row.querySelector(".handle").focus();
}, { capture: true });
