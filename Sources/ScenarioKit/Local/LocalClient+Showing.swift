internal import RefreshProtocol

/// The display of a local client, and its predictions of the daemon's answers.
extension LocalClient {
    /// The anchor of a finger during a `pan`: the offset that the list would have at a travel of 0,
    /// without resistance.
    struct FingerAnchor {
        var origin: Double
    }

    package func display(at t: Double) -> DisplayState {
        DisplayState(
            offset: received.offset.value(at: t), insets: received.insetShares(at: t),
            edges: received.edges.mapValues { edge in
                let state = edge.isRefresh ? refreshState : edge.state
                let isArmed = state == .eligible
                return DisplayState.Edge(
                    state: state,
                    progress: isArmed ? 1 : state.isPulled ? edge.progress : 0)
            },
            floor: received.floor)
    }

    /// Updates the progress of the edges for a sample at `offset`.
    mutating func updateProgress(at offset: Double) {
        let isRefreshPulled =
            [.pulling, .eligible].contains(refreshState)
            || predicted?.prediction == .refreshing || isPulled(at: offset)
        for case (let name, let law?) in received.law.edges {
            guard let edge = received.edges[name], edge.isRefresh || !isRefreshPulled else {
                continue
            }
            received.setProgress(min(law.pullProgress(at: offset), 1), at: name)
        }
    }

    func isPulled(at offset: Double) -> Bool {
        guard let name = received.refreshEdge, let law = received.law.edges[name] ?? nil else {
            return false
        }
        return law.pullProgress(at: offset) > 0
    }

    /// The state of the refresh edge that the client shows.
    var refreshState: EdgeState {
        if let predicted { return predicted.prediction.state }
        return received.edges.values.first { $0.isRefresh }?.state ?? .disabled
    }

    // MARK: The finger

    mutating func anchorFinger(_ sample: HandSample, _ movement: inout Movement) {
        let shown = received.offset.value(at: sample.t)
        guard case .travel = sample.position else {
            if case .offset(let offset) = sample.position { movement.origin = offset }
            return
        }
        movement.origin = shown
        received.offset.set(shown)
        let isKnown = !received.law.resistance.isEmpty
        if isKnown, received.law.rest.contains(shown) {
            movement.anchor = FingerAnchor(origin: shown)
        }
    }

    /// Anchors the finger again at the shown offset. This is necessary if, during the pan, the
    /// resting range or the resistance has changed, or a command has moved the list. If `isExact`
    /// is false, the shown offset is approximate, and the finger gets no anchor.
    mutating func reanchorFinger(at t: Double, isExact: Bool) {
        guard var movement, case .travel(let travel) = movement.last.position else { return }
        let shown = received.offset.value(at: t)
        let canHold = isExact && received.law.rest.contains(shown)
        movement.anchor = canHold ? FingerAnchor(origin: shown + travel) : nil
        self.movement = movement
    }

    /// Shows the list at the sample's position, and returns the offset of the list.
    mutating func applyPosition(of sample: HandSample, _ movement: Movement) -> Double {
        switch sample.position {
        case .offset(let offset): received.offset.set(offset)
        case .travel(let travel):
            if let hold = movement.anchor {
                received.offset.set(dampedOffset(hold.origin - travel))
            }
        }
        return received.offset.value(at: sample.t)
    }

    private func dampedOffset(_ free: Double) -> Double {
        let rest = received.law.rest
        let isVertical =
            received.edges.keys.contains("top") || received.edges.keys.contains("bottom")
        let pair = isVertical ? ("top", "bottom") : ("leading", "trailing")
        let names = isLowEdge(pair.0) ? pair : (pair.1, pair.0)
        if free < rest.lowerBound {
            let shown = received.law.shownDistance(travel: rest.lowerBound - free, at: names.0)
            return rest.lowerBound - (shown ?? 0)
        }
        if free > rest.upperBound {
            let shown = received.law.shownDistance(travel: free - rest.upperBound, at: names.1)
            return rest.upperBound + (shown ?? 0)
        }
        return free
    }

    // MARK: Predictions

    /// Returns the state of the refresh edge that this sample causes. Nil if the state does not
    /// change, or if only the daemon can determine it.
    func predict(
        _ phase: ScrollPhase, at offset: Double, _ movement: Movement, isPan: Bool,
        hasNotMoved: Bool
    ) -> Prediction? {
        // A finger that has not moved the list has not pulled it.
        guard movement.last.isFinger, phase != .idle, !(phase == .began && hasNotMoved),
            let name = received.refreshEdge,
            let sight = received.law.edges[name], let law = sight
        else { return nil }
        let state = refreshState
        guard [.idle, .pulling, .eligible].contains(state) else { return nil }
        // If the daemon moves the list, the client's offset is older than the daemon's offset. Near
        // a threshold, the daemon's offset may already be on the other side of the threshold.
        if isPan, movement.anchor == nil || isNearBoundary(offset) { return nil }
        let isArmed = state == .eligible
        // If the finger is lifted at the offset of the previous frame, the daemon does not evaluate
        // the offset. The lift can only fire an armed edge.
        if !isPan, phase == .ended || phase == .cancelled, offset == previousOffset {
            let fires = phase == .ended && law.fires == "release"
            if isArmed { return fires ? .refreshing : nil }
            return nil
        }
        let next = prediction(phase, at: offset, law, isArmed: isArmed, isPan)
        return next?.state == state ? nil : next
    }

    /// Returns the predicted state. Nil if only the daemon can determine it.
    private func prediction(
        _ phase: ScrollPhase, at offset: Double, _ law: ClientLaw.Edge, isArmed: Bool,
        _ isPan: Bool
    ) -> Prediction? {
        let still: Prediction = law.pullProgress(at: offset) > 0 ? .pulling : .idle
        let over: Prediction = isPan ? .idle : still
        switch phase {
        case .decelerating, .idle: return law.pullProgress(at: offset) < 1 ? still : nil
        case .cancelled: return isArmed ? nil : over
        case .began, .dragging, .ended: break
        }
        guard let arm = law.arm else {
            guard law.pullProgress(at: offset) < 1 else { return nil }
            return phase == .ended ? over : still
        }
        let excess = law.distance(of: offset, beyond: arm)
        let isBeyond = law.isStrict ? excess > 0 : excess >= 0
        let isKept = isArmed && law.staysArmed(at: offset)
        guard isBeyond || isKept else { return phase == .ended ? over : still }
        if law.fires == "reach" { return .refreshing }
        guard phase == .ended else { return .eligible }
        return law.fires == "release" ? .refreshing : nil
    }

    /// Opens the room of a refresh that the client predicts.
    mutating func openRoom(at t: Double) {
        guard let name = received.refreshEdge, let sight = received.law.edges[name],
            let law = sight,
            law.room > 0, received.insets[name]?.target != law.room
        else { return }
        let command = JSONValue.object([
            .init("duration", .number(law.duration)), .init("curve", .string("easeInOut")),
        ])
        received.insets[name, default: AnimatedValue(0)].animate(command, to: law.room, at: t)
        opening = (law.room, writer.seq)
    }
}

extension EdgeState {
    /// Whether the progress that is shown in this state is the progress of the pull.
    fileprivate var isPulled: Bool { self == .pulling || self == .approaching }
}
