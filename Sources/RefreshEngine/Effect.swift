package import RefreshProtocol

/// An order of the engine: one deed each, to be done in order.
package enum Effect: Hashable, Sendable {
    /// Tell the state of an edge, or its progress within it.
    case showEdge(EdgeRole, EdgeState, progress: Double, cause: Cause?, result: LoadResult?)
    /// Tell the state of the second floor, or its progress within it.
    case showFloor(FloorState, progress: Double)
    /// Tell how many items the list has now, and whether there are more.
    case showList(count: Int, hasMore: Bool)
    /// Tell whether there is newer data than what the list shows.
    case showNewer(Bool)
    case play(Haptic)
    case announce(SpokenCue)
    /// Set the daemon's own share of insets.
    case setInset(InsetCommand)
    /// Move the list to a physical content offset.
    case moveContent(OffsetCommand)

    indirect case startLoad(LoadOrder)
    /// A load ended, for the view: deliver what it brought, or tell why it brought nothing; whoever
    /// still works on it is told to stop.
    case endLoad(LoadID, LoadKind, LoadResult)
    /// An answer came to a load that is not current: count it, change nothing.
    case dropLateAnswer(LoadID)
    /// The cursor of the pages does not advance, which has ended the list: the operator is to know.
    case noteStall
    /// What the client asked for cannot be done.
    case refuse(FaultCode)
    /// What the client asked for changes nothing now, and is no fault.
    case ignore(DiagnosticCode)
}
