/// A list beyond its edge that returns without oscillation: a critically damped spring.
///
/// Displacements are points from the edge. Times are milliseconds since the spring began to act.
/// The spring accepts any initial velocity. With an outward velocity, the list first moves farther
/// out. With a high inward velocity, it crosses the edge once.
package struct Spring: Hashable, Sendable {
    /// The angular frequency, per second. A list that starts at rest covers nine tenths of its way
    /// in 216 ms.
    package static let stiffness = 18.0
    /// An imperceptible distance, in points. If the list stays closer to its edge, it is at rest.
    package static let imperceptible = 0.5

    /// The initial displacement.
    package var displacement: Double
    /// The initial velocity, in points per second.
    package var velocity: Double

    package init(displacement: Double, velocity: Double) {
        self.displacement = displacement
        self.velocity = velocity
    }

    package func displacement(after time: Double) -> Double {
        let time = max(time, 0) / 1000
        return (displacement + impulse * time) * Self.decay(time)
    }

    /// The velocity in points per second.
    package func velocity(after time: Double) -> Double {
        let time = max(time, 0) / 1000
        return (velocity - Self.stiffness * impulse * time) * Self.decay(time)
    }

    /// The acceleration in points per second squared.
    package func acceleration(after time: Double) -> Double {
        let time = max(time, 0) / 1000
        let stiffness = Self.stiffness
        return stiffness
            * (stiffness * (displacement + impulse * time) - 2 * impulse) * Self.decay(time)
    }

    /// The settling time. After this time, the list stays within half a point of its edge and is
    /// slower than 18 points per second.
    package var duration: Double {
        let stiffness = Self.stiffness
        // |x| <= (|displacement| + |impulse| t) exp(-stiffness t). This bound decreases from t = 1
        // / stiffness on. The iteration converges from above, so its result is never too short.
        var time = 64 / stiffness
        for _ in 0..<16 {
            let bound = displacement.magnitude + impulse.magnitude * time
            let next = Exponential.log(max(bound / Self.imperceptible, 1)) / stiffness
            time = max(next, 1 / stiffness)
        }
        return time * 1000
    }

    /// The time at which the list crosses its edge, because it moves inwards too fast for the
    /// spring to stop it at the edge. Nil if it does not cross the edge.
    package var crossing: Double? {
        guard displacement != 0, displacement * impulse < 0 else { return nil }
        return 1000 * (-displacement / impulse)
    }

    /// The time at which the list turns back after moving outwards. Nil if it does not move
    /// outwards.
    package var turningTime: Double? {
        guard velocity != 0, displacement * velocity >= 0 else { return nil }
        return 1000 * velocity / (Self.stiffness * impulse)
    }

    /// The maximum distance from the edge, in points.
    package var maximumDistance: Double {
        guard let turningTime else { return displacement.magnitude }
        return displacement(after: turningTime).magnitude
    }

    private var impulse: Double { velocity + Self.stiffness * displacement }

    private static func decay(_ seconds: Double) -> Double {
        Exponential.exp(-stiffness * seconds)
    }
}
