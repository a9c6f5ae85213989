package import RefreshProtocol

/// A fact about one view that its engine is told. Named by what happened; the engine decides what
/// follows.
package enum Event: Hashable, Sendable {
    /// The client's list moved, by the client's own physics.
    case scrolled(ScrollSample)
    /// The finger moved; the physics are the engine's.
    case panned(PanSample)
    indirect case geometryChanged(GeometryChange)

    /// A refresh was asked for, with its load.
    case refreshAsked(cause: Cause, animated: Bool)
    /// The indicator was asked for, without a load.
    case refreshShown(animated: Bool)
    /// The indicator was asked to go; a load that runs goes with it.
    case refreshHidden(animated: Bool)
    case moreAsked(cause: Cause)
    case retryAsked(edge: Edge?)
    case cancelAsked(edge: Edge?)

    /// The client as backend begins a load, or refuses to.
    case loadBegan(LoadID, accepted: Bool)
    /// A backend says that a load is under way; nothing changes, but a stale one is told apart.
    case loadProgressed(LoadID)
    indirect case loadEnded(LoadID, LoadEnding)

    case edgeEnabled(Edge, Bool)
    indirect case edgesConfigured(refresh: RefreshOptions?, loadMore: LoadMoreOptions?)

    /// A deadline may have passed.
    case timePassed
    /// The view is gone: its loads end.
    case detached
}
