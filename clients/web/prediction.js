// What a finger's sample makes of a refresh edge (docs/protocol.md, "What a local client predicts"). No DOM, no clock.

/**
 * The state of an edge with that law after a sample in `phase` that has the list at `offset`, its inertia's included;
 * null: only the daemon knows. `isArmed`: it was armed before; `isPan`: the daemon moves the list, so that nobody
 * reports its way back.
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
