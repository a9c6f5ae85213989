// Drives the logic of the web client's `local` kind without a browser, for the test that compares it with the daemon's.
//
// In, one JSON object a line:
//   {"kind":"attached"|"update", "t":…, "message":{…}}  what the daemon says (its fields may also stand beside "kind")
//   {"kind":"frame", "t":…, "offset":…, "phase":…, "velocity":…, "cause":…}  where a list that scrolls itself is
//   {"kind":"pan", "t":…, "translation":…, "phase":…, "velocity":…, "offset":…}  a finger on one that does not
//   {"kind":"rest", "t":…}      a finger lies still
//   {"kind":"look", "t":…, "offset":…}  a frame is painted; offset may be left out
// Out, one JSON object for each: {"sent":[…messages], "commands":{"inset":…,"offset":…} or null,
// "edges":{"top":{"state":…,"progress":…,"values":[…],"texts":[…]},…}}.

import { createInterface } from "node:readline";
import { EDGES, merged } from "../../clients/web/edges.js";
import { Local } from "../../clients/web/local.js";

const sent = [];
let seq = 0;
const view = {
  localTime: (time) => time,
  send(type, fields) {
    seq += 1;
    sent.push({ type, seq, ...fields });
    return seq;
  },
};
const client = new Local(view, {}, { motion: process.argv[2] ?? "full" });
let offset = 0;

function hear({ kind, t, message, ...rest }) {
  const heard = { ...rest, ...message, type: kind };
  for (const name of EDGES) {
    if (kind === "attached") view[name] = heard[name];
    else if (heard[name]) view[name] = merged(view[name] ?? {}, heard[name]);
  }
  return client.take(heard, t);
}

function step(line) {
  const { kind, ...sample } = line;
  if (line.offset !== undefined) offset = line.offset;
  switch (kind) {
    case "frame": return client.scroll(sample);
    case "pan": {
      const commands = client.pan(sample);
      offset = commands?.offset && !commands.offset.path ? commands.offset.to : offset;
      return commands;
    }
    case "rest": client.rest(line.t); return null;
    case "look": client.paint(line.t, {}, offset); return null;
    default: return hear(line);
  }
}

const lines = [];
for await (const text of createInterface({ input: process.stdin })) {
  if (text.trim() === "") continue;
  const line = JSON.parse(text);
  const commands = step(line);
  const edges = {};
  for (const name of EDGES) {
    if (!view[name]) continue;
    const { state, progress } = client.edge(name);
    edges[name] = { state, progress, ...client.look(name, line.t) };
  }
  lines.push(JSON.stringify({ sent: sent.splice(0), commands, edges }));
}
process.stdout.write(lines.map((line) => `${line}\n`).join(""));
