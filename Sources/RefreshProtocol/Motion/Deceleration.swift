/// A flicked list that meets nothing: its velocity dies away exponentially.
///
/// Times are milliseconds since the finger left, distances points, signed like the velocity.
/// 1000 points per second at the normal rate go 499.0 points, as UIScrollView's do.
package struct Deceleration: Hashable, Sendable {
    /// Points that nobody sees: a list with less to go than this stands.
    package static let imperceptible = 0.5

    /// At the beginning, points per second, positive towards the end of the content.
    package var velocity: Double
    package var rate: DecelerationRate

    package init(velocity: Double, rate: DecelerationRate) {
        self.velocity = velocity
        self.rate = rate
    }

    /// The whole way.
    package var projection: Double { velocity / rate.decayPerSecond }

    package func distance(after time: Double) -> Double {
        projection * (1 - remainingPart(after: time))
    }

    /// The way that is left.
    package func remaining(after time: Double) -> Double {
        projection * remainingPart(after: time)
    }

    /// Points per second.
    package func velocity(after time: Double) -> Double {
        velocity * remainingPart(after: time)
    }

    /// Points per second squared.
    package func acceleration(after time: Double) -> Double {
        -rate.decayPerSecond * velocity(after: time)
    }

    /// When what is left is imperceptible.
    package var duration: Double {
        let parts = projection.magnitude / Self.imperceptible
        return parts <= 1 ? 0 : 1000 * Exponential.log(parts) / rate.decayPerSecond
    }

    /// When it has gone `distance`; nil if it never goes so far, or that way.
    package func time(toTravel distance: Double) -> Double? {
        if distance == 0 { return 0 }
        let part = distance / projection
        guard part > 0, part < 1 else { return nil }
        return -1000 * Exponential.log(1 - part) / rate.decayPerSecond
    }

    /// The velocity that it has where it has gone `distance`, which it does; points per second.
    package func velocity(havingTravelled distance: Double) -> Double {
        velocity - rate.decayPerSecond * distance
    }

    private func remainingPart(after time: Double) -> Double {
        Exponential.exp(-rate.decayPerSecond * max(time, 0) / 1000)
    }
}
