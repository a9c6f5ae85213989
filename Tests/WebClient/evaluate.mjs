// Evaluates programmes with the web client's modules. A test compares the result with the daemon's
// evaluator.
//
// Input, one JSON object per line: {"programme":…, "motion":"full|reduced",
// "role":"refresh|loadMore", "inputs":[{"t":…,"state":…,"pull":…,"result":…} or {"t":…}, …]}. The
// default role is `refresh`.
//
// Output, one JSON object for each input: {"values":[…],"texts":[…]}. `values` has ten numbers for
// each layer, in the order of `PROPERTIES` (programme.js). `texts` has a text or null for each
// layer.

import { createInterface } from "node:readline";
import { IndicatorPlayer } from "../../clients/web/indicator-player.js";
import { Programme } from "../../clients/web/programme.js";

const lines = [];
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue;
  const { programme, motion = "full", role = "refresh", inputs } = JSON.parse(line);
  const player = new IndicatorPlayer(new Programme(programme), { motion, role });
  for (const { t, state, pull, result } of inputs) {
    if (state !== undefined) player.setState(state, pull, result, t);
    lines.push(JSON.stringify({ values: [...player.values(t)], texts: player.texts }));
  }
}
process.stdout.write(lines.map((line) => `${line}\n`).join(""));
