// One scroll view as the daemon sees it, on whatever connection of its session (docs/protocol.md).

import { merged } from "./edges.js";

/**
 * Events, each with the message as `detail`: `attached`, `update`, `items`, `loading`, `load`, `error`. `away`: there is
 * no connection for now, and all stays as it is until there is. `lost`: the session ended, with everything the daemon
 * had asked for void. `emptied`: what was loaded was given up while nobody listened.
 */
export class View extends EventTarget {
  /** What is known of each edge: all updates merged. */
  top = {};
  bottom = {};
  /** The second floor: its `state`, and `progress` where that has one. */
  floor = { state: "closed" };
  attached = false;
  /** There is no connection for now. */
  isAway = false;
  /** The session that is about to be told of is the one there was. */
  goesOn = false;
  /** A message is being told that says anew all that holds, of what is shown already. */
  isComingBack = false;
  /** How long a gesture may be silent, in milliseconds, as the daemon says. */
  silence = undefined;
  /** Called with the time and the type of a message that is not of where the list is, to say that first. */
  preface = null;
  /** What the page that was here before has kept of the view, if this one goes on with it. */
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

  /** Says something about this view; returns its `seq`, or 0 when nobody listens. */
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

  /** The connection is gone, and the session waits. */
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
