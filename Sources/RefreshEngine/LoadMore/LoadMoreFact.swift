package import RefreshProtocol

/// The inputs of the load-more edge's state machine.
package enum LoadMoreFact: Hashable, Sendable {
    /// The list has covered this fraction (0...1) of the zone before the threshold.
    case approached(progress: Double, Approach)
    /// The finger was lifted. The value states whether a load may begin.
    case released(LoadStart)
    /// The gesture was cancelled.
    case cancelled
    /// The list came to rest.
    case rested
    /// A load was requested by the program, by a retry, or because the content is too short.
    /// `waits` states whether the load is shown only after the backend has begun.
    case requested(LoadStart, waits: Bool)
    /// The refresh that this load waited for has ended.
    case resumed(LoadID, waits: Bool)
    case loadBegan(LoadID)
    case loadRefused(LoadID)
    /// A load ended. `hasMore` states whether there is a next page.
    case loadEnded(LoadID, LoadResult, hasMore: Bool)
    /// A refresh brought new content, or the pages were discarded.
    case contentReplaced(hasMore: Bool)
    /// The load that is in flight, or the request that waits, must be cancelled.
    case loadCancelled
    /// A gesture may request a page again after a failure.
    case rearmed
    case enabled(hasMore: Bool)
    case disabled

    /// The conditions under which the list approaches its end.
    package enum Approach: Hashable, Sendable {
        /// The list approaches in a gesture that may arm the edge. The release then fires the edge.
        case arming
        /// The list approaches in a gesture that may request this load at the threshold.
        case reaching(LoadStart)
        /// The approach is shown and has no effect.
        case showing
    }
}
