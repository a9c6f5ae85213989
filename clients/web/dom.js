// The entry point for web pages: the core, and the adapter of the DOM. The adapter handles touch,
// mouse, wheel and keys, moves the list, draws its indicators, and respects reduced motion.

export * from "./core.js";
export { IndicatorRenderer } from "./indicator-renderer.js";
export { ItemAnchor } from "./item-anchor.js";
export { reducedMotion } from "./motion.js";
export { PlaceKeeper } from "./place-keeper.js";
export { RefreshList } from "./refresh-list.js";
export { ScrollView } from "./scroll-view.js";
