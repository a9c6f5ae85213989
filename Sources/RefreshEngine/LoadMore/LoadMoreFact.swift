package import RefreshProtocol

/// What can happen to the load-more edge.
package enum LoadMoreFact: Hashable, Sendable {
    /// The list is at this part (0...1) of the way to the threshold.
    case neared(progress: Double, Approach)
    /// The finger was lifted; a load may begin so.
    case released(LoadStart)
    /// The gesture was taken away.
    case cancelled
    /// The list came to rest.
    case rested
    /// A load was asked for: by the program, by a retry, by a short page, by coming to rest at the
    /// end. `waits` if it is shown only when the backend began.
    case asked(LoadStart, waits: Bool)
    /// The refresh, which this load waited for, has ended.
    case resumed(LoadID, waits: Bool)
    case loadBegan(LoadID)
    case loadRefused(LoadID)
    /// `hasMore`: whether another page exists.
    case loadEnded(LoadID, LoadResult, hasMore: Bool)
    /// A refresh brought new content, or the pages were forgotten.
    case renewed(hasMore: Bool)
    /// The load in flight, or the wish for one, is to be given up.
    case abandoned
    /// A new gesture may ask again.
    case rearmed
    case enabled(hasMore: Bool)
    case disabled

    /// Under which conditions the end comes near.
    package enum Approach: Hashable, Sendable {
        /// In a gesture that may arm the edge; the release fires.
        case arming
        /// In a gesture that may ask on reaching the threshold, with such a load.
        case reaching(LoadStart)
        /// It is shown and does nothing.
        case showing
    }
}
