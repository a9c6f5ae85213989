/// What can happen to the second floor.
package enum FloorFact: Hashable, Sendable {
    /// The list is at this part (0...1) of the way; `mayArm` if the release may open it.
    case pulled(progress: Double, mayArm: Bool)
    /// The finger was lifted; `isFast` if its speed alone opens the floor.
    case released(isFast: Bool)
    /// The gesture was taken away.
    case cancelled
    /// The list came to rest.
    case rested
    /// Opening it was asked for.
    case openAsked
    /// Closing it was asked for, by request, by a swipe or by time.
    case closeAsked
    /// The time that opening or closing takes has passed.
    case arrived
    /// The edge has no floor any more.
    case removed
}
