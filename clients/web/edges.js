// The state of a view's edges: all updates merged (docs/protocol.md, "update").

export const EDGES = ["top", "bottom", "leading", "trailing"];

/** An edge with a change applied. `cause`, `result` and `progress` belong to one state and end with it. */
export function merged(edge, change) {
  const { cause, result, progress, ...kept } = edge;
  const before = "state" in change ? kept : edge;
  const made = { ...before, ...change };
  // The parameters of a plain spinner arrive individually. For a programme, there is only its name.
  if (isObject(change.indicator)) {
    made.indicator = isObject(edge.indicator) ? { ...edge.indicator, ...change.indicator } : change.indicator;
  }
  return made;
}

const isObject = (value) => typeof value === "object" && value !== null;
