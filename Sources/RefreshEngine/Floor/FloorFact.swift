/// The inputs of the second floor's state machine.
package enum FloorFact: Hashable, Sendable {
    /// The list is at this fraction (0...1) of the distance to the threshold; `mayArm`: the release
    /// may open the floor.
    case pulled(progress: Double, mayArm: Bool)
    /// The finger was lifted; `isFast`: its speed alone opens the floor.
    case released(isFast: Bool)
    /// The gesture was cancelled.
    case cancelled
    /// The list came to rest.
    case rested
    /// Opening was requested.
    case openRequested
    /// Closing was requested: explicitly, by a swipe or by a timeout.
    case closeRequested
    /// The time for opening or closing has passed.
    case arrived
    /// The edge no longer has a floor.
    case removed
}
