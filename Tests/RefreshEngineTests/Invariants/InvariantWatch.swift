import RefreshProtocol

@testable import RefreshEngine

/// What must hold after every event, whatever it was: the list in docs/engine.md, "Invariants", in
/// the same words. Keeps the first breach.
///
/// It is asked a million times in a run of the tests, so it compares and counts, and allocates
/// nothing.
struct InvariantWatch {
    /// The first breach; nil while everything holds.
    var breach: String? { found.text }
    var refresh: Told
    var loadMore: Told
    var toldFloorStates: UInt32 = 0
    var floor: FloorState
    var floorProgress = 0.0
    /// What commands said: the daemon's shares.
    var refreshShare = 0.0
    var loadMoreShare = 0.0
    /// The loads in flight, by what was started and ended.
    var refreshLoad: LoadID?
    var moreLoad: LoadID?
    var lastNumber: UInt32 = 0
    /// Whether newer data was told.
    var isNewerTold = false
    /// Triggers in this gesture; those of load-more, and of a refresh that fires again, in this
    /// content.
    var refreshTriggers = 0
    var moreTriggers = 0
    var wasFingerDown = false
    var openCause: Cause?
    /// Whether a finger moved the list by `pan`, and whether it was in flight.
    var wasHeld = false
    var wasInFlight = false
    /// Whether an edge was told to wait before this event.
    var wasPending = false
    var wasMorePending = false
    /// Whether a page was to come into the content, and the item that the list was held by.
    var wasLanding = false
    var anchorName: UInt64
    /// How far that item lies from the edge of the viewport, in reading direction; nil while the
    /// list moves.
    var anchorSeen: Double?
    /// The offset that the client has.
    var physicalOffset: Double
    /// Whether a command of the daemon was the last to say where the list is.
    var isPlaced = false
    let found = Breach()

    /// What was told of an edge last.
    struct Told {
        var state: EdgeState
        var progress: Double
        /// Every state that was told, by its bit.
        var states: UInt32
    }

    init(_ engine: Engine) {
        let (refresh, loadMore) = (engine.refresh.phase, engine.loadMore.phase)
        self.refresh = Told(
            state: refresh.state, progress: refresh.progress, states: refresh.state.bit)
        self.loadMore = Told(
            state: loadMore.state, progress: loadMore.progress, states: loadMore.state.bit)
        floor = engine.floor.state
        anchorName = engine.anchor.name
        physicalOffset = engine.physicalOffset
    }

    mutating func note(
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
        for effect in effects { note(effect, of: event, after: engine, gesture) }
        if effects.count == 1 { checkNews(effects[0], before) }
        // Of a view that is gone nothing is told but how its loads ended.
        if case .detached = event {
            return check(
                .loads, refreshLoad == nil && moreLoad == nil, "loads of a view that is gone")
        }
        checkLoads(engine)
        checkTold(engine)
        checkRooms(engine, gesture)
        checkDeadlines(engine, gesture)
        if case .timePassed = event, let next = engine.nextDeadline {
            check(.deadlines, next > now, "a deadline of \(next) is not after \(now)")
        }
        check(.finite, engine.offset.isFinite, "offset \(engine.offset)")
        checkPlace(engine, gesture, at: now)
        checkAnchor(event, engine, effects)
        noteSituation(engine, gesture)
    }

    /// What the next event is held against.
    private mutating func noteSituation(_ engine: borrowing Engine, _ gesture: Gesture) {
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
        if !holds { found.note(invariant, detail()) }
    }

    /// Beside the values, so that a message may name them.
    final class Breach {
        private(set) var text: String?

        func note(_ invariant: Invariant, _ detail: String) {
            if text == nil { text = "\(invariant.rawValue) But: \(detail)" }
        }
    }
}
