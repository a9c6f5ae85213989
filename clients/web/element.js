// The entry point that defines the custom element `<refresh-list>`.

import { defineRefreshList } from "./refresh-list-element.js";

export * from "./dom.js";
export { ENGLISH, ListDisplay } from "./list-display.js";
export { RefreshListElement, defineRefreshList } from "./refresh-list-element.js";

defineRefreshList();
