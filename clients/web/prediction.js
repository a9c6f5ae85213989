// The prediction of the refresh edge's state after a sample of a finger (docs/protocol.md, "What a local client
// predicts"). No DOM, no clock.

/**
 * The state of an edge with this law after a sample in `phase` at `offset`, including samples of inertia; null if only
 * the daemon knows. `isArmed`: whether the edge was armed before. `isPan`: whether the daemon moves the list, so that
 * no samples report its way back.
 */
export function predicted(phase, offset, law, { isArmed, isPan }) {
  const still = law.pull(offset) > 0 ? "pulling" : "idle";
  const over = isPan ? "idle" : still;
  if (phase === "decelerating" || phase === "idle") return law.pull(offset) < 1 ? still : null;
  if (phase === "cancelled") return isArmed ? null : over;
  if (law.arm === null) {
    if (phase === "ended" && isPan) return "idle";
    return law.pull(offset) < 1 ? still : null;
  }
  if (!law.arms(offset, isArmed)) return phase === "ended" ? over : still;
  if (law.fires === "reach") return "refreshing";
  if (phase !== "ended") return "eligible";
  return law.fires === "release" ? "refreshing" : null;
}
