internal import RefreshProtocol

/// The display of a local client, and its predictions.
extension LocalClient {
    /// The anchor of a finger of `pan`: the offset without resistance for a travel of 0.
    struct Hold {
        var origin: Double
    }

    package func picture(at t: Double) -> Picture {
        Picture(
            offset: told.offset.value(at: t), insets: told.shares(at: t),
            edges: told.edges.mapValues { edge in
                let state = edge.isRefresh ? refreshState : edge.state
                let isArmed = state == .eligible
                return Picture.Edge(
                    state: state,
                    progress: isArmed ? 1 : state.isPulled ? edge.progress : 0)
            },
            floor: told.floor)
    }

    /// Updates the progress of the edges for a sample at `offset`.
    mutating func showProgress(at offset: Double) {
        let isRefreshPulled =
            [.pulling, .eligible].contains(refreshState)
            || predicted?.prediction == .refreshing || isPulled(at: offset)
        for case (let name, let law?) in told.law.edges {
            guard let edge = told.edges[name], edge.isRefresh || !isRefreshPulled else { continue }
            told.showProgress(min(law.pull(offset), 1), at: name)
        }
    }

    func isPulled(at offset: Double) -> Bool {
        guard let name = told.refreshEdge, let law = told.law.edges[name] ?? nil else {
            return false
        }
        return law.pull(offset) > 0
    }

    /// The state of the refresh edge as shown.
    var refreshState: EdgeState {
        if let predicted { return predicted.prediction.state }
        return told.edges.values.first { $0.isRefresh }?.state ?? .disabled
    }

    // MARK: The finger

    mutating func takeHold(_ sample: HandSample, _ movement: inout Movement) {
        let shown = told.offset.value(at: sample.t)
        guard case .travel = sample.way else {
            if case .offset(let offset) = sample.way { movement.origin = offset }
            return
        }
        movement.origin = shown
        told.offset.set(shown)
        let isKnown = !told.law.resistance.isEmpty
        if isKnown, told.law.rest.contains(shown) { movement.hold = Hold(origin: shown) }
    }

    /// Anchors the finger again after the range of the list has changed under it, at the offset
    /// that is shown.
    mutating func holdAnew(at t: Double, isExact: Bool) {
        guard var movement, case .travel(let travel) = movement.last.way else { return }
        let shown = told.offset.value(at: t)
        let canHold = isExact && told.law.rest.contains(shown)
        movement.hold = canHold ? Hold(origin: shown + travel) : nil
        self.movement = movement
    }

    /// Shows the list at the sample's position and returns its offset.
    mutating func show(_ sample: HandSample, _ movement: Movement) -> Double {
        switch sample.way {
        case .offset(let offset): told.offset.set(offset)
        case .travel(let travel):
            if let hold = movement.hold { told.offset.set(held(hold.origin - travel)) }
        }
        return told.offset.value(at: sample.t)
    }

    private func held(_ free: Double) -> Double {
        let rest = told.law.rest
        let isVertical = told.edges.keys.contains("top") || told.edges.keys.contains("bottom")
        let pair = isVertical ? ("top", "bottom") : ("leading", "trailing")
        let names = isLow(pair.0) ? pair : (pair.1, pair.0)
        if free < rest.lowerBound {
            let shown = told.law.shown(travel: rest.lowerBound - free, at: names.0)
            return rest.lowerBound - (shown ?? 0)
        }
        if free > rest.upperBound {
            let shown = told.law.shown(travel: free - rest.upperBound, at: names.1)
            return rest.upperBound + (shown ?? 0)
        }
        return free
    }

    // MARK: Predictions

    /// Returns the state of the refresh edge to show from this sample on; nil if it does not
    /// change.
    func predict(
        _ phase: ScrollPhase, at offset: Double, _ movement: Movement, isPan: Bool,
        hasNotMoved: Bool
    ) -> Prediction? {
        // A finger that has not moved the list has not pulled it.
        guard movement.last.isFinger, phase != .idle, !(phase == .began && hasNotMoved),
            let name = told.refreshEdge,
            let sight = told.law.edges[name], let law = sight
        else { return nil }
        let state = refreshState
        guard [.idle, .pulling, .eligible].contains(state) else { return nil }
        // If the daemon moves the list, the client's offset is behind. Near a threshold, the finger
        // may already be on the other side.
        if isPan, movement.hold == nil || isNearSomething(offset) { return nil }
        let isArmed = state == .eligible
        // A sample that does not move the list is not evaluated.
        if !isPan, phase == .ended || phase == .cancelled, offset == previous {
            let fires = phase == .ended && law.fires == "release"
            if isArmed { return fires ? .refreshing : nil }
            return nil
        }
        let next = prediction(phase, at: offset, law, isArmed: isArmed, isPan)
        return next?.state == state ? nil : next
    }

    /// Returns the predicted state; nil if only the daemon knows it.
    private func prediction(
        _ phase: ScrollPhase, at offset: Double, _ law: ClientLaw.Edge, isArmed: Bool,
        _ isPan: Bool
    ) -> Prediction? {
        let still: Prediction = law.pull(offset) > 0 ? .pulling : .idle
        let over: Prediction = isPan ? .idle : still
        switch phase {
        case .decelerating, .idle: return law.pull(offset) < 1 ? still : nil
        case .cancelled: return isArmed ? nil : over
        case .began, .dragging, .ended: break
        }
        guard let arm = law.arm else {
            if phase == .ended, isPan { return .idle }
            return law.pull(offset) < 1 ? still : nil
        }
        let way = law.way(offset, beyond: arm)
        let isBeyond = law.isStrict ? way > 0 : way >= 0
        let isKept = isArmed && law.keepsArmed(at: offset)
        guard isBeyond || isKept else { return phase == .ended ? over : still }
        if law.fires == "reach" { return .refreshing }
        guard phase == .ended else { return .eligible }
        return law.fires == "release" ? .refreshing : nil
    }

    /// Opens the room of a refresh that is predicted to begin.
    mutating func openRoom(at t: Double) {
        guard let name = told.refreshEdge, let sight = told.law.edges[name], let law = sight,
            law.room > 0, told.insets[name]?.target != law.room
        else { return }
        let command = JSONValue.object([
            .init("duration", .number(law.duration)), .init("curve", .string("easeInOut")),
        ])
        told.insets[name, default: PlayedValue(0)].play(command, to: law.room, at: t)
    }
}

extension EdgeState {
    /// Whether the progress in this state is that of the pull.
    fileprivate var isPulled: Bool { self == .pulling || self == .approaching }
}
