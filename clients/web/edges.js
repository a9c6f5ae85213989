// What is known of a view's edges: all updates merged (docs/protocol.md, "update").

export const EDGES = ["top", "bottom", "leading", "trailing"];

/** An edge with a change applied: `cause`, `result` and `progress` belong to one state and go with it. */
export function merged(edge, change) {
  const { cause, result, progress, ...kept } = edge;
  const before = "state" in change ? kept : edge;
  const made = { ...before, ...change };
  // The parameters of a plain spinner come one by one; of a programme there is the name alone.
  if (isObject(change.indicator)) {
    made.indicator = isObject(edge.indicator) ? { ...edge.indicator, ...change.indicator } : change.indicator;
  }
  return made;
}

const isObject = (value) => typeof value === "object" && value !== null;
