// Predicts the refresh edge's state after a sample of a finger (docs/protocol.md, "What a local
// client predicts"). This module uses no DOM and no clock.

/**
 * Returns the state of an edge with this law after a sample in `phase` at `offset`. Null if only
 * the daemon can determine the state. The sample can belong to inertia. `isArmed`: the edge was
 * armed before. `isPan`: the daemon moves the list, so that no samples report how the list returns.
 */
export function predictedState(phase, offset, law, { isArmed, isPan }) {
  const unarmed = law.pull(offset) > 0 ? "pulling" : "idle";
  const released = isPan ? "idle" : unarmed;
  if (phase === "decelerating" || phase === "idle") return law.pull(offset) < 1 ? unarmed : null;
  if (phase === "cancelled") return isArmed ? null : released;
  if (law.arm === null) {
    if (law.pull(offset) >= 1) return null;
    return phase === "ended" ? released : unarmed;
  }
  if (!law.arms(offset, isArmed)) return phase === "ended" ? released : unarmed;
  if (law.fires === "reach") return "refreshing";
  if (phase !== "ended") return "eligible";
  return law.fires === "release" ? "refreshing" : null;
}
