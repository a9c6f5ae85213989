/// The complete movement of a released list, until the list is at rest.
///
/// Inside its range (`lower...upper`), the list slides. At an edge it overshoots with its current
/// velocity, and a spring draws it back. If the list is released beyond an edge, the spring draws
/// it back immediately, starting with the finger's velocity. Position and velocity are continuous
/// and known at every instant, so a finger can catch the list at any moment. Only the initial state
/// is stored. All other values are derived from it.
///
/// Continuity has one exception: the last, imperceptible half point at the end.
package struct Flight: Hashable, Sendable, Codable {
    /// The minimum speed in points per second. If a list is released inside its range with a lower
    /// speed, it stays there.
    package static let speedMin = 10.0

    package let start: Instant
    /// The offset at which the list was released, in points.
    package let origin: Double
    /// The velocity at release, in points per second, positive towards the end of the content.
    package let velocity: Double
    /// The smallest offset at which the list can rest, in points. `upper` is the largest.
    package let lower: Double
    package let upper: Double
    /// The maximum overshoot beyond the edge towards which the list moves, in points. A list that
    /// is released beyond this limit does not move farther out.
    package let limit: Double
    package let rate: DecelerationRate

    /// Returns nil if the list stays in place: inside `range`, and slower than `speedMin`. An
    /// infinite `limit` means no limit. All other values must be finite.
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
        // JSON has no representation of infinity.
        self.limit = min(limit, .greatestFiniteMagnitude)
        self.rate = rate
    }

    /// A completed flight: a list that is at rest at `offset`, inside `range`, from `start` on.
    package static func resting(
        at offset: Double, since start: Instant, range: ClosedRange<Double>, limit: Double,
        rate: DecelerationRate
    ) -> Flight {
        Flight(
            start: start, origin: offset, velocity: 0, lower: range.lowerBound,
            upper: range.upperBound, limit: limit, rate: rate)
    }

    /// The same flight with another start.
    package func starting(at start: Instant) -> Flight {
        Flight(
            start: start, origin: origin, velocity: velocity, lower: lower, upper: upper,
            limit: limit, rate: rate)
    }

    /// The same flight with reversed offsets: each is `sum` minus the original offset.
    package func mirrored(about sum: Double) -> Flight {
        Flight(
            start: start, origin: sum - origin, velocity: 0 - velocity, lower: sum - upper,
            upper: sum - lower, limit: limit, rate: rate)
    }

    /// The offset at which the list comes to rest, in points.
    package var rest: Double { Trajectory(self).rest }

    /// The duration in milliseconds.
    package var duration: Double { Trajectory(self).duration }

    package var end: Instant { start.advanced(byMilliseconds: duration) }

    /// The list's offset at `now`, in points.
    package func offset(at now: Instant) -> Double {
        Trajectory(self).offset(at: max(now.milliseconds(since: start), 0))
    }

    /// The list's velocity at `now`, in points per second.
    package func velocity(at now: Instant) -> Double {
        let time = max(now.milliseconds(since: start), 0)
        return Trajectory(self).segment(at: time)?.velocity(at: time) ?? 0
    }

    /// The time at which the list first passes `offset`, which can be an edge or lie beyond an
    /// edge. Nil if the list does not pass it. Offsets that the list passes while a spring draws it
    /// back do not count.
    package func instant(passing offset: Double) -> Instant? {
        let trajectory = Trajectory(self)
        for index in 0..<trajectory.count {
            let segment = trajectory.segments[index]
            if let time = segment.time(passing: offset) {
                return start.advanced(byMilliseconds: time)
            }
            // A slide to an edge reaches the edge at the end of the slide, even if rounding leaves
            // the list slightly short of it.
            if case .slide(let slide) = segment.law, offset == trajectory.rest,
                (offset - segment.base) * slide.velocity > 0
            {
                return start.advanced(byMilliseconds: segment.end)
            }
        }
        return nil
    }

    /// The time at which the sliding list first needs at most `time` milliseconds to reach `offset`
    /// at the velocity that it then has. `offset` must lie ahead of the list. Nil if there is no
    /// such time.
    package func instant(within time: Double, of offset: Double) -> Instant? {
        let trajectory = Trajectory(self)
        let seconds = time / 1000
        // The velocity decreases linearly with the distance covered.
        let gain = 1 - rate.decayPerSecond * seconds
        for index in 0..<trajectory.count {
            let segment = trajectory.segments[index]
            guard case .slide(let slide) = segment.law else { continue }
            let displacement = offset - segment.base
            guard displacement * slide.velocity > 0 else { return nil }
            let left = displacement - slide.velocity * seconds
            if left * slide.velocity <= 0 { return start.advanced(byMilliseconds: segment.begin) }
            guard gain > 0, let time = slide.time(toTravel: left / gain),
                segment.begin + time <= segment.end
            else { return nil }
            return start.advanced(byMilliseconds: segment.begin + time)
        }
        return nil
    }
}
