import RefreshProtocol

@testable import RefreshEngine

/// Checks the invariants in docs/engine.md, "Invariants", after every event, and keeps the first
/// breach.
///
/// A run of the tests records a million events, so recording an event does not allocate memory.
struct InvariantWatch {
    /// The first breach; nil if there is none.
    var breach: String? { found.text }
    var refresh: SentState
    var loadMore: SentState
    var sentFloorStates: UInt32 = 0
    var floor: FloorState
    var floorProgress = 0.0
    /// The daemon's inset shares, according to the inset commands.
    var refreshShare = 0.0
    var loadMoreShare = 0.0
    /// The loads in flight, according to the effects that start and end loads.
    var refreshLoad: LoadID?
    var moreLoad: LoadID?
    var lastNumber: UInt32 = 0
    /// Whether newer data is reported at present.
    var isNewerSent = false
    /// Whether the newest end of the list (see docs/protocol.md, "reveal") was last reported as out
    /// of sight.
    var isAwaySent: Bool
    var revealsInProgress = 0
    /// How often this gesture has triggered each edge. An accepted result resets the number of the
    /// load-more edge. It also resets that of a refresh edge which may fire again in one gesture.
    var refreshTriggers = 0
    var moreTriggers = 0
    var wasFingerDown = false
    var openCause: Cause?
    /// Before this event: whether a finger moved the list by `pan`, and whether the list was in
    /// flight.
    var wasHeld = false
    var wasInFlight = false
    /// Whether the refresh edge and the load-more edge were waiting before this event.
    var wasPending = false
    var wasMorePending = false
    /// Before this event: whether the client had not yet laid out a page, and the name of the item
    /// that anchored the list.
    var wasLanding = false
    var anchorName: UInt64
    /// The distance of the anchoring item from the edge of the viewport, in reading direction. Nil
    /// while the list moves.
    var anchorSeen: Double?
    /// The offset at which the client showed the list before this event.
    var physicalOffset: Double
    /// Whether the last change of the list's position was a command of the daemon.
    var isPlaced = false
    let found = Breach()

    /// The last reported state of an edge.
    struct SentState {
        var state: EdgeState
        var progress: Double
        /// The set of all reported states. Each state is one bit.
        var states: UInt32
    }

    init(_ engine: Engine) {
        let (refresh, loadMore) = (engine.refresh.phase, engine.loadMore.phase)
        self.refresh = SentState(
            state: refresh.state, progress: refresh.progress, states: refresh.state.bit)
        self.loadMore = SentState(
            state: loadMore.state, progress: loadMore.progress, states: loadMore.state.bit)
        floor = engine.floor.state
        anchorName = engine.anchor.name
        physicalOffset = engine.physicalOffset
        isAwaySent = engine.isAway ?? false
    }

    mutating func record(
        _ event: Event, after engine: borrowing Engine, effects: [Effect], at now: Instant
    ) {
        let gesture = engine.gesture
        if begins(event) {
            refreshTriggers = 0
            moreTriggers = 0
        }
        let before = (refresh, loadMore)
        (wasPending, wasMorePending) = (refresh.state == .triggered, loadMore.state == .triggered)
        if movesTheList(event) { isPlaced = false }
        let isRefused = effects.contains(.refuse(.missingEdge))
        if case .revealRequested = event, engine.unreadBox != nil, !isRefused {
            revealsInProgress += 1
        }
        for effect in effects { record(effect, of: event, after: engine, gesture) }
        if effects.count == 1 { checkUpdate(effects[0], before) }
        // After a view is detached, only the ends of its loads are reported.
        if case .detached = event {
            return check(
                .loads, refreshLoad == nil && moreLoad == nil,
                "loads of a detached view are running")
        }
        checkReveals(engine)
        checkLoads(engine)
        checkSentStates(engine)
        checkShares(engine, gesture)
        checkDeadlines(engine, gesture)
        if case .timePassed = event, let next = engine.nextDeadline {
            check(.deadlines, next > now, "a deadline of \(next) is not after \(now)")
        }
        check(.finite, engine.offset.isFinite, "offset \(engine.offset)")
        checkRest(engine, gesture, at: now)
        checkAnchor(event, engine, effects)
        recordSituation(engine, gesture)
    }

    /// Records the situation with which the next event is compared.
    private mutating func recordSituation(_ engine: borrowing Engine, _ gesture: Gesture) {
        wasHeld = engine.dragAnchor != nil
        wasInFlight = engine.flight != nil
        wasLanding = engine.loadMore.isPageLanding
        anchorName = engine.anchor.name
        physicalOffset = engine.physicalOffset
        let isMoving =
            switch engine.motion {
            case .flying, .gliding: true
            case .held, nil: false
            }
        anchorSeen = isMoving ? nil : engine.anchor.position - engine.offset
        wasFingerDown = gesture.isFingerDown
        openCause = gesture.isOpen ? gesture.cause : nil
    }

    func check(
        _ invariant: Invariant, _ holds: Bool, _ detail: @autoclosure () -> String
    ) {
        if !holds { found.record(invariant, detail()) }
    }

    /// This type is a class, so that the closure that builds a message can read the watch while the
    /// message is recorded.
    final class Breach {
        private(set) var text: String?

        func record(_ invariant: Invariant, _ detail: String) {
            if text == nil { text = "\(invariant.rawValue) But: \(detail)" }
        }
    }
}
