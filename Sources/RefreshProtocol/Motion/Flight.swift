/// The whole way of a list that was let go, from the finger to rest.
///
/// Inside its range the list slides; at an edge it goes on over it with the velocity it has there and is
/// drawn back by a spring; let go beyond an edge it is drawn back at once, with the finger's velocity.
/// Position and velocity are continuous all the way and known at every instant, so that a finger may take
/// hold of the list anywhere. Only the beginning is kept; the rest follows from it.
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
    /// How far beyond the edge that it moves to the list may go, points; at least where it is already.
    package let limit: Double
    package let rate: DecelerationRate

    /// Nil if the list stays where it is: inside `range`, and slower than `speedMin`. A `limit` of infinity
    /// is none. All values are finite.
    package init?(
        from origin: Double, velocity: Double, start: Instant, range: ClosedRange<Double>,
        limit: Double, rate: DecelerationRate
    ) {
        if range.contains(origin), velocity.magnitude < Self.speedMin { return nil }
        self.start = start
        self.origin = origin
        self.velocity = velocity
        self.lower = range.lowerBound
        self.upper = range.upperBound
        self.limit = limit
        self.rate = rate
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

    /// When the list slides over `offset`, which may be an edge that it goes beyond; nil if it does not.
    package func instant(passing offset: Double) -> Instant? {
        let course = Course(self)
        for index in 0..<course.count {
            let leg = course.legs[index]
            guard case .slide(let slide) = leg.law else { continue }
            let way = offset - leg.base
            if way == 0 { return start.advanced(byMilliseconds: leg.begin) }
            guard let time = slide.time(toTravel: way), leg.begin + time <= leg.end else {
                // The end of a slide to an edge, but for rounding.
                guard offset == course.rest, way.sign == slide.velocity.sign else { return nil }
                return start.advanced(byMilliseconds: leg.end)
            }
            return start.advanced(byMilliseconds: leg.begin + time)
        }
        // An edge that it is thrown over at once.
        guard course.count > 0, offset == course.rest, offset == origin else { return nil }
        return start
    }
}
