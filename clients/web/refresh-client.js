// A session of the refresh.v1 protocol (docs/protocol.md). It connects, reconnects after a loss,
// numbers messages, and forwards the received ones. The daemon decides what is a pull, when to
// load, and how the list moves.

import { Backoff, mayReconnect } from "./backoff.js";
import { DetailEvent, TypedEventTarget } from "./detail-event.js";
import { Features } from "./features.js";
import { Heartbeat } from "./heartbeat.js";
import { checkStrings, fittingCount, isIntent, MESSAGES_MAX, Outbox } from "./outbox.js";
import { ResumeState } from "./resume-state.js";
import { SessionStorage } from "./session-storage.js";
import { View } from "./view.js";

const PROTOCOL = 1;
/** The `readyState` of an open socket. */
const OPEN = 1;
const SUBPROTOCOL = "refresh.v1";
/** A connection counts as lost if no `welcome` arrives within this time after the attempt to connect. */
const WELCOME_TIMEOUT_MS = 10000;
/** The close codes for a refused frame, with the codes of their faults. */
const REFUSED_FRAMES = { 1007: "invalidText", 1009: "frameTooLarge" };
/** The default limits of a frame. `spare` bytes are reserved for the text around the messages. */
const FRAME = { messages: 64, bytes: 65536, spare: 1024 };
/**
 * A restored session leaves out this many numbers, because the messages that were sent after `save` may
 * have used them.
 */
const RESTORED_GAP = 1000;

/**
 * The URL of the session on the host of the page.
 *
 * @param {{protocol: string, host: string}} [page]
 */
export function sessionURL(page = location) {
  const scheme = page.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${page.host}/v1/session`;
}

/**
 * Returns the address for a socket. An address that begins with `/` is on the host of the page.
 * Without this check, a browser would take an address without a scheme as a path of the page.
 */
function socketURL(url) {
  if (url.startsWith("/") && typeof location !== "undefined") return new URL(url, sessionURL()).href;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url.replace(/^http/i, "ws");
  throw new TypeError(`refreshd: the url "${url}" has no scheme; it must begin with ws:// or wss://`);
}

/** Returns the messages of a frame; null if the text is not a JSON object or an array of objects. */
function parsedFrame(text) {
  try {
    const messages = [].concat(JSON.parse(text));
    return messages.every((message) => typeof message?.type === "string") ? messages : null;
  } catch {
    return null;
  }
}

/**
 * One session with the daemon. A session outlives its connections: after a loss, it resumes on the
 * next connection. If the daemon refuses the resumption, a fresh session starts.
 *
 * Events: `status` (detail: `{status, attempt, retryInMs, code, error}`), `welcome`, `error`,
 * `diagnostic`, and `sent` and `received` for every message.
 *
 * @extends {TypedEventTarget<import("./client-types.js").ClientEvents>}
 */
export class RefreshClient extends TypedEventTarget {
  /**
   * `connecting`, `open`, `lost` (the client reconnects), `refused` (it does not reconnect) or
   * `closed` (`close` was called).
   * @type {import("./client-types.js").Status}
   */
  status = "connecting";
  /**
   * The daemon's last `welcome`. Null before the first one.
   * @type {import("./protocol-types.js").ReceivedWelcome | null}
   */
  welcome = null;
  /** The features that this page and the daemon use. */
  features;
  /** Returns the name of a new edit. Undefined: it is a random UUID. */
  newEditName;

  #url;
  #name;
  #frames;
  #diagnostics;
  #token;
  #open;
  #storage;
  #views = new Map();
  #savedViews = {}; // the state that the views saved before the page was reloaded
  #edits; // the class of the edits of a view, if lists can be edited
  #savedEdits = {}; // by view, the edits without an answer that were saved then
  /** @type {import("./client-types.js").Socket | null} */
  #socket = null;
  #isHelloSent = false; // whether `hello` was sent on this connection
  #helloViews = []; // the views in that `hello`, without those that were detached since
  #removedViews = new Set(); // the detached views that the daemon may have on this connection
  #failure = ""; // the reason that the socket gives for its failure
  #seq = 0;
  #batch = null;
  #resumeState = new ResumeState();
  #outbox = new Outbox();
  #unattached = []; // the messages that followed an `attach` without an answer
  #repeated = []; // the repeated messages in the frame with the last `hello`; none after `welcome`
  #hasDropped = false; // whether the daemon has refused such messages on this connection
  #lastRepeatedSeq = 0; // the last `seq` in that frame
  #helloSeq = 0; // the last `seq` that was used before that frame, or in it
  #backoff;
  #retryAfter = 0;
  #heartbeat = new Heartbeat((ping) => this.#sendPing(ping), () => this.#handleClose(1006));
  #reconnectTimer = 0;
  #welcomeTimer = 0;
  #abort = new AbortController();

  /** @param {import("./client-types.js").RefreshClientOptions} [options] */
  constructor(options = {}) {
    super();
    const {
      url, name = "web/1.0", frames = "plain", token = null, storage = null, random = Math.random,
      diagnostics = false, features = [], WebSocket = globalThis.WebSocket,
      open = (address, subprotocol) => new WebSocket(address, subprotocol),
    } = options;
    if (!WebSocket && !options.open) {
      throw new TypeError("refreshd: there is no global WebSocket here: pass the option WebSocket");
    }
    if (url === undefined && typeof location === "undefined") {
      throw new TypeError("refreshd: there is no page here: pass the option url");
    }
    this.#url = url === undefined ? sessionURL() : socketURL(url);
    this.#name = name;
    this.#frames = frames;
    this.#diagnostics = diagnostics;
    this.features = new Features(features);
    this.newEditName = options.newEditName;
    this.#edits = options.edits;
    this.#token = typeof token === "string" ? () => token : token;
    this.#open = open;
    this.#backoff = new Backoff(random);
    this.#storage = new SessionStorage(storage, `refreshd ${this.#url}`);
    this.#restore();
    this.#addListeners();
  }

  /**
   * Adds a view. If a session is open, the view is attached immediately, and otherwise with the next
   * session. `describe` returns the view's member of `hello`, and is called for every connection. `initialMessages` are sent when the view is attached to a fresh
   * session. `saveState` returns the state that a reloaded page needs to show the same view. JSON
   * must be able to express this state. The reloaded page finds it in `savedState` of the view.
   * Throws an error after `close`, and if there is a view with this name, and a RangeError if a string
   * is longer than the daemon accepts (`limits.stringBytesMax`).
   *
   * @param {string} name
   * @param {() => import("./client-types.js").ViewDescription} describe
   * @param {Record<string, any>[]} [initialMessages]
   * @param {(() => any) | null} [saveState]
   */
  view(name, describe, initialMessages = [], saveState = null) {
    this.#requireSession();
    if (this.#views.has(name)) throw new Error(`refreshd: there is already a view "${name}"`);
    const view = new View(this, name, describe, initialMessages, saveState, this.#edits);
    for (const part of [name, ...initialMessages, this.status === "open" && view.body]) this.checkStrings(part);
    view.savedState = this.#savedViews[name] ?? null;
    if (this.#savedEdits[name]) view.edits?.restore(this.#savedEdits[name]);
    delete this.#savedEdits[name];
    this.#views.set(name, view);
    if (this.status === "open") this.#attachNewViews();
    return view;
  }

  /**
   * Detaches a view. The view receives no more messages, and its loads are cancelled.
   *
   * @param {string} name
   */
  detach(name) {
    const view = this.#views.get(name);
    if (!view) return;
    this.#views.delete(name);
    delete this.#savedViews[name];
    this.#outbox.removeView(name);
    this.#unattached = this.#unattached.filter(({ view: one }) => one !== name);
    const isInHello = this.#helloViews.includes(name);
    this.#helloViews = this.#helloViews.filter((one) => one !== name);
    // Without a `welcome`, the `hello` that names the view may be on its way. `detach` follows `welcome`.
    if (this.#isHelloSent && isInHello) this.#removedViews.add(name);
    this.#resumeState.recordDetach(name, this.#seq + 1);
    if (this.status === "open" && !view.isRefused) this.#transmit([this.#number({ type: "detach", view: name })]);
    view.end();
  }

  /** The best recent round trip in milliseconds; NaN before the first. */
  get roundTrip() { return this.#heartbeat.roundTrip; }

  /**
   * Connects. Has no effect while the client is connecting or connected. Throws an error after
   * `close`, because a closed session cannot be used again, and the error of `open` or `WebSocket` at the
   * first attempt. Later, such an error is the event `error`, and the client tries again.
   */
  connect() {
    this.#requireSession();
    if (this.#socket) return;
    clearTimeout(this.#reconnectTimer);
    this.#setStatus("connecting");
    if (this.status !== "connecting") return; // A listener has closed the session.
    let socket;
    try {
      socket = this.#open(this.#url, SUBPROTOCOL);
    } catch (error) {
      if (!this.welcome && this.#backoff.attempt === 0) throw error;
      return this.#failConnection("openFailed", `The socket cannot be created: ${error}`);
    }
    this.#socket = socket;
    this.#isHelloSent = false;
    this.#retryAfter = 0;
    this.#failure = "";
    this.#hasDropped = false;
    this.#repeated = [];
    socket.onopen = () => this.#sendHello();
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => this.#handleClose(event.code);
    // A close event follows each error. Browsers give no message. Some other sockets throw an error
    // without a handler.
    socket.onerror = (event) => { this.#failure = event?.message ?? ""; };
    this.#welcomeTimer = setTimeout(() => this.#handleClose(1006), WELCOME_TIMEOUT_MS);
  }

  /** Ends the session. It cannot be resumed, and this client cannot connect again. */
  close() {
    if (this.status === "closed") return;
    this.#abort.abort();
    clearTimeout(this.#reconnectTimer);
    const socket = this.#detachSocket();
    this.#resumeState.clear();
    this.#outbox.clear();
    if (socket?.readyState === OPEN) socket.send(JSON.stringify({ type: "bye" }));
    socket?.close();
    this.#setStatus("closed");
  }

  /**
   * Saves the session in `storage` for the next client with this storage and url. Pages do this when
   * they are left; another program calls it before it ends, without `close`, which would end the
   * session. Returns false if nothing is saved: there is no storage or session, or a view has no
   * `saveState`.
   *
   * @returns {boolean}
   */
  save() {
    const views = [...this.#views.values()];
    const canSave = this.#storage.isAvailable && this.#resumeState.canResume;
    if (!canSave || views.some(({ saveState }) => saveState === null)) return false;
    return this.#storage.save({
      seq: this.#seq, resumeState: this.#resumeState.saved, outbox: this.#outbox.messages,
      views: Object.fromEntries(views.map((view) => [view.name, view.saveState()])),
      // The edits of lists that this page has not created yet are kept for the next page.
      edits: { ...this.#savedEdits, ...Object.fromEntries(views.map(({ name, edits }) => [name, edits?.saved])) },
    });
  }

  /** Reconnects immediately instead of waiting, because the network is back or the page is visible again. */
  reconnectNow() {
    if (this.status === "lost") this.connect();
  }

  /**
   * Numbers and sends a message; returns its `seq`, or 0 if there is no session. Without a
   * connection, an intent or a sample is stored, and sent when the session resumes. An intent for a view
   * that is not attached yet follows its attachment. Throws a RangeError if a string or the message is
   * longer than the daemon accepts (`limits.stringBytesMax`, `limits.frameBytesMax`). The message is then
   * not sent.
   *
   * @param {import("./client-types.js").Message} message
   * @returns {number}
   */
  send(message) {
    // A new view is unknown to the daemon until it is attached, and so is a refused one.
    const view = this.#views.get(message.view);
    if (view?.isRefused) return 0;
    if (view && !this.#helloViews.includes(view.name)) return this.#keep(view, message);
    const isOpen = this.#isHelloSent && (this.status === "open" || !this.#resumeState.canResume);
    if (!isOpen && !this.#resumeState.canResume) return 0;
    this.checkStrings(message);
    const numbered = this.#number(message);
    this.#reportDropped(this.#outbox.record(numbered));
    if (!isOpen) return numbered.seq;
    if (this.#batch) this.#batch.push(numbered);
    else this.#transmit([numbered]);
    return numbered.seq;
  }

  /**
   * Sends all messages of `send` in one frame.
   *
   * @template T
   * @param {() => T} send
   * @returns {T}
   */
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

  /** Converts a time on the daemon's clock to this page's clock (`performance.now()`). */
  localTime(daemonTime) {
    return this.#heartbeat.localTime(daemonTime);
  }

  /** Throws a RangeError if a string in the message `value`, or the message, is longer than the daemon accepts. */
  checkStrings(value) {
    checkStrings(value, this.welcome?.limits?.stringBytesMax, this.#frameLimits.bytes);
  }

  /** Records that the view has dropped its loaded items. */
  removeLoad(view) {
    this.#resumeState.removeLoad(view.name);
  }

  #requireSession() {
    if (this.status === "closed") throw new Error("refreshd: the session is closed: make a new client");
  }

  /** Returns a message with the next number. An earlier number is replaced. */
  #number(/** @type {any} */ { type, seq: _, ...fields }) {
    return { type, seq: ++this.#seq, ...fields };
  }

  /** Returns the limits of a frame of this connection, without the text around the messages. */
  get #frameLimits() {
    const { batchMessagesMax = FRAME.messages, frameBytesMax = FRAME.bytes } = this.welcome?.limits ?? {};
    return { count: batchMessagesMax, bytes: frameBytesMax - FRAME.spare };
  }

  /** Keeps an intent for a view that is not attached yet. The parameters of a query are in its description. */
  #keep({ kept }, message) {
    this.checkStrings(message);
    if (isIntent(message) && !message.parameters) kept.push(message);
    this.#reportDropped(kept.splice(MESSAGES_MAX));
    return 0;
  }

  #reportDropped(dropped) {
    if (dropped.length === 0) return;
    const message = "Too many messages wait for the daemon.";
    this.#emit("error", { type: "error", code: "outboxFull", message, temporary: true, dropped });
  }

  /** Sends messages after those of an open `batch`, in as few frames as possible. */
  #transmit(added) {
    const messages = [...this.#batch?.splice(0) ?? [], ...added];
    const { count, bytes } = this.#frameLimits;
    for (let start = 0; start < messages.length;) {
      const left = messages.slice(start);
      const frame = left.slice(0, Math.max(1, left.length > 1 && fittingCount(left, count, bytes)));
      start += frame.length;
      this.#heartbeat.recordSent();
      this.#socket?.send(JSON.stringify(frame.length === 1 ? frame[0] : frame));
    }
    for (const message of messages) this.#emit("sent", message);
  }

  #sendPing(ping) {
    this.#socket.send(JSON.stringify(ping));
    this.#emit("sent", ping);
  }

  // From `hello` to `welcome`

  /**
   * Opens or resumes a session. All messages needed for this are sent in one frame. With `isAlone`, no
   * messages are repeated.
   */
  async #sendHello(isAlone = false) {
    const socket = this.#socket;
    let token;
    try {
      token = await this.#token?.();
    } catch (error) {
      if (socket === this.#socket) this.#failConnection("tokenFailed", `The function token has failed: ${error}`);
      return;
    }
    if (!socket || socket !== this.#socket) return;
    const { canResume } = this.#resumeState;
    // A session that resumes gets its new views after `welcome`.
    const all = [...this.#views.values()];
    for (const view of all) view.isRefused = false;
    const named = all.filter(({ name }) => !canResume || this.#helloViews.includes(name));
    const bodies = new Map(named.map((view) => [view, this.#describe(view)]));
    if (socket !== this.#socket) return; // A listener has closed the session.
    const views = named.filter((view) => bodies.get(view) && this.#views.get(view.name) === view);
    const hello = {
      type: "hello", protocol: PROTOCOL, client: this.#name, frames: this.#frames, token, snapshots: true,
      features: this.features.named, diagnostics: this.#diagnostics || undefined,
      views: views.map((view) => bodies.get(view)),
    };
    this.#isHelloSent = true;
    this.#helloViews = views.map(({ name }) => name);
    this.#removedViews.clear();
    this.#repeated = [];
    if (canResume) {
      hello.resume = this.#resumeState.request(this.#helloViews);
      if (!isAlone) this.#repeatMessages(hello);
      return this.#transmit([hello, ...this.#repeated]);
    }
    // If no daemon has answered yet, the messages of the last attempt are not lost.
    const unanswered = this.welcome ? [] : this.#outbox.intents.filter(({ seq }) => seq > this.#helloSeq);
    this.#outbox.clear();
    this.#seq = this.#lastRepeatedSeq = 0;
    const initial = this.#initialMessages(views);
    this.#helloSeq = this.#seq;
    const space = Math.max(0, this.#frameLimits.count - 1 - initial.length);
    this.#transmit([hello, ...initial, ...this.#recorded(unanswered.slice(-space || unanswered.length))]);
  }

  /** Determines the messages that the daemon has not acknowledged, as many as fit into the frame of `hello`. */
  #repeatMessages(hello) {
    const { count, bytes } = this.#frameLimits;
    const size = new TextEncoder().encode(JSON.stringify(hello)).length;
    this.#helloSeq = this.#seq;
    this.#repeated = this.#outbox.fitting(count - 1, bytes - size);
    const isWhole = this.#repeated.length === this.#outbox.messages.length;
    this.#lastRepeatedSeq = isWhole ? this.#seq : this.#repeated.at(-1)?.seq ?? 0;
  }

  /**
   * Drops the messages that were repeated with `hello`, because the daemon has refused the frame, and would
   * refuse each further one. The event `error` contains the dropped messages.
   */
  #dropRepeated(error) {
    const dropped = this.#repeated;
    this.#outbox.filter((message) => !dropped.includes(message));
    this.#repeated = [];
    this.#hasDropped = true;
    this.#emit("error", { ...error, dropped });
    for (const { view, seq } of dropped) this.#views.get(view)?.handle({ ...error, view, seq }, true);
  }

  /**
   * Returns the description of a view. If the app's function `describe` fails, or if `check` fails, the view
   * is refused, and null is returned.
   */
  #describe(view, check = (_body) => {}) {
    try {
      const { body } = view;
      check(body);
      return body;
    } catch (error) {
      const { name } = view;
      const code = error instanceof RangeError ? "stringTooLong" : "descriptionFailed";
      view.isRefused = true;
      this.#outbox.removeView(name);
      this.#resumeState.recordDetach(name, this.#seq + 1);
      view.end();
      this.#emit("error", { type: "error", code, message: String(error?.message), view: name, temporary: false });
      return null;
    }
  }

  /** Returns the initial messages of new views, unless they were sent, and the messages kept until then. */
  #initialMessages(views, areSent = false) {
    return this.#recorded(views.flatMap(({ name, initialMessages, kept }) =>
      [...areSent ? [] : initialMessages, ...kept.splice(0)].map((message) => ({ view: name, ...message }))));
  }

  /** Numbers messages and records them for a later repetition. */
  #recorded(messages) {
    return messages.map((message) => {
      const numbered = this.#number(message);
      this.#outbox.record(numbered);
      this.#views.get(message.view)?.renumber(message.seq, numbered.seq);
      return numbered;
    });
  }

  #receive(text) {
    const received = performance.now();
    const messages = parsedFrame(text);
    if (!messages) return this.#failConnection("damagedFrame", "A frame of the daemon cannot be read.");
    // A frame is shown whole: its items are those after the edits that it answers.
    for (const { type, view, edit } of messages) if (type === "edited") this.#views.get(view)?.edits?.answer(edit);
    try {
      for (const message of messages) this.#handle(message, received);
    } catch (error) {
      return this.#failConnection("damagedFrame", `A frame of the daemon cannot be used: ${error}`);
    }
    this.#outbox.acknowledge(this.#resumeState.durableSeq);
  }

  #handle(message, received) {
    if (message.type === "pong") this.#heartbeat.handlePong(message, received);
    this.#emit("received", message);
    if (this.#views.get(message.view)?.isStale(message)) return undefined;
    if (message.type !== "items" || this.#views.has(message.view)) this.#resumeState.record(message);
    switch (message.type) {
      case "welcome": return this.#handleWelcome(message, received);
      case "diagnostic": return this.#reportDiagnostic(message);
      case "draining": return undefined; // The client uses the connection until it is closed.
      case "error":
        if (this.#fallBackToPlain(message) || this.#isAboutPreviousSession(message)) return undefined;
        if (this.#isAboutRefusedView(message)) return undefined;
        this.#retryAfter = message.retryAfterMs ?? 0;
        if (this.status === "connecting" && message.temporary === false) {
          if (this.#repeated.length === 0) return this.#reject(message);
          this.#dropRepeated(message);
          return this.#sendHello(true);
        }
        this.#emit("error", message);
        for (const { edits } of this.#views.values()) edits?.handleError(message);
        return this.#views.get(message.view)?.handle(message);
      default: return this.#views.get(message.view)?.handle(message);
    }
  }

  /** Ends the connection because of an error of the client's own. The client connects again. */
  #failConnection(code, message) {
    this.#emit("error", { type: "error", code, message, temporary: true });
    if (this.#socket) this.#handleClose(1006, { message, code });
    else if (this.status === "connecting") this.#reconnectLater(1006, { message, code });
  }

  /** Ends the attempts to connect because of an error for good before `welcome`. */
  #reject(error) {
    this.#emit("error", error);
    if (this.#socket) this.#refuse({ error });
  }

  /** Reports that the daemon has ignored a part of a message, or has noticed a mistake of the client. */
  #reportDiagnostic(message) {
    const { code, field, suggestion, view, seq, page } = message;
    const hint = suggestion ? `; did you mean ${suggestion}?` : "";
    const place = [
      field && `field ${field}${hint}`, view && `view ${view}`, seq && `seq ${seq}`, page && `see ${page}`,
    ].filter(Boolean);
    console.warn(`refreshd: ${message.message} (${[code, ...place].join(", ")})`);
    this.#emit("diagnostic", message);
  }

  /** Falls back to the plain mode if an older daemon has rejected the drawing mode in `hello`. */
  #fallBackToPlain({ field }) {
    if (this.status === "open" || this.#frames === "plain" || field !== "frames") return false;
    this.#frames = "plain";
    this.#sendHello();
    return true;
  }

  /** Whether an error is about a message of the previous session that was repeated in a fresh session. */
  #isAboutPreviousSession({ seq }) {
    return this.welcome?.resumed === false && seq <= this.#lastRepeatedSeq;
  }

  /**
   * Whether an error follows from the refusal of its view: the messages that were sent before the
   * refusal was received are about a view that does not exist. A view that is not attached is refused by
   * the error that answers its `attach`, or that answers no message but `hello`.
   */
  #isAboutRefusedView({ view: name, code, seq }) {
    const view = this.#views.get(name);
    if (!view || (view.attached && !view.isDisconnected)) return false;
    if (view.isRefused) return code === "unknownView";
    view.isRefused = seq === undefined || seq === view.requestSeq;
    if (view.isRefused) this.#outbox.removeView(name);
    return false;
  }

  #handleWelcome(message, received) {
    const isFresh = message.resumed !== true;
    const isResumeRefused = isFresh && this.#resumeState.canResume;
    clearTimeout(this.#welcomeTimer);
    this.welcome = message;
    this.features.applyWelcome(message);
    this.#repeated = [];
    this.#hasDropped = false;
    this.#resumeState.applyWelcome(message);
    this.#backoff.recordOpen(received);
    this.#heartbeat.reset(message.time, received);
    const views = [...this.#views.values()].filter(({ name }) => this.#helloViews.includes(name));
    // `hello` did not have the queries since, so they are made again.
    const queries = this.#outbox.messages.filter((stored) =>
      stored.seq > this.#helloSeq && stored.parameters && this.features.permits(stored));
    if (isResumeRefused) {
      this.#outbox.clear();
      for (const view of views) view.end(this.#helloSeq);
    }
    for (const view of views) {
      view.gestureSilence = message.limits?.gestureSilenceMs;
      view.willResume = !isFresh;
    }
    this.#setStatus("open");
    this.#emit("welcome", message);
    if (this.status !== "open") return; // A listener has closed the session.
    const more = isResumeRefused ? [...this.#initialMessages(views), ...this.#recorded(queries)] : isFresh ? [] : this.#messagesAfterWelcome(message);
    if (isFresh) more.push(...this.#recorded(this.features.disappearances(views)));
    for (const view of this.#removedViews) {
      more.push(this.#number({ type: "detach", view }));
      this.#resumeState.recordDetach(view, this.#seq);
    }
    this.#transmit(more);
    this.#attachNewViews();
    if (this.status === "open") this.#heartbeat.start(message.heartbeat);
  }

  /** Returns the messages of a resumed session that were not repeated with `hello`. */
  #messagesAfterWelcome({ ack = 0 }) {
    this.#outbox.filter((stored) => this.features.permits(stored));
    const more = this.#outbox.messages.filter(({ seq }) => seq > this.#lastRepeatedSeq);
    if (ack <= this.#helloSeq) return more.filter(({ seq }) => seq > ack);
    // The session has handled more numbers than this client knew: those of the process before `restore`.
    this.#seq = Math.max(this.#seq, ack);
    const since = more.filter(({ seq }) => seq > this.#helloSeq);
    this.#outbox.filter((message) => !since.includes(message));
    return this.#recorded(since);
  }

  /** Attaches the views that `hello` did not name, and sends their initial messages. */
  #attachNewViews() {
    for (const view of this.#views.values()) {
      const { name } = view;
      if (this.#helloViews.includes(name) || view.isRefused) continue;
      const body = this.#describe(view, (described) => this.checkStrings(described));
      if (this.status !== "open") return; // A listener has closed the session.
      if (!body || this.#views.get(name) !== view) continue;
      this.#helloViews.push(name);
      view.gestureSilence = this.welcome.limits?.gestureSilenceMs;
      const attach = this.#number({ type: "attach", ...body });
      view.requestSeq = attach.seq;
      if (this.#removedViews.delete(name)) view.attachSeq = attach.seq;
      const sent = this.#unattached.filter((message) => message.view === name);
      this.#transmit([attach, ...this.#recorded(sent), ...this.#initialMessages([view], sent.length > 0)]);
      if (this.status !== "open") return;
    }
    this.#unattached = [];
  }

  // From one connection to the next

  /**
   * Handles the end of the connection. The close code determines whether to reconnect.
   *
   * @param {number} code
   * @param {{message: string, code?: string, isFinal?: boolean} | null} [error]
   */
  #handleClose(code, error = this.welcome ? null : this.#connectionError()) {
    if (!this.#socket) return;
    const fault = REFUSED_FRAMES[code];
    if (fault && this.#repeated.length > 0) {
      const message = `The daemon has refused the frame of hello with the close code ${code}.`;
      this.#dropRepeated({ type: "error", code: fault, message, temporary: false });
      if (!this.#socket) return; // A listener has closed the session.
    }
    const isFinal = !mayReconnect(code) && !(fault && this.#hasDropped);
    if (isFinal || error?.isFinal) return this.#refuse({ code, ...error && { error } });
    this.#detachSocket().close();
    this.#endViews();
    this.#reconnectLater(code, error);
  }

  #reconnectLater(code, error) {
    const wait = this.#backoff.delayAfterClose(code, performance.now(), this.#retryAfter);
    this.#reconnectTimer = setTimeout(() => this.connect(), wait);
    this.#setStatus("lost", { code, retryInMs: wait, ...error && { error } });
  }

  /** Ends the session and the attempts to connect. */
  #refuse(detail) {
    this.#detachSocket().close();
    this.#resumeState.clear();
    this.#outbox.clear();
    this.#endViews();
    this.#setStatus("refused", detail);
  }

  #endViews() {
    for (const view of this.#views.values()) {
      if (this.#resumeState.canResume) view.suspend();
      else view.end();
    }
  }

  /**
   * Returns why the first connection has failed, and shows it in the console at the first attempt.
   * An HTTP status that a repetition does not change is final.
   */
  #connectionError() {
    const reason = this.#failure || "the connection has failed";
    const message = `Cannot connect to ${this.#url}: ${reason}`;
    if (this.#backoff.attempt === 0) console.warn(`refreshd: ${message}`);
    return { message, isFinal: /response: 40[034]$/.test(reason) };
  }

  /** Detaches the socket, so that no more events arrive from it. */
  #detachSocket() {
    this.#heartbeat.stop();
    clearTimeout(this.#welcomeTimer);
    this.#isHelloSent = false;
    const socket = this.#socket;
    this.#socket = null;
    // The next `hello` does not name a view whose `attach` was not answered. Otherwise an earlier view with
    // this name would go on, if the `detach` was lost.
    for (const view of [...this.#views.values()].filter(({ attachSeq }) => attachSeq > 0)) {
      view.attachSeq = 0;
      this.#helloViews = this.#helloViews.filter((name) => name !== view.name);
      this.#unattached.push(...this.#outbox.messages.filter((message) => message.view === view.name));
      this.#outbox.removeView(view.name);
    }
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
    return socket;
  }

  #addListeners() {
    if (typeof document === "undefined") return;
    const { signal } = this.#abort;
    addEventListener("online", () => this.reconnectNow(), { signal });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.reconnectNow();
    }, { signal });
    if (!this.#storage.isAvailable) return;
    addEventListener("pagehide", () => this.save(), { signal });
    // A page restored from the back/forward cache still has its session.
    addEventListener("pageshow", () => this.#storage.clear(), { signal });
  }

  /** Restores the state that was saved before the page was reloaded. */
  #restore() {
    const state = this.#storage.restore();
    if (!state) return;
    this.#seq = state.seq + RESTORED_GAP;
    this.#resumeState = new ResumeState(state.resumeState);
    this.#outbox.restore(state.outbox);
    this.#savedViews = state.views;
    this.#savedEdits = state.edits ?? {};
    this.#helloViews = Object.keys(state.views);
  }

  #setStatus(status, more = {}) {
    this.status = status;
    this.#emit("status", { status, attempt: this.#backoff.attempt, retryInMs: 0, ...more });
  }

  #emit(type, detail) {
    this.dispatchEvent(new DetailEvent(type, detail));
  }
}
