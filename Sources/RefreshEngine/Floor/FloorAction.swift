/// The action of a transition of the second floor, which the engine performs.
package enum FloorAction: Hashable, Sendable {
    case nothing
    /// Send the state or progress.
    case show
    /// The threshold was reached under the finger.
    case arm
    /// The finger pulled back from the threshold.
    case disarm
    /// The floor becomes visible.
    case open
    /// The floor becomes invisible.
    case close
    /// The floor disappears immediately.
    case remove
}
