/// Properties of a situation, for the rows of `IQTable`. They follow from the trace's geometry, and
/// do not use the rules of `IQOriginal`.
extension OracleRow<IQOriginal>.Situation {
    private var pull: IQOriginal.Edge { after.state.pull }
    private var approach: IQOriginal.Edge { after.state.approach }

    /// The offsets at which the list rests at its start and at its end. They are not rounded.
    var rest: Double { -(after.state.app.start + after.state.safeArea.start) }
    private var end: Double {
        let far = after.state.app.end + after.state.safeArea.end
        return after.state.contentLength + far - after.state.viewportLength
    }

    var isFlung: Bool { isScroll && !before.state.isFingerDown }
    /// Whether a request is permitted. A fling may request only if the end needs no over-scroll.
    var mayRequest: Bool { !isFlung || !approach.needsOverscroll }

    func requestsLoad(_ control: Moment.Control) -> Bool {
        if before.state.wrapper == nil { return engineCalls(control) }
        let name = control == .refresh ? "refreshing" : "moreLoading"
        return engine.actions.contains {
            if case .wrapperState(name) = $0 { true } else { false }
        }
    }

    /// The progress of the pull at the current offset, 0...1.
    private var pulled: Double {
        min(max((rest + pull.preload - after.state.offset) / pull.length, 0), 1)
    }

    private var approached: Double {
        let threshold = end + (approach.needsOverscroll ? approach.length : 0) - approach.preload
        return min(max((after.state.offset - threshold) / approach.length + 1, 0), 1)
    }

    private var isShort: Bool { end < rest }

    /// Whether the progress that the engine shows for a pull and for an approach follows from the
    /// distance.
    var engineShowsProgress: Bool {
        guard isScroll else { return true }
        // A platform's control shows a complete pull itself, so the engine reports no progress of 1
        // for it.
        if case .pulling(let progress) = engine.after.pull.state, !(pull.isSystem && pulled == 1),
            abs(progress - pulled) > Moment.tolerance
        {
            return false
        }
        guard !isShort, case .pulling(let progress) = engine.after.approach.state else {
            return true
        }
        return engine.after.pull.state != .none || abs(progress - approached) <= Moment.tolerance
    }

    /// Whether the engine loads if a fling reaches the end, and only then.
    var engineLoadsAtTheEnd: Bool {
        let isBusy = before.state.approach.load != nil || before.state.approach.hasFired
        let isShown = before.state.pull.state != .none || engine.after.pull.state != .none
        guard isFlung, before.state.isDecelerating, !isShort, !isBusy, !isShown,
            !before.state.approach.hasFailed, approach.isEnabled
        else { return !isFlung || engine.after.approach.state != .eligible }
        return requestsLoad(.loadMore) == (approached >= 1 && after.state.offset > rest)
    }

    /// Whether the engine's room is exactly the added inset until the room is closed.
    var engineRestoresInsets: Bool {
        if after.state.isFingerDown { return engine.after.room == before.after.room }
        if before.state.isFingerDown { return engine.after.room == after.state.wanted }
        func share(
            _ edge: IQOriginal.Edge, was: Moment.PeerState, is now: Moment.PeerState, sent: Double
        ) -> Double {
            guard now == .refreshing, !edge.isSystem else { return 0 }
            return was == .refreshing && !engine.actions.contains { $0.field == .trigger }
                ? sent : edge.length
        }
        let (past, now) = (before.after, engine.after)
        return now.room.start
            == share(pull, was: past.pull.state, is: now.pull.state, sent: past.room.start)
            && now.room.end
                == share(
                    approach, was: past.approach.state, is: now.approach.state, sent: past.room.end)
    }

    /// Whether every disabled edge shows nothing.
    var engineHidesDisabledEdges: Bool {
        [engine.after.pull, engine.after.approach].allSatisfy { $0.isEnabled || $0.state == .none }
    }

    /// Whether the wrapper's state names a load exactly while an edge shows a load.
    var engineReportsItsLoad: Bool {
        guard let name = engine.after.wrapperState else { return true }
        let isShown = [engine.after.pull, engine.after.approach].contains {
            $0.state == .refreshing
        }
        return isShown == (name != "none")
    }
}
