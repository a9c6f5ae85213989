// Drives a `LocalClient` without a browser. With the argument `stream`, it drives a `StreamClient`.
// With the argument `reduced`, the client uses reduced motion. Tests compare the output with that
// of the client in Swift.
//
// Input, one JSON object per line:
//   {"kind":"session", "origin":…}
//     Starts another client. `origin` is the daemon's clock at time 0 of the client's clock. If
//     the input does not begin with this line, the first client has the origin 0.
//   {"kind":"attached"|"update", "t":…, "message":{…}}
//     Delivers a message of the daemon. `attached` may have `offset`, the list's initial offset.
//   {"kind":"frame", "t":…, "offset":…, "phase":…, "velocity":…, "cause":…}
//     Reports the offset of a list that the browser scrolls.
//   {"kind":"pan", "t":…, "translation":…, "phase":…, "velocity":…, "cause":…}
//     Reports the finger's translation. The list moves by commands, and not by the browser.
//   {"kind":"rest", "t":…}
//     Reports only the time. If a finger rests, the client sends a keep-alive sample when due.
//   {"kind":"send", "t":…, "message":{…}}
//     Sends a message of another type about the view.
//   {"kind":"paint", "t":…}
//     Paints a frame.
//
// Output, one JSON object for each line except `session`: {"sent":[messages], "offset":…,
// "insets":{"top":…}, "edges":{"top":{"state":…,"progress":…,"values":[…],"texts":[…]},…}}.
// `offset` and `insets` result from the commands of the daemon and of the client. Only the output
// for `paint` has `values` and `texts`.

import { createInterface } from "node:readline";
import { easing } from "../../clients/web/easing.js";
import { EDGES, mergedEdge } from "../../clients/web/edges.js";
import { LocalClient } from "../../clients/web/local-client.js";
import { StreamClient } from "../../clients/web/stream-client.js";

/** A number that is animated by commands. Each animation starts when its command arrives. */
class AnimatedNumber {
  #from = 0;
  #to = 0;
  #command = { start: 0, duration: 0 };

  constructor(value = 0) { this.set(value); }

  set(value) {
    this.#to = value;
    this.#command = { start: 0, duration: 0 };
  }

  play(command, to, t) {
    this.#from = this.value(t);
    this.#to = to;
    this.#command = { start: t, duration: 0, ...command };
  }

  value(t) {
    const { start, duration, curve, path } = this.#command;
    const time = t - start;
    if (time >= duration) return this.#to;
    if (!path) return this.#from + (this.#to - this.#from) * easing(curve)(time / duration);
    const next = path.findIndex(([at]) => at > time);
    if (next <= 0) return path[0][1];
    const [[t0, v0], [t1, v1]] = [path[next - 1], path[next]];
    return v0 + ((v1 - v0) * (time - t0)) / (t1 - t0);
  }
}

class Session {
  #client;
  #view;
  #sent = [];
  #seq = 0;
  #offset = new AnimatedNumber();
  #insets = {};

  constructor(origin = 0) {
    this.#view = {
      localTime: (time) => time - origin,
      send: (type, fields) => {
        this.#seq += 1;
        this.#sent.push({ type, seq: this.#seq, ...fields });
        return this.#seq;
      },
    };
    const Kind = process.argv.includes("stream") ? StreamClient : LocalClient;
    this.#client = new Kind(this.#view, {}, { motion: process.argv.includes("reduced") ? "reduced" : "full" });
  }

  /**
   * Returns the messages that the client sends for a line of input, and the offset, the insets and
   * the edges after this line.
   */
  answer(line) {
    this.#apply(this.#step(line), line.t);
    return { sent: this.#sent.splice(0), ...this.#shown(line) };
  }

  #step({ kind, message, ...sample }) {
    const { t } = sample;
    switch (kind) {
      case "frame":
        this.#offset.set(sample.offset);
        return this.#client.scroll(sample);
      case "pan": {
        if (sample.phase !== "began") return this.#client.pan(sample);
        // The pan ends an animation of the offset: the list stays at the shown offset.
        const offset = this.#offset.value(t);
        this.#offset.set(offset);
        return this.#client.pan({ offset, ...sample });
      }
      case "rest": return this.#client.sendKeepAlive(t) ?? null;
      case "paint": return null;
      case "send":
        this.#view.beforeSend(t, message.type);
        this.#view.send(message.type, message);
        return null;
      case "attached":
        if (sample.offset !== undefined) this.#offset.set(sample.offset);
        this.#client.paint(t, {}, this.#offset.value(t));
        return this.#receive(kind, message, t);
      default: return this.#receive(kind, message, t);
    }
  }

  #receive(type, message, t) {
    const view = this.#view;
    for (const name of EDGES) {
      if (type === "attached") view[name] = message[name];
      else if (message[name]) view[name] = mergedEdge(view[name] ?? {}, message[name]);
    }
    return this.#client.handle({ ...message, type }, t);
  }

  #apply(commands, t) {
    const { inset, offset } = commands ?? {};
    for (const name of EDGES) {
      if (inset?.[name] === undefined) continue;
      this.#insets[name] ??= new AnimatedNumber();
      this.#insets[name].play(inset, inset[name], t);
    }
    if (offset) this.#offset.play(offset, offset.to, t);
    // Draws after each line of input, as a scroll view draws after each layout.
    this.#client.paint(t, {}, this.#offset.value(t));
  }

  #shown({ kind, t }) {
    const edges = {};
    for (const name of EDGES.filter((one) => this.#view[one])) {
      const { state, progress } = this.#client.edge(name);
      edges[name] = { state, progress, ...(kind === "paint" ? this.#client.shownValues?.(name, t) : {}) };
    }
    const insets = Object.fromEntries(
      Object.entries(this.#insets).map(([name, number]) => [name, number.value(t)]));
    return { offset: this.#offset.value(t), insets, edges };
  }
}

let session = new Session();
const lines = [];
for await (const text of createInterface({ input: process.stdin })) {
  if (text.trim() === "") continue;
  const line = JSON.parse(text);
  if (line.kind === "session") session = new Session(line.origin);
  else lines.push(JSON.stringify(session.answer(line)));
}
process.stdout.write(lines.map((line) => `${line}\n`).join(""));
