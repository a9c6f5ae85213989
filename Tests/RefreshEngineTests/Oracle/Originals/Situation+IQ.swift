/// Properties of a situation that follow from the trace's geometry, without the rules.
extension OracleRow<IQOriginal>.Situation {
    private var pull: IQOriginal.Edge { after.state.pull }
    private var approach: IQOriginal.Edge { after.state.approach }

    /// The offsets at which the list rests at its start and at its end, not rounded.
    var rest: Double { -(after.state.app.start + after.state.safeArea.start) }
    private var end: Double {
        let far = after.state.app.end + after.state.safeArea.end
        return after.state.contentLength + far - after.state.viewportLength
    }

    var isFlung: Bool { isScroll && !before.state.isFingerDown }
    /// Whether a request is permitted. A fling may request only if the end needs no over-scroll.
    var mayAsk: Bool { !isFlung || !approach.needsOverscroll }

    func asks(_ control: Moment.Control) -> Bool {
        if before.state.wrapper == nil { return oursCalls(control) }
        let name = control == .refresh ? "refreshing" : "moreLoading"
        return ours.deeds.contains {
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

    /// Whether the engine's progress of pull and approach equals the distance.
    var oursShowsHowFar: Bool {
        guard isScroll else { return true }
        // A platform's control itself shows a complete pull.
        if case .pulling(let progress) = ours.after.pull.state, !(pull.isSystem && pulled == 1),
            abs(progress - pulled) > Moment.tolerance
        {
            return false
        }
        guard !isShort, case .pulling(let progress) = ours.after.approach.state else { return true }
        return ours.after.pull.state != .none || abs(progress - approached) <= Moment.tolerance
    }

    /// Whether the engine loads exactly if a fling reaches the end.
    var oursLoadsAtTheEnd: Bool {
        let isBusy = before.state.approach.load != nil || before.state.approach.hasFired
        let isShown = before.state.pull.state != .none || ours.after.pull.state != .none
        guard isFlung, before.state.isDecelerating, !isShort, !isBusy, !isShown,
            !before.state.approach.hasFailed, approach.isEnabled
        else { return !isFlung || ours.after.approach.state != .eligible }
        return asks(.loadMore) == (approached >= 1 && after.state.offset > rest)
    }

    /// Whether the engine's room is exactly the added inset until it is removed.
    var oursGivesBackWhatItAdded: Bool {
        if after.state.isFingerDown { return ours.after.room == before.after.room }
        if before.state.isFingerDown { return ours.after.room == after.state.wanted }
        func share(
            _ edge: IQOriginal.Edge, was: Moment.PeerState, is now: Moment.PeerState, told: Double
        ) -> Double {
            guard now == .refreshing, !edge.isSystem else { return 0 }
            return was == .refreshing && !ours.deeds.contains { $0.field == .trigger }
                ? told : edge.length
        }
        let (past, now) = (before.after, ours.after)
        return now.room.start
            == share(pull, was: past.pull.state, is: now.pull.state, told: past.room.start)
            && now.room.end
                == share(
                    approach, was: past.approach.state, is: now.approach.state, told: past.room.end)
    }

    /// Whether every disabled edge shows nothing.
    var oursIsQuietWhereOff: Bool {
        [ours.after.pull, ours.after.approach].allSatisfy { $0.isEnabled || $0.state == .none }
    }

    /// Whether the wrapper has the state of the visible load.
    var oursTellsOfItsLoad: Bool {
        guard let name = ours.after.wrapperState else { return true }
        let isShown = [ours.after.pull, ours.after.approach].contains { $0.state == .refreshing }
        return isShown == (name != "none")
    }
}
