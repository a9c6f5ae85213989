package import RefreshProtocol

/// The logic of one view: pull to refresh at its top, load more at its end.
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
/// nothing. The same events at the same instants give the same effects, on every machine.
package struct Engine: Hashable, Sendable {
    /// Tells this view from earlier ones of the same name; part of every load's identity.
    package let generation: UInt32
    package internal(set) var options: ViewOptions
    package internal(set) var geometry = Geometry()
    /// Content offset, points; as reported or commanded last.
    package internal(set) var offset: Double
    package internal(set) var gesture = Gesture()
    package internal(set) var refresh: RefreshPhase
    package internal(set) var loadMore: LoadMorePhase
    package internal(set) var insets = InsetLedger()
    package internal(set) var paging: Paging
    package internal(set) var deadlines = Deadlines()

    /// The finger's travel in the physics of `pan`; nil outside such a gesture.
    var pan: PanPhysics?
    /// The list springs back after a released `pan`.
    var spring: SpringBack?
    /// Whether the list was moved by `pan` last: then nobody but the engine keeps it in its range.
    var ownsPhysics = false
    /// Whether anyone told where the list is; before that it rests at its top.
    var isOffsetKnown: Bool

    /// Points by which a shown refresh has moved the resting list down; 0 while none is shown.
    var revealedLength = 0.0
    /// Whether the last refresh load failed, so that it may be repeated.
    var hasRefreshFailed = false
    /// Whether the next page was asked for since the content changed or the list left the zone.
    var hasAskedForMore = false
    /// Whether an accepted page may be followed by another because it did not fill the viewport.
    var mayFill = false
    var filledPages = 0
    var refreshAttempt = 0
    var moreAttempt = 0
    /// Why the running or next load runs.
    var refreshCause = Cause.finger
    /// Whether the refresh that was asked for shows itself in time, or at once.
    var refreshAnimates = true
    var moreCause = Cause.finger
    var lastLoadNumber: UInt32 = 0

    /// A view at rest: at `offset` points, or, with nil, at its top.
    package init(
        generation: UInt32, options: ViewOptions, geometry change: GeometryChange, offset: Double?
    ) {
        self.generation = generation
        self.options = options
        self.geometry.apply(change)
        self.offset = offset ?? geometry.restingOffset
        self.isOffsetKnown = offset != nil
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

    /// Appends what follows from `event`, which happened at `now`.
    package mutating func handle(
        _ event: Event, at now: Instant, into effects: inout [Effect]
    ) {
        switch event {
        case .scrolled(let sample): scrolled(sample, at: now, into: &effects)
        case .panned(let sample): panned(sample, at: now, into: &effects)
        case .geometryChanged(let change): geometryChanged(change, at: now, into: &effects)
        case .refreshAsked(let cause, let animated):
            refreshAsked(cause, animated: animated, at: now, into: &effects)
        case .refreshShown(let animated):
            refreshShown(animated: animated, at: now, into: &effects)
        case .refreshHidden(let animated):
            guard hasEdge(.top) else { return effects.append(.refuse(.missingEdge)) }
            applyToRefresh(.hidden, animated: animated, at: now, into: &effects)
        case .moreAsked(let cause): moreAsked(cause, at: now, into: &effects)
        case .retryAsked(let edge): retryAsked(edge, at: now, into: &effects)
        case .cancelAsked(let edge): cancelAsked(edge, at: now, into: &effects)
        case .loadBegan(let load, let accepted):
            loadBegan(load, accepted: accepted, at: now, into: &effects)
        case .loadProgressed(let load):
            if refresh.load != load, loadMore.load != load {
                effects.append(.dropLateAnswer(load))
            }
        case .loadEnded(let load, let ending): loadEnded(load, ending, at: now, into: &effects)
        case .edgeEnabled(let edge, let isEnabled):
            edgeEnabled(edge, isEnabled, at: now, into: &effects)
        case .edgesConfigured(let refresh, let loadMore):
            configure(refresh: refresh, loadMore: loadMore, at: now, into: &effects)
        case .timePassed: timePassed(at: now, into: &effects)
        case .detached: detached(at: now, into: &effects)
        }
    }
}
