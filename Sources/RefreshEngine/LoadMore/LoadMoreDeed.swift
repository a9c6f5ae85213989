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
    /// A request fired: show it and load.
    case begin(LoadID)
    /// It is over, with this result.
    case finish(LoadID, LoadResult)
    /// The load in question is not current.
    case dropLateAnswer(LoadID)
}
