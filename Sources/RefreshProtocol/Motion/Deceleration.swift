/// The movement of a flicked list that does not reach an edge: its velocity decays exponentially.
///
/// Times are in milliseconds since the finger left. Distances are in points and have the sign of
/// the velocity. At the normal rate and an initial velocity of 1000 points per second, the list
/// moves 499.0 points, as in UIScrollView.
package struct Deceleration: Hashable, Sendable {
    /// An imperceptible distance, in points. If the remaining distance is shorter, the list is at
    /// rest.
    package static let imperceptible = 0.5

    /// The velocity at the beginning, in points per second, positive towards the end of the
    /// content.
    package var velocity: Double
    package var rate: DecelerationRate

    package init(velocity: Double, rate: DecelerationRate) {
        self.velocity = velocity
        self.rate = rate
    }

    /// The total distance.
    package var projection: Double { velocity / rate.decayPerSecond }

    package func distance(after time: Double) -> Double {
        projection * (1 - remainingPart(after: time))
    }

    /// The remaining distance.
    package func remaining(after time: Double) -> Double {
        projection * remainingPart(after: time)
    }

    /// The velocity in points per second.
    package func velocity(after time: Double) -> Double {
        velocity * remainingPart(after: time)
    }

    /// The acceleration in points per second squared.
    package func acceleration(after time: Double) -> Double {
        -rate.decayPerSecond * velocity(after: time)
    }

    /// The time after which the remaining distance is imperceptible.
    package var duration: Double {
        let parts = projection.magnitude / Self.imperceptible
        return parts <= 1 ? 0 : 1000 * Exponential.log(parts) / rate.decayPerSecond
    }

    /// The time after which the list has moved `distance`; nil if the list never moves this
    /// distance.
    package func time(toTravel distance: Double) -> Double? {
        if distance == 0 { return 0 }
        let part = distance / projection
        guard part > 0, part < 1 else { return nil }
        return -1000 * Exponential.log(1 - part) / rate.decayPerSecond
    }

    /// The velocity after the list has moved `distance`, in points per second. The total distance
    /// must be at least `distance`.
    package func velocity(havingTravelled distance: Double) -> Double {
        velocity - rate.decayPerSecond * distance
    }

    private func remainingPart(after time: Double) -> Double {
        Exponential.exp(-rate.decayPerSecond * max(time, 0) / 1000)
    }
}
