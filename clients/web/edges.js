// Merges updates into the state of a view's edges (docs/protocol.md, "update").

export const EDGES = ["top", "bottom", "leading", "trailing"];

/**
 * Returns an edge with a change applied. A new state removes `cause`, `result` and `progress`.
 */
export function mergedEdge(edge, change) {
  const { cause, result, progress, ...kept } = edge;
  const before = "state" in change ? kept : edge;
  const after = { ...before, ...change };
  // The daemon sends only the changed parameters of a plain spinner, so they are merged. For an
  // edge with a programme, `indicator` is only the name.
  if (isObject(change.indicator)) {
    after.indicator = isObject(edge.indicator) ? { ...edge.indicator, ...change.indicator } : change.indicator;
  }
  return after;
}

const isObject = (value) => typeof value === "object" && value !== null;
