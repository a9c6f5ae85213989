package import RefreshProtocol

/// A fact about one view that its engine is told. Named by what happened; the engine decides what
/// follows.
package enum Event: Hashable, Sendable {
    /// The client's list moved, by the client's own physics.
    case scrolled(ScrollSample)
    /// The finger moved; the physics are the engine's.
    case panned(PanSample)
    indirect case geometryChanged(GeometryChange)
    /// The view came into sight.
    case appeared

    /// A refresh was asked for, with its load.
    case refreshAsked(cause: Cause, animated: Bool)
    /// The indicator was asked for, without a load.
    case refreshShown(animated: Bool)
    /// The indicator was asked to go; a load that runs goes with it.
    case refreshHidden(animated: Bool)
    case moreAsked(cause: Cause)
    case retryAsked(EdgeRole?)
    case cancelAsked(EdgeRole?)
    /// What was loaded, and how it ended, is to be forgotten.
    case resetAsked(EdgeRole?)
    /// The second floor was asked to open or to close.
    case floorAsked(isOpen: Bool)

    /// The client as backend begins a load, or refuses to.
    case loadBegan(LoadID, accepted: Bool)
    /// A backend says that a load is under way; nothing changes, but a stale one is told apart.
    case loadProgressed(LoadID)
    indirect case loadEnded(LoadID, LoadEnding)

    /// The feed has newer data than what was loaded.
    case feedChanged

    case edgeEnabled(EdgeRole, Bool)
    /// New options of the edges; new paging forgets the pages.
    indirect case edgesConfigured(
        refresh: RefreshOptions?, loadMore: LoadMoreOptions?, paging: PagingOptions? = nil,
        pan: PanOptions? = nil)

    /// A deadline may have passed.
    case timePassed
    /// The view is gone: its loads end.
    case detached
}
