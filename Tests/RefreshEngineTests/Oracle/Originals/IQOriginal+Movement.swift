/// IQPullToRefresh's rules for movement. The library evaluates the offset whenever it is set.
/// `departs(_:)` and `amendments` select the behaviour that a verdict demands (see `OracleModel`).
extension IQOriginal {
    mutating func handleMovement(_ step: OracleStep) {
        switch step {
        case .dragBegan:
            state.isDragging = true
            state.isFingerDown = true
            state.isDecelerating = false
            beginGesture()
        case .dragEnded(let decelerates, let latched):
            release(decelerates: decelerates, latched: latched)
        case .dragCancelled(let decelerates): release(decelerates: decelerates, latched: false)
        case .decelerationEnded:
            state.isDragging = false
            state.isDecelerating = false
        case .flagsSet(let dragging, let tracking, let decelerating):
            state.isDragging = dragging ?? state.isDragging
            state.isFingerDown = tracking ?? state.isFingerDown
            state.isDecelerating = decelerating ?? state.isDecelerating
        case .scrolled(let offset):
            state.offset = offset
            updatePull()
            updateApproach()
        default: break
        }
    }

    private mutating func beginGesture() {
        for control in [Moment.Control.refresh, .loadMore] {
            self[control].hasFired = false
            self[control].isRenewed = false
            self[control].hasLeft = false
            self[control].hasFailed = false
        }
    }

    private mutating func release(decelerates: Bool, latched: Bool) {
        state.isFingerDown = false
        state.isDecelerating = decelerates
        state.isDragging = latched
        for control in [Moment.Control.refresh, .loadMore] where self[control].state == .eligible {
            // The approach is not evaluated while a pull or a refresh is visible.
            guard control == .refresh || state.pull.state == .none else { continue }
            // When the finger leaves the list, the list has not come to rest yet.
            place.lift(isSliding: true)
            if self[control].isEnabled, departs("IQ-13") { fire(control) }
        }
        place.lift(isSliding: decelerates)
        recordRoom()
    }

    private mutating func updatePull() {
        let pull = state.pull
        guard pull.isEnabled, pull.state != .refreshing else { return }
        if pull.load != nil, !pull.isSpinning, departs("IQ-5") { return }
        guard !pull.isSpinning else { return }
        let top = rounded(inset(.start), by: .down)
        let start = pull.preload - top
        let progress = max(0, min(1, (start - state.offset) / pull.length))
        let isPulled = state.offset <= start && progress > 0
        if progress < 1 { state.pull.hasLeft = true }
        if isDragged(.refresh) {
            guard isPulled else { return show(.refresh, .none) }
            if progress >= 1, pull.isSystem { return }
            drag(.refresh, progress: progress)
        } else if state.isDecelerating {
            coast(.refresh, progress: progress)
        } else {
            show(.refresh, .none)
        }
    }

    private mutating func updateApproach() {
        let approach = state.approach
        guard approach.isEnabled, approach.state != .refreshing else { return }
        guard state.pull.state == .none else { return }
        if approach.load != nil, departs("IQ-5") { return }
        let top = rounded(inset(.start), by: .down)
        let bottom = rounded(inset(.end), by: .up)
        let isShort = state.contentLength + top + bottom < state.viewportLength
        var threshold = isShort ? -top : bottom + state.contentLength - state.viewportLength
        threshold += (approach.needsOverscroll ? approach.length : 0) - approach.preload
        let start = threshold - approach.length
        let progress = max(0, min(1, (state.offset - start) / approach.length))
        if progress < 1 { state.approach.hasLeft = true }
        if progress == 0 { state.approach.hasFailed = false }
        if approach.hasFailed, progress > 0, departs("IQ-12") { return }
        let isAtRest = threshold <= -top && state.offset <= -top
        if isDragged(.loadMore) {
            guard state.offset >= start, progress > 0 else { return show(.loadMore, .none) }
            if progress >= 1, isAtRest, departs("IQ-11") { return show(.loadMore, .pulling(1)) }
            drag(.loadMore, progress: progress)
        } else if state.isDecelerating {
            let isArmed = approach.state == .eligible && !amendments.contains("IQ-13")
            if !isArmed, !approach.needsOverscroll, progress > 0,
                departs("IQ-15")
            {
                guard progress >= 1, !isAtRest else {
                    if progress < 1 { disarm(.loadMore) }
                    return show(.loadMore, .pulling(progress))
                }
                return reach(.loadMore)
            }
            coast(.loadMore, progress: approach.needsOverscroll ? progress : 0)
        } else {
            show(.loadMore, .none)
        }
    }

    /// Whether the list is dragged. The original uses the dragging flag of the list. An amended
    /// model uses the finger.
    private mutating func isDragged(_ control: Moment.Control) -> Bool {
        guard state.isDragging != state.isFingerDown else { return state.isDragging }
        let isFling = control == .loadMore && !state.approach.needsOverscroll
        return departs(isFling ? "IQ-15" : "IQ-14") ? state.isFingerDown : state.isDragging
    }

    private mutating func drag(_ control: Moment.Control, progress: Double) {
        let edge = self[control]
        if progress < 1 {
            disarm(control)
            show(control, .pulling(progress))
        } else if !edge.firesOnRelease {
            reach(control)
        } else if edge.state != .eligible {
            show(control, .pulling(progress))
            show(control, .eligible)
            actions.append(.haptic("selection"))
        }
    }

    /// Handles a movement that has reached the threshold and may fire the edge.
    private mutating func reach(_ control: Moment.Control) {
        let edge = self[control]
        if edge.hasFired, !(edge.isRenewed && edge.hasLeft), departs("IQ-12") {
            return show(control, .pulling(1))
        }
        fire(control)
    }

    private mutating func coast(_ control: Moment.Control, progress: Double) {
        // If the release has not fired an armed edge, the original fires the edge now. The amended
        // model disarms the edge.
        if self[control].state == .eligible, !departs("IQ-13") {
            fire(control)
        } else {
            if progress > 0, progress < 1 { disarm(control) }
            show(control, progress == 0 ? .none : .pulling(progress))
        }
    }

    private mutating func disarm(_ control: Moment.Control) {
        if self[control].state == .eligible { actions.append(.haptic("selection")) }
    }

    private mutating func fire(_ control: Moment.Control) {
        self[control].hasFired = true
        self[control].isRenewed = false
        self[control].hasLeft = false
        actions.append(.haptic("impact"))
        begin(control)
        trigger(control, type: control == .refresh ? "refreshControl" : "reachAtEnd")
    }

    /// The distance between the content at rest and a side of the list. In the engine, the distance
    /// does not include the engine's inset share.
    private func inset(_ side: Moment.Side) -> Double {
        let own = amendments.contains("IQ-7") ? state.app : state.inset
        return own[side] + state.safeArea[side]
    }

    /// Rounds an inset. The original rounds insets to whole points.
    private mutating func rounded(
        _ inset: Double, by rule: FloatingPointRoundingRule
    ) -> Double {
        let whole = inset.rounded(rule)
        guard whole != inset else { return inset }
        return departs("IQ-17") ? inset : whole
    }
}
