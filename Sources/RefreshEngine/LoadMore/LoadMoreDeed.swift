package import RefreshProtocol

/// What a transition of the load-more edge did: one deed, which the engine carries out.
package enum LoadMoreDeed: Hashable, Sendable {
    case nothing
    /// The state or progress is to be told.
    case show
    /// The threshold was reached under the finger.
    case arm
    /// The finger went back from it.
    case disarm
    /// A gesture fired: show it and load.
    case fire(LoadID)
    /// A gesture fired, and what it fired waits.
    case queue
    /// A request fired: show it and load.
    case begin(LoadID)
    /// A request fired whose showing waits for the backend: load.
    case ask(LoadID)
    /// Show it: the backend has begun.
    case reveal
    /// It is over, with this result.
    case finish(LoadID, LoadResult)
    /// The load in question is not current.
    case dropLateAnswer(LoadID)
}
