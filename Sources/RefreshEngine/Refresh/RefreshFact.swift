package import RefreshProtocol

/// The inputs of the refresh edge's state machine.
package enum RefreshFact: Hashable, Sendable {
    /// The content is at this fraction (0...1) of the distance to the threshold.
    case pulled(progress: Double, Pull)
    /// The finger was lifted. The value states whether a load may begin.
    case released(LoadStart)
    /// The gesture was cancelled.
    case cancelled
    /// The list came to rest.
    case rested
    /// A finger came down: the display of an ended refresh is over.
    case touched
    /// A refresh with its load was requested; `waits`: whether the refresh is shown only after the
    /// backend has begun.
    case requested(LoadStart, waits: Bool)
    /// The load of the other edge, for which the refresh waited, has ended. `waits` has the same
    /// meaning as in `requested`.
    case resumed(LoadID, waits: Bool)
    /// The indicator was requested, without a load.
    case shown
    /// The end of the indicator was requested.
    case hidden(CompletionDisplay)
    case loadBegan(LoadID)
    case loadRefused(LoadID, CompletionDisplay)
    case loadEnded(LoadID, LoadResult, CompletionDisplay)
    /// The time of a timed display has passed.
    case timeUp(CompletionDisplay)
    case enabled
    case disabled

    /// The conditions under which the content is pulled.
    package enum Pull: Hashable, Sendable {
        /// By a finger that may arm the edge; the release fires.
        case arming
        /// By a finger that may fire on reaching the threshold, with this load.
        case reaching(LoadStart)
        /// The pull is shown and has no effect.
        case showing
    }

    /// The completion display of a refresh whose load has ended.
    package enum CompletionDisplay: Hashable, Sendable {
        /// The turning indicator, for the rest of its minimum time.
        case linger
        /// The result.
        case hold
        /// The closing of the indicator.
        case finish
        /// Nothing is shown.
        case rest
    }
}
