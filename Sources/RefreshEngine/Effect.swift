package import RefreshProtocol

/// An order of the engine: one deed each, to be done in order.
package enum Effect: Hashable, Sendable {
    /// Tell the state of an edge, or its progress within it.
    case showEdge(Edge, EdgeState, progress: Double, cause: Cause?, result: LoadResult?)
    case play(Haptic)
    /// Set the daemon's own share of insets.
    case setInset(InsetCommand)
    case moveContent(OffsetCommand)

    indirect case startLoad(LoadOrder)
    /// A load ended, for the view: deliver what it brought, or tell why it brought nothing; whoever
    /// still works on it is told to stop.
    case endLoad(LoadID, LoadKind, LoadResult)
    /// An answer came to a load that is not current: count it, change nothing.
    case dropLateAnswer(LoadID)
    /// What the client asked for cannot be done.
    case refuse(FaultCode)
}
