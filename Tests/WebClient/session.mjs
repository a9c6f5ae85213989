// A session of the web client whose server is the test. Time passes only in `timers.tick`.

import { installCustomEvent } from "../../clients/web/conform/fake-screen.js";
import { RefreshClient } from "../../clients/web/refresh-client.js";
import { Timers } from "./timers.mjs";

export const WELCOME = {
  type: "welcome", protocol: 1, session: "5f0c", token: "T1", time: 0, heartbeat: 25000, limits: {},
  features: ["query", "unread", "patch"],
};
export const ATTACHED = {
  type: "attached", view: "list", ack: 0, generation: 1, itemKey: "/id", top: { role: "refresh", state: "idle" },
};

/** A fake socket of the client. A test sends messages as the daemon, and reads what the daemon receives. */
class ServerConnection {
  readyState = 1;
  frames = [];
  send(text) { this.frames.push([].concat(JSON.parse(text))); }
  close() { this.readyState = 3; }
  deliver(...messages) { this.onmessage({ data: JSON.stringify(messages) }); }
  cut(code = 1006) { this.onclose({ code }); }
  /** The received messages except `ping`. */
  get received() { return this.frames.flat().filter(({ type }) => type !== "ping"); }
  /** The type and the number of each received message except `hello` and `ping`. */
  get numbered() { return this.received.filter(({ seq }) => seq).map(({ type, seq }) => [type, seq]); }
}

/** Creates a client, and records its events. `view` is its view, `list` unless another name is given. */
export function createSession(t, { view: name = "list", ...options } = {}) {
  installCustomEvent();
  t.mock.method(console, "warn", () => {});
  const timers = new Timers(t);
  const connections = [];
  const client = new RefreshClient({
    url: "ws://here", random: () => 0.5, features: ["query", "unread", "patch"],
    open: () => {
      connections.push(new ServerConnection());
      return connections.at(-1);
    },
    ...options,
  });
  t.after(() => client.close());
  const errors = [];
  const statuses = [];
  client.addEventListener("error", ({ detail }) => errors.push(detail));
  client.addEventListener("status", ({ detail }) => statuses.push(detail));
  const view = client.view(name, () => ({ profile: "default" }), [], () => ({}));
  /** Connects, and delivers messages. Returns the connection. */
  async function open(...messages) {
    if (connections.length === 0) client.connect();
    else client.reconnectNow();
    const connection = connections.at(-1);
    await connection.onopen();
    if (messages.length > 0) connection.deliver(...messages);
    return connection;
  }
  return { client, view, connections, errors, statuses, timers, open };
}

/** A storage for sessions in memory. */
export function createStorage() {
  const texts = new Map();
  return {
    getItem: (key) => texts.get(key) ?? null, setItem: (key, text) => { texts.set(key, text); },
    removeItem: (key) => { texts.delete(key); },
  };
}
