// A list in the elements of own-elements.html. It shows the feed `packages` of a daemon with `demo: true`.

import { RefreshList } from "../dom.js";

const names = ["scroller", "stage", "above", "content", "below", "indicators"];
const elements = Object.fromEntries(names.map((name) => [name, document.querySelector(`.${name}`)]));
const list = new RefreshList(elements, { url: "ws://127.0.0.1:8080/v1/session", feed: "packages" });

function row(item) {
  const created = document.createElement("p");
  created.setAttribute("role", "listitem");
  created.dataset.id = item.name;
  created.textContent = `${item.name} ${item.description}`;
  return created;
}

list.addEventListener("items", ({ detail: { mode, items } }) => {
  const rows = items.map(row);
  if (mode === "replace") elements.content.replaceChildren(...rows);
  else if (mode === "prepend") elements.content.prepend(...rows);
  else elements.content.append(...rows);
});
list.addEventListener("change", () => { elements.scroller.dataset.state = list.top.state ?? ""; });
list.addEventListener("failure", ({ detail: { message, kind } }) => console.warn(kind, message));
list.connect();
