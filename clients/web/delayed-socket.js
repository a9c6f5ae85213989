// A WebSocket with an added latency in both directions.

/**
 * Simulates a network link and counts its traffic. `latency` is the round-trip time in
 * milliseconds. It can be changed at any time.
 */
export class SimulatedLink {
  latency = 0;
  traffic = { sent: 0, received: 0, bytes: 0 };

  /** Opens a socket for `RefreshClient`. */
  open = (url, subprotocol) => new DelayedSocket(new WebSocket(url, subprotocol), this);

  /** Resets the counters. */
  resetTraffic() {
    this.traffic = { sent: 0, received: 0, bytes: 0 };
  }
}

class DelayedSocket {
  onopen = null;
  onmessage = null;
  onclose = null;

  #socket;
  #link;
  #due = { out: 0, in: 0 }; // keeps the frames in order when the latency decreases

  constructor(socket, link) {
    this.#socket = socket;
    this.#link = link;
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

  #count(direction, text) {
    const frame = JSON.parse(text);
    const messages = (Array.isArray(frame) ? frame : [frame]).filter(({ type }) => !UNCOUNTED_TYPES.has(type));
    if (messages.length === 0) return;
    this.#link.traffic[direction] += messages.length;
    this.#link.traffic.bytes += messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
  }

  #after(direction, action) {
    const now = performance.now();
    const wait = Math.max(this.#link.latency / 2, this.#due[direction] - now);
    this.#due[direction] = now + wait;
    if (wait <= 0) action();
    else setTimeout(action, wait);
  }
}

/**
 * The types of messages that are not counted, because their number does not depend on the kind of
 * client.
 */
const UNCOUNTED_TYPES = new Set(["hello", "welcome", "attached", "items", "ping", "pong", "loading", "geometry"]);
