import RefreshProtocol

@testable import RefreshEngine

/// What must hold after every event, whatever it was: the list in docs/engine.md, "Invariants", in the same
/// words. Keeps the first breach.
///
/// It is asked a million times in a run of the tests, so it compares and counts, and allocates nothing.
struct InvariantWatch {
    /// The first breach; nil while everything holds.
    var breach: String? { found.text }
    private(set) var refresh: Told
    private(set) var loadMore: Told
    private(set) var toldFloorStates: UInt32 = 0
    private var floor: FloorState
    private var floorProgress = 0.0
    /// What commands said: the daemon's shares.
    private var refreshShare = 0.0
    private var loadMoreShare = 0.0
    /// The loads in flight, by what was started and ended.
    private var refreshLoad: LoadID?
    private var moreLoad: LoadID?
    private var lastNumber: UInt32 = 0
    /// Triggers in this gesture; those of load-more, and of a refresh that fires again, in this content.
    private var refreshTriggers = 0
    private var moreTriggers = 0
    private var wasFingerDown = false
    private var openCause: Cause?
    private let found = Breach()

    /// What was told of an edge last.
    struct Told {
        var state: EdgeState
        var progress: Double
        /// Every state that was told, by its bit.
        var states: UInt32
    }

    init(_ engine: Engine) {
        let (refresh, loadMore) = (engine.refresh, engine.loadMore)
        self.refresh = Told(
            state: refresh.state, progress: refresh.progress, states: refresh.state.bit)
        self.loadMore = Told(
            state: loadMore.state, progress: loadMore.progress, states: loadMore.state.bit)
        floor = engine.floor.state
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
        wasFingerDown = gesture.isFingerDown
        openCause = gesture.isOpen ? gesture.cause : nil
    }

    private func check(
        _ invariant: Invariant, _ holds: Bool, _ detail: @autoclosure () -> String
    ) {
        if !holds { found.note(invariant, detail()) }
    }

    /// Beside the values, so that a message may name them.
    private final class Breach {
        private(set) var text: String?

        func note(_ invariant: Invariant, _ detail: String) {
            if text == nil { text = "\(invariant.rawValue) But: \(detail)" }
        }
    }
}

// MARK: Effects

extension InvariantWatch {
    private mutating func note(
        _ effect: Effect, of event: Event, after engine: borrowing Engine, _ gesture: Gesture
    ) {
        switch effect {
        case .showEdge(.refresh, let state, let progress, _, _):
            Self.tell(&refresh, state, progress, ToldTransitions.refresh, found)
            if state == .triggered { noteTrigger(.refresh, event) }
        case .showEdge(.loadMore, let state, let progress, _, _):
            Self.tell(&loadMore, state, progress, ToldTransitions.loadMore, found)
            if state == .triggered { noteTrigger(.more, event) }
        case .showFloor(let state, let progress):
            let isEdge = state == floor || ToldTransitions.floor[floor.index] & state.bit != 0
            check(.diagrams, isEdge, "floor \(floor) became \(state)")
            check(.progress, progress >= 0 && progress <= 1, "floor progress \(progress)")
            (floor, floorProgress) = (state, progress)
            toldFloorStates |= state.bit
        case .setInset(let command):
            check(.finger, !gesture.isFingerDown, "an inset under a finger")
            if let share = command.refresh { refreshShare = share }
            if let share = command.loadMore { loadMoreShare = share }
            check(.finite, refreshShare.isFinite && loadMoreShare.isFinite, "share \(command)")
            check(.shares, refreshShare >= 0 && loadMoreShare >= 0, "share \(command)")
            check(.finite, command.timeline.duration >= 0, "inset in \(command.timeline.duration)")
        case .moveContent(let command):
            check(.finite, command.target.isFinite, "offset to \(command.target)")
            if gesture.isFingerDown { checkMove(event) }
        case .startLoad(let order): start(order, of: event, after: engine)
        case .endLoad(let load, let kind, let result):
            end(load, kind)
            guard result.isAccepted else { return }
            moreTriggers = 0
            if engine.options.refresh?.firesAgain == true { refreshTriggers = 0 }
        case .dropLateAnswer(let load):
            check(
                .loads, load != refreshLoad && load != moreLoad, "the answer to \(load) was dropped"
            )
        case .play, .refuse, .announce, .showList: break
        }
    }

    /// Under a finger only the answer to a pan sample moves the list, and what holds it still.
    private func checkMove(_ event: Event) {
        switch event {
        case .panned, .geometryChanged: break
        default: check(.finger, false, "an offset under a finger")
        }
    }

    private static func tell(
        _ told: inout Told, _ state: EdgeState, _ progress: Double,
        _ successors: [UInt32], _ found: Breach
    ) {
        if state != told.state {
            if successors[told.state.index] & state.bit == 0 {
                found.note(.diagrams, "\(told.state) became \(state)")
            }
            told.state = state
            told.states |= state.bit
        }
        if !(progress >= 0 && progress <= 1) { found.note(.progress, "progress \(progress)") }
        told.progress = progress
    }

    private mutating func start(
        _ order: LoadOrder, of event: Event, after engine: borrowing Engine
    ) {
        check(.loads, order.id.number > lastNumber, "\(order.id) after \(lastNumber)")
        lastNumber = order.id.number
        let options = engine.options
        switch order.kind {
        case .refresh:
            check(.loads, refreshLoad == nil, "two refresh loads")
            check(
                .together, moreLoad == nil || options.refresh?.whileLoading == .concurrent,
                "a refresh beside a load-more")
            refreshLoad = order.id
        case .more:
            check(.loads, moreLoad == nil, "two load-more loads")
            check(
                .together, refreshLoad == nil || options.loadMore?.whileRefreshing == .concurrent,
                "a load-more beside a refresh")
            check(.loads, options.paging.style != .none, "load more of one page")
            moreLoad = order.id
        }
        check(.triggers, order.cause != .visual, "\(order.id) by nobody")
        check(.loads, order.page >= 0 && order.offset >= 0 && order.attempt >= 1, "\(order)")
        if order.trigger != .manual, order.cause != .fill { noteTrigger(order.kind, event) }
    }

    /// A gesture asked for a load, now or later.
    private mutating func noteTrigger(_ kind: LoadKind, _ event: Event) {
        switch event {
        case .scrolled(let sample):
            // A finger that lifts has lifted, whoever moved the list last.
            check(.triggers, sample.cause != .code || sample.phase.endsTouch, "code fired \(kind)")
        case .panned(let sample):
            check(.triggers, sample.cause != .code || sample.phase.endsTouch, "code fired \(kind)")
        default: return
        }
        switch kind {
        case .refresh:
            refreshTriggers += 1
            check(.triggers, refreshTriggers == 1, "a gesture fired a refresh twice")
        case .more:
            moreTriggers += 1
            check(.triggers, moreTriggers == 1, "a gesture fired a load-more twice")
        }
    }

    private mutating func end(_ load: LoadID, _ kind: LoadKind) {
        switch kind {
        case .refresh:
            check(.loads, refreshLoad == load, "\(load) ended without running")
            refreshLoad = nil
        case .more:
            check(.loads, moreLoad == load, "\(load) ended without running")
            moreLoad = nil
        }
    }

    /// A touch, or the first sample of a wheel or key.
    private func begins(_ event: Event) -> Bool {
        switch event {
        case .scrolled(let sample):
            switch sample.phase {
            case .began: true
            case .dragging: !wasFingerDown
            case .decelerating:
                switch sample.cause {
                case .wheel, .key, .accessibility: openCause != sample.cause
                default: false
                }
            case .ended, .cancelled, .idle: false
            }
        // A finger may also take a list that `scroll` moves.
        case .panned(let sample): sample.phase == .began || sample.phase == .dragging
        default: false
        }
    }
}

// MARK: What holds

extension InvariantWatch {
    /// A lone word about an edge says something new.
    private func checkNews(_ effect: Effect, _ before: (refresh: Told, loadMore: Told)) {
        guard case .showEdge(let role, let state, let progress, nil, nil) = effect else { return }
        let known = role == .refresh ? before.refresh : before.loadMore
        check(
            .progress, known.state != state || known.progress != progress,
            "\(role) \(state) is no news")
    }

    private func checkLoads(_ engine: borrowing Engine) {
        check(.loads, engine.refresh.load == refreshLoad, "the refresh phase names another load")
        check(.loads, engine.loadMore.load == moreLoad, "the load-more phase names another load")
        if engine.refresh == .waiting {
            check(.waiting, moreLoad != nil, "a refresh waits for nothing")
        }
        if engine.loadMore == .waiting {
            check(.waiting, refreshLoad != nil, "a page waits for nothing")
        }
    }

    private func checkTold(_ engine: borrowing Engine) {
        let (top, bottom) = (engine.refresh, engine.loadMore)
        check(
            .diagrams, refresh.state == top.state && refresh.progress == top.progress,
            "refresh is \(top), told \(refresh)")
        check(
            .diagrams, loadMore.state == bottom.state && loadMore.progress == bottom.progress,
            "load-more is \(bottom), told \(loadMore)")
        check(
            .diagrams, floor == engine.floor.state && floorProgress == engine.floor.progress,
            "floor is \(engine.floor), told \(floor)")
    }

    private func checkRooms(_ engine: borrowing Engine, _ gesture: Gesture) {
        let insets = engine.insets
        check(
            .shares, insets.toldRefresh == refreshShare && insets.toldLoadMore == loadMoreShare,
            "shares \(refreshShare) \(loadMoreShare), told \(insets)")
        guard !gesture.isFingerDown else { return }
        if refreshShare != 0 {
            check(
                .shares, engine.refresh.isShown || engine.floor.hasTheList,
                "a share is left at the start")
        }
        if loadMoreShare != 0 { check(.shares, moreLoad != nil, "a share is left at the end") }
    }

    /// Whatever is to end by itself has a time at which it does.
    private func checkDeadlines(_ engine: borrowing Engine, _ gesture: Gesture) {
        let deadlines = engine.deadlines
        check(
            .deadlines, (deadlines.refreshLoad == .never) == (refreshLoad == nil),
            "deadline of a refresh load")
        check(
            .deadlines, (deadlines.moreLoad == .never) == (moreLoad == nil),
            "deadline of a load-more")
        check(
            .deadlines,
            (deadlines.gesture == .never)
                == (gesture.phase == .resting || engine.flight != nil),
            "deadline of a gesture")
        switch engine.refresh {
        case .lingering, .held: check(.deadlines, deadlines.aftermath != .never, "shown for ever")
        case .finishing:
            check(
                .deadlines, deadlines.aftermath != .never || gesture.isFingerDown,
                "finishing for ever")
        case .disabled, .idle, .pulling, .eligible, .waiting, .triggered, .refreshing: break
        }
        check(
            .deadlines, deadlines.aftermath == .never || engine.refresh.isOver,
            "deadline of no aftermath")
        switch engine.floor {
        case .opening, .closing:
            check(.deadlines, deadlines.floor != .never, "floor on its way for ever")
        case .closed, .pulling, .eligible:
            check(.deadlines, deadlines.floor == .never, "deadline of no floor")
        case .open: break
        }
        check(
            .deadlines, (engine.flight == nil) == (deadlines.settle == .never),
            "deadline of a flight")
    }
}

extension ScrollPhase {
    fileprivate var endsTouch: Bool { self == .ended || self == .cancelled }
}
