package import RefreshProtocol

/// The logic of one view: pull to refresh where its content begins, load more where it ends.
///
/// A value without a clock, input or output. Its driver tells it facts, in the order in which they
/// happened and with the time at which they did, carries out the effects it appends, in order, and
/// asks again when `nextDeadline` has come:
///
/// ```
/// fact ──▶ handle(_:at:into:) ──▶ effects ──▶ the driver sends, loads, waits
///               ▲                                 │
///               └───── loadEnded, timePassed ◀────┘
/// ```
///
/// Instants never run backwards. Any event is legal at any moment; what makes no sense changes
/// nothing. The same events at the same instants give the same effects, on every machine; a copy,
/// or one that was encoded and decoded in between, goes on as the original would.
package struct Engine: Hashable, Sendable, Codable {
    // In the order that leaves no gap: what is small stands behind what ends in the middle of a
    // word.
    package internal(set) var options: ViewOptions
    /// Tells this view from earlier ones of the same name; part of every load's identity.
    package let generation: UInt32
    package internal(set) var geometry: Geometry
    /// Items that the running refresh asked for: the paging may have changed since.
    var refreshSize: UInt32 = 0
    /// How far into the content the list is, points in reading direction; as reported or commanded
    /// last, or, of a list that flies, where it was at the last event.
    package internal(set) var offset: Double
    package internal(set) var gesture = Gesture()

    package internal(set) var refresh: RefreshPhase
    /// Whether the last refresh load failed, so that it may be repeated.
    var hasRefreshFailed = false
    /// Whether a refresh has ended since the last finger came down, and no pull is seen before the
    /// next.
    package internal(set) var isPullSpent = false
    /// Whether a refresh has succeeded in this gesture, which may fire again when it has left the
    /// threshold.
    var isRefreshRenewed = false
    /// Whether the refresh that was asked for shows itself in time, or at once.
    var refreshAnimates = true
    /// Whether the refresh that waits was fired by a gesture.
    var isQueuedByGesture = false
    /// Why the running or next load runs.
    var refreshCause = Cause.finger
    var moreCause = Cause.finger
    /// Which control asked for the running load.
    var refreshTrigger = LoadTrigger.manual
    var moreTrigger = LoadTrigger.manual

    package internal(set) var loadMore: LoadMorePhase
    /// Whether the next page was asked for since the content changed or the list left the zone.
    var hasAskedForMore = false
    /// Whether an accepted page may be followed by another because it did not fill the viewport.
    var mayFill = false
    /// Whether a page was accepted whose room in the content is not known yet.
    var isPageLanding = false
    /// Whether that page takes the place of the room that the client had for it.
    var isRoomLanding = false
    /// Whether a refresh has replaced the list that the running load-more was for.
    var isMoreSuperseded = false
    /// Whether a page was accepted in this gesture, which may ask again when it has left the
    /// threshold.
    var isMoreRenewed = false
    /// Whether the load-more that waits was fired by a gesture.
    var isMoreQueuedByGesture = false
    /// Whether the client has laid out the page that it loads before it has reported the end.
    @OmittedIfUsual var isLaidOutEarly: Bool

    package internal(set) var floor = FloorPhase.closed
    /// Whether the list was moved by `pan` last: then nobody but the engine keeps it in its range.
    var ownsPhysics = false
    var filledPages: UInt16 = 0
    var refreshAttempt: UInt16 = 0
    var moreAttempt: UInt16 = 0

    package internal(set) var insets = InsetLedger()
    package internal(set) var paging: Paging
    var lastLoadNumber: UInt32 = 0
    package internal(set) var deadlines = Deadlines()
    /// When the last refresh succeeded; nil if none did.
    package internal(set) var lastUpdated: Instant? {
        get { updatedAt == .never ? nil : updatedAt }
        set { updatedAt = newValue ?? .never }
    }
    var updatedAt = Instant.never

    /// What the engine itself does with the list; nil if the client scrolls it, and while it rests.
    var motion: Motion?
    /// Whether anyone told where the list is; before that it rests at its start.
    var isOffsetKnown: Bool
    /// The item that the list was last told to be seen by, and its place.
    var anchor = Anchor.none
    /// How fast the list goes towards its end; only measured where an option asks for it.
    var pace = Pace()
    /// What is known of newer data.
    var changes = Changes()

    /// Points by which a shown refresh has moved the resting list; 0 while none is shown.
    var revealedLength = 0.0
    /// When the indicator came into sight.
    var shownAt = Instant.origin
    var moreStartedAt = Instant.origin
    /// Before it no gesture asks for the next page.
    var backOffEnd = Instant.origin
    /// Before it no gesture asks for what follows content that the client has not laid out.
    @OmittedIfUsual package internal(set) var layoutEnd: Instant

    /// A view at rest: at the physical content offset `offset`, or, with nil, where reading begins.
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
        // One page and never more (O-IQ-1).
        let open = paging.hasMore ? LoadMorePhase.idle : .noMore
        self.loadMore = options.loadMore?.isEnabled == true ? open : .disabled
    }

    /// When the engine wants to be told `timePassed`.
    package var nextDeadline: Instant? {
        @inline(__always) get { deadlines.next }
    }

    /// The list's physical content offset, points.
    package var physicalOffset: Double { geometry.mirrored(offset) }

    /// Appends what follows from `event`, which happened at `now`.
    package mutating func handle(
        _ event: Event, at now: Instant, into effects: inout [Effect]
    ) {
        // Nearly every event is one of these; from then on the client says where the list is.
        if case .scrolled(let sample) = event {
            scrolled(sample, at: now, into: &effects)
            if changes.isPending { followChange(at: now, into: &effects) }
            return
        }
        if let flight { noteFlight(flight, at: now) }
        handleOther(event, at: now, into: &effects)
        guard changes.isPending else { return }
        followChange(at: now, into: &effects)
        // What begins so may have an end at the same instant.
        if case .timePassed = event { timePassed(at: now, into: &effects) }
    }

    private mutating func handleOther(
        _ event: Event, at now: Instant, into effects: inout [Effect]
    ) {
        switch event {
        case .scrolled: break
        case .panned(let sample): panned(sample, at: now, into: &effects)
        case .geometryChanged(let change): geometryChanged(change, at: now, into: &effects)
        case .appeared: appeared(at: now, into: &effects)
        case .refreshAsked(let cause, let animated):
            refreshAsked(cause, animated: animated, at: now, into: &effects)
        case .refreshShown(let animated):
            refreshShown(animated: animated, at: now, into: &effects)
        case .refreshHidden(let animated):
            refreshHidden(animated: animated, at: now, into: &effects)
        case .moreAsked(let cause): moreAsked(cause, at: now, into: &effects)
        case .retryAsked(let role): retryAsked(role, at: now, into: &effects)
        case .cancelAsked(let role): cancelAsked(role, at: now, into: &effects)
        case .resetAsked(let role): resetAsked(role, at: now, into: &effects)
        case .floorAsked(let isOpen): floorAsked(isOpen: isOpen, at: now, into: &effects)
        case .loadBegan(let load, let accepted):
            loadBegan(load, accepted: accepted, at: now, into: &effects)
        case .loadProgressed(let load):
            if kind(ofRunning: load) == nil { effects.append(.dropLateAnswer(load)) }
        case .loadEnded(let load, let ending): loadEnded(load, ending, at: now, into: &effects)
        case .feedChanged: feedChanged(at: now, into: &effects)
        case .edgeEnabled(let role, let isEnabled):
            edgeEnabled(role, isEnabled, at: now, into: &effects)
        case .edgesConfigured(let refresh, let loadMore, let paging, let pan):
            configure(
                refresh: refresh, loadMore: loadMore, paging: paging, pan: pan, at: now,
                into: &effects)
        case .timePassed: timePassed(at: now, into: &effects)
        case .detached: detached(at: now, into: &effects)
        }
    }
}
