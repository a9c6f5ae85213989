/// Properties of a situation, for the rows of `MRTable`. They follow from the trace's geometry, and
/// do not use the rules of `MROriginal`.
extension OracleRow<MROriginal>.Situation {
    /// The distance of the list from its resting offset, points; positive for a pull.
    var pulled: Double { -(after.state.offset + after.state.app + after.state.safeArea) }

    /// The drawn fraction of the figure for this pull.
    private var figure: Double {
        let plan = after.plan
        return min(max(pulled - plan.start, 0) / (plan.threshold - plan.start), 1)
    }

    /// Whether the drawn fraction follows from the distance, and a refresh is requested only beyond
    /// the threshold.
    var engineShowsProgress: Bool {
        guard isScroll, engine.after.pull.isEnabled, let stage = engine.after.stage else {
            return true
        }
        if !engineRequestsNothing { return pulled > before.plan.threshold }
        guard stage <= 2 else { return true }
        let isNear = -pulled <= before.plan.zone
        return abs((engine.after.drawn ?? 0) - (isNear ? figure : 0)) <= Moment.tolerance
    }

    /// Whether the figure is complete and animated before the load begins, and is not drawn after
    /// that.
    var engineDrawsBeforeItRequests: Bool {
        guard let request = engine.actions.firstIndex(where: { $0.field == .trigger }) else {
            return true
        }
        let (first, then) = (engine.actions[..<request], engine.actions[(request + 1)...])
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

    /// Whether a disabled control shows nothing and has no room.
    var engineHidesDisabledEdges: Bool {
        let now = engine.after
        guard !now.pull.isEnabled else { return true }
        let isClosed = after.state.isFingerDown || now.room.start == 0
        return now.isAnimating == false && now.stage == 1 && now.drawn == 0 && isClosed
    }
}
