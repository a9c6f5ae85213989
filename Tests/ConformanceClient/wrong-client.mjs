// The web client with one plausible mistake, for what only that client does: its driver, with a part of the client
// exchanged before it begins.
//
//     node wrong-client.mjs --list      each mistake, with the case that is to catch it
//     node wrong-client.mjs MISTAKE     the driver of the client that makes it

import { createRequire } from "node:module";
import { furnish } from "../../clients/web/conform/screen.js";
import { Local } from "../../clients/web/local.js";
import { Stream } from "../../clients/web/stream.js";
import { View } from "../../clients/web/view.js";

const require = createRequire(import.meta.url);

/** What is sent of these types goes through `change` first. */
function saying(types, change) {
  const { send } = View.prototype;
  View.prototype.send = function sendOther(type, fields) {
    return send.call(this, type, types.includes(type) ? change(fields, this) : fields);
  };
}

/** What draws an indicator; it wants a window, which the driver furnishes anew. */
async function drawing() {
  furnish();
  return (await import("../../clients/web/drawing.js")).Drawing.prototype;
}

/** What is told of lists to be moved goes through `change` first, with its view. */
function commanded(change) {
  const { commands } = Stream.prototype;
  Stream.prototype.commands = function commandsOther(message) {
    change(this.view, message);
    return commands.call(this, message);
  };
}

const MISTAKES = {
  "draws-otherwise-than-it-says": ["frames-stream", () => {
    const WebSocket = require(["ws", "/usr/share/nodejs/ws"].find((name) => {
      try {
        return Boolean(require.resolve(name));
      } catch {
        return false;
      }
    }));
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function sendOther(text) {
      return send.call(this, text.replace('"frames":"stream"', '"frames":"plain"'));
    };
  }],
  "tells-what-nobody-wants-to-hear": ["silent-in-the-middle", () => {
    Stream.prototype.scroll = function scroll(sample) {
      this.view.send("scroll", sample);
      return null;
    };
  }],
  "tells-steps-for-travel": ["pan-travel", () => {
    let last = 0;
    saying(["pan"], (sample) => {
      const translation = sample.translation - last;
      last = sample.translation;
      return { ...sample, translation };
    });
  }],
  "is-not-moved": ["pan-is-answered", () => {
    const { commands } = Stream.prototype;
    Stream.prototype.commands = function commandsOther(message) {
      return { ...commands.call(this, message), offset: undefined };
    };
  }],
  "draws-no-first-frame": ["layers-as-attached", () => {
    const { take } = Stream.prototype;
    Stream.prototype.take = function takeOther(message, now) {
      const top = message.type === "attached" ? { ...message.top, frame: undefined } : message.top;
      return take.call(this, { ...message, top }, now);
    };
  }],
  "forgets-layers-that-are-not-repeated": ["frame-merges", async () => {
    const drawn = await drawing();
    const { begin, frame } = drawn;
    drawn.begin = function beginOther(programme) {
      this.programme = programme;
      begin.call(this, programme);
    };
    drawn.frame = function frameOther(values) {
      begin.call(this, this.programme);
      frame.call(this, values);
    };
  }],
  "takes-a-state-and-no-frame-beside-it": ["frame-beside-state", () => {
    const { take } = Stream.prototype;
    Stream.prototype.take = function takeOther(message, now) {
      const { frame: _, ...top } = message.top ?? {};
      return take.call(this, top.state && message.type === "update" ? { ...message, top } : message, now);
    };
  }],
  "keeps-its-programme": ["programme-replaced", async () => {
    const drawn = await drawing();
    const { begin } = drawn;
    drawn.begin = function beginOther(programme) {
      if (this.hasBegun) return;
      this.hasBegun = Boolean(programme);
      begin.call(this, programme);
    };
  }],
  "stops-at-a-strange-layer": ["unknown-layer", async () => {
    const drawn = await drawing();
    const { frame } = drawn;
    drawn.frame = function frameOther(values) {
      if ("comet" in values) return;
      frame.call(this, values);
    };
  }],
  "tells-each-sample": ["local-is-brief", () => { Local.prototype.pan = Stream.prototype.pan; }],
  "does-not-say-what-it-predicts": ["local-predicts", () => saying(["pan"], ({ predicted: _, ...sample }) => sample)],
  "opens-its-room-when-told": ["local-opens-at-once", () => {
    const { pan } = Local.prototype;
    Local.prototype.pan = function panOther(sample) {
      const { inset: _, ...commands } = pan.call(this, sample) ?? {};
      return commands;
    };
  }],
  "throws-nothing": ["pan-velocity", () => saying(["pan"], ({ velocity: _, ...sample }) => sample)],
  "counts-a-throw-by-its-travel": ["pan-velocity", () => saying(["pan"], ({ velocity, ...sample }) => (
    velocity === undefined ? sample : { ...sample, velocity: -velocity }))],
  "reports-where-its-path-ends": ["pan-rests", () => commanded((view, { offset }) => {
    if (offset?.path) setTimeout(() => view.send("scroll", { offset: offset.to, phase: "idle" }), 250);
  })],
  "begins-every-timeline-anew": ["late-is-over", () => { View.prototype.localTime = () => performance.now(); }],
  "keeps-the-room-of-a-view-before": ["attached-inset", () => commanded((_, message) => {
    if (message.type === "attached") delete message.inset;
  })],
  "goes-straight-to-the-end-of-a-path": ["path-is-followed", () => commanded((_, { offset }) => {
    if (offset) delete offset.path;
  })],
};

const [name] = process.argv.splice(2, 1);
if (name === "--list") {
  console.log(JSON.stringify(Object.fromEntries(Object.entries(MISTAKES).map(([one, [by]]) => [one, by]))));
} else {
  await MISTAKES[name][1]();
  await import("../../clients/web/conform/driver.mjs");
}
