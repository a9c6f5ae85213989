package import RefreshProtocol

/// What can happen to the refresh edge.
package enum RefreshFact: Hashable, Sendable {
    /// The content is at this part (0...1) of the way to the threshold.
    case pulled(progress: Double, Pull)
    /// The finger was lifted; a load may begin so.
    case released(LoadStart)
    /// The gesture was taken away.
    case cancelled
    /// The list came to rest.
    case rested
    /// A finger came down: what is still shown of an ended refresh is over.
    case touched
    /// A refresh with its load was asked for; `waits` if it is shown only when the backend began.
    case asked(LoadStart, waits: Bool)
    /// The other edge's load, which this one waited for, has ended; `waits` as for `asked`.
    case resumed(LoadID, waits: Bool)
    /// The indicator was asked for, without a load.
    case shown
    /// The indicator was asked to go.
    case hidden(Aftermath)
    case loadBegan(LoadID)
    case loadRefused(LoadID, Aftermath)
    case loadEnded(LoadID, LoadResult, Aftermath)
    /// What was shown for a time has been shown for it.
    case timeUp(Aftermath)
    case enabled
    case disabled

    /// Under which conditions the content is pulled.
    package enum Pull: Hashable, Sendable {
        /// By a finger that may arm the edge; the release fires.
        case arming
        /// By a finger that may fire on reaching the threshold, with such a load.
        case reaching(LoadStart)
        /// It is shown and does nothing.
        case showing
    }

    /// What is still to be shown of a refresh whose load has ended.
    package enum Aftermath: Hashable, Sendable {
        /// The turning indicator, for the rest of its least time.
        case linger
        /// The result.
        case hold
        /// Its going.
        case finish
        /// Nothing.
        case rest
    }
}
