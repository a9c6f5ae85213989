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
    /// A finger came down, so the display of an ended refresh ends.
    case touched
    /// A refresh with its load was requested. `waits` states whether the refresh is shown only
    /// after the backend has begun.
    case requested(LoadStart, waits: Bool)
    /// The load of the other edge, for which the refresh waited, has ended. `waits` has the same
    /// meaning as in `requested`.
    case resumed(LoadID, waits: Bool)
    /// A newer request replaces the load in flight by this load.
    case superseded(by: LoadID)
    /// The indicator was requested, without a load.
    case shown
    /// The end of the indicator was requested.
    case hidden(CompletionDisplay)
    case loadBegan(LoadID)
    case loadRefused(LoadID, CompletionDisplay)
    case loadEnded(LoadID, LoadResult, CompletionDisplay)
    /// The time of a phase of the completion display has passed.
    case timeUp(CompletionDisplay)
    case enabled
    case disabled

    /// The conditions under which the content is pulled.
    package enum Pull: Hashable, Sendable {
        /// A finger pulls the content. It may arm the edge, and the release then fires the edge.
        case arming
        /// A finger pulls the content. When the pull reaches the threshold, it may fire the edge
        /// with this load.
        case reaching(LoadStart)
        /// The pull is shown and has no effect.
        case showing
    }

    /// The completion display of a refresh whose load has ended.
    package enum CompletionDisplay: Hashable, Sendable {
        /// The indicator turns for the rest of its minimum time.
        case linger
        /// The result is shown.
        case hold
        /// The indicator closes.
        case finish
        /// Nothing is shown.
        case rest
    }
}
