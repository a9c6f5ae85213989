package import RefreshProtocol

/// What can happen to the refresh edge.
package enum RefreshFact: Hashable, Sendable {
    /// The content is at this part (0...1) of the way to the threshold.
    case pulled(progress: Double, Pull)
    /// The finger was lifted; a load of this identity may begin.
    case released(LoadID)
    /// The gesture was taken away.
    case cancelled
    /// The list came to rest.
    case rested
    /// A refresh with its load was asked for; `waits` if it is shown only when the backend began.
    case asked(LoadID, waits: Bool)
    /// The indicator was asked for, without a load.
    case shown
    /// The indicator was asked to go.
    case hidden
    case loadBegan(LoadID)
    case loadRefused(LoadID)
    case loadEnded(LoadID, LoadResult)
    case enabled
    case disabled

    /// Under which conditions the content is pulled.
    package enum Pull: Hashable, Sendable {
        /// By a finger that may arm the edge; the release fires.
        case arming
        /// By a finger, to fire on reaching the threshold, with a load of this identity.
        case reaching(LoadID)
        /// By inertia, or in a gesture that has fired already: it is shown and does nothing.
        case showing
    }
}
