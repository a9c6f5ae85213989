// A program that uses the core of the installed package in Node, with the WebSocket of Debian's node-ws. It connects to the
// daemon, loads two pages, loses its connection, resumes its session, and refreshes. It prints each step.
//
//     node core-client.mjs ws://127.0.0.1:8080/v1/session

import { LocalClient, RefreshClient } from "refreshd-client/core";
import WebSocket from "ws";

const sockets = [];
class TerminableSocket extends WebSocket {
  constructor(...arguments_) {
    super(...arguments_);
    sockets.push(this);
  }
}

const client = new RefreshClient({
  url: process.argv[2], name: "core-client/1.0", frames: "local", features: ["query"], WebSocket: TerminableSocket,
});
const view = client.view("list", () => ({
  profile: "default", feed: "packages", initial: "load",
  geometry: { viewport: { width: 390, height: 800 }, content: { width: 390, height: 4000 } },
}));
const viewClient = new LocalClient(view);
view.addEventListener("attached", ({ detail }) => viewClient.handle(detail, performance.now()));
view.addEventListener("update", ({ detail }) => viewClient.handle(detail, performance.now()));
client.addEventListener("diagnostic", ({ detail }) => console.log("diagnostic", detail.code, detail.field));
client.addEventListener("error", ({ detail }) => console.log("error", detail.code));

const next = (target, type) => new Promise((done) => {
  target.addEventListener(type, ({ detail }) => done(detail), { once: true });
});
let items = next(view, "items");
client.connect();
console.log("first", (await items).mode, (await items).items.length);

items = next(view, "items");
view.send("loadMore", { cause: "code" });
console.log("more", (await items).mode);

const welcome = next(client, "welcome");
sockets.at(-1).terminate();
await next(client, "status");
items = next(view, "items");
view.send("refresh", { cause: "code" }); // waits for the connection
client.reconnectNow();
console.log("resumed", (await welcome).resumed);
console.log("again", (await items).mode, viewClient.edge("top").role);
client.close();
