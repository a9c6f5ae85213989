// A program of a user of the package, with all strict checks of the compiler. It is only compiled.

import { LocalClient, PlaceKeeper, RefreshClient, RefreshList, ScrollView } from "refreshd-client";
import type { Item, ListTexts, RefreshClientOptions } from "refreshd-client/client-types";
import { RefreshClient as CoreClient, sessionURL } from "refreshd-client/core";
import { Edits } from "refreshd-client/edits";
import { defineRefreshList, RefreshListElement } from "refreshd-client/element";
import type { EdgeState, ReceivedItems, SentScroll } from "refreshd-client/protocol-types";
import { useRefreshList } from "refreshd-client/react";

class Socket {
  readyState = 0;
  onopen: ((event: unknown) => void) | null = null;
  onmessage: ((event: unknown) => void) | null = null;
  onclose: ((event: unknown) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  constructor(readonly url: string, readonly subprotocol: string) {}
  send(text: string): void { console.log(text); }
  close(): void {}
}

const options: RefreshClientOptions = {
  url: sessionURL({ protocol: "https:", host: "example.org" }), frames: "local", features: ["query", "unread"],
  WebSocket: Socket, token: async () => "secret",
};
const client = new CoreClient(options);
const view = client.view("list", () => ({
  profile: "default", feed: "packages", top: { length: 60, trigger: "release" }, bottom: { preloadItems: 4 },
}));
view.addEventListener("items", ({ detail }) => {
  const page: ReceivedItems = detail;
  console.log(page.mode, page.items?.length);
});
client.addEventListener("status", ({ detail: { status, retryInMs } }) => {
  console.log(status.length, retryInMs.toFixed(0));
});
const editing: RefreshClientOptions = { ...options, edits: Edits, newEditName: () => "edit-0001" };
const edit: string = view.edit({ insert: { id: 7 }, at: "start" }, { delayMs: 5000 });
const isPending: boolean = view.undo(edit);
view.addEventListener("edited", ({ detail }) => console.log(detail.result, detail.key, editing, isPending));
// @ts-expect-error No operation has this name.
view.edit({ insrt: { id: 7 }, at: "start" });
console.log(view.items?.length, view.receivedItems?.length, view.acceptedEdits.includes("move"));
const state: EdgeState | undefined = view.top.state;
const sample: SentScroll = { type: "scroll", view: "list", seq: 1, offset: -30, phase: "dragging" };
const seq: number = view.send("refresh", { cause: "code" });
// @ts-expect-error A session has no such status.
if (client.status === "shut") console.log(state, sample, seq);
view.send("scroll", { offset: -30, phase: "dragging" });
view.send("loadMore");
client.send({ type: "geometry", view: "list", content: { width: 390, height: 1200 } });
// @ts-expect-error No message has this type.
view.send("scrol", { offset: 0, phase: "idle" });
// @ts-expect-error The member is misspelled.
view.send("scroll", { ofset: 0, phase: "idle" });
// @ts-expect-error A required member is missing.
view.send("scroll", { offset: 0 });
// @ts-expect-error A required member is missing.
view.send("scroll");
// @ts-expect-error No message has this type.
client.send({ type: "geometri", view: "list" });
// @ts-expect-error The profile must be a text.
client.view("other", () => ({ profile: 1 }));
// @ts-expect-error No event has this name.
view.addEventListener("item", () => {});
// @ts-expect-error The daemon has no trigger with this name.
client.view("third", () => ({ profile: "default", top: { trigger: "sometimes" } }));

export function show(host: HTMLElement, scroller: HTMLElement): RefreshList {
  const list = new RefreshList(
    { scroller, stage: host, above: host, content: host, below: host, indicators: host },
    { feed: "packages", attach: { top: { pollMs: 60000 } }, parameters: { q: "swift" }, frames: "stream" });
  list.addEventListener("items", ({ detail }) => console.log(detail.mode, detail.removed, detail.before.length));
  list.addEventListener("failure", ({ detail }) => console.log(detail.message.length));
  // @ts-expect-error The total is not always known.
  console.log(list.total.toFixed(0), list.top.state, list.bottom.progress ?? 0);
  list.query({ q: "go" }, { debounceMs: 250, shown: "keep" });
  new PlaceKeeper(list.scrollView, host).keep(() => {});
  const inner: ScrollView = list.scrollView;
  console.log(inner.offset, new LocalClient(view, {}), RefreshClient);
  return list;
}

defineRefreshList();
const element: RefreshListElement = document.createElement("refresh-list");
element.addEventListener("items", ({ detail }) => console.log(detail.mode, detail.items.length));
element.addEventListener("state", ({ detail: { top, isConnected } }) => console.log(top.state, isConnected));
element.addEventListener("failure", ({ detail: { kind, code } }) => console.log(kind === "attach", code));
element.addEventListener("click", (event) => console.log(event.clientX));
// @ts-expect-error The detail of this event has no such member.
element.addEventListener("status", ({ detail }) => console.log(detail.state));
const texts: Partial<ListTexts> = { retry: "Noch einmal", end: (count) => `Ende: ${count}` };
element.renderItem = (item: Item) => Object.assign(document.createElement("p"), { textContent: String(item.name) });
element.options = { texts, storage: sessionStorage };
// @ts-expect-error Outside the document, the element has no list.
element.list.refresh();
element.list?.refresh();

export function Rows(): string {
  const { items, ref, refresh, retry, total, isConnected, topState, list } = useRefreshList({ feed: "packages" });
  ref(null);
  refresh();
  retry("bottom");
  // @ts-expect-error An edge has no such state.
  if (topState === "pulled") refresh();
  // @ts-expect-error Before the list is shown, there is none.
  list.close();
  return `${items.length} of ${total ?? "?"}, ${isConnected}, ${topState}`;
}
