import RefreshProtocol

@testable import RefreshEngine

/// Checks every effect, and records it for later checks of the edges, the loads and the gestures.
extension InvariantWatch {
    mutating func record(
        _ effect: Effect, of event: Event, after engine: borrowing Engine, _ gesture: Gesture
    ) {
        switch effect {
        case .showEdge(.refresh, let state, let progress, let cause, _):
            Self.recordState(
                &refresh, state, progress, upTo: engine.options.refresh?.progressMax ?? 1,
                SentTransitions.refresh, found)
            // A request because of a change of the feed is not counted, because no gesture caused
            // it.
            if state == .triggered, cause != .changed { recordTrigger(.refresh, event) }
        case .showEdge(.loadMore, let state, let progress, _, _):
            Self.recordState(&loadMore, state, progress, SentTransitions.loadMore, found)
            if state == .triggered { recordTrigger(.more, event) }
        case .showFloor(let state, let progress):
            let isEdge = state == floor || SentTransitions.floor[floor.index] & state.bit != 0
            check(.diagrams, isEdge, "floor \(floor) became \(state)")
            check(.progress, progress >= 0 && progress <= 1, "floor progress \(progress)")
            (floor, floorProgress) = (state, progress)
            sentFloorStates |= state.bit
        case .setInset(let command):
            check(.finger, !gesture.isFingerDown, "an inset was sent under a finger")
            if let share = command.refresh { refreshShare = share }
            if let share = command.loadMore { loadMoreShare = share }
            check(.finite, refreshShare.isFinite && loadMoreShare.isFinite, "share \(command)")
            check(.shares, refreshShare >= 0 && loadMoreShare >= 0, "share \(command)")
            check(.finite, command.timeline.duration >= 0, "inset in \(command.timeline.duration)")
        case .moveContent(let command):
            check(.finite, command.target.isFinite, "offset to \(command.target)")
            // A command after a geometry change only keeps an item in place. It does not move the
            // list to a position that the engine has chosen.
            if case .geometryChanged = event {} else { isPlaced = true }
            if gesture.isFingerDown { checkMove(command, event, after: engine) }
        case .startLoad(let order): start(order, of: event, after: engine)
        case .endLoad(let load, let kind, let result):
            end(load, kind)
            guard result.isAccepted else { return }
            moreTriggers = 0
            if engine.options.refresh?.firesAgain == true { refreshTriggers = 0 }
        case .endPage(let load, _, _): check(.loads, false, "\(load) is a page in sight")
        case .reportLateAnswer(let load):
            check(
                .loads, load != refreshLoad && load != moreLoad, "the answer to \(load) was dropped"
            )
        case .showNewer(let hasNewer):
            check(.newer, hasNewer != isNewerSent, "newer \(hasNewer) was sent twice")
            isNewerSent = hasNewer
        case .showNewerCount, .showAway, .showRevealed: recordUnread(effect)
        case .joinRefresh(let load):
            check(
                .loads, load == refreshLoad, "a request joined \(load as Any), which does not run")
        case .play, .refuse, .ignore, .announce, .showList, .reportStall, .showOperations,
            .repeatLoad:
            break
        }
    }

    private mutating func recordUnread(_ effect: Effect) {
        switch effect {
        case .showNewerCount(let count):
            check(
                .unread, isNewerSent || count == .none, "\(count) was sent without newer data")
        case .showAway(let isAway):
            check(.unread, isAway != isAwaySent, "away \(isAway) was sent twice")
            isAwaySent = isAway
        default:
            check(.unread, revealsInProgress > 0, "a reveal ended that was not in progress")
            revealsInProgress -= 1
        }
    }

    private func wasWaiting(_ kind: LoadKind) -> Bool {
        kind == .refresh ? wasPending : wasMorePending
    }

    /// Checks a command that moves the list under a finger. It must answer a pan sample or a change
    /// of sizes. Such a change keeps an item in place, lays out a page or turns the direction. The
    /// command must be immediate, and its target must be the engine's offset.
    private func checkMove(
        _ command: OffsetCommand, _ event: Event, after engine: borrowing Engine
    ) {
        check(
            .finger, command.target == engine.physicalOffset && command.duration == 0,
            "\(command) under a finger at \(engine.physicalOffset)")
        switch event {
        case .panned: break
        case .geometryChanged(let change):
            let isHeld = change.anchor.map { $0.name == anchorName } ?? false
            let hasLanded = wasLanding && change.content != nil
            check(
                .finger, isHeld || hasLanded || change.direction != nil,
                "an offset under a finger does not keep an item in place")
        default: check(.finger, false, "an offset was sent under a finger")
        }
    }

    private static func recordState(
        _ sent: inout SentState, _ state: EdgeState, _ progress: Double, upTo maximum: Double = 1,
        _ successors: [UInt32], _ found: Breach
    ) {
        if state != sent.state {
            if successors[sent.state.index] & state.bit == 0 {
                found.record(.diagrams, "\(sent.state) became \(state)")
            }
            sent.state = state
            sent.states |= state.bit
        }
        if !(progress >= 0 && progress <= maximum) {
            found.record(.progress, "progress \(progress)")
        }
        sent.progress = progress
    }

    private mutating func start(
        _ order: LoadOrder, of event: Event, after engine: borrowing Engine
    ) {
        // A look-up takes the last number. If it finds a page, the load order of this page has the
        // same number.
        let isNew = order.id.number > lastNumber
        check(
            .loads, order.source == .cached ? order.id.number == lastNumber : isNew,
            "\(order.id) after \(lastNumber)")
        lastNumber = order.id.number
        if order.source == .lookUp { return }
        let options = engine.options
        switch order.kind {
        case .refresh:
            check(.loads, refreshLoad == nil, "two refresh loads run together")
            check(
                .together, moreLoad == nil || options.refresh?.whileLoading == .concurrent,
                "a refresh begins while a load-more runs")
            refreshLoad = order.id
        case .more:
            check(.loads, moreLoad == nil, "two load-more loads run together")
            check(
                .together, refreshLoad == nil || options.loadMore?.whileRefreshing == .concurrent,
                "a load-more begins while a refresh runs")
            check(.loads, options.paging.style != .none, "a list without paging requests a page")
            moreLoad = order.id
        }
        check(.triggers, order.cause != .visual, "\(order.id) has the cause `visual`")
        check(.loads, order.page >= 0 && order.offset >= 0 && order.attempt >= 1, "\(order)")
        if order.trigger != .manual, order.cause != .fill { recordTrigger(order.kind, event) }
    }

    /// Records that a gesture has requested a load. The load begins now, or later if it must wait.
    private mutating func recordTrigger(_ kind: LoadKind, _ event: Event) {
        switch event {
        case .scrolled(let sample):
            // The lift of a finger is an action of the user, even if the program moved the list
            // last.
            check(
                .triggers, sample.cause != .code || sample.phase.endsTouch,
                "the app's code fired \(kind)")
        case .panned(let sample):
            check(
                .triggers, sample.cause != .code || sample.phase.endsTouch,
                "the app's code fired \(kind)")
        // At this instant, a list in flight reaches an edge. A load that waited for the other edge
        // was counted when it began to wait.
        case .timePassed where wasInFlight && !wasWaiting(kind): break
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
            // A refresh can end at the instant at which the list reaches the open room of the edge.
            // The list may then rest outside its start position, and this is accepted.
            if wasInFlight { isPlaced = false }
        case .more:
            check(.loads, moreLoad == load, "\(load) ended without running")
            moreLoad = nil
        }
    }

    /// Whether a gesture begins: a touch, or the first sample of a wheel, a key or an accessibility
    /// action.
    func begins(_ event: Event) -> Bool {
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
        // A pan sample `dragging` begins a gesture too, if no pan has held the list before.
        case .panned(let sample):
            sample.phase == .began || (sample.phase == .dragging && !wasHeld)
        default: false
        }
    }
}

extension ScrollPhase {
    fileprivate var endsTouch: Bool { self == .ended || self == .cancelled }
}
