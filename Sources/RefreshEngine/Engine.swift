package import RefreshProtocol

/// The logic of one view: pull to refresh where its content begins, load more where it ends.
///
/// The engine is a value without a clock, input or output. Its driver passes it facts in the order
/// and with the time of their occurrence. The driver performs the appended effects in order, and
/// calls the engine again when `nextDeadline` has come:
///
/// ```
/// fact ──▶ handle(_:at:into:) ──▶ effects ──▶ the driver sends, loads, waits
///               ▲                                 │
///               └───── loadEnded, timePassed ◀────┘
/// ```
///
/// Instants never run backwards. Any event is legal at any moment; an event without meaning changes
/// nothing. The same events at the same instants give the same effects on every machine. A copy, or
/// an engine that was encoded and decoded in between, continues as the original would.
package struct Engine: Hashable, Sendable, Codable {
    // In an order without padding: small members follow those that end in the middle of a word.
    package internal(set) var options: ViewOptions
    /// Distinguishes this view from earlier views of the same name; part of every load's identity.
    package let generation: UInt32
    package internal(set) var geometry: Geometry
    /// The number of items that the running refresh requested: the paging options may have changed
    /// since.
    var refreshSize: UInt32 = 0
    /// The position of the list in the content, points in reading direction. It is the last
    /// reported or commanded position, or, for a list in flight, the position at the last event.
    package internal(set) var offset: Double
    package internal(set) var gesture = Gesture()

    package internal(set) var refresh: RefreshPhase
    /// Whether the last refresh load failed, so that it can be retried.
    var hasRefreshFailed = false
    /// Whether a refresh has ended since the last finger came down. If so, no pull is visible
    /// before the next finger.
    package internal(set) var isPullSpent = false
    /// Whether a refresh has succeeded in this gesture, which may fire again after it has left the
    /// threshold.
    var isRefreshRenewed = false
    /// Whether the requested refresh is shown with an animation.
    var refreshAnimates = true
    /// Whether a gesture fired the waiting refresh.
    var isQueuedByGesture = false
    /// The cause of the running or next load.
    var refreshCause = Cause.finger
    var moreCause = Cause.finger
    /// The control that requested the running load.
    var refreshTrigger = LoadTrigger.manual
    var moreTrigger = LoadTrigger.manual

    package internal(set) var loadMore: LoadMorePhase
    /// Whether the next page was requested since the content changed or the list left the zone.
    var hasAskedForMore = false
    /// Whether an accepted page may be followed by another one because it did not fill the
    /// viewport.
    var mayFill = false
    /// Whether a page was accepted whose length in the content is not known yet.
    var isPageLanding = false
    /// Whether that page replaces the room that the client held for it.
    var isRoomLanding = false
    /// Whether a refresh has replaced the list of the running load-more.
    var isMoreSuperseded = false
    /// Whether a page was accepted in this gesture, which may request again after it has left the
    /// threshold.
    var isMoreRenewed = false
    /// Whether a gesture fired the waiting load-more.
    var isMoreQueuedByGesture = false
    /// Whether the client laid out the page that it loads before it reported the end of the load.
    @OmittedIfUsual var isLaidOutEarly: Bool

    package internal(set) var floor = FloorPhase.closed
    /// Whether the list was last moved by `pan`: then only the engine keeps it in its range.
    var ownsPhysics = false
    var filledPages: UInt16 = 0
    var refreshAttempt: UInt16 = 0
    var moreAttempt: UInt16 = 0

    package internal(set) var insets = InsetLedger()
    package internal(set) var paging: Paging
    var lastLoadNumber: UInt32 = 0
    package internal(set) var deadlines = Deadlines()
    /// When the last refresh succeeded; nil if none has.
    package internal(set) var lastUpdated: Instant? {
        get { updatedAt == .never ? nil : updatedAt }
        set { updatedAt = newValue ?? .never }
    }
    var updatedAt = Instant.never

    /// The engine's own movement of the list; nil if the client scrolls it or it rests.
    var motion: Motion?
    /// Whether the position of the list was ever reported or commanded; before that it rests at its
    /// start.
    var isOffsetKnown: Bool
    /// The item that last anchored the list, with its place.
    var anchor = Anchor.none
    /// The scroll speed towards the end; measured only if an option requires it.
    var pace = ScrollSpeedEstimator()
    /// The state of newer data.
    var changes = Changes()

    /// Points by which a shown refresh has moved the resting list; 0 while none is shown.
    var revealedLength = 0.0
    /// When the indicator became visible.
    var shownAt = Instant.origin
    var moreStartedAt = Instant.origin
    /// Until then, no gesture requests the next page.
    var backOffEnd = Instant.origin
    /// Until then, no gesture requests the page after content that the client has not laid out.
    @OmittedIfUsual package internal(set) var layoutEnd: Instant

    /// Creates a view at rest at the physical content offset `offset`; nil: where reading begins.
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
        self.refresh = options.refresh?.isEnabled == true ? .idle : .disabled
        let paging = Paging(options.paging)
        self.paging = paging
        // A single page without a next page (O-IQ-1).
        let open = paging.hasMore ? LoadMorePhase.idle : .noMore
        self.loadMore = options.loadMore?.isEnabled == true ? open : .disabled
    }

    /// When the driver must call the engine with `timePassed`.
    package var nextDeadline: Instant? {
        @inline(__always) get { deadlines.next }
    }

    /// The list's physical content offset, points.
    package var physicalOffset: Double { geometry.mirrored(offset) }

    /// Handles `event`, which happened at `now`, and appends its effects.
    package mutating func handle(
        _ event: Event, at now: Instant, into effects: inout [Effect]
    ) {
        // Nearly every event is a scroll sample. From then on the client reports the position of
        // the list.
        if case .scrolled(let sample) = event {
            handleScroll(sample, at: now, into: &effects)
            if changes.isPending { handlePendingChange(at: now, into: &effects) }
            return
        }
        if let flight { updateOffset(in: flight, at: now) }
        handleInfrequent(event, at: now, into: &effects)
        guard changes.isPending else { return }
        handlePendingChange(at: now, into: &effects)
        // A step that begins here may end at the same instant.
        if case .timePassed = event { handleDeadlines(at: now, into: &effects) }
    }

    private mutating func handleInfrequent(
        _ event: Event, at now: Instant, into effects: inout [Effect]
    ) {
        switch event {
        case .scrolled: break
        case .panned(let sample): handlePan(sample, at: now, into: &effects)
        case .geometryChanged(let change): handleGeometryChange(change, at: now, into: &effects)
        case .appeared: handleAppearance(at: now, into: &effects)
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
            if kind(ofRunning: load) == nil { effects.append(.reportLateAnswer(load)) }
        case .loadEnded(let load, let ending): handleLoadEnd(load, ending, at: now, into: &effects)
        case .feedChanged: handleFeedChange(at: now, into: &effects)
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
