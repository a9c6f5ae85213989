package import RefreshProtocol

/// The action of a transition of the refresh edge, which the engine performs.
package enum RefreshAction: Hashable, Sendable {
    case nothing
    /// Send the state or progress.
    case show
    /// The threshold was reached under the finger.
    case arm
    /// The finger pulled back from the threshold.
    case disarm
    /// A gesture fired: show the refresh and load.
    case fire(LoadID)
    /// A gesture fired, and its load waits.
    case queue
    /// A request fired: show the refresh and load.
    case begin(LoadID)
    /// A request fired: load. The refresh is shown only after the backend has begun.
    case beginHidden(LoadID)
    /// An indicator that is already shown gets a load.
    case attachLoad(LoadID)
    /// This load ends as cancelled, and the load of the new phase begins. The indicator does not
    /// change.
    case supersede(LoadID)
    /// Show the indicator, without a load.
    case reveal
    /// The load ended with this result. The indicator stays visible.
    case conclude(LoadID, LoadResult)
    /// The refresh ended with this result. If there is a load, it was in flight until now.
    case finish(LoadID?, LoadResult?)
    /// Close the indicator. No load is in flight.
    case close
    /// The load is not current.
    case reportLateAnswer(LoadID)
}
