import RefreshProtocol

/// A list that the engine moves without a finger: nobody reports where it is, and the engine knows.
extension Engine {
    /// The way of the list that was let go; nil if it is not under way.
    var flight: Flight? {
        if case .flying(let flight) = motion { flight } else { nil }
    }

    /// Something happened at `now`, when the list in flight is elsewhere.
    mutating func noteFlight(_ flight: Flight, at now: Instant) {
        offset = flight.offset(at: now)
        pace.fly(velocity: flight.velocity(at: now))
    }

    mutating func abandonMotion() {
        motion = nil
        deadlines.settle = .never
    }

    /// Where the list is on its way to what it was commanded, points.
    func place(at now: Instant) -> Double {
        switch motion {
        case .flying(let flight): flight.offset(at: now)
        case .gliding(let glide): glide.offset(at: now)
        case .held, nil: offset
        }
    }

    /// Lets the list go where it is with `velocity`, points per second, positive towards its end.
    /// At rest at once if it stays there.
    mutating func fly(velocity: Double, at now: Instant, into effects: inout [Effect]) {
        guard let flight = flight(velocity: velocity, at: now) else {
            return comeToRest(at: now, into: &effects)
        }
        take(flight, at: now, into: &effects)
        guard flight.velocity != 0 else { return }
        gesture.movesTowardsEnd = flight.velocity > 0
        // So fast it may be near enough to its end already.
        guard flight.velocity > 0, gesture.isOpen, !floor.hasTheList else { return }
        evaluateApproach(isSample: true, at: now, into: &effects)
    }

    private func flight(velocity: Double, at now: Instant) -> Flight? {
        Flight(
            from: offset, velocity: velocity, start: now, range: scrollRange,
            limit: limit(from: offset, velocity: velocity), rate: options.pan.rate)
    }

    /// How far a list may go beyond the edge that it is thrown at, points.
    private func limit(from place: Double, velocity: Double) -> Double {
        let isForward = velocity == 0 ? place > geometry.restingOffset : velocity > 0
        return min(damping(at: isForward ? .loadMore : .refresh).limit, .greatestFiniteMagnitude)
    }

    private mutating func take(_ flight: Flight, at now: Instant, into effects: inout [Effect]) {
        motion = .flying(flight)
        pace.fly(velocity: flight.velocity)
        schedule(flight, after: now)
        effects.append(.moveContent(OffsetCommand(geometry.mirrored(flight))))
    }

    /// When to look at the flight next: where it asks for something, or where it ends.
    private mutating func schedule(_ flight: Flight, after now: Instant) {
        deadlines.settle = flight.end
        look(atOrBefore: instantOfAsking(in: flight), after: now)
        look(atOrBefore: instantOfPulling(in: flight), after: now)
    }

    private mutating func look(atOrBefore instant: Instant?, after now: Instant) {
        guard let instant else { return }
        // Rounded it may be just before.
        let next = Instant(microseconds: instant.microseconds + 1)
        if next > now, next < deadlines.settle { deadlines.settle = next }
    }

    /// The flight has come to where it asks for something, or has ended.
    mutating func flightIsDue(at now: Instant, into effects: inout [Effect]) {
        guard let flight else { return abandonMotion() }
        let due = deadlines.settle
        guard due < flight.end else {
            offset = flight.rest
            abandonMotion()
            return comeToRest(hasMoved: true, at: now, into: &effects)
        }
        // As if the client had reported it then.
        noteFlight(flight, at: due)
        evaluate(isSample: true, at: now, into: &effects)
        guard self.flight == flight else { return }
        noteFlight(flight, at: now)
        schedule(flight, after: due)
    }

    /// The range, or what lies beyond it, may have changed: a finger keeps the list where it is; a
    /// list in flight goes on from there, as fast.
    mutating func adaptMotion(at now: Instant, into effects: inout [Effect]) {
        switch motion {
        case .held(let grip, let travel):
            if place(of: grip, travel: travel) != offset { hold(travel: travel) }
        case .flying(let flight):
            let range = scrollRange
            let limit = limit(from: flight.origin, velocity: flight.velocity)
            guard
                flight.lower != range.lowerBound || flight.upper != range.upperBound
                    || flight.limit != limit || flight.rate != options.pan.rate
            else { return }
            offset = flight.offset(at: now)
            goOn(velocity: flight.velocity(at: now), at: now, into: &effects)
        case .gliding, nil: break
        }
    }

    /// A list in flight goes on from where it is, with `velocity`.
    mutating func goOn(velocity: Double, at now: Instant, into effects: inout [Effect]) {
        if let flight = flight(velocity: velocity, at: now) {
            return take(flight, at: now, into: &effects)
        }
        // It stands there. That it rests is seen at its end: at once, but not in the middle of
        // this.
        motion = .flying(
            .standing(
                at: offset, since: now, range: scrollRange,
                limit: limit(from: offset, velocity: 0), rate: options.pan.rate))
        deadlines.settle = now
        stop(at: now, into: &effects)
    }

    /// Ends what the client plays.
    private func stop(at now: Instant, into effects: inout [Effect]) {
        effects.append(
            .moveContent(OffsetCommand(target: physicalOffset, timeline: .immediately(now))))
    }

    /// The range changed around a list that nobody touches: it goes where it may be.
    mutating func stayInRange(at now: Instant, into effects: inout [Effect]) {
        guard ownsPhysics, !gesture.isFingerDown, flight == nil, !floor.hasTheList else { return }
        // What the platform's control holds open is not in the range.
        guard revealedLength == 0 || options.refresh?.holdsInset == true else { return }
        guard !scrollRange.contains(offset) else { return }
        let target = offset
        offset = place(at: now)
        abandonMotion()
        if let flight = flight(velocity: 0, at: now) {
            take(flight, at: now, into: &effects)
        } else if offset != target {
            stop(at: now, into: &effects)
        }
    }
}

extension Geometry {
    /// A flight in places as the client sees it, and the other way round.
    func mirrored(_ flight: Flight) -> Flight {
        isMirrored ? flight.mirrored(about: contentLength - viewportLength) : flight
    }
}
