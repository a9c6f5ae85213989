// What is known of a view's edges: all updates merged (docs/protocol.md, "update").

export const EDGES = ["top", "bottom", "leading", "trailing"];

/** An edge with a change applied: `cause` and `result` belong to one state and go with it. */
export function merged(edge, change) {
  const { cause, result, ...kept } = edge;
  const before = "state" in change ? kept : edge;
  return { ...before, ...change, indicator: { ...edge.indicator, ...change.indicator } };
}
