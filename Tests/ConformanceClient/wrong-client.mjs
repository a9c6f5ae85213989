// The web client with one plausible mistake, for what only that client does: its driver, with a part of the client
// exchanged before it begins.
//
//     node wrong-client.mjs --list      each mistake, with the case that is to catch it
//     node wrong-client.mjs MISTAKE     the driver of the client that makes it

import { createRequire } from "node:module";
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
  "tells-each-sample": ["local-is-brief", () => { Local.prototype.pan = Stream.prototype.pan; }],
  "does-not-say-what-it-predicts": ["local-predicts", () => saying(["pan"], ({ predicted: _, ...sample }) => sample)],
  "opens-its-room-when-told": ["local-opens-at-once", () => {
    const { pan } = Local.prototype;
    Local.prototype.pan = function panOther(sample) {
      const { inset: _, ...commands } = pan.call(this, sample) ?? {};
      return commands;
    };
  }],
};

const [name] = process.argv.splice(2, 1);
if (name === "--list") {
  console.log(JSON.stringify(Object.fromEntries(Object.entries(MISTAKES).map(([one, [by]]) => [one, by]))));
} else {
  MISTAKES[name][1]();
  await import("../../clients/web/conform/driver.mjs");
}
