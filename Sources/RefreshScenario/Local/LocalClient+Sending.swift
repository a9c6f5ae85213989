internal import RefreshProtocol

/// The messages that a local client sends. The rule numbers are those of docs/protocol.md, "What a
/// client sends".
extension LocalClient {
    mutating func scroll(
        _ sample: HandSample, at offset: Double, _ wasMoved: Bool, _ movement: inout Movement
    ) -> [JSONValue] {
        let wasInside = movement.isInside
        movement.isInside = told.law.isOfInterest(offset)
        let isOfInterest = movement.isInside || (wasInside && sample.phase != .began)
        switch sample.phase {
        case .began:
            pace.stand(at: offset, t: sample.t)
            let isWanted = isBusy || wasMoved || wants(offset, sample, movement)
            guard isOfInterest, isWanted else { return [] }
            return tell(sample, at: offset, &movement)
        case .dragging, .decelerating:
            guard isOfInterest else { return [] }
            pace.note(offset, t: sample.t)
            let isWanted =
                !sample.isFinger || !movement.isInside
                || isSilent(movement, at: sample.t, entered: !wasInside)
                || wants(offset, sample, movement)
            return isWanted ? tell(sample, at: offset, &movement, entered: !wasInside) : []
        case .ended, .cancelled: return lift(sample, at: offset, isOfInterest, &movement)
        case .idle:
            guard movement.toldAt != nil else { return [] }
            return [write(sample, at: offset, &movement)]
        }
    }

    /// Whether nothing was sent for the silence limit, or the list has just entered a range of
    /// interest (rule 3).
    private func isSilent(_ movement: Movement, at t: Double, entered: Bool) -> Bool {
        guard let toldAt = movement.toldAt else { return entered }
        return t - toldAt >= silenceMs
    }

    /// Handles the lift of the finger.
    private mutating func lift(
        _ sample: HandSample, at offset: Double, _ isOfInterest: Bool, _ movement: inout Movement
    ) -> [JSONValue] {
        var messages: [JSONValue] = []
        let hasMoved = offset != previous
        let isHeard = isOfInterest || movement.toldAt != nil
        if isHeard, hasMoved { pace.note(offset, t: sample.t) }
        let isTold = movement.toldAt != nil
        let isLost = movement.toldAt.map { sample.t - $0 >= silenceMs } ?? false
        let countsSpeed = isTold && !isLost && hasLead && !isPulled(at: offset)
        if isHeard, hasMoved, sample.phase == .ended,
            countsSpeed || (!isTold && wants(offset, sample, movement))
        {
            var dragging = sample
            dragging.phase = .dragging
            messages = tell(dragging, at: offset, &movement)
        }
        guard movement.toldAt != nil else {
            movement.lifted = sample
            return []
        }
        messages.append(write(sample, at: offset, &movement))
        return messages
    }

    /// Handles a sample of `pan`. The daemon moves the list, so samples are sent at every offset.
    mutating func pan(
        _ sample: HandSample, at offset: Double, _ wasMoved: Bool, _ movement: inout Movement
    ) -> [JSONValue] {
        switch sample.phase {
        case .began:
            pace.stand(at: offset, t: sample.t)
            let isWanted =
                isBusy || wasMoved || movement.hold == nil
                || wants(offset, sample, movement)
            return isWanted ? tell(sample, at: offset, &movement) : []
        case .dragging:
            pace.note(offset, t: sample.t)
            let isWanted =
                !sample.isFinger || movement.hold == nil
                || wants(offset, sample, movement)
            return isWanted ? tell(sample, at: offset, &movement) : []
        case .ended, .cancelled:
            var messages: [JSONValue] = []
            if movement.toldAt == nil || (hasLead && offset != previous) {
                if offset != previous { pace.note(offset, t: sample.t) }
                var dragging = sample
                dragging.phase = .dragging
                messages = tell(dragging, at: offset, &movement)
            }
            messages.append(write(sample, at: offset, &movement))
            return messages
        case .decelerating, .idle: return []
        }
    }

    /// Returns the sample, preceded by the samples of its movement that were held back.
    mutating func tell(
        _ sample: HandSample, at offset: Double, _ movement: inout Movement, entered: Bool = false
    ) -> [JSONValue] {
        let isNew = movement.toldAt.map { sample.t - $0 >= silenceMs } ?? true
        guard isNew, sample.isFinger else { return [write(sample, at: offset, &movement)] }
        let isFirst = movement.toldAt == nil && !entered
        let goes = offset == previous ? towardsEnd : leads(from: previous, to: offset)
        if isFirst, sample.phase == .dragging, leads(from: movement.origin, to: offset) != goes {
            return tellApart(sample, at: offset, &movement)
        }
        if sample.isPan {
            let phase = isFirst ? ScrollPhase.began : .dragging
            let shown = isFirst ? movement.caughtAt : nil
            return [write(sample, phase: phase, at: offset, with: [("offset", shown)], &movement)]
        }
        let origin = isFirst ? movement.origin : offset
        if !isFirst {
            begin(at: offset)
            pace.stand(at: offset, t: sample.t)
        }
        guard sample.phase == .decelerating else {
            let from = origin == offset ? nil : origin
            return [write(sample, phase: .began, at: offset, with: [("from", from)], &movement)]
        }
        return tellLifted(sample, at: offset, origin, &movement, entered: entered)
    }

    /// Sends `began` separately. The finger has turned, so the place where it came down does not
    /// give the direction.
    private mutating func tellApart(
        _ sample: HandSample, at offset: Double, _ movement: inout Movement
    ) -> [JSONValue] {
        var began = sample
        began.phase = .began
        began.way = sample.isPan ? .travel(0) : .offset(movement.origin)
        let shown = sample.isPan ? movement.caughtAt : nil
        let first = write(began, at: movement.origin, with: [("offset", shown)], &movement)
        return [first, write(sample, at: offset, &movement)]
    }

    /// Sends `began` and `ended` first. The finger has left before any sample of it was sent.
    private mutating func tellLifted(
        _ sample: HandSample, at offset: Double, _ origin: Double, _ movement: inout Movement,
        entered: Bool
    ) -> [JSONValue] {
        var lifted = sample
        var place = offset
        if !entered, let held = movement.lifted, case .offset(let left) = held.way {
            (lifted, place) = (held, left)
            lifted.t = sample.t
        }
        if lifted.phase != .cancelled { lifted.phase = .ended }
        let from = origin == place ? nil : origin
        let wasInertia = movement.isFingerDown
        movement.isFingerDown = true
        var messages = [
            write(lifted, phase: .began, at: place, with: [("from", from)], &movement),
            write(lifted, at: place, &movement),
        ]
        movement.isFingerDown = wasInertia
        messages.append(write(sample, at: offset, &movement))
        return messages
    }

    // MARK: Wanted samples

    /// Whether an edge without a visible pull is in a state other than idle, disabled or noMore.
    var isBusy: Bool {
        told.edges.contains { name, edge in
            guard let sight = told.law.edges[name], sight == nil else { return false }
            return ![.idle, .disabled, .noMore].contains(edge.isRefresh ? refreshState : edge.state)
        }
    }

    private func wants(_ offset: Double, _ sample: HandSample, _ movement: Movement) -> Bool {
        let law = told.law
        return turns(to: offset) || law.isCrossed(from: known, to: offset)
            || law.follow.contains { $0.contains(offset) }
            || told.edges.contains { differs($0.key, $0.value, at: offset, movement) }
            || law.edges.values.contains { isLed($0, to: offset) }
            || (sample.isPan && (isNearSomething(offset) || isNearSomething(known)))
            || movement.toldAt.map { sample.t - $0 >= 2000 } == true
    }

    /// Returns whether the list has turned since the last sample that was sent, while the law has
    /// no pull at the load-more edge (rule 10).
    private func turns(to offset: Double) -> Bool {
        guard offset != previous, let name = told.loadMoreEdge,
            let sight = told.law.edges[name], sight == nil
        else { return false }
        return leads(from: previous, to: offset) != knownTowardsEnd
    }

    /// Returns the offset in the frame before, if the daemon would otherwise assume a different
    /// motion.
    func origin(of offset: Double, _ phase: ScrollPhase) -> Double? {
        let isEnd = phase == .ended || phase == .cancelled || phase == .idle
        // In these cases a resting finger changes nothing visible, and its sample has no velocity.
        if told.isForMovement || (hasLead && !isPulled(at: offset)), isEnd, offset == previous {
            return known == previous ? nil : previous
        }
        let taken = offset == known ? knownTowardsEnd : leads(from: known, to: offset)
        if offset != previous {
            return taken == leads(from: previous, to: offset) ? nil : previous
        }
        guard taken != towardsEnd else { return nil }
        if knownTowardsEnd == towardsEnd { return offset }
        return leads(from: turn, to: offset) == towardsEnd ? turn : nil
    }

    /// Returns whether a motion leads towards the end of the content. A motion from a pull beyond
    /// the start does not.
    func leads(from old: Double, to new: Double) -> Bool {
        guard let name = told.refreshEdge ?? told.loadMoreEdge else { return false }
        let isRefresh = told.refreshEdge != nil
        let share = isRefresh ? told.insets[name]?.target ?? 0 : 0
        return isLow(name) == isRefresh
            ? new > old && old >= told.law.rest.lowerBound + share
            : new < old && old <= told.law.rest.upperBound - share
    }

    /// Returns whether the edge is at the end with the smallest offsets.
    func isLow(_ name: String) -> Bool {
        switch name {
        case "leading": !isRightToLeft
        case "trailing": isRightToLeft
        default: name == "top"
        }
    }

    /// Returns whether the state of an edge by the law differs from the shown one (rule 8).
    private func differs(
        _ name: String, _ edge: ToldView.ToldEdge, at offset: Double, _ movement: Movement
    ) -> Bool {
        guard let sight = told.law.edges[name] else { return false }
        let state = edge.isRefresh ? refreshState : edge.state
        guard let law = sight else {
            return [.pulling, .eligible, .approaching].contains(state)
        }
        var isPulled = law.pull(offset) > 0
        if !edge.isRefresh, [.pulling, .eligible].contains(refreshState) { isPulled = false }
        switch state {
        case .idle: if isPulled { return true }
        case .pulling, .approaching: if !isPulled { return true }
        case .eligible: return !isPulled || !law.keepsArmed(at: offset)
        default: return false
        }
        guard let arm = law.arm else { return false }
        return (movement.isFingerDown || !edge.isRefresh)
            && law.way(offset, beyond: arm) >= (edge.isRefresh ? 0 : -0.5)
    }

    /// Returns whether the sample arms the edge by its `lead` (rule 9).
    private func isLed(_ edge: ClientLaw.Edge?, to offset: Double) -> Bool {
        guard let edge, let lead = edge.lead else { return false }
        let ahead = offset + pace.speed * lead.time
        return edge.way(ahead, beyond: lead.place) >= -0.01
            && edge.way(ahead, beyond: offset) > 0
    }

    /// Returns whether the offset is within 0.2 point of a crossing, a bound of interest or a place
    /// of an edge (rule 11).
    func isNearSomething(_ offset: Double) -> Bool {
        let law = told.law
        var places = law.crossings + law.interest.flatMap { [$0.from, $0.to] }
        for case let edge? in law.edges.values {
            places += [edge.begin, edge.arm ?? edge.begin, edge.disarm ?? edge.begin]
        }
        return places.contains { abs($0 - offset) < 0.2 }
    }
}
