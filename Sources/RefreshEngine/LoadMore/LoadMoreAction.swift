package import RefreshProtocol

/// The action of a transition of the load-more edge, which the engine performs.
package enum LoadMoreAction: Hashable, Sendable {
    case nothing
    /// Send the state or progress.
    case show
    /// The threshold was reached under the finger.
    case arm
    /// The finger went back from the threshold.
    case disarm
    /// A gesture fired: show the edge and load.
    case fire(LoadID)
    /// A gesture fired, and its load waits.
    case queue
    /// A request fired: show the edge and load.
    case begin(LoadID)
    /// A request fired: load. The edge is shown only after the backend has begun.
    case beginHidden(LoadID)
    /// Show the edge: the backend has begun.
    case reveal
    /// The load ended with this result.
    case finish(LoadID, LoadResult)
    /// The load is not current.
    case reportLateAnswer(LoadID)
}
