// A session of the refresh.v1 protocol (docs/protocol.md). It connects and connects again, numbers what it sends,
// keeps two clocks together, merges updates and hands everything on. It decides nothing: what a pull means, when to
// load and what to move is the daemon's.

import { merged } from "./edges.js";

const PROTOCOL = 1;
const SUBPROTOCOL = "refresh.v1";
/** How long to wait before each further attempt to connect; the last one repeats. */
const BACKOFF_MS = [200, 400, 800, 1600, 3200, 5000];
/** So many pings, one a second, tune the clock at the beginning; later ones come with the heartbeat. */
const FIRST_PINGS = 3;
/** A daemon that leaves a ping unanswered for so long is taken for gone. */
const PONG_PATIENCE_MS = 5000;

/** The session's address on the host that served the page. */
export function sessionURL(page = location) {
  const scheme = page.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${page.host}/v1/session`;
}

/**
 * One session with the daemon, renewed whenever the connection breaks.
 *
 * Events: `status` (detail: `{status, attempt, retryInMs}`), `welcome`, `error` and, for those who watch,
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
  #open;
  #views = new Map();
  #socket = null;
  #seq = 0;
  #batch = null;
  #attempt = 0;
  #skew = 0;
  #lastSent = 0;
  #pingSent = NaN;
  #pings = 0;
  #heartbeat = 0;
  #retry = 0;

  /** `frames` says how the client draws, as in `hello`; `open` makes the socket. */
  constructor({
    url = sessionURL(), name = "web/1.0", frames = "plain",
    open = (address, subprotocol) => new WebSocket(address, subprotocol),
  } = {}) {
    super();
    this.#url = url;
    this.#name = name;
    this.#frames = frames;
    this.#open = open;
  }

  /**
   * Adds a view. `describe` gives the body of its `attach`, asked anew for every session; `first` are
   * messages to send right behind it, in the same round trip. Call before `connect`.
   */
  view(name, describe, first = []) {
    const view = new View(this, name, describe, first);
    this.#views.set(name, view);
    return view;
  }

  connect() {
    clearTimeout(this.#retry);
    this.#become("connecting");
    const socket = this.#open(this.#url, SUBPROTOCOL);
    this.#socket = socket;
    socket.onopen = () => this.#greet();
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => this.#lose(event.code);
  }

  /** Ends the session for good. */
  close() {
    clearTimeout(this.#retry);
    clearInterval(this.#heartbeat);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "bye" }));
    socket.close();
  }

  /** Tries again at once instead of waiting: the network is back, or the page is seen again. */
  hurry() {
    if (this.status === "lost") this.connect();
  }

  /** Numbers and sends a message; returns its `seq`, or 0 when there is no session. */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return 0;
    const numbered = this.#number(message);
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

  #number({ type, ...fields }) {
    return { type, seq: ++this.#seq, ...fields };
  }

  #transmit(messages) {
    this.#lastSent = performance.now();
    this.#socket.send(JSON.stringify(messages.length === 1 ? messages[0] : messages));
    for (const message of messages) this.#tell("sent", message);
  }

  /** Opens the session: views and their first wishes go out in one frame. */
  #greet() {
    this.#seq = 0;
    const views = [...this.#views.values()];
    const hello = {
      type: "hello", protocol: PROTOCOL, client: this.#name, frames: this.#frames,
      views: views.map((view) => ({ view: view.name, ...view.describe() })),
    };
    const wishes = views.flatMap((view) =>
      view.first.map((message) => this.#number({ view: view.name, ...message })));
    this.#transmit([hello, ...wishes]);
  }

  #receive(text) {
    const received = performance.now();
    const frame = JSON.parse(text);
    for (const message of Array.isArray(frame) ? frame : [frame]) this.#handle(message, received);
  }

  #handle(message, received) {
    if (message.type === "pong") this.#synchronise(message, received);
    this.#tell("received", message);
    switch (message.type) {
      case "welcome": return this.#welcomed(message, received);
      case "error":
        if (this.#drawsLess(message)) return;
        this.#tell("error", message);
        return this.#views.get(message.view)?.take(message);
      default: return this.#views.get(message.view)?.take(message);
    }
  }

  /** An older daemon that does not know how this client draws has refused its `hello`: there is a plainer one. */
  #drawsLess({ field }) {
    if (this.status === "open" || this.#frames === "plain" || field !== "frames") return false;
    this.#frames = "plain";
    this.#greet();
    return true;
  }

  #welcomed(message, received) {
    this.welcome = message;
    this.#attempt = 0;
    this.#skew = message.time - received;
    this.roundTrip = NaN;
    this.#pings = 0;
    for (const view of this.#views.values()) view.silence = message.limits?.gestureSilenceMs;
    this.#become("open");
    this.#tell("welcome", message);
    this.#ping();
    this.#heartbeat = setInterval(() => this.#beat(), 1000);
  }

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

  /** The connection is gone; whether to come back is written in the range of the close code. */
  #lose(code) {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = null;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    clearInterval(this.#heartbeat);
    this.#pingSent = NaN;
    for (const view of this.#views.values()) view.lose();
    if (code === 1009 || (code >= 4000 && code < 4100)) return this.#become("refused");

    const step = BACKOFF_MS[Math.min(this.#attempt, BACKOFF_MS.length - 1)];
    const wait = code >= 4200 && code < 4300 ? 0 : step * (0.75 + Math.random() / 2);
    this.#attempt += 1;
    this.#retry = setTimeout(() => this.connect(), wait);
    this.#become("lost", wait);
  }

  #become(status, retryInMs = 0) {
    this.status = status;
    this.#tell("status", { status, attempt: this.#attempt, retryInMs });
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/**
 * One scroll view as the daemon sees it.
 *
 * Events, each with the message as `detail`: `attached`, `update`, `items`, `loading`, `load`, `error`; and
 * `lost` when the session ended, with everything the daemon had asked for void.
 */
export class View extends EventTarget {
  /** What is known of each edge: all updates merged. */
  top = {};
  bottom = {};
  attached = false;
  /** How long a gesture may be silent, in milliseconds, as the daemon says. */
  silence = undefined;
  /** Called with the time before anything but where the list is is said, to say that first. */
  preface = null;

  #client;

  constructor(client, name, describe, first) {
    super();
    this.#client = client;
    this.name = name;
    this.describe = describe;
    this.first = first;
  }

  /** Says something about this view; returns its `seq`, or 0 when nobody listens. */
  send(type, fields = {}) {
    const message = { type, view: this.name, ...fields };
    if (type === "scroll" || type === "pan" || !this.preface) return this.#client.send(message);
    return this.#client.batch(() => {
      this.preface(performance.now());
      return this.#client.send(message);
    });
  }

  localTime(daemonTime) {
    return this.#client.localTime(daemonTime);
  }

  take(message) {
    if (message.type === "attached") {
      this.attached = true;
      this.top = message.top ?? {};
      this.bottom = message.bottom ?? {};
    } else if (message.type === "update") {
      if (message.top) this.top = merged(this.top, message.top);
      if (message.bottom) this.bottom = merged(this.bottom, message.bottom);
    }
    this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
  }

  lose() {
    this.attached = false;
    this.top = {};
    this.bottom = {};
    this.dispatchEvent(new CustomEvent("lost"));
  }
}
