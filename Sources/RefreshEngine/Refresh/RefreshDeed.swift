package import RefreshProtocol

/// What a transition of the refresh edge did: one deed, which the engine carries out.
package enum RefreshDeed: Hashable, Sendable {
    case nothing
    /// The state or progress is to be told.
    case show
    /// The threshold was reached under the finger.
    case arm
    /// The finger pulled back from it.
    case disarm
    /// A gesture fired: show it and load.
    case fire(LoadID)
    /// A gesture fired, and what it fired waits.
    case queue
    /// A request fired: show it and load.
    case begin(LoadID)
    /// A request fired whose showing waits for the backend: load.
    case ask(LoadID)
    /// What is shown already gets a load.
    case join(LoadID)
    /// Show it, without a load.
    case reveal
    /// The load ended with this result; the indicator stays.
    case conclude(LoadID, LoadResult)
    /// It is over, with this result; this load was in flight.
    case finish(LoadID?, LoadResult?)
    /// What was shown of an ended refresh goes.
    case close
    /// The load in question is not current.
    case dropLateAnswer(LoadID)
}
