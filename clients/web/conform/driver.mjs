// The driver of the web client for `refresh-probe conform --listen` (docs/conformance.md, "Grading
// a client"). A driver operates a client under test. It receives orders as lines of JSON, and
// answers each order with the client's display. It runs under Node.js on a fake screen
// (fake-screen.js).
//
//     refresh-probe conform --listen 127.0.0.1:0 -- node clients/web/conform/driver.mjs

import { setMaxListeners } from "node:events";
import { createRequire } from "node:module";
import { connect as dial } from "node:net";
import { createInterface } from "node:readline";
import { FakeScreen, installBrowserGlobals } from "./fake-screen.js";

// Some elements have more listeners than node's default limit.
setMaxListeners(0);
const require = createRequire(import.meta.url);
// Debian's `node-ws` provides sockets that can be terminated without a close frame.
installBrowserGlobals(require(["ws", "/usr/share/nodejs/ws"].find(isInstalled)));

const { FakeIndicator, installFakeDocument } = await import("./fake-indicator.js");
installFakeDocument();
const { Edits } = await import("../edits.js");
const { ItemAnchor } = await import("../item-anchor.js");
const { LocalClient } = await import("../local-client.js");
const { RefreshClient } = await import("../refresh-client.js");
const { ScrollView } = await import("../scroll-view.js");
const { sectionsOf } = await import("../sections.js");
const { StreamClient } = await import("../stream-client.js");

const ABILITIES = ["scroll", "pan", "stream", "local", "resume", "snapshots", "backend", "views", "requests",
  "features", "queries", "anchors", "patches", "live", "edits", "sections", "rows"];
const STEP_MS = 16;

function isInstalled(name) {
  try {
    return Boolean(require.resolve(name));
  } catch {
    return false;
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** One list: its elements, its view of the session, its items and its loads. */
class DrivenList {
  #loads = new Set();
  #items = [];
  #newer = false;
  #edits = []; // the names of the edits that were not undone
  #cues = []; // the received haptic cues
  #travel = null; // the travel of the finger since it came down
  #indicators = {};
  #itemLength; // the length of each item; undefined: the orders contain the size of the content
  #anchor;

  constructor(client, { view: name, geometry, offset: _, ...body }, first, { frames, itemLength }) {
    this.#itemLength = itemLength;
    this.screen = new FakeScreen(geometry);
    this.view = client.view(name, () => ({ ...body, ...this.scroll.describe() }), first);
    if (frames === "stream") {
      this.#indicators = { top: new FakeIndicator(), bottom: new FakeIndicator({ isAtEnd: true }) };
    }
    this.viewClient = new (frames === "local" ? LocalClient : StreamClient)(this.view, this.#indicators);
    const { top = 0, bottom = 0 } = geometry.insets ?? {};
    const rowHeight = body.paging?.access === "random" ? itemLength : undefined;
    this.scroll = new ScrollView(
      this.viewClient, this.screen.elements, { insets: { top, bottom }, isStill: () => false, rowHeight });
    this.#anchor = new ItemAnchor(this.view, this.scroll, () => this.#rows);
    this.scroll.addEventListener("haptic", ({ detail }) => this.#cues.push(detail));
    this.view.addEventListener("items", ({ detail }) => this.#applyItems(detail));
    this.view.addEventListener("load", ({ detail }) => this.#loads.add(detail.load));
    this.view.addEventListener("loading", ({ detail: { load, phase } }) => {
      if (phase === "began") this.#loads.add(load);
      if (["failed", "cancelled", "timedOut"].includes(phase)) this.#loads.delete(load);
    });
    this.view.addEventListener("attached", () => this.#loads.clear());
    this.view.addEventListener("update", ({ detail }) => { this.#newer = detail.newer ?? this.#newer; });
    this.view.addEventListener("emptied", () => this.#show([]));
    this.view.addEventListener("ended", () => {
      this.#loads.clear();
      this.#newer = false;
    });
  }

  #applyItems({ load, mode, items }) {
    this.#loads.delete(load);
    const ids = items.map((item) => item?.id ?? null);
    const all = mode === "fill"
      ? this.view.items.map((item) => item?.id ?? null)
      : { append: [...this.#items, ...ids], prepend: [...ids, ...this.#items] }[mode] ?? ids;
    if (mode === "replace") this.#anchor.replace(() => this.#show(all));
    else this.#show(all);
  }

  #show(items) {
    this.#items = items;
    if (this.#itemLength) this.screen.resize({ content: { height: items.length * this.#itemLength } });
  }

  /** The rows of the list. If the length of the items is not known, there are no rows. */
  get #rows() {
    const length = this.#itemLength;
    return length ? this.#items.map((id, index) => ({ id, position: index * length, length })) : [];
  }

  get #itemInSight() {
    const offset = this.scroll.offset;
    const row = this.#rows.find(({ position, length }) => position + length > offset);
    return row && { id: row.id, position: row.position - offset };
  }

  async drag({ by, ms = 100, way = "pan" }) {
    if (way !== "pan") return "inside its content the browser scrolls, and beyond it the list is panned";
    if (this.#travel === null) {
      this.scroll.beginDrag();
      this.#travel = 0;
    }
    const steps = Math.max(1, Math.ceil(ms / STEP_MS));
    const from = this.#travel;
    for (let step = 1; step <= steps; step += 1) {
      await pause(ms / steps);
      this.#travel = from + (by * step) / steps;
      this.scroll.drag(this.#travel);
    }
  }

  endDrag(phase) {
    this.#travel = null;
    this.scroll.endDrag(phase);
  }

  edit({ operation, delayMs }) { this.#edits.push(this.view.edit(operation, { delayMs })); }

  /** Undoes the edit that was made last. */
  undo() { this.view.undo(this.#edits.pop()); }

  finish({ load, result, count, more, cursor }) {
    this.#loads.delete(load);
    this.view.send("loadFinished", { load, result, count, more, cursor });
  }

  get shown() {
    const { attached, top, bottom, floor } = this.view;
    const edge = (name, { state, progress, indicator }) => {
      const received = attached ? this.viewClient.edge(name) : { state, progress };
      const { layers } = this.#indicators[name] ?? {};
      return { state: received.state, progress: received.progress, indicator: indicator ?? undefined, layers };
    };
    return {
      attached, offset: this.scroll.offset, insets: this.scroll.shares, floor,
      edges: { top: edge("top", top), bottom: edge("bottom", bottom) },
      items: this.#items, sections: sectionsOf(this.view.items ?? [], this.view.sectionKey), loads: [...this.#loads], newer: this.#newer, cues: this.#cues,
      itemInSight: this.#itemInSight,
    };
  }
}

/** A client with its lists. The order `connect` creates it, and the order `reset` ends it. */
class DrivenPage {
  #client;
  #lists = new Map();
  #sockets = [];
  #errors = [];
  #wasOpen = false;
  #isClosed = false;

  constructor({ url, frames, views, first = [], features, itemLength }) {
    this.#client = new RefreshClient({
      url, name: "web/1.0", frames, features: features ?? null, edits: features?.includes("edits") ? Edits : undefined,
      open: (address, subprotocol) => {
        const socket = new WebSocket(address, subprotocol);
        // A close event follows each error, so the error itself needs no handling.
        socket.onerror = () => {};
        this.#sockets.push(socket);
        return socket;
      },
    });
    for (const body of views) {
      const initialMessages = first.filter(({ view }) => view === body.view).map(({ view: _, ...message }) => message);
      this.#lists.set(body.view, new DrivenList(this.#client, body, initialMessages, { frames, itemLength }));
    }
    this.#client.addEventListener("welcome", () => { this.#wasOpen = true; });
    this.#client.addEventListener("error", ({ detail }) => this.#errors.push(detail.code));
    this.#client.connect();
  }

  list(name = "list") { return this.#lists.get(name); }

  detach(name) {
    this.#client.detach(name);
    this.#lists.get(name).scroll.detach();
    this.#lists.delete(name);
  }

  drop() { this.#sockets.at(-1)?.terminate(); }

  bye() {
    this.#isClosed = true;
    this.#client.close();
  }

  end() {
    for (const socket of this.#sockets) socket.terminate();
    this.#client.close();
    for (const list of this.#lists.values()) list.scroll.detach();
  }

  get shown() {
    const { status } = this.#client;
    return {
      status: this.#isClosed ? "closed" : status === "connecting" && this.#wasOpen ? "lost" : status,
      errors: this.#errors,
      views: Object.fromEntries([...this.#lists].map(([name, list]) => [name, list.shown])),
    };
  }
}

let page = null;

/** The action for each order. An action that cannot be performed returns the reason as text. */
const ORDERS = {
  connect: (order) => { page = new DrivenPage(order); },
  drag: (order) => page.list(order.view).drag(order),
  release: ({ view }) => page.list(view).endDrag("ended"),
  takeAway: ({ view }) => page.list(view).endDrag("cancelled"),
  scrollTo: ({ view, offset, cause }) => page.list(view).screen.scrollTo(offset, cause),
  resize: ({ view, ...sizes }) => page.list(view).screen.resize(sizes),
  ask: ({ view, for: type, edge, cause, open }) => { page.list(view).view.send(type, { edge, cause, open }); },
  query: ({ view, parameters, ...options }) => { page.list(view).view.query(parameters, options); },
  edit: ({ view, ...edit }) => page.list(view).edit(edit),
  undo: ({ view }) => page.list(view).undo(),
  appear: ({ view }) => page.list(view).view.appear(),
  disappear: ({ view }) => page.list(view).view.disappear(),
  detach: ({ view }) => page.detach(view),
  finish: (order) => page.list(order.view).finish(order),
  drop: () => page.drop(),
  bye: () => page.bye(),
  report: () => {},
  reset: () => {
    page?.end();
    page = null;
  },
};

async function answer({ order, do: name, ...more }) {
  if (!Object.hasOwn(ORDERS, name)) return { order, cannot: `unknown order: ${name}` };
  try {
    const cannot = await ORDERS[name](more);
    return typeof cannot === "string" ? { order, cannot } : { order, shown: page?.shown ?? {} };
  } catch (error) {
    return { order, error: String(error?.stack ?? error) };
  }
}

const address = process.argv[2] ?? process.env.REFRESH_DRIVER;
const colon = address.lastIndexOf(":");
const host = address.slice(0, colon).replace(/^\[|\]$/g, "");
const socket = dial(Number(address.slice(colon + 1)), host);
socket.setNoDelay(true);
const send = (line) => socket.write(`${JSON.stringify(line)}\n`);
send({ driver: 1, client: "web/1.0", can: ABILITIES });
for await (const line of createInterface({ input: socket })) send(await answer(JSON.parse(line)));
process.exit(0);
