// The web client with one plausible mistake. This script replaces a part of the client, and then
// runs the client's driver. The mistakes concern features that only the web client has.
//
//     node wrong-client.mjs --list      prints each mistake, with the case that must catch it
//     node wrong-client.mjs MISTAKE     runs the driver of the client with this mistake

import { createRequire } from "node:module";
import { installBrowserGlobals } from "../../clients/web/conform/fake-screen.js";
import { ListPatcher } from "../../clients/web/list-patcher.js";
import { LocalClient } from "../../clients/web/local-client.js";
import { StreamClient } from "../../clients/web/stream-client.js";
import { View } from "../../clients/web/view.js";

const require = createRequire(import.meta.url);

/** Applies `change` to the fields of sent messages of these types. */
function changeSent(types, change) {
  const { send } = View.prototype;
  View.prototype.send = function sendOther(type, fields) {
    return send.call(this, type, types.includes(type) ? change(fields, this) : fields);
  };
}

/** Applies `change` to the runs of received patches. */
function changeRuns(change) {
  const { apply } = ListPatcher.prototype;
  ListPatcher.prototype.apply = function applyOther(message, requestList) {
    return apply.call(this, message.runs ? { ...message, runs: change(message.runs) } : message, requestList);
  };
}

/** Returns the prototype of `IndicatorRenderer`. Its module needs browser globals. */
async function rendererPrototype() {
  installBrowserGlobals();
  return (await import("../../clients/web/indicator-renderer.js")).IndicatorRenderer.prototype;
}

/** Applies `change` to messages before their commands are read. `change` also receives the view. */
function changeCommands(change) {
  const { commands } = StreamClient.prototype;
  StreamClient.prototype.commands = function commandsOther(message) {
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
    StreamClient.prototype.scroll = function scroll(sample) {
      this.view.send("scroll", sample);
      return null;
    };
  }],
  "tells-steps-for-travel": ["pan-travel", () => {
    let last = 0;
    changeSent(["pan"], (sample) => {
      const translation = sample.translation - last;
      last = sample.translation;
      return { ...sample, translation };
    });
  }],
  "is-not-moved": ["pan-is-answered", () => {
    const { commands } = StreamClient.prototype;
    StreamClient.prototype.commands = function commandsOther(message) {
      return { ...commands.call(this, message), offset: undefined };
    };
  }],
  "draws-no-first-frame": ["layers-as-attached", () => {
    const { handle } = StreamClient.prototype;
    StreamClient.prototype.handle = function handleOther(message, now) {
      const top = message.type === "attached" ? { ...message.top, frame: undefined } : message.top;
      return handle.call(this, { ...message, top }, now);
    };
  }],
  "forgets-layers-that-are-not-repeated": ["frame-merges", async () => {
    const renderer = await rendererPrototype();
    const { setProgramme, applyFrame } = renderer;
    renderer.setProgramme = function setOtherProgramme(programme) {
      this.programme = programme;
      setProgramme.call(this, programme);
    };
    renderer.applyFrame = function applyOtherFrame(values) {
      setProgramme.call(this, this.programme);
      applyFrame.call(this, values);
    };
  }],
  "takes-a-state-and-no-frame-beside-it": ["frame-beside-state", () => {
    const { handle } = StreamClient.prototype;
    StreamClient.prototype.handle = function handleOther(message, now) {
      const { frame: _, ...top } = message.top ?? {};
      return handle.call(this, top.state && message.type === "update" ? { ...message, top } : message, now);
    };
  }],
  "keeps-its-programme": ["programme-replaced", async () => {
    const renderer = await rendererPrototype();
    const { setProgramme } = renderer;
    renderer.setProgramme = function setOtherProgramme(programme) {
      if (this.hasBegun) return;
      this.hasBegun = Boolean(programme);
      setProgramme.call(this, programme);
    };
  }],
  "stops-at-a-strange-layer": ["unknown-layer", async () => {
    const renderer = await rendererPrototype();
    const { applyFrame } = renderer;
    renderer.applyFrame = function applyOtherFrame(values) {
      if ("comet" in values) return;
      applyFrame.call(this, values);
    };
  }],
  "tells-each-sample": ["local-is-brief", () => { LocalClient.prototype.pan = StreamClient.prototype.pan; }],
  "does-not-say-what-it-predicts": ["local-predicts", () => (
    changeSent(["pan"], ({ predicted: _, ...sample }) => sample))],
  "opens-its-room-when-told": ["local-opens-at-once", () => {
    const { pan } = LocalClient.prototype;
    LocalClient.prototype.pan = function panOther(sample) {
      const { inset: _, ...commands } = pan.call(this, sample) ?? {};
      return commands;
    };
  }],
  "throws-nothing": ["pan-velocity", () => changeSent(["pan"], ({ velocity: _, ...sample }) => sample)],
  "counts-a-throw-by-its-travel": ["pan-velocity", () => changeSent(["pan"], ({ velocity, ...sample }) => (
    velocity === undefined ? sample : { ...sample, velocity: -velocity }))],
  "reports-where-its-path-ends": ["pan-rests", () => changeCommands((view, { offset }) => {
    if (offset?.path) setTimeout(() => view.send("scroll", { offset: offset.to, phase: "idle" }), 250);
  })],
  "begins-every-timeline-anew": ["late-is-over", () => { View.prototype.localTime = () => performance.now(); }],
  "keeps-the-room-of-a-view-before": ["attached-inset", () => changeCommands((_, message) => {
    if (message.type === "attached") delete message.inset;
  })],
  "applies-the-runs-of-a-patch-in-another-order": ["patch-moves", () => changeRuns((runs) => [...runs].reverse())],
  "shows-only-the-new-items-of-a-patch": ["patch-changes", () => {
    const { apply } = ListPatcher.prototype;
    ListPatcher.prototype.apply = function applyOther(message, requestList) {
      const applied = apply.call(this, message, requestList);
      return message.runs && applied ? { ...applied, items: message.runs.flatMap(({ items }) => items ?? []) } : applied;
    };
  }],
  "empties-its-list-at-a-patch-that-does-not-fit": ["patch-unknown-key", () => {
    const { apply } = ListPatcher.prototype;
    ListPatcher.prototype.apply = function applyOther(message, requestList) {
      return apply.call(this, message, requestList) ?? { ...message, mode: "replace", items: [] };
    };
  }],
  "requests-the-list-in-two-frames": ["patch-too-long", () => {
    View.prototype.batch = (send) => send();
  }],
  "requests-the-list-again-for-each-patch": ["patch-then-nothing-until-replace", () => {
    const { apply } = ListPatcher.prototype;
    ListPatcher.prototype.apply = function applyOther(message, requestList) {
      const applied = apply.call(this, message, requestList);
      if (this.isUnfit && message.runs) requestList();
      this.isUnfit = applied === null;
      return applied;
    };
  }],
  "keeps-no-items-over-a-resume": ["patch-after-resume", () => {
    const { applyAttached } = ListPatcher.prototype;
    ListPatcher.prototype.applyAttached = function applyOther(message) { applyAttached.call(this, message, false); };
  }],
  "goes-straight-to-the-end-of-a-path": ["path-is-followed", () => changeCommands((_, { offset }) => {
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
