/// Properties of a situation that follow from the trace's geometry, without the rules.
extension OracleRow<MROriginal>.Situation {
    /// The distance of the list from its resting offset, points; positive for a pull.
    var pulled: Double { -(after.state.offset + after.state.app + after.state.safeArea) }

    /// The drawn fraction of the figure for this pull.
    private var figure: Double {
        let plan = after.plan
        return min(max(pulled - plan.start, 0) / (plan.threshold - plan.start), 1)
    }

    /// Whether the drawn fraction equals the distance, and an edge that fires is beyond its
    /// threshold.
    var oursShowsHowFar: Bool {
        guard isScroll, ours.after.pull.isEnabled, let stage = ours.after.stage else { return true }
        if !oursAsksNothing { return pulled > before.plan.threshold }
        guard stage <= 2 else { return true }
        let isNear = -pulled <= before.plan.zone
        return abs((ours.after.drawn ?? 0) - (isNear ? figure : 0)) <= Moment.tolerance
    }

    /// Whether the figure is complete and animated before the load begins, and is not drawn after
    /// that.
    var oursDrawsBeforeItAsks: Bool {
        guard let asked = ours.deeds.firstIndex(where: { $0.field == .trigger }) else {
            return true
        }
        let (first, then) = (ours.deeds[..<asked], ours.deeds[(asked + 1)...])
        let drawn: [Double] = first.compactMap {
            if case .draw(let part) = $0 { part } else { nil }
        }
        let isRunning = before.state.isAnimating
        let starts = first.count {
            if case .startAnimation = $0 { true } else { false }
        }
        return drawn.last ?? before.state.shown == 1 && starts == (isRunning ? 0 : 1)
            && !then.contains { $0.field == .drawn }
    }

    /// Whether a disabled control shows nothing and holds no room.
    var oursIsQuietWhereOff: Bool {
        let now = ours.after
        guard !now.pull.isEnabled else { return true }
        let isClosed = after.state.isFingerDown || now.room.start == 0
        return now.isAnimating == false && now.stage == 1 && now.drawn == 0 && isClosed
    }
}
