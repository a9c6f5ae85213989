// What the programs of the README use besides the package: parts of Node, of the package `ws`, and of the user's page.

declare module "ws" {
  const WebSocket: import("refreshd-client/client-types").WebSocketClass;
  export default WebSocket;
}
declare module "node:fs" {
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function writeFileSync(path: string, text: string, options: { mode: number }): void;
  export function rmSync(path: string, options: { force: boolean }): void;
}
declare module "node:module" {
  export function createRequire(url: string): (name: string) => any;
}
interface ImportMeta { url: string }
declare const process: { on(signal: string, handle: () => void): void, exit(): never };

declare const scroller: HTMLElement, stage: HTMLElement, above: HTMLElement, content: HTMLElement;
declare const below: HTMLElement, indicators: HTMLElement;
declare function showRows(mode: string, items: any[]): void;
declare function showStates(...edges: import("refreshd-client/client-types").Edge[]): void;
