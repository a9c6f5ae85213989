// A session of the refresh.v1 protocol (docs/protocol.md). It connects, comes back when the connection breaks, numbers
// what it sends, keeps two clocks together, and hands everything on. It decides nothing: what a pull means, when to
// load and what to move is the daemon's.

import { Backoff, mayReturn } from "./backoff.js";
import { Comeback } from "./comeback.js";
import { Outbox } from "./outbox.js";
import { View } from "./view.js";

const PROTOCOL = 1;
const SUBPROTOCOL = "refresh.v1";
/** So many pings, one a second, tune the clock at the beginning; later ones come with the heartbeat. */
const FIRST_PINGS = 3;
/** A daemon that leaves a ping unanswered for so long is taken for gone. */
const PONG_PATIENCE_MS = 5000;
/** ... and so long may it take from the attempt to connect to `welcome`. */
const WELCOME_PATIENCE_MS = 10000;
/** What one frame may hold as long as no daemon has said otherwise; a little is left for what stands around it. */
const FRAME = { messages: 64, bytes: 65536, spare: 1024 };

/** The session's address on the host that served the page. */
export function sessionURL(page = location) {
  const scheme = page.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${page.host}/v1/session`;
}

/**
 * One session with the daemon. It outlives its connections: when one breaks, the session goes on with the next, and
 * where that is refused a fresh one begins.
 *
 * Events: `status` (detail: `{status, attempt, retryInMs, code}`), `welcome`, `error`, `diagnostic` and, for those who watch,
 * `sent` and `received` with every single message.
 */
export class RefreshClient extends EventTarget {
  /** `connecting`, `open`, `lost` (it will try again) or `refused` (it will not). */
  status = "connecting";
  /** The daemon's `welcome`, once there is one. */
  welcome = null;
  /** Milliseconds of the best recent round trip; NaN before the first. */
  roundTrip = NaN;

  #url;
  #name;
  #frames;
  #diagnostics;
  #token;
  #open;
  #storage;
  #storageKey;
  #views = new Map();
  #keptViews = {}; // what the views of the page before have left
  #socket = null;
  #isGreeted = false; // `hello` was said on this connection
  #named = []; // the views that it named
  #seq = 0;
  #batch = null;
  #comeback = new Comeback();
  #outbox = new Outbox();
  #repeated = 0; // the last `seq` that stood behind the last `hello`
  #backoff;
  #advice = 0;
  #skew = 0;
  #lastSent = 0;
  #pingSent = NaN;
  #pings = 0;
  #heartbeat = 0;
  #retry = 0;
  #patience = 0;
  #ending = new AbortController();

  /**
   * `frames` says how the client draws, as in `hello`; `open` makes the socket; `token` gives the token of each
   * `hello`, or a promise of it. With `storage`, such as `sessionStorage`, a page that is loaded anew goes on with the
   * session, if its views can [keep](./view.js) what they show. With `diagnostics` the daemon says what it ignores of
   * what is sent, and the console warns of it.
   */
  constructor({
    url = sessionURL(), name = "web/1.0", frames = "plain", token = null, storage = null, random = Math.random,
    diagnostics = false,
    open = (address, subprotocol) => new WebSocket(address, subprotocol),
  } = {}) {
    super();
    this.#url = url;
    this.#name = name;
    this.#frames = frames;
    this.#diagnostics = diagnostics;
    this.#token = token;
    this.#open = open;
    this.#backoff = new Backoff(random);
    this.#storage = storage;
    this.#storageKey = `refreshd ${url}`;
    this.#restore();
    this.#listen();
  }

  /**
   * Adds a view. `describe` gives the body of its `attach`, asked anew for every connection; `first` are messages to
   * send as soon as it is attached to a fresh session. `keep` gives what a page that is loaded anew needs to show the
   * same, as JSON, which that page finds in the view's `kept`. Call before `connect`.
   */
  view(name, describe, first = [], keep = null) {
    const view = new View(this, name, describe, first, keep);
    view.kept = this.#keptViews[name] ?? null;
    this.#views.set(name, view);
    return view;
  }

  /** Takes a view away: it is told of nothing more, and its loads are cancelled. */
  detach(name) {
    const view = this.#views.get(name);
    if (!view) return;
    this.#views.delete(name);
    this.#outbox.drop(name);
    this.#comeback.emptied(name);
    if (this.status === "open") this.#transmit([this.#number({ type: "detach", view: name })]);
    view.lose();
  }

  connect() {
    clearTimeout(this.#retry);
    this.#become("connecting");
    const socket = this.#open(this.#url, SUBPROTOCOL);
    this.#socket = socket;
    this.#isGreeted = false;
    this.#advice = 0;
    socket.onopen = () => this.#greet();
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => this.#lose(event.code);
    this.#patience = setTimeout(() => this.#lose(1006), WELCOME_PATIENCE_MS);
  }

  /** Ends the session for good. */
  close() {
    this.#ending.abort();
    clearTimeout(this.#retry);
    const socket = this.#dropSocket();
    this.#comeback.forget();
    this.#outbox.clear();
    if (!socket) return;
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "bye" }));
    socket.close();
  }

  /** Tries again at once instead of waiting: the network is back, or the page is seen again. */
  hurry() {
    if (this.status === "lost") this.connect();
  }

  /**
   * Numbers and sends a message; returns its `seq`, or 0 when there is no session. While the client is away from its
   * session, what says an intent waits until it is back.
   */
  send(message) {
    const isOpen = this.#isGreeted && (this.status === "open" || !this.#comeback.isPossible);
    if (!isOpen && !this.#comeback.isPossible) return 0;
    const numbered = this.#number(message);
    this.#outbox.note(numbered);
    if (!isOpen) return numbered.seq;
    if (this.#batch) this.#batch.push(numbered);
    else this.#transmit([numbered]);
    return numbered.seq;
  }

  /** What is sent meanwhile goes out in one frame. */
  batch(send) {
    if (this.#batch) return send();
    this.#batch = [];
    try {
      return send();
    } finally {
      const messages = this.#batch;
      this.#batch = null;
      if (messages.length > 0) this.#transmit(messages);
    }
  }

  /** The time on this page's clock (`performance.now()`) at a time on the daemon's. */
  localTime(daemonTime) {
    return daemonTime - this.#skew;
  }

  /** Nothing is loaded in that view any more. */
  emptied(view) {
    this.#comeback.emptied(view.name);
  }

  #number({ type, ...fields }) {
    return { type, seq: ++this.#seq, ...fields };
  }

  #transmit(messages) {
    this.#lastSent = performance.now();
    this.#socket?.send(JSON.stringify(messages.length === 1 ? messages[0] : messages));
    for (const message of messages) this.#tell("sent", message);
  }

  // From `hello` to `welcome`

  /** Opens a session, or goes on with the one there is: all that belongs to it goes out in one frame. */
  async #greet() {
    const socket = this.#socket;
    const token = this.#token === null ? undefined : await this.#token();
    if (socket !== this.#socket) return;
    const views = [...this.#views.values()];
    const hello = {
      type: "hello", protocol: PROTOCOL, client: this.#name, frames: this.#frames, token, snapshots: true,
      diagnostics: this.#diagnostics || undefined,
      views: views.map((view) => ({ view: view.name, ...view.describe() })),
    };
    this.#isGreeted = true;
    this.#named = views.map(({ name }) => name);
    if (this.#comeback.isPossible) {
      hello.resume = this.#comeback.request;
      return this.#transmit([hello, ...this.#behind(hello)]);
    }
    this.#seq = 0;
    this.#outbox.clear();
    this.#transmit([hello, ...this.#wishes(views)]);
  }

  /** What the session may not have heard, as much as one frame holds. */
  #behind(hello) {
    const { batchMessagesMax = FRAME.messages, frameBytesMax = FRAME.bytes } = this.welcome?.limits ?? {};
    const size = new TextEncoder().encode(JSON.stringify(hello)).length;
    const messages = this.#outbox.fitting(batchMessagesMax - 1, frameBytesMax - size - FRAME.spare);
    this.#repeated = this.#seq;
    return messages;
  }

  /** What the views want of a fresh session. */
  #wishes(views) {
    const wishes = views.flatMap((view) =>
      view.first.map((message) => this.#number({ view: view.name, ...message })));
    for (const wish of wishes) this.#outbox.note(wish);
    return wishes;
  }

  #receive(text) {
    const received = performance.now();
    const frame = JSON.parse(text);
    for (const message of Array.isArray(frame) ? frame : [frame]) this.#handle(message, received);
    this.#outbox.forget(this.#comeback.settled);
  }

  #handle(message, received) {
    if (message.type === "pong") this.#synchronise(message, received);
    this.#tell("received", message);
    this.#comeback.heard(message);
    switch (message.type) {
      case "welcome": return this.#welcomed(message, received);
      case "diagnostic": return this.#ignored(message);
      case "draining": return undefined; // It goes on as ever until the connection is closed.
      case "error":
        if (this.#drawsLess(message) || this.#isOfTheSessionBefore(message)) return undefined;
        this.#advice = message.retryAfterMs ?? 0;
        this.#tell("error", message);
        return this.#views.get(message.view)?.take(message);
      default: return this.#views.get(message.view)?.take(message);
    }
  }

  /** The daemon has ignored something of what was sent. */
  #ignored(message) {
    const { code, field, suggestion, view, seq } = message;
    const meant = suggestion ? `; did you mean ${suggestion}?` : "";
    const place = [field && `field ${field}${meant}`, view && `view ${view}`, seq && `seq ${seq}`].filter(Boolean);
    console.warn(`refreshd: ${message.message} (${[code, ...place].join(", ")})`);
    this.#tell("diagnostic", message);
  }

  /** An older daemon that does not know how this client draws has refused its `hello`: there is a plainer one. */
  #drawsLess({ field }) {
    if (this.status === "open" || this.#frames === "plain" || field !== "frames") return false;
    this.#frames = "plain";
    this.#greet();
    return true;
  }

  /** A fresh session cannot know what was said to another one, and repeated to it. */
  #isOfTheSessionBefore({ seq }) {
    return this.welcome?.resumed === false && seq <= this.#repeated;
  }

  #welcomed(message, received) {
    const isFresh = message.resumed !== true;
    const wasRefused = isFresh && this.#comeback.isPossible;
    clearTimeout(this.#patience);
    this.welcome = message;
    this.#comeback.welcomed(message);
    this.#backoff.opened(received);
    this.#skew = message.time - received;
    this.roundTrip = NaN;
    this.#pings = 0;
    const views = [...this.#views.values()];
    if (wasRefused) {
      this.#outbox.clear();
      for (const view of views) view.lose();
    }
    for (const view of views) {
      view.silence = message.limits?.gestureSilenceMs;
      view.goesOn = !isFresh;
    }
    this.#become("open");
    this.#tell("welcome", message);
    // What was done since `hello`, or is to be done where nothing is as it was.
    const more = wasRefused ? this.#wishes(views)
      : isFresh ? [] : this.#outbox.messages.filter(({ seq }) => seq > this.#repeated);
    const gone = this.#named.filter((name) => !this.#views.has(name))
      .map((view) => this.#number({ type: "detach", view }));
    if (more.length + gone.length > 0) this.#transmit([...more, ...gone]);
    this.#ping();
    this.#heartbeat = setInterval(() => this.#beat(), 1000);
  }

  // Two clocks

  #ping() {
    this.#pings += 1;
    this.#lastSent = this.#pingSent = performance.now();
    const ping = { type: "ping", t: this.#pingSent };
    this.#socket.send(JSON.stringify(ping));
    this.#tell("sent", ping);
  }

  #beat() {
    const now = performance.now();
    if (now - this.#pingSent > PONG_PATIENCE_MS) return this.#lose(1006);
    const isDue = this.#pings < FIRST_PINGS || now - this.#lastSent > this.welcome.heartbeat;
    if (isDue && Number.isNaN(this.#pingSent)) this.#ping();
  }

  /** Takes the daemon's clock over, from the quickest round trip: it has the least room for error. */
  #synchronise(pong, received) {
    const roundTrip = received - pong.t;
    this.#pingSent = NaN;
    if (roundTrip > this.roundTrip + 1) {
      this.roundTrip += 1; // An old measurement ages: clocks drift and routes change.
      return;
    }
    this.roundTrip = roundTrip;
    this.#skew = pong.time + roundTrip / 2 - received;
  }

  // From one connection to the next

  /** The connection is gone; whether to come back is written in the range of the close code. */
  #lose(code) {
    const socket = this.#dropSocket();
    if (!socket) return;
    socket.close();
    if (!mayReturn(code)) {
      this.#comeback.forget();
      this.#outbox.clear();
    }
    for (const view of this.#views.values()) {
      if (this.#comeback.isPossible) view.leave();
      else view.lose();
    }
    if (!mayReturn(code)) return this.#become("refused", { code });
    const wait = this.#backoff.lost(code, performance.now(), this.#advice);
    this.#retry = setTimeout(() => this.connect(), wait);
    this.#become("lost", { code, retryInMs: wait });
  }

  /** From now on nothing is heard of the connection. */
  #dropSocket() {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#patience);
    this.#pingSent = NaN;
    this.#isGreeted = false;
    const socket = this.#socket;
    this.#socket = null;
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
    return socket;
  }

  #listen() {
    if (typeof document === "undefined") return;
    const { signal } = this.#ending;
    addEventListener("online", () => this.hurry(), { signal });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.hurry();
    }, { signal });
    if (!this.#storage) return;
    addEventListener("pagehide", () => this.#save(), { signal });
    // A page that was kept whole has its session itself.
    addEventListener("pageshow", () => this.#storage.removeItem(this.#storageKey), { signal });
  }

  /** Leaves to the next page what this one has; what has no room there is not kept, and its session begins afresh. */
  #save() {
    const views = [...this.#views.values()];
    if (!this.#comeback.isPossible || views.some(({ keep }) => keep === null)) return;
    const kept = {
      seq: this.#seq, comeback: this.#comeback.kept, outbox: this.#outbox.messages,
      views: Object.fromEntries(views.map((view) => [view.name, view.keep()])),
    };
    try {
      this.#storage.setItem(this.#storageKey, JSON.stringify(kept));
    } catch {
      this.#storage.removeItem(this.#storageKey);
    }
  }

  /** Taken once: two pages with one session would take it from each other. */
  #restore() {
    const text = this.#storage?.getItem(this.#storageKey);
    if (!text) return;
    this.#storage.removeItem(this.#storageKey);
    const { seq, comeback, outbox, views } = JSON.parse(text);
    this.#seq = seq;
    this.#comeback = new Comeback(comeback);
    this.#outbox.restore(outbox);
    this.#keptViews = views;
  }

  #become(status, more = {}) {
    this.status = status;
    this.#tell("status", { status, attempt: this.#backoff.attempt, retryInMs: 0, ...more });
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
