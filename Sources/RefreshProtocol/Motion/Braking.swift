/// A list that flies beyond its edge and must stop at a limit: it decelerates uniformly and stops
/// there.
///
/// Displacements are in points from the edge. Times are in milliseconds.
package struct Braking: Hashable, Sendable {
    /// The displacement at the beginning.
    package var displacement: Double
    /// The velocity at the beginning, in points per second, positive outwards.
    package var velocity: Double
    /// The displacement at which the list stops. It is at least as far from the edge as the
    /// displacement at the beginning.
    package let stop: Double

    /// `limit` is a distance from the edge. A list that is already farther from the edge stops
    /// immediately.
    package init(displacement: Double, velocity: Double, limit: Double) {
        self.displacement = displacement
        self.velocity = velocity
        let stop = max(limit, displacement.magnitude)
        self.stop = velocity < 0 ? -stop : stop
    }

    package var duration: Double {
        velocity == 0 ? 0 : 2000 * (stop - displacement) / velocity
    }

    package func displacement(after time: Double) -> Double {
        guard duration > 0 else { return stop }
        let left = 1 - min(max(time / duration, 0), 1)
        return stop - (stop - displacement) * left * left
    }

    /// The velocity in points per second.
    package func velocity(after time: Double) -> Double {
        guard duration > 0 else { return 0 }
        return velocity * (1 - min(max(time / duration, 0), 1))
    }

    /// The acceleration in points per second squared.
    package var acceleration: Double {
        duration > 0 ? -velocity / (duration / 1000) : 0
    }
}
