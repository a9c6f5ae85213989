// One scroll view as the daemon sees it, on any connection of its session (docs/protocol.md).

import { merged } from "./edges.js";

/**
 * Events, each with the message as `detail`: `attached`, `update`, `items`, `loading`, `load`, `error`. `away`: the
 * connection is lost, and everything stays as it is until the next one. `lost`: the session has ended, and all commands
 * of the daemon are void. `emptied`: the loaded items were dropped while there was no connection.
 */
export class View extends EventTarget {
  /** The state of each edge: all updates merged. */
  top = {};
  bottom = {};
  /** The second floor: its `state`, and `progress` in states that have one. */
  floor = { state: "closed" };
  attached = false;
  /** Whether there is no connection at present. */
  isAway = false;
  /** Whether the next `attached` is of a resumed session. */
  goesOn = false;
  /** Whether the current message repeats the state of a resumed session, which is shown already. */
  isComingBack = false;
  /** The daemon's limit for the silence within a gesture, in milliseconds. */
  silence = undefined;
  /** Called with the time and type of a message other than a sample, to send the current offset before it. */
  preface = null;
  /** The state of the view that the previous page has saved, if this page resumes its session. */
  kept = null;

  #client;

  constructor(client, name, describe, first = [], keep = null) {
    super();
    this.#client = client;
    this.name = name;
    this.describe = describe;
    this.first = first;
    this.keep = keep;
  }

  /** Sends a message about this view; returns its `seq`, or 0 if there is no session. */
  send(type, fields = {}) {
    const message = { type, view: this.name, ...fields };
    if (type === "scroll" || type === "pan" || !this.preface) return this.#client.send(message);
    return this.#client.batch(() => {
      this.preface(performance.now(), type);
      return this.#client.send(message);
    });
  }

  localTime(daemonTime) {
    return this.#client.localTime(daemonTime);
  }

  take(message) {
    if (message.type === "attached") {
      this.attached = true;
      this.isAway = false;
      this.isComingBack = this.goesOn;
      this.goesOn = false;
      this.top = message.top ?? {};
      this.bottom = message.bottom ?? {};
      this.floor = { state: "closed" };
    } else if (message.type === "update") {
      if (message.top) this.top = merged(this.top, message.top);
      if (message.bottom) this.bottom = merged(this.bottom, message.bottom);
      this.floor = message.floor ?? this.floor;
      if (this.isComingBack && !message.list) this.#empty();
    }
    this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
    if (message.type === "update") this.isComingBack = false;
  }

  /** Handles the loss of the connection; the session waits. */
  leave() {
    if (!this.attached || this.isAway) return;
    this.isAway = true;
    this.dispatchEvent(new CustomEvent("away"));
  }

  lose() {
    this.attached = this.isAway = this.isComingBack = false;
    this.kept = null;
    this.top = {};
    this.bottom = {};
    this.floor = { state: "closed" };
    this.dispatchEvent(new CustomEvent("lost"));
  }

  #empty() {
    this.#client.emptied(this);
    this.dispatchEvent(new CustomEvent("emptied"));
  }
}
