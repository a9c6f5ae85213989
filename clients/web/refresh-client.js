// A session of the refresh.v1 protocol (docs/protocol.md). It connects, reconnects after a loss, numbers messages,
// synchronises with the daemon's clock, and forwards everything. It decides nothing: the meaning of a pull, loads and
// motions are decided by the daemon.

import { Backoff, mayReturn } from "./backoff.js";
import { Comeback } from "./comeback.js";
import { Outbox } from "./outbox.js";
import { View } from "./view.js";

const PROTOCOL = 1;
const SUBPROTOCOL = "refresh.v1";
/** The number of initial pings, one per second, which synchronise the clock. Later ones follow the heartbeat. */
const FIRST_PINGS = 3;
/** A connection is considered lost if a ping is unanswered for this long, ... */
const PONG_PATIENCE_MS = 5000;
/** ... or if there is no `welcome` within this time after the attempt to connect. */
const WELCOME_PATIENCE_MS = 10000;
/** The default limits of a frame; `spare` is reserved for the text around the messages. */
const FRAME = { messages: 64, bytes: 65536, spare: 1024 };

/** The URL of the session on the host of the page. */
export function sessionURL(page = location) {
  const scheme = page.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${page.host}/v1/session`;
}

/**
 * One session with the daemon. It survives the loss of a connection: it resumes on the next one, and if that is
 * refused, a fresh session starts.
 *
 * Events: `status` (detail: `{status, attempt, retryInMs, code}`), `welcome`, `error`, `diagnostic`, and `sent` and
 * `received` for every message.
 */
export class RefreshClient extends EventTarget {
  /** `connecting`, `open`, `lost` (it will reconnect) or `refused` (it will not). */
  status = "connecting";
  /** The daemon's last `welcome`; null before the first. */
  welcome = null;
  /** The best recent round trip in milliseconds; NaN before the first. */
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
  #keptViews = {}; // the state that the views of the previous page have saved
  #socket = null;
  #isGreeted = false; // whether `hello` was sent on this connection
  #named = []; // the views in that `hello`
  #seq = 0;
  #batch = null;
  #comeback = new Comeback();
  #outbox = new Outbox();
  #repeated = 0; // the last `seq` in the frame of the last `hello`
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
   * `frames` is the drawing mode of the client, as in `hello`. `open` creates the socket. `token` returns the token for
   * each `hello`, or a promise of it. With `storage`, such as `sessionStorage`, a reloaded page resumes the session if
   * its views can [keep](./view.js) their display. With `diagnostics`, the daemon reports what it ignores, and the
   * console shows it as warnings.
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
   * Adds a view; call it before `connect`. `describe` returns the body of its `attach`, and is called for every
   * connection. `first` are messages to send as soon as it is attached to a fresh session. `keep` returns, as JSON,
   * what a reloaded page needs to show the same. That page finds it in the view's `kept`.
   */
  view(name, describe, first = [], keep = null) {
    const view = new View(this, name, describe, first, keep);
    view.kept = this.#keptViews[name] ?? null;
    this.#views.set(name, view);
    return view;
  }

  /** Detaches a view. It receives nothing more, and its loads are cancelled. */
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

  /** Reconnects immediately instead of waiting, because the network is back or the page is visible again. */
  hurry() {
    if (this.status === "lost") this.connect();
  }

  /**
   * Numbers and sends a message; returns its `seq`, or 0 if there is no session. Without a connection, an intent is
   * kept and sent when the session resumes.
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

  /** Sends all messages of `send` in one frame. */
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

  /** The time on this page's clock (`performance.now()`) for a time on the daemon's. */
  localTime(daemonTime) {
    return daemonTime - this.#skew;
  }

  /** Records that nothing is loaded in the view any more. */
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

  /** Opens or resumes a session. Everything that belongs to it is sent in one frame. */
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

  /** The messages that the session may not have received, as many as one frame holds. */
  #behind(hello) {
    const { batchMessagesMax = FRAME.messages, frameBytesMax = FRAME.bytes } = this.welcome?.limits ?? {};
    const size = new TextEncoder().encode(JSON.stringify(hello)).length;
    const messages = this.#outbox.fitting(batchMessagesMax - 1, frameBytesMax - size - FRAME.spare);
    this.#repeated = this.#seq;
    return messages;
  }

  /** The first messages of the views in a fresh session. */
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
      case "draining": return undefined; // The connection is used normally until it is closed.
      case "error":
        if (this.#drawsLess(message) || this.#isOfTheSessionBefore(message)) return undefined;
        this.#advice = message.retryAfterMs ?? 0;
        this.#tell("error", message);
        return this.#views.get(message.view)?.take(message);
      default: return this.#views.get(message.view)?.take(message);
    }
  }

  /** Reports that the daemon has ignored a part of a message. */
  #ignored(message) {
    const { code, field, suggestion, view, seq } = message;
    const meant = suggestion ? `; did you mean ${suggestion}?` : "";
    const place = [field && `field ${field}${meant}`, view && `view ${view}`, seq && `seq ${seq}`].filter(Boolean);
    console.warn(`refreshd: ${message.message} (${[code, ...place].join(", ")})`);
    this.#tell("diagnostic", message);
  }

  /** Falls back to the plain mode if an older daemon has rejected the drawing mode in `hello`. */
  #drawsLess({ field }) {
    if (this.status === "open" || this.#frames === "plain" || field !== "frames") return false;
    this.#frames = "plain";
    this.#greet();
    return true;
  }

  /**
   * Whether an error is about a message that was repeated from a previous session, which a fresh session does not know.
   */
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
    // The messages since `hello`, or the first messages of a fresh session.
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

  /** Synchronises with the daemon's clock. The quickest round trip is used, because it has the smallest error. */
  #synchronise(pong, received) {
    const roundTrip = received - pong.t;
    this.#pingSent = NaN;
    if (roundTrip > this.roundTrip + 1) {
      this.roundTrip += 1; // An old measurement ages, because clocks drift and routes change.
      return;
    }
    this.roundTrip = roundTrip;
    this.#skew = pong.time + roundTrip / 2 - received;
  }

  // From one connection to the next

  /** Handles the end of the connection. The range of the close code determines whether to reconnect. */
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

  /** Detaches the socket, so that no more events arrive from it. */
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
    // A page restored from the back/forward cache still has its session.
    addEventListener("pageshow", () => this.#storage.removeItem(this.#storageKey), { signal });
  }

  /**
   * Saves the state for the next page. If there is no room, nothing is saved, and the next page starts a fresh session.
   */
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

  /** Restores the saved state, once: two pages with one session would take it from each other. */
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
