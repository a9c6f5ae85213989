// Drives the logic of the web client's `local` kind (or, with the argument `stream`, of the other) without a browser,
// for the test that compares it with the daemon's own clients.
//
// In, one JSON object a line:
//   {"kind":"attached"|"update", "t":…, "message":{…}}  what the daemon says; `attached` may have "offset": where the
//                                                        list begins
//   {"kind":"frame", "t":…, "offset":…, "phase":…, "velocity":…, "cause":…}  where a list that scrolls itself is
//   {"kind":"pan", "t":…, "translation":…, "phase":…, "velocity":…, "cause":…}  a finger on one that does not
//   {"kind":"rest", "t":…}                 time passes while a finger may lie still
//   {"kind":"say", "t":…, "message":{…}}   the host says something else of the view
//   {"kind":"look", "t":…, "offset":…}     a frame is painted; `offset`: where the list is on a way, may be left out
// Out, one JSON object for each: {"sent":[messages], "commands":{"inset":…,"offset":…} or null, "offset":…,
// "edges":{"top":{"state":…,"progress":…,"values":[…],"texts":[…]},…}}; `commands` are what the scroll view is to
// follow at once, with times of the client's clock, `offset` is where the list is under a finger, or was told to be.

import { createInterface } from "node:readline";
import { EDGES, merged } from "../../clients/web/edges.js";
import { Local } from "../../clients/web/local.js";
import { Stream } from "../../clients/web/stream.js";

const sent = [];
let seq = 0;
let offset = 0;
const view = {
  localTime: (time) => time,
  send(type, fields) {
    seq += 1;
    sent.push({ type, seq, ...fields });
    return seq;
  },
};
const Kind = process.argv.includes("stream") ? Stream : Local;
const client = new Kind(view, {}, { motion: process.argv.includes("reduced") ? "reduced" : "full" });

function hear({ kind: type, t, message }) {
  for (const name of EDGES) {
    if (type === "attached") view[name] = message[name];
    else if (message[name]) view[name] = merged(view[name] ?? {}, message[name]);
  }
  return client.take({ ...message, type }, t);
}

function step(line) {
  const { kind, message, ...sample } = line;
  if (line.offset !== undefined) offset = line.offset;
  switch (kind) {
    case "frame": return client.scroll(sample);
    case "pan": return client.pan(sample.phase === "began" ? { offset, ...sample } : sample);
    case "rest": return client.rest(line.t) ?? null;
    case "look": return client.paint(line.t, {}, offset) ?? null;
    case "say":
      view.preface();
      view.send(message.type, message);
      return null;
    case "attached":
      client.paint(line.t, {}, offset);
      return hear(line);
    default: return hear(line);
  }
}

function shown(t) {
  const edges = {};
  for (const name of EDGES.filter((one) => view[one])) {
    const { state, progress } = client.edge(name);
    edges[name] = { state, progress, ...client.look?.(name, t) };
  }
  return edges;
}

const lines = [];
for await (const text of createInterface({ input: process.stdin })) {
  if (text.trim() === "") continue;
  const line = JSON.parse(text);
  const commands = step(line);
  if (commands?.offset) offset = commands.offset.to;
  lines.push(JSON.stringify({ sent: sent.splice(0), commands, offset, edges: shown(line.t) }));
}
process.stdout.write(lines.map((line) => `${line}\n`).join(""));
