internal import RefreshProtocol

/// The messages that a local client sends. The rule numbers are those of docs/protocol.md, "What a
/// client sends".
extension LocalClient {
    mutating func handleScroll(
        _ sample: HandSample, at offset: Double, _ wasMoved: Bool, _ movement: inout Movement
    ) -> [JSONValue] {
        let wasInside = movement.isInside
        movement.isInside = received.law.isOfInterest(offset)
        let isOfInterest = movement.isInside || (wasInside && sample.phase != .began)
        switch sample.phase {
        case .began:
            speedMeter.reset(at: offset, t: sample.t)
            let isRequired = isBusy || wasMoved || needsSending(offset, sample, movement)
            guard isOfInterest, isRequired else { return [] }
            return encodeWithHeldSamples(sample, at: offset, &movement)
        case .dragging, .decelerating:
            guard isOfInterest else { return [] }
            speedMeter.record(offset, t: sample.t)
            let isRequired =
                !sample.isFinger || !movement.isInside
                || isSilent(movement, at: sample.t, entered: !wasInside)
                || needsSending(offset, sample, movement)
            return isRequired
                ? encodeWithHeldSamples(sample, at: offset, &movement, entered: !wasInside) : []
        case .ended, .cancelled: return handleLift(sample, at: offset, isOfInterest, &movement)
        case .idle:
            let isJump = !sample.isFinger && isOfInterest && offset != knownOffset
            guard movement.lastSentAt != nil || isJump else { return [] }
            return [encodeSample(sample, at: offset, &movement)]
        }
    }

    /// Returns whether the last sample of the movement was sent at least `silenceMs` ago. If no
    /// sample of the movement was sent, returns whether the list has just entered a range of
    /// interest (rule 3).
    private func isSilent(_ movement: Movement, at t: Double, entered: Bool) -> Bool {
        guard let sentAt = movement.lastSentAt else { return entered }
        return t - sentAt >= silenceMs
    }

    private mutating func handleLift(
        _ sample: HandSample, at offset: Double, _ isOfInterest: Bool, _ movement: inout Movement
    ) -> [JSONValue] {
        var messages: [JSONValue] = []
        let hasMoved = offset != previousOffset
        let isTracked = isOfInterest || movement.lastSentAt != nil
        if isTracked, hasMoved { speedMeter.record(offset, t: sample.t) }
        let isReported = movement.lastSentAt != nil
        let isLost = movement.lastSentAt.map { sample.t - $0 >= silenceMs } ?? false
        let countsSpeed = isReported && !isLost && hasLead && !isPulled(at: offset)
        let isDue =
            countsSpeed
            ? hasMoved || (!received.evaluatesOnlyMovement && isArmedByLead(at: offset))
            : !isReported && hasMoved && needsSending(offset, sample, movement)
        let isStreamed = movement.streamSentAt != nil
        if isTracked, isDue, sample.phase == .cancelled, !isReported, isStreamed {
            return encodeWithSeparateBegan(sample, at: offset, &movement)
        }
        if isTracked, isDue, sample.phase == .ended {
            var dragging = sample
            dragging.phase = .dragging
            messages = encodeWithHeldSamples(dragging, at: offset, &movement)
        }
        guard movement.lastSentAt != nil else {
            movement.liftSample = sample
            return []
        }
        messages.append(encodeSample(sample, at: offset, &movement))
        return messages
    }

    /// Handles a sample of `pan`. During a `pan` the daemon moves the list, so samples are sent at
    /// every offset.
    mutating func handlePan(
        _ sample: HandSample, at offset: Double, _ wasMoved: Bool, _ movement: inout Movement
    ) -> [JSONValue] {
        switch sample.phase {
        case .began:
            speedMeter.reset(at: offset, t: sample.t)
            let isRequired =
                isBusy || wasMoved || movement.anchor == nil
                || needsSending(offset, sample, movement)
            return isRequired ? encodeWithHeldSamples(sample, at: offset, &movement) : []
        case .dragging:
            speedMeter.record(offset, t: sample.t)
            let isRequired =
                !sample.isFinger || movement.anchor == nil
                || needsSending(offset, sample, movement)
            return isRequired ? encodeWithHeldSamples(sample, at: offset, &movement) : []
        case .ended, .cancelled: return handlePanLift(sample, at: offset, &movement)
        case .decelerating, .idle: return []
        }
    }

    private mutating func handlePanLift(
        _ sample: HandSample, at offset: Double, _ movement: inout Movement
    ) -> [JSONValue] {
        let isUnsent = movement.lastSentAt == nil
        let hasMoved = offset != previousOffset
        if hasMoved, isUnsent || hasLead { speedMeter.record(offset, t: sample.t) }
        guard sample.phase == .ended else {
            // A `began` at this offset would have the effect of a `dragging`, and could fire an
            // edge.
            return isUnsent
                ? encodeWithSeparateBegan(sample, at: offset, &movement)
                : [encodeSample(sample, at: offset, &movement)]
        }
        var messages: [JSONValue] = []
        if isUnsent || (hasLead && (hasMoved || isArmedByLead(at: offset))) {
            var dragging = sample
            dragging.phase = .dragging
            messages = encodeWithHeldSamples(dragging, at: offset, &movement)
        }
        messages.append(encodeSample(sample, at: offset, &movement))
        return messages
    }

    /// Returns the messages for the sample. If a finger has caused the movement, and no sample of
    /// it was sent during the last `silenceMs`, the messages contain the start of the movement. If
    /// the finger was lifted during this time, the messages also contain the lift.
    mutating func encodeWithHeldSamples(
        _ sample: HandSample, at offset: Double, _ movement: inout Movement, entered: Bool = false
    ) -> [JSONValue] {
        let isNew = movement.lastSentAt.map { sample.t - $0 >= silenceMs } ?? true
        guard isNew, sample.isFinger else { return [encodeSample(sample, at: offset, &movement)] }
        let isFirst = movement.lastSentAt == nil && !entered
        let goes =
            offset == previousOffset
            ? towardsEnd : movesTowardsEnd(from: previousOffset, to: offset)
        // If the finger has reversed, the daemon cannot infer the direction from the point where
        // the finger came down.
        if isFirst, sample.phase == .dragging,
            movesTowardsEnd(from: movement.origin, to: offset) != goes
        {
            return encodeWithSeparateBegan(sample, at: offset, &movement)
        }
        if sample.isPan {
            let phase = isFirst ? ScrollPhase.began : .dragging
            let shown = isFirst ? movement.caughtOffset : nil
            return [
                encodeSample(sample, phase: phase, at: offset, with: [("offset", shown)], &movement)
            ]
        }
        let origin = isFirst ? movement.origin : offset
        if !isFirst {
            resetMotion(at: offset)
            speedMeter.reset(at: offset, t: sample.t)
        }
        guard sample.phase == .decelerating else {
            let from = origin == offset ? nil : origin
            return [
                encodeSample(sample, phase: .began, at: offset, with: [("from", from)], &movement)
            ]
        }
        return encodeAfterLift(sample, at: offset, origin, &movement, entered: entered)
    }

    /// Returns `began` and the sample as two messages. The `began` has the offset at which the
    /// finger came down.
    private mutating func encodeWithSeparateBegan(
        _ sample: HandSample, at offset: Double, _ movement: inout Movement
    ) -> [JSONValue] {
        var began = sample
        began.phase = .began
        began.position = sample.isPan ? .travel(0) : .offset(movement.origin)
        let shown = sample.isPan ? movement.caughtOffset : nil
        let first = encodeSample(began, at: movement.origin, with: [("offset", shown)], &movement)
        return [first, encodeSample(sample, at: offset, &movement)]
    }

    /// Returns `began`, `ended` (or `cancelled`) and the sample, because the finger was lifted
    /// before a sample of the movement was sent.
    private mutating func encodeAfterLift(
        _ sample: HandSample, at offset: Double, _ origin: Double, _ movement: inout Movement,
        entered: Bool
    ) -> [JSONValue] {
        var lifted = sample
        var place = offset
        if !entered, let held = movement.liftSample, case .offset(let left) = held.position {
            (lifted, place) = (held, left)
            lifted.t = sample.t
        }
        if lifted.phase != .cancelled { lifted.phase = .ended }
        let from = origin == place ? nil : origin
        let wasInertia = movement.isFingerDown
        movement.isFingerDown = true
        // A `began` at the offset of a `cancelled` would have the effect of a `dragging`, and could
        // fire an edge.
        var messages =
            lifted.phase == .cancelled
            ? encodeWithSeparateBegan(lifted, at: place, &movement)
            : [
                encodeSample(lifted, phase: .began, at: place, with: [("from", from)], &movement),
                encodeSample(lifted, at: place, &movement),
            ]
        movement.isFingerDown = wasInertia
        messages.append(encodeSample(sample, at: offset, &movement))
        return messages
    }

    // MARK: Wanted samples

    /// Whether an edge without a visible pull is in a state other than `idle`, `disabled` or
    /// `noMore`.
    var isBusy: Bool {
        received.edges.contains { name, edge in
            guard let sight = received.law.edges[name], sight == nil else { return false }
            return ![.idle, .disabled, .noMore].contains(edge.isRefresh ? refreshState : edge.state)
        }
    }

    private func needsSending(_ offset: Double, _ sample: HandSample, _ movement: Movement) -> Bool
    {
        let law = received.law
        return reversesDirection(to: offset) || law.crossesBoundary(from: knownOffset, to: offset)
            || law.follow.contains { $0.contains(offset) }
            || received.edges.contains { stateDiffers($0.key, $0.value, at: offset, movement) }
            || isArmedByLead(at: offset)
            || (sample.isPan && (isNearBoundary(offset) || isNearBoundary(knownOffset)))
            || movement.lastSentAt.map { sample.t - $0 >= 2000 } == true
    }

    /// Returns whether the list has reversed since the last sent sample, while the law has no pull
    /// at the load-more edge (rule 10).
    private func reversesDirection(to offset: Double) -> Bool {
        guard offset != previousOffset, let name = received.loadMoreEdge,
            let sight = received.law.edges[name], sight == nil
        else { return false }
        return movesTowardsEnd(from: previousOffset, to: offset) != knownTowardsEnd
    }

    /// Returns the offset at which the motion of a sample starts. Nil if the daemon infers the
    /// right motion without this offset, from the last offset that it knows.
    func origin(of offset: Double, _ phase: ScrollPhase) -> Double? {
        if offset == previousOffset, mustNotMove(at: offset, phase) {
            return knownOffset == previousOffset ? nil : previousOffset
        }
        let taken =
            offset == knownOffset ? knownTowardsEnd : movesTowardsEnd(from: knownOffset, to: offset)
        if offset != previousOffset {
            return taken == movesTowardsEnd(from: previousOffset, to: offset) ? nil : previousOffset
        }
        guard taken != towardsEnd else { return nil }
        if knownTowardsEnd == towardsEnd { return offset }
        return movesTowardsEnd(from: turnOffset, to: offset) == towardsEnd ? turnOffset : nil
    }

    /// Returns whether the daemon must not infer a motion from a sample that does not move the
    /// list. This is the case if the inferred motion would have a visible effect or a speed.
    private func mustNotMove(at offset: Double, _ phase: ScrollPhase) -> Bool {
        let countsSpeed = hasLead && !isPulled(at: offset)
        switch phase {
        case .idle: return true
        case .ended, .cancelled: return received.evaluatesOnlyMovement || countsSpeed
        case .dragging, .decelerating:
            // A speed of 0 is not sent, so the daemon would compute a speed from the sample.
            return countsSpeed && speedMeter.speed == 0 && knownTowardsEnd == towardsEnd
        case .began: return false
        }
    }

    /// Returns whether a motion leads towards the end of the content. A motion within a pull beyond
    /// the start of the content does not count as a motion towards the end.
    func movesTowardsEnd(from old: Double, to new: Double) -> Bool {
        guard let name = received.refreshEdge ?? received.loadMoreEdge else { return false }
        let isRefresh = received.refreshEdge != nil
        let share = isRefresh ? received.insets[name]?.target ?? 0 : 0
        return isLowEdge(name) == isRefresh
            ? new > old && old >= received.law.rest.lowerBound + share
            : new < old && old <= received.law.rest.upperBound - share
    }

    /// Returns whether the edge is at the end with the smallest offsets.
    func isLowEdge(_ name: String) -> Bool {
        switch name {
        case "leading": !isRightToLeft
        case "trailing": isRightToLeft
        default: name == "top"
        }
    }

    /// Returns whether the state of an edge according to the law differs from the shown state (rule
    /// 8).
    private func stateDiffers(
        _ name: String, _ edge: ReceivedView.ReceivedEdge, at offset: Double, _ movement: Movement
    ) -> Bool {
        guard let sight = received.law.edges[name] else { return false }
        let state = edge.isRefresh ? refreshState : edge.state
        guard let law = sight else {
            return [.pulling, .eligible, .approaching].contains(state)
        }
        var isPulled = law.pullProgress(at: offset) > 0
        if !edge.isRefresh, [.pulling, .eligible].contains(refreshState) { isPulled = false }
        switch state {
        case .idle: if isPulled { return true }
        case .pulling, .approaching: if !isPulled { return true }
        case .eligible: return !isPulled || !law.staysArmed(at: offset)
        default: return false
        }
        guard let arm = law.arm else { return false }
        return (movement.isFingerDown || !edge.isRefresh)
            && law.distance(of: offset, beyond: arm) >= (edge.isRefresh ? 0 : -0.5)
    }

    /// Returns whether a sample at `offset` arms an edge by its `lead` (rule 9).
    private func isArmedByLead(at offset: Double) -> Bool {
        received.law.edges.values.contains { isArmedByLead($0, to: offset) }
    }

    /// Returns whether the sample arms the edge by its `lead` (rule 9).
    private func isArmedByLead(_ edge: ClientLaw.Edge?, to offset: Double) -> Bool {
        guard let edge, let lead = edge.lead else { return false }
        let ahead = offset + speedMeter.speed * lead.time
        return edge.distance(of: ahead, beyond: lead.place) >= -0.01
            && edge.distance(of: ahead, beyond: offset) > 0
    }

    /// Returns whether the offset is within 0.2 points of a crossing, the boundary of a range of
    /// interest, or a threshold of an edge (rule 11).
    func isNearBoundary(_ offset: Double) -> Bool {
        let law = received.law
        var places = law.crossings + law.interest.flatMap { [$0.from, $0.to] }
        for case let edge? in law.edges.values {
            places += [edge.pullStart, edge.arm ?? edge.pullStart, edge.disarm ?? edge.pullStart]
        }
        return places.contains { abs($0 - offset) < 0.2 }
    }
}
