// A WebSocket with an added latency in both directions.

/** A simulated line. `latency` is its round trip in milliseconds; it may change at any time. It counts the traffic. */
export class Line {
  latency = 0;
  traffic = { sent: 0, received: 0, bytes: 0 };

  /** Opens a socket for `RefreshClient`. */
  open = (url, subprotocol) => new DelayedSocket(new WebSocket(url, subprotocol), this);

  forget() {
    this.traffic = { sent: 0, received: 0, bytes: 0 };
  }
}

class DelayedSocket {
  onopen = null;
  onmessage = null;
  onclose = null;

  #socket;
  #line;
  #due = { out: 0, in: 0 }; // keeps the order of frames when the latency decreases

  constructor(socket, line) {
    this.#socket = socket;
    this.#line = line;
    socket.onopen = (event) => this.#after("in", () => this.onopen?.(event));
    socket.onclose = (event) => this.#after("in", () => this.onclose?.(event));
    socket.onmessage = (event) => this.#after("in", () => {
      this.#count("received", event.data);
      this.onmessage?.(event);
    });
  }

  get readyState() { return this.#socket.readyState; }

  send(text) {
    this.#count("sent", text);
    this.#after("out", () => {
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
    });
  }

  close() {
    this.#after("out", () => this.#socket.close());
  }

  #count(way, text) {
    const frame = JSON.parse(text);
    const messages = (Array.isArray(frame) ? frame : [frame]).filter(({ type }) => !UNCOUNTED.has(type));
    if (messages.length === 0) return;
    this.#line.traffic[way] += messages.length;
    this.#line.traffic.bytes += messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
  }

  #after(way, act) {
    const now = performance.now();
    const wait = Math.max(this.#line.latency / 2, this.#due[way] - now);
    this.#due[way] = now + wait;
    if (wait <= 0) act();
    else setTimeout(act, wait);
  }
}

/** Messages that are the same for every kind of client. */
const UNCOUNTED = new Set(["hello", "welcome", "attached", "items", "ping", "pong", "loading", "geometry"]);
