package import RefreshProtocol

/// An effect of the engine: one action for the engine's caller. The caller performs the effects in
/// order.
package enum Effect: Hashable, Sendable {
    /// Send the state of an edge, or its progress within the state.
    case showEdge(EdgeRole, EdgeState, progress: Double, cause: Cause?, result: LoadResult?)
    /// Send the state of the second floor, or its progress within the state.
    case showFloor(FloorState, progress: Double)
    /// Send the number of items in the list, and whether there are more.
    case showList(count: Int, hasMore: Bool)
    /// Send whether the feed has newer data than the client shows.
    case showNewer(Bool)
    /// Send the number of newer items, to a client with the feature `unread`.
    case showNewerCount(NewerCount)
    /// Send whether the newest items, at one end of the list, are out of sight. Only a client with
    /// the feature `unread` receives this.
    case showAway(Bool)
    /// Send how a `reveal` has ended.
    case showRevealed(RevealResult)
    /// Apply the operations on items that wait. `releases`: the arrivals that are held back are
    /// shown too.
    case showOperations(releases: Bool)
    case play(Haptic)
    case announce(SpokenCue)
    /// Set the daemon's own inset share.
    case setInset(InsetCommand)
    /// Move the list to a physical content offset.
    case moveContent(OffsetCommand)

    indirect case startLoad(LoadOrder)
    /// A load of the view ended. Deliver its items, or report why there are none. Cancel the work
    /// that is still in progress for the load.
    case endLoad(LoadID, LoadKind, LoadResult)
    /// The items of the list have moved while the page of this load was requested. Drop its answer,
    /// and request the page again in the same load.
    indirect case repeatLoad(LoadOrder)
    /// A load of a page in sight has ended with an accepted answer. Deliver its items. `page` is
    /// counted from 0.
    case endPage(LoadID, page: Int, LoadResult)
    /// The client's request for a refresh starts no new refresh, because one already runs or waits.
    /// Report that refresh as the result of the request. The value is the load of the refresh; nil
    /// if it waits.
    case joinRefresh(LoadID?)
    /// An answer arrived for a load that is not current. The answer is counted, and nothing else
    /// changes.
    case reportLateAnswer(LoadID)
    /// The page cursor does not advance, so the list has ended. Report this to the operator.
    case reportStall
    /// The client's request cannot be performed.
    case refuse(FaultCode)
    /// The client's request has no effect now, and is not a fault.
    case ignore(DiagnosticCode)
}
