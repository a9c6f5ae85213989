package import RefreshProtocol

/// The logic of one view: pull to refresh where its content begins, load more where it ends.
///
/// The engine is a value without a clock, input or output. Its caller is the driver. The driver
/// passes events in the order in which they happen, each with its time. It performs the appended
/// effects in order. When `nextDeadline` has come, it calls the engine again:
///
/// ```
/// event ─▶ handle(_:at:into:) ──▶ effects ──▶ the driver sends, loads, waits
///               ▲                                 │
///               └───── loadEnded, timePassed ◀────┘
/// ```
///
/// The instants that the driver passes never decrease. Every event is permitted at any time. An
/// event that makes no sense in the current state changes nothing. The same events at the same
/// instants give the same effects on every machine. A copy of an engine behaves like the original.
/// An engine that was encoded and decoded also behaves like the original. A number such as B-IQ-4
/// or O-MR-12 in a comment names a finding, usually a defect, in one of the iOS libraries that the
/// profiles reproduce. Most findings have a test in Tests/RefreshEngineTests/Defects. Findings
/// with `O-` are listed in Tests/RefreshEngineTests/Fixtures/oracle/verdicts.json, there without
/// `O-`. A *place* in a comment is a position of the list in reading direction (see `Geometry`). An
/// edge *fires* when it requests its load. It is *armed* while the release of the finger would fire
/// it.
package struct Engine: Hashable, Sendable {
    // The members are ordered to avoid padding. If a member ends in the middle of a machine word,
    // small members follow it.
    package internal(set) var options: ViewOptions
    /// Distinguishes this view from earlier views of the same name. It is part of the identity of
    /// every load.
    package let generation: UInt32
    package internal(set) var geometry: Geometry
    /// The state with regard to newer data in the feed.
    var changes = Changes()
    /// The position of the list in the content, in points in reading direction. It is the last
    /// reported or commanded position, or, for a list in flight, the position at the last event.
    package internal(set) var offset: Double
    package internal(set) var gesture = Gesture()

    package internal(set) var refresh: RefreshEdge
    var lastLoadNumber: UInt32 = 0
    package internal(set) var loadMore: LoadMoreEdge
    package internal(set) var floor = FloorPhase.closed
    /// Whether the list was last moved by the engine, because the client reports the finger by
    /// `pan`. If it was, the client does not keep the list in its range, and the engine must do
    /// this.
    var ownsPhysics = false
    /// Whether a change of the feed must not shorten a list that is away from its start. The driver
    /// sets this value for clients with features.
    package var keepsPlace = false

    package internal(set) var insets = InsetLedger()
    package internal(set) var paging: Paging
    package internal(set) var deadlines = Deadlines()

    /// The engine's own movement of the list; nil if the client scrolls the list or the list rests.
    var motion: Motion?
    /// Whether the position of the list was ever reported or commanded. Until then, the list rests
    /// at its start.
    var isOffsetKnown: Bool
    /// The pages that the last refresh has requested.
    var refreshPages = PageSpan()
    /// The item that the client last reported as the anchor of the list, with the place of the
    /// item.
    var anchor = Anchor.none
    /// The scroll speed towards the end. It is measured only if an option requires it.
    var scrollSpeed = ScrollSpeedEstimator()
    /// The state for a client with the feature `unread`; nil for any other client.
    var unreadBox: Boxed<Unread>?
    /// The state of a view with random access; nil for any other view.
    var inSightBox: Boxed<InSight>?

    /// Creates a view at rest at the physical content offset `offset`. If `offset` is nil, the list
    /// is where reading begins.
    package init(
        generation: UInt32, options: ViewOptions, geometry change: GeometryChange, offset: Double?
    ) {
        self.generation = generation
        self.options = options
        var geometry = Geometry(options.layout)
        geometry.apply(change)
        self.geometry = geometry
        self.offset = offset.map { geometry.mirrored($0) } ?? geometry.restingOffset
        self.isOffsetKnown = offset != nil
        self.anchor = change.anchor.map { geometry.mirrored($0) } ?? .none
        let paging = Paging(options.paging)
        self.paging = paging
        self.refresh = RefreshEdge(isEnabled: options.refresh?.isEnabled == true)
        // Without paging, the list has a single page and no next page (O-IQ-1).
        self.loadMore = LoadMoreEdge(
            isEnabled: options.loadMore?.isEnabled == true && options.paging.access == .sequential,
            hasMore: paging.hasMore)
        if options.paging.access == .random { inSightBox = Boxed(InSight()) }
    }

    /// The time at which the driver must call the engine with `timePassed`.
    package var nextDeadline: Instant? {
        @inline(__always) get { deadlines.next }
    }

    /// The list's physical content offset, in points.
    package var physicalOffset: Double { geometry.mirrored(offset) }

    /// Handles `event`, which happened at `now`, and appends its effects.
    package mutating func handle(
        _ event: Event, at now: Instant, into effects: inout [Effect]
    ) {
        // Nearly every event is a scroll sample. It contains the position of the list, which is
        // therefore not computed from a flight.
        if case .scrolled(let sample) = event {
            handleScroll(sample, at: now, into: &effects)
            if changes.needsAttention { handleAttention(at: now, into: &effects) }
            return
        }
        if let flight { updateOffset(in: flight, at: now) }
        handleInfrequent(event, at: now, into: &effects)
        guard changes.needsAttention else { return }
        handleAttention(at: now, into: &effects)
        // A deadline that is set while the event is handled can be due at the same instant.
        if case .timePassed = event { handleDeadlines(at: now, into: &effects) }
    }

    private mutating func handleInfrequent(
        _ event: Event, at now: Instant, into effects: inout [Effect]
    ) {
        switch event {
        case .scrolled: break
        case .panned(let sample): handlePan(sample, at: now, into: &effects)
        case .geometryChanged(let change):
            let length = geometry.contentLength
            handleGeometryChange(change, at: now, into: &effects)
            recordRevealGeometry(change, from: length)
        case .rowsVisible(let rows): handleVisibleRows(rows, at: now, into: &effects)
        case .appeared:
            handleAppearance(at: now, into: &effects)
            handleReturn()
        case .disappeared: handleDisappearance()
        case .connectionChanged(let isConnected): handleConnection(isConnected, at: now)
        case .refreshRequested(let cause, let animated):
            handleRefreshRequest(cause, animated: animated, at: now, into: &effects)
        case .indicatorShowRequested(let animated):
            handleIndicatorShowRequest(animated: animated, at: now, into: &effects)
        case .indicatorHideRequested(let animated):
            handleIndicatorHideRequest(animated: animated, at: now, into: &effects)
        case .loadMoreRequested(let cause): handleLoadMoreRequest(cause, at: now, into: &effects)
        case .retryRequested(let role): handleRetryRequest(role, at: now, into: &effects)
        case .cancelRequested(let role): handleCancelRequest(role, at: now, into: &effects)
        case .resetRequested(let role): handleResetRequest(role, at: now, into: &effects)
        case .floorRequested(let isOpen):
            handleFloorRequest(isOpen: isOpen, at: now, into: &effects)
        case .loadBegan(let load, let accepted):
            handleLoadStart(load, accepted: accepted, at: now, into: &effects)
        case .loadProgressed(let load):
            if isLateAnswer(to: load) { effects.append(.reportLateAnswer(load)) }
        case .loadEnded(let load, let ending): handleLoadEnd(load, ending, at: now, into: &effects)
        case .feedChanged(let count): handleFeedChange(count, at: now, into: &effects)
        case .orderUncertain: handleUncertainOrder()
        case .operationsReported(let shift, let isStructural):
            reportOperations(shift: shift, isStructural: isStructural)
        case .operationsApplied(let applied): handleAppliedOperations(applied, into: &effects)
        case .revealRequested(let target, let animated):
            handleRevealRequest(target, animated: animated, into: &effects)
        case .readMarked(let id): if unreadBox != nil { unread?.readMark = id }
        case .queryChanged(let debounceMs, let clears, let looksUp):
            handleQueryChange(
                debounceMs: debounceMs, clears: clears, looksUp: looksUp, at: now, into: &effects)
        case .firstItemsRequested(let looksUp):
            handleFirstItemsRequest(looksUp: looksUp, at: now, into: &effects)
        case .lookUpEnded(let load, let ending):
            handleLookUpEnd(load, ending, at: now, into: &effects)
        case .edgeEnabled(let role, let isEnabled):
            handleEdgeEnabled(role, isEnabled, at: now, into: &effects)
        case .edgesConfigured(let refresh, let loadMore, let paging, let pan):
            configure(
                refresh: refresh, loadMore: loadMore, paging: paging, pan: pan, at: now,
                into: &effects)
        case .timePassed: handleDeadlines(at: now, into: &effects)
        case .detached: handleDetach(at: now, into: &effects)
        }
    }
}
