/// What a situation says by the trace's own geometry, without the rules.
extension OracleRow<MROriginal>.Situation {
    /// How far the list is from where it rests at its start, points; a pull is positive.
    var pulled: Double { -(after.state.offset + after.state.app + after.state.safeArea) }

    /// The part of the figure that belongs to such a pull.
    private var figure: Double {
        let plan = after.plan
        return min(max(pulled - plan.start, 0) / (plan.threshold - plan.start), 1)
    }

    /// What is drawn of a list that is moved is how far it is; what fires is beyond the threshold.
    var oursShowsHowFar: Bool {
        guard isScroll, ours.after.pull.isEnabled, let stage = ours.after.stage else { return true }
        if !oursAsksNothing { return pulled > before.plan.threshold }
        guard stage <= 2 else { return true }
        let isNear = -pulled <= before.plan.zone
        return abs((ours.after.drawn ?? 0) - (isNear ? figure : 0)) <= Moment.tolerance
    }

    /// The figure is whole and moves before the work begins, and nothing is drawn after that.
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

    /// Whoever is off shows nothing and keeps no room.
    var oursIsQuietWhereOff: Bool {
        let now = ours.after
        guard !now.pull.isEnabled else { return true }
        let isClosed = after.state.isFingerDown || now.room.start == 0
        return now.isAnimating == false && now.stage == 1 && now.drawn == 0 && isClosed
    }
}
