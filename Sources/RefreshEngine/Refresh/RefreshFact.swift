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
    /// A finger touched the list. If the result of a refresh is still shown, this display ends.
    case touched
    /// A refresh with its load was requested. `waits` states whether the refresh is shown only
    /// after the backend has begun the load.
    case requested(LoadStart, waits: Bool)
    /// The load of the other edge, for which the refresh waited, has ended. `waits` has the same
    /// meaning as in `requested`.
    case resumed(LoadID, waits: Bool)
    /// A newer request replaces the load in flight by this load.
    case superseded(by: LoadID)
    /// The client requested the indicator without a load (`begin`).
    case shown
    /// The end of the refresh was requested. A load in flight is cancelled, and the indicator
    /// closes. The value states what is shown next.
    case hidden(CompletionDisplay)
    case loadBegan(LoadID)
    case loadRefused(LoadID, CompletionDisplay)
    case loadEnded(LoadID, LoadResult, CompletionDisplay)
    /// The time of a phase of the completion display has passed. The value is the phase that
    /// follows.
    case timeUp(CompletionDisplay)
    case enabled
    case disabled

    /// The effect that a pull can have.
    package enum Pull: Hashable, Sendable {
        /// A finger pulls the content. At the threshold, the pull arms the edge. The release of an
        /// armed edge fires it.
        case arming
        /// A finger pulls the content, or a fling overshoots the start of the list. When the pull
        /// reaches the threshold, it fires the edge. The value states whether a load may begin.
        case reaching(LoadStart)
        /// The pull is shown, but can neither arm nor fire the edge.
        case showing
    }

    /// The phase of the completion display, which begins when the load of a refresh has ended.
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
