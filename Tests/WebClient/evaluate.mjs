// Evaluates programmes with the web client's own modules, for the test that compares it with the daemon's evaluator.
//
// In, one JSON object a line: {"programme":…, "motion":"full|reduced", "role":"refresh|loadMore",
// "inputs":[{"t":…,"state":…,"pull":…,"result":…} or {"t":…}, …]}; role may be left out (refresh).
// Out, one JSON object for each input: {"values":[…],"texts":[…]}: ten numbers a layer in the order of the
// layers (x y rotation scale opacity red green blue strokeStart strokeEnd), and a text or null a layer.

import { createInterface } from "node:readline";
import { Player } from "../../clients/web/player.js";
import { Programme } from "../../clients/web/programme.js";

const lines = [];
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue;
  const { programme, motion = "full", role = "refresh", inputs } = JSON.parse(line);
  const player = new Player(new Programme(programme), { motion, role });
  for (const { t, state, pull, result } of inputs) {
    if (state !== undefined) player.show(state, pull, result, t);
    lines.push(JSON.stringify({ values: [...player.values(t)], texts: player.texts }));
  }
}
process.stdout.write(lines.map((line) => `${line}\n`).join(""));
