// The driver by which `refresh-probe conform --listen` grades this web client (docs/conformance.md, "Grading a client"): orders
// come as lines of JSON, and each is answered by what is shown. Under node, on a screen of its own (screen.js).
//
//     refresh-probe conform --listen 127.0.0.1:0 -- node clients/web/conform/driver.mjs

import { setMaxListeners } from "node:events";
import { createRequire } from "node:module";
import { connect as dial } from "node:net";
import { createInterface } from "node:readline";
import { Screen, furnish } from "./screen.js";

// An element has more who listen to it than node thinks right.
setMaxListeners(0);
const require = createRequire(import.meta.url);
// Debian's `node-ws`: a socket that can be cut off, as a network does it.
furnish(require(["ws", "/usr/share/nodejs/ws"].find(isThere)));

const { Easel, furnishDrawings } = await import("./drawings.js");
furnishDrawings();
const { Local } = await import("../local.js");
const { RefreshClient } = await import("../refresh-client.js");
const { ScrollView } = await import("../scroll-view.js");
const { Stream } = await import("../stream.js");

const ABILITIES = ["scroll", "pan", "stream", "local", "resume", "snapshots", "backend", "views", "requests"];
const STEP_MS = 16;

function isThere(name) {
  try {
    return Boolean(require.resolve(name));
  } catch {
    return false;
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** One list: its elements, its view of the session, and what the page makes of its items and loads. */
class List {
  #loads = new Set();
  #items = [];
  #newer = false;
  #cues = []; // that the hand has got
  #travel = null; // of the finger that is down
  #easels = {};

  constructor(client, { view: name, geometry, offset: _, ...body }, first, frames) {
    this.screen = new Screen(geometry);
    this.view = client.view(name, () => ({ ...body, ...this.scroll.describe() }), first);
    if (frames === "stream") this.#easels = { top: new Easel(), bottom: new Easel({ isAtEnd: true }) };
    this.kind = new (frames === "local" ? Local : Stream)(this.view, this.#easels);
    const { top = 0, bottom = 0 } = geometry.insets ?? {};
    this.scroll = new ScrollView(this.kind, this.screen.parts, { insets: { top, bottom }, isStill: () => false });
    this.scroll.addEventListener("haptic", ({ detail }) => this.#cues.push(detail));
    this.view.addEventListener("items", ({ detail }) => this.#take(detail));
    this.view.addEventListener("load", ({ detail }) => this.#loads.add(detail.load));
    this.view.addEventListener("loading", ({ detail: { load, phase } }) => {
      if (phase === "began") this.#loads.add(load);
      if (["failed", "cancelled", "timedOut"].includes(phase)) this.#loads.delete(load);
    });
    this.view.addEventListener("attached", () => this.#loads.clear());
    this.view.addEventListener("update", ({ detail }) => { this.#newer = detail.newer ?? this.#newer; });
    this.view.addEventListener("emptied", () => { this.#items = []; });
    this.view.addEventListener("lost", () => {
      this.#loads.clear();
      this.#newer = false;
    });
  }

  #take({ load, mode, items }) {
    this.#loads.delete(load);
    const ids = items.map(({ id }) => id);
    if (mode === "append") this.#items = [...this.#items, ...ids];
    else this.#items = mode === "prepend" ? [...ids, ...this.#items] : ids;
  }

  async drag({ by, ms = 100, way = "pan" }) {
    if (way !== "pan") return "inside its content the browser scrolls, and beyond it the list is panned";
    if (this.#travel === null) {
      this.scroll.grab();
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

  letGo(phase) {
    this.#travel = null;
    this.scroll.letGo(phase);
  }

  finish({ load, result, count }) {
    this.#loads.delete(load);
    this.view.send("loadFinished", { load, result, count });
  }

  get shown() {
    const { attached, top, bottom, floor } = this.view;
    const edge = (name, { state, progress, indicator }) => {
      const told = attached ? this.kind.edge(name) : { state, progress };
      const { layers } = this.#easels[name] ?? {};
      return { state: told.state, progress: told.progress, indicator: indicator ?? undefined, layers };
    };
    return {
      attached, offset: this.scroll.offset, insets: this.scroll.shares, floor,
      edges: { top: edge("top", top), bottom: edge("bottom", bottom) },
      items: this.#items, loads: [...this.#loads], newer: this.#newer, cues: this.#cues,
    };
  }
}

/** A client as a page has it: with its lists, from `connect` to `reset`. */
class Page {
  #client;
  #lists = new Map();
  #sockets = [];
  #errors = [];
  #wasOpen = false;
  #isClosed = false;

  constructor({ url, frames, views, first = [] }) {
    this.#client = new RefreshClient({
      url, name: "web/1.0", frames,
      open: (address, subprotocol) => {
        const socket = new WebSocket(address, subprotocol);
        // Its end is told as well, which is all that a browser says.
        socket.onerror = () => {};
        this.#sockets.push(socket);
        return socket;
      },
    });
    for (const body of views) {
      const wishes = first.filter(({ view }) => view === body.view).map(({ view: _, ...message }) => message);
      this.#lists.set(body.view, new List(this.#client, body, wishes, frames));
    }
    this.#client.addEventListener("welcome", () => { this.#wasOpen = true; });
    this.#client.addEventListener("error", ({ detail }) => this.#errors.push(detail.code));
    this.#client.connect();
  }

  list(name = "list") { return this.#lists.get(name); }

  detach(name) {
    this.#client.detach(name);
    this.#lists.get(name).scroll.end();
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
    for (const list of this.#lists.values()) list.scroll.end();
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

/** Does what is ordered; the answer is why that cannot be, if so. */
const ORDERS = {
  connect: (order) => { page = new Page(order); },
  drag: (order) => page.list(order.view).drag(order),
  release: ({ view }) => page.list(view).letGo("ended"),
  takeAway: ({ view }) => page.list(view).letGo("cancelled"),
  scrollTo: ({ view, offset, cause }) => page.list(view).screen.scrollTo(offset, cause),
  resize: ({ view, ...sizes }) => page.list(view).screen.resize(sizes),
  ask: ({ view, for: type, edge, cause, open }) => { page.list(view).view.send(type, { edge, cause, open }); },
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

async function answer({ order, do: deed, ...more }) {
  if (!Object.hasOwn(ORDERS, deed)) return { order, cannot: `unknown order: ${deed}` };
  try {
    const cannot = await ORDERS[deed](more);
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
const say = (line) => socket.write(`${JSON.stringify(line)}\n`);
say({ driver: 1, client: "web/1.0", can: ABILITIES });
for await (const line of createInterface({ input: socket })) say(await answer(JSON.parse(line)));
process.exit(0);
