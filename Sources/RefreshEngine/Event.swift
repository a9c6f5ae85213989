package import RefreshProtocol

/// An event of one view, as input to its engine. The name of an event states what happened. The
/// engine decides what follows.
package enum Event: Hashable, Sendable {
    /// The list moved by the client's physics.
    case scrolled(ScrollSample)
    /// The finger moved, and the engine computes the position of the list.
    case panned(PanSample)
    indirect case geometryChanged(GeometryChange)
    /// The client has reported the rows in sight.
    case rowsVisible(VisibleRows)
    /// The view became visible.
    case appeared
    /// The view is not visible any more.
    case disappeared
    /// The session of the view has a connection, or has lost it.
    case connectionChanged(isConnected: Bool)

    /// A refresh was requested, including its load.
    case refreshRequested(cause: Cause, animated: Bool)
    /// The indicator was requested, without a load.
    case indicatorShowRequested(animated: Bool)
    /// The end of the indicator was requested. A running load ends with it.
    case indicatorHideRequested(animated: Bool)
    case loadMoreRequested(cause: Cause)
    case retryRequested(EdgeRole?)
    case cancelRequested(EdgeRole?)
    /// A reset was requested: loaded pages and their results are discarded.
    case resetRequested(EdgeRole?)
    /// Opening or closing the second floor was requested.
    case floorRequested(isOpen: Bool)

    /// The client's own backend begins a load, or refuses to begin it.
    case loadBegan(LoadID, accepted: Bool)
    /// A backend reports that a load is in progress. Nothing changes, but the engine detects a
    /// report for a load that is not current.
    case loadProgressed(LoadID)
    indirect case loadEnded(LoadID, LoadEnding)

    /// The feed has newer data than the last load. `count`: the number of newer items since the
    /// previous change.
    case feedChanged(count: NewerCount = .unknown)
    /// The operations that were applied may have been in another order in the backend.
    case orderUncertain
    /// Operations on items of the list wait. `shift`: by how many items the rest of the feed moves.
    /// `isStructural`: whether items are inserted or removed.
    case operationsReported(shift: Int, isStructural: Bool)
    /// Operations on items were applied to the list.
    case operationsApplied(AppliedOperations)
    /// An end of the list or an item should come into sight.
    case revealRequested(RevealTarget, animated: Bool)
    /// The user has read the list up to the item with this name.
    indirect case readMarked(String)

    /// The view has a new query. `looksUp`: whether the first page can be in the feed's cache.
    case queryChanged(debounceMs: UInt32, clears: Bool, looksUp: Bool)
    /// The view was attached, and gets its first items without a request. `looksUp`: whether the
    /// first page can be in the feed's cache.
    case firstItemsRequested(looksUp: Bool)
    /// The look-up with this identity has ended; nil: the cache contains no first page.
    indirect case lookUpEnded(LoadID, CachedEnding?)

    case edgeEnabled(EdgeRole, Bool)
    /// The edges got new options. If there are new paging options, the pages are discarded.
    indirect case edgesConfigured(
        refresh: RefreshOptions?, loadMore: LoadMoreOptions?, paging: PagingOptions? = nil,
        pan: PanOptions? = nil)

    /// Time has passed, and a deadline can be due.
    case timePassed
    /// The view was removed, so its loads end.
    case detached
}
