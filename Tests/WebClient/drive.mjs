// Drives the logic of the web client's `local` kind (or, with the argument `stream`, of the other) without a browser,
// for the test that compares it with the daemon's own clients.
//
// In, one JSON object a line:
//   {"kind":"session", "origin":…}         another client begins, which has heard and done nothing; `origin`: the daemon's
//                                          clock when the client's shows 0. The first session may leave this line out
//   {"kind":"attached"|"update", "t":…, "message":{…}}  what the daemon says; `attached` may have "offset": where the
//                                                        list begins
//   {"kind":"frame", "t":…, "offset":…, "phase":…, "velocity":…, "cause":…}  where a list that scrolls itself is
//   {"kind":"pan", "t":…, "translation":…, "phase":…, "velocity":…, "cause":…}  a finger on one that does not
//   {"kind":"rest", "t":…}                 time passes while a finger may lie still
//   {"kind":"say", "t":…, "message":{…}}   the host says something else of the view
//   {"kind":"look", "t":…}                 a frame is painted
// Out, one JSON object for each but `session`: {"sent":[messages], "offset":…, "insets":{"top":…},
// "edges":{"top":{"state":…,"progress":…,"values":[…],"texts":[…]},…}}; `offset` and `insets` are where the commands
// of the daemon and of the client have the list and its rooms at that time. `values` and `texts` come with `look`.

import { createInterface } from "node:readline";
import { easing } from "../../clients/web/easing.js";
import { EDGES, merged } from "../../clients/web/edges.js";
import { Local } from "../../clients/web/local.js";
import { Stream } from "../../clients/web/stream.js";

/** A number that commands move, as a client does that is never late. */
class Played {
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
  #offset = new Played();
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
    const Kind = process.argv.includes("stream") ? Stream : Local;
    this.#client = new Kind(this.#view, {}, { motion: process.argv.includes("reduced") ? "reduced" : "full" });
  }

  /** What is sent for a line, and what is shown then. */
  answer(line) {
    this.#follow(this.#step(line), line.t);
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
        // It stays where it is seen.
        const offset = this.#offset.value(t);
        this.#offset.set(offset);
        return this.#client.pan({ offset, ...sample });
      }
      case "rest": return this.#client.rest(t) ?? null;
      case "look": return null;
      case "say":
        this.#view.preface(t, message.type);
        this.#view.send(message.type, message);
        return null;
      case "attached":
        if (sample.offset !== undefined) this.#offset.set(sample.offset);
        this.#client.paint(t, {}, this.#offset.value(t));
        return this.#hear(kind, message, t);
      default: return this.#hear(kind, message, t);
    }
  }

  #hear(type, message, t) {
    const view = this.#view;
    for (const name of EDGES) {
      if (type === "attached") view[name] = message[name];
      else if (message[name]) view[name] = merged(view[name] ?? {}, message[name]);
    }
    return this.#client.take({ ...message, type }, t);
  }

  #follow(commands, t) {
    const { inset, offset } = commands ?? {};
    for (const name of EDGES) {
      if (inset?.[name] === undefined) continue;
      this.#insets[name] ??= new Played();
      this.#insets[name].play(inset, inset[name], t);
    }
    if (offset) this.#offset.play(offset, offset.to, t);
    // As a scroll view lays itself out.
    this.#client.paint(t, {}, this.#offset.value(t));
  }

  #shown({ kind, t }) {
    const edges = {};
    for (const name of EDGES.filter((one) => this.#view[one])) {
      const { state, progress } = this.#client.edge(name);
      edges[name] = { state, progress, ...(kind === "look" ? this.#client.look?.(name, t) : {}) };
    }
    const insets = Object.fromEntries(
      Object.entries(this.#insets).map(([name, played]) => [name, played.value(t)]));
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
