/// What a transition of the second floor did: one deed, which the engine carries out.
package enum FloorDeed: Hashable, Sendable {
    case nothing
    /// The state or progress is to be told.
    case show
    /// The threshold was reached under the finger.
    case arm
    /// The finger pulled back from it.
    case disarm
    /// It comes into sight.
    case open
    /// It goes out of sight.
    case close
    /// It is gone at once.
    case remove
}
