/// The whole way of a list that was let go, from the finger to rest.
///
/// Inside its range the list slides; at an edge it goes on over it with the velocity it has there
/// and is drawn back by a spring; let go beyond an edge it is drawn back at once, with the finger's
/// velocity. Position and velocity are continuous all the way and known at every instant, so that a
/// finger may take hold of the list anywhere. Only the beginning is kept; the rest follows from it.
///
/// Continuous means: but for the last half point, which nobody sees, at the end.
package struct Flight: Hashable, Sendable, Codable {
    /// Points per second: what is slower when it is let go inside its range stays where it is.
    package static let speedMin = 10.0

    package let start: Instant
    /// Where the list was let go, points.
    package let origin: Double
    /// How fast, points per second, positive towards the end of the content.
    package let velocity: Double
    /// The offsets that the list can rest at, points.
    package let lower: Double
    package let upper: Double
    /// How far beyond the edge that it moves to the list may go, points; at least where it is
    /// already.
    package let limit: Double
    package let rate: DecelerationRate

    /// Nil if the list stays where it is: inside `range`, and slower than `speedMin`. A `limit` of
    /// infinity is none. All values are finite.
    package init?(
        from origin: Double, velocity: Double, start: Instant, range: ClosedRange<Double>,
        limit: Double, rate: DecelerationRate
    ) {
        if range.contains(origin), velocity.magnitude < Self.speedMin { return nil }
        self.init(
            start: start, origin: origin, velocity: velocity, lower: range.lowerBound,
            upper: range.upperBound, limit: limit, rate: rate)
    }

    private init(
        start: Instant, origin: Double, velocity: Double, lower: Double, upper: Double,
        limit: Double, rate: DecelerationRate
    ) {
        self.start = start
        self.origin = origin
        self.velocity = velocity
        self.lower = lower
        self.upper = upper
        // Infinity has no text in JSON.
        self.limit = min(limit, .greatestFiniteMagnitude)
        self.rate = rate
    }

    /// A list that stands at `offset`, which lies in `range`, from `start` on: a flight that is
    /// over.
    package static func standing(
        at offset: Double, since start: Instant, range: ClosedRange<Double>, limit: Double,
        rate: DecelerationRate
    ) -> Flight {
        Flight(
            start: start, origin: offset, velocity: 0, lower: range.lowerBound,
            upper: range.upperBound, limit: limit, rate: rate)
    }

    /// The same flight, begun at another instant.
    package func begun(at start: Instant) -> Flight {
        Flight(
            start: start, origin: origin, velocity: velocity, lower: lower, upper: upper,
            limit: limit, rate: rate)
    }

    /// The same flight where offsets run the other way: each is `sum` less what it was.
    package func mirrored(about sum: Double) -> Flight {
        Flight(
            start: start, origin: sum - origin, velocity: 0 - velocity, lower: sum - upper,
            upper: sum - lower, limit: limit, rate: rate)
    }

    /// Where it comes to rest, points.
    package var rest: Double { Course(self).rest }

    /// Milliseconds.
    package var duration: Double { Course(self).duration }

    package var end: Instant { start.advanced(byMilliseconds: duration) }

    /// Where the list is at `now`, points.
    package func offset(at now: Instant) -> Double {
        Course(self).offset(at: max(now.milliseconds(since: start), 0))
    }

    /// How fast it is at `now`, points per second.
    package func velocity(at now: Instant) -> Double {
        let time = max(now.milliseconds(since: start), 0)
        return Course(self).leg(at: time)?.velocity(at: time) ?? 0
    }

    /// When the list first goes over `offset`, which may be an edge or lie beyond one; nil if it
    /// does not. What it passes on a spring back is not counted.
    package func instant(passing offset: Double) -> Instant? {
        let course = Course(self)
        for index in 0..<course.count {
            let leg = course.legs[index]
            if let time = leg.time(passing: offset) {
                return start.advanced(byMilliseconds: time)
            }
            // The end of a slide to an edge, but for rounding.
            if case .slide(let slide) = leg.law, offset == course.rest,
                (offset - leg.base) * slide.velocity > 0
            {
                return start.advanced(byMilliseconds: leg.end)
            }
        }
        return nil
    }

    /// When the list first slides so fast that it would be at `offset`, which lies ahead, in `time`
    /// milliseconds; nil if it never does.
    package func instant(within time: Double, of offset: Double) -> Instant? {
        let course = Course(self)
        let seconds = time / 1000
        // It is slower the farther it has gone, by as much for each point.
        let gain = 1 - rate.decayPerSecond * seconds
        for index in 0..<course.count {
            let leg = course.legs[index]
            guard case .slide(let slide) = leg.law else { continue }
            let way = offset - leg.base
            guard way * slide.velocity > 0 else { return nil }
            let left = way - slide.velocity * seconds
            if left * slide.velocity <= 0 { return start.advanced(byMilliseconds: leg.begin) }
            guard gain > 0, let time = slide.time(toTravel: left / gain),
                leg.begin + time <= leg.end
            else { return nil }
            return start.advanced(byMilliseconds: leg.begin + time)
        }
        return nil
    }
}
