// The entry point of the core: a session without a screen. It needs no DOM, and runs in Node 18 too.

export { Backoff, mayReconnect } from "./backoff.js";
export { DetailEvent } from "./detail-event.js";
export { Features } from "./features.js";
export { Heartbeat } from "./heartbeat.js";
export { ListPatcher } from "./list-patcher.js";
export { LocalClient } from "./local-client.js";
export { Outbox } from "./outbox.js";
export { RefreshClient, sessionURL } from "./refresh-client.js";
export { ResumeState } from "./resume-state.js";
export { sectionsOf } from "./sections.js";
export { StreamClient } from "./stream-client.js";
export { View } from "./view.js";
