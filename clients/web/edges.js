// Merges updates into the state of a view's edges (docs/protocol.md, "update").

export const EDGES = ["top", "bottom", "leading", "trailing"];

/**
 * Returns an edge with a change applied. `cause`, `result` and `progress` belong to one state and
 * end with it.
 */
export function mergedEdge(edge, change) {
  const { cause, result, progress, ...kept } = edge;
  const before = "state" in change ? kept : edge;
  const after = { ...before, ...change };
  // The parameters of a plain spinner arrive one by one. For a programme, there is only its name.
  if (isObject(change.indicator)) {
    after.indicator = isObject(edge.indicator) ? { ...edge.indicator, ...change.indicator } : change.indicator;
  }
  return after;
}

const isObject = (value) => typeof value === "object" && value !== null;
