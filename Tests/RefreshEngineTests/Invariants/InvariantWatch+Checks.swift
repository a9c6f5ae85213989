import RefreshProtocol

@testable import RefreshEngine

/// The checks of the engine after every event.
extension InvariantWatch {
    /// Checks that each message about an edge differs from the previous one in state or progress.
    func checkUpdate(_ effect: Effect, _ before: (refresh: SentState, loadMore: SentState)) {
        guard case .showEdge(let role, let state, let progress, nil, nil) = effect else { return }
        let known = role == .refresh ? before.refresh : before.loadMore
        check(
            .update, known.state != state || known.progress != progress,
            "\(role) repeats \(state)")
    }

    func checkLoads(_ engine: borrowing Engine) {
        check(.loads, engine.refreshLoad == refreshLoad, "the refresh phase names another load")
        check(
            .loads, engine.silentLoad == nil || engine.refresh.load == nil,
            "a silent and a visible refresh run together")
        check(.loads, engine.loadMore.load == moreLoad, "the load-more phase names another load")
        if engine.refresh.phase == .waiting {
            check(.waiting, moreLoad != nil, "a refresh waits, but no load-more runs")
        }
        if engine.loadMore.phase == .waiting {
            check(
                .waiting, refreshLoad != nil || engine.refresh.awaited != .none,
                "a load-more waits, but no refresh runs and no first page is awaited")
        }
    }

    func checkSentStates(_ engine: borrowing Engine) {
        let (top, bottom) = (engine.refresh.phase, engine.loadMore.phase)
        check(
            .diagrams,
            refresh.state == top.state && refresh.progress == engine.refresh.shownProgress,
            "refresh is \(top), but \(refresh) was sent")
        check(
            .diagrams, loadMore.state == bottom.state && loadMore.progress == bottom.progress,
            "load-more is \(bottom), but \(loadMore) was sent")
        check(
            .diagrams, floor == engine.floor.state && floorProgress == engine.floor.progress,
            "floor is \(engine.floor), but \(floor) was sent")
    }

    func checkShares(_ engine: borrowing Engine, _ gesture: Gesture) {
        let insets = engine.insets
        check(
            .shares, insets.sentStart == refreshShare && insets.sentEnd == loadMoreShare,
            "shares \(refreshShare) \(loadMoreShare), but \(insets) was sent")
        guard !gesture.isFingerDown else { return }
        if refreshShare != 0 {
            check(
                .shares, engine.refresh.phase.isShown || engine.floor.ownsList,
                "an unused share remains at the start")
        }
        if loadMoreShare != 0 {
            check(.shares, moreLoad != nil, "an unused share remains at the end")
        }
    }

    /// Whether the event can change the position or the start of the list without a decision of the
    /// engine.
    func movesTheList(_ event: Event) -> Bool {
        switch event {
        case .scrolled, .geometryChanged: true
        default: false
        }
    }

    /// Checks that each reveal ends once and that no reveal continues under a finger.
    func checkReveals(_ engine: borrowing Engine) {
        let isRevealing = engine.unreadBox?.value.reveal != nil
        check(
            .unread, revealsInProgress == (isRevealing ? 1 : 0),
            "\(revealsInProgress) reveals are in progress")
        check(
            .unread, !isRevealing || !engine.gesture.isFingerDown,
            "a reveal continues under a finger")
    }

    /// Checks that the item that anchors the list keeps its place on the screen. The check uses the
    /// offset that the client has after the event.
    func checkAnchor(_ event: Event, _ engine: borrowing Engine, _ effects: [Effect]) {
        guard case .geometryChanged(let change) = event, change.anchor?.name == anchorName,
            let anchorSeen
        else { return }
        let geometry = engine.geometry
        var offset =
            change.offset.map { geometry.mirrored($0) } ?? geometry.mirrored(physicalOffset)
        for effect in effects {
            guard case .moveContent(let command) = effect else { continue }
            switch command.movement {
            case .glide(let target, _): offset = geometry.mirrored(target)
            case .flight(let flight): offset = geometry.mirrored(flight.origin)
            }
        }
        let seen = engine.anchor.position - offset
        check(
            .anchor, abs(seen - anchorSeen) <= 1e-6 * max(1, abs(seen)),
            "an item at \(anchorSeen) jumped to \(seen)")
    }

    func checkRest(_ engine: borrowing Engine, _ gesture: Gesture, at now: Instant) {
        guard isPlaced, gesture.phase == .resting, refreshLoad == nil, moreLoad == nil,
            !engine.refresh.phase.isShown, engine.refresh.phase != .waiting, engine.floor == .closed
        else { return }
        switch engine.motion {
        case .gliding(let glide) where now >= glide.end: break
        case nil: break
        default: return
        }
        let rest = engine.geometry.restingOffset
        check(
            .rest, engine.offset >= rest - 0.5, "the list rests at \(engine.offset), before \(rest)"
        )
    }

    /// Checks that everything that ends automatically has a deadline.
    func checkDeadlines(_ engine: borrowing Engine, _ gesture: Gesture) {
        let deadlines = engine.deadlines
        check(
            .deadlines,
            (deadlines.refreshLoad == .never) == (refreshLoad == nil)
                || (refreshLoad == nil && engine.refresh.awaited == .query),
            "the deadline of the refresh load is wrong")
        check(
            .deadlines,
            moreLoad == nil
                ? [.never, engine.loadMore.layoutEnd, engine.revealLayoutEnd].contains(
                    deadlines.loadMoreWait)
                : deadlines.loadMoreWait != .never,
            "the deadline of the load-more is wrong")
        check(
            .deadlines,
            (deadlines.gesture == .never)
                == (gesture.phase == .resting || engine.flight != nil),
            "the deadline of the gesture is wrong")
        switch engine.refresh.phase {
        case .lingering, .held:
            check(
                .deadlines, deadlines.completionDisplay != .never,
                "the completion display has no deadline")
        case .finishing:
            check(
                .deadlines, deadlines.completionDisplay != .never || gesture.isFingerDown,
                "the finishing phase has no deadline")
        case .disabled, .idle, .pulling, .eligible, .waiting, .triggered, .refreshing: break
        }
        check(
            .deadlines,
            deadlines.completionDisplay == .never || engine.refresh.phase.isShowingCompletion,
            "there is a completion deadline without a completion display")
        switch engine.floor {
        case .opening, .closing:
            check(.deadlines, deadlines.floor != .never, "a moving floor has no deadline")
        case .closed, .pulling, .eligible:
            check(
                .deadlines, deadlines.floor == .never,
                "there is a floor deadline without a moving floor")
        case .open: break
        }
        check(
            .deadlines, (engine.flight == nil) == (deadlines.settle == .never),
            "the deadline of the flight is wrong")
    }
}
