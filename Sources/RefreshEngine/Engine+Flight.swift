import RefreshProtocol

/// The engine moves a list that no finger holds. The client does not report the list's position
/// during this movement, because the engine can compute it.
extension Engine {
    /// The flight of the released list; nil if it does not fly.
    var flight: Flight? {
        if case .flying(let flight) = motion { flight } else { nil }
    }

    /// Sets the position of the list in flight to its position at `now`. This is done before an
    /// event is handled.
    mutating func updateOffset(in flight: Flight, at now: Instant) {
        offset = flight.offset(at: now)
        scrollSpeed.setVelocity(flight.velocity(at: now), at: now)
    }

    mutating func clearMotion() {
        motion = nil
        deadlines.settle = .never
    }

    /// The place of the list at `now`, in points. If a command moves the list, or if the list
    /// flies, this is a place on the way to the target.
    func currentOffset(at now: Instant) -> Double {
        switch motion {
        case .flying(let flight): flight.offset(at: now)
        case .gliding(let glide): glide.offset(at: now)
        case .held, nil: offset
        }
    }

    /// Releases the list at its current place with `velocity`, in points per second, positive
    /// towards the end of the list. If the list does not move, it is at rest immediately.
    mutating func startFlight(velocity: Double, at now: Instant, into effects: inout [Effect]) {
        guard let flight = flight(velocity: velocity, at: now) else {
            return handleRest(at: now, into: &effects)
        }
        applyFlight(flight, at: now, into: &effects)
        guard flight.velocity != 0 else { return }
        gesture.movesTowardsEnd = flight.velocity > 0
        // At this speed, the list can already be close enough to its end to request the next page.
        guard flight.velocity > 0, gesture.isOpen, !floor.ownsList else { return }
        evaluateApproach(isSample: true, at: now, into: &effects)
    }

    private func flight(velocity: Double, at now: Instant) -> Flight? {
        Flight(
            from: offset, velocity: velocity, start: now, range: scrollRange,
            limit: overshootLimit(from: offset, velocity: velocity), rate: options.pan.rate)
    }

    /// The maximum overshoot of a list beyond the edge towards which it flies, in points.
    private func overshootLimit(from place: Double, velocity: Double) -> Double {
        let isForward = velocity == 0 ? place > geometry.restingOffset : velocity > 0
        return min(damping(at: isForward ? .end : .start).limit, .greatestFiniteMagnitude)
    }

    private mutating func applyFlight(
        _ flight: Flight, at now: Instant, into effects: inout [Effect]
    ) {
        motion = .flying(flight)
        scrollSpeed.setVelocity(flight.velocity, at: now)
        scheduleDeadline(of: flight, after: now)
        effects.append(.moveContent(OffsetCommand(geometry.mirrored(flight))))
    }

    /// Sets the next deadline of the flight: the instant at which the list reaches a place that
    /// triggers a request, or the end of the flight.
    private mutating func scheduleDeadline(of flight: Flight, after now: Instant) {
        deadlines.settle = flight.end
        scheduleEvaluation(atOrBefore: instantOfPreload(in: flight), after: now)
        scheduleEvaluation(atOrBefore: instantOfRefreshThreshold(in: flight), after: now)
    }

    private mutating func scheduleEvaluation(atOrBefore instant: Instant?, after now: Instant) {
        guard let instant else { return }
        // At the rounded instant, the list may not have reached the place yet.
        let next = Instant(microseconds: instant.microseconds + 1)
        if next > now, next < deadlines.settle { deadlines.settle = next }
    }

    /// Handles the deadline of a flight: the list has reached a place that triggers a request, or
    /// the flight has ended.
    mutating func handleFlightDeadline(at now: Instant, into effects: inout [Effect]) {
        guard let flight else { return clearMotion() }
        let due = deadlines.settle
        guard due < flight.end else {
            offset = flight.rest
            clearMotion()
            return handleRest(hasMoved: true, at: now, into: &effects)
        }
        // The position is evaluated as if the client had reported it at the deadline.
        updateOffset(in: flight, at: due)
        evaluate(isSample: true, at: now, into: &effects)
        guard self.flight == flight else { return }
        updateOffset(in: flight, at: now)
        scheduleDeadline(of: flight, after: due)
    }

    /// Adapts the movement after the range of the list, or the resistance beyond this range, has
    /// changed. If a finger holds the list, the list stays where it is. A list in flight continues
    /// from its place at the same velocity.
    mutating func adaptMotion(at now: Instant, into effects: inout [Effect]) {
        switch motion {
        case .held(let anchor, let travel):
            if dragOffset(of: anchor, travel: travel) != offset { updateDragAnchor(travel: travel) }
        case .flying(let flight):
            let range = scrollRange
            let limit = overshootLimit(from: flight.origin, velocity: flight.velocity)
            guard
                flight.lower != range.lowerBound || flight.upper != range.upperBound
                    || flight.limit != limit || flight.rate != options.pan.rate
            else { return }
            offset = flight.offset(at: now)
            continueFlight(velocity: flight.velocity(at: now), at: now, into: &effects)
        case .gliding, nil: break
        }
    }

    /// Continues the flight of the list from its current place with `velocity`.
    mutating func continueFlight(velocity: Double, at now: Instant, into effects: inout [Effect]) {
        if let flight = flight(velocity: velocity, at: now) {
            return applyFlight(flight, at: now, into: &effects)
        }
        // The list does not move. Because of the immediate deadline, the engine handles the list as
        // at rest after the current operation.
        motion = .flying(
            .resting(
                at: offset, since: now, range: scrollRange,
                limit: overshootLimit(from: offset, velocity: 0), rate: options.pan.rate))
        deadlines.settle = now
        stopClientMovement(at: now, into: &effects)
    }

    /// Ends the movement that the client performs for a command.
    private func stopClientMovement(at now: Instant, into effects: inout [Effect]) {
        effects.append(
            .moveContent(OffsetCommand(target: physicalOffset, timeline: .immediately(now))))
    }

    /// If no finger holds the list, moves it back into its range after the range has changed.
    mutating func returnToRange(at now: Instant, into effects: inout [Effect]) {
        guard ownsPhysics, !gesture.isFingerDown, flight == nil, !floor.ownsList else { return }
        // The room that the platform's control holds open is not part of the range.
        guard refresh.revealedLength == 0 || options.refresh?.holdsInset == true else { return }
        guard !scrollRange.contains(offset) else { return }
        let target = offset
        offset = currentOffset(at: now)
        clearMotion()
        if let flight = flight(velocity: 0, at: now) {
            applyFlight(flight, at: now, into: &effects)
        } else if offset != target {
            stopClientMovement(at: now, into: &effects)
        }
    }
}

extension Geometry {
    /// Converts a flight between places and the client's physical offsets, in either direction.
    func mirrored(_ flight: Flight) -> Flight {
        isMirrored ? flight.mirrored(about: contentLength - viewportLength) : flight
    }
}
