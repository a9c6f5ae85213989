/// The drag anchor of a finger that holds a list. The anchor gives the list's place for the
/// finger's travel.
///
/// A finger that takes hold of the list does not move it. Because of its momentum, or because its
/// content shrank, a list can be farther out than a pull could move it. Such a list keeps the
/// excess until the finger goes back, and loses the excess evenly on the way to the edge.
package struct DragAnchor: Hashable, Sendable, Codable {
    /// The place of the list without damping at a translation of 0, points.
    private let origin: Double
    /// Points by which the list is farther out than the damping gives, beyond the edge at which it
    /// is held; negative at the lower edge.
    private let excess: Double
    /// How far beyond that edge the finger took hold, points.
    private let depth: Double

    /// Takes hold of the list at `offset` after the finger has travelled `translation`.
    package init(
        at offset: Double, translation: Double, range: ClosedRange<Double>,
        lower: Damping, upper: Damping
    ) {
        if offset < range.lowerBound {
            let (depth, excess) = Self.depthAndExcess(range.lowerBound - offset, lower)
            self.depth = depth
            self.excess = -excess
            origin = range.lowerBound - depth + translation
        } else if offset > range.upperBound {
            (depth, excess) = Self.depthAndExcess(offset - range.upperBound, upper)
            origin = range.upperBound + depth + translation
        } else {
            depth = 0
            excess = 0
            origin = offset + translation
        }
    }

    /// The place of the list for a finger that has travelled `translation`.
    package func offset(
        translation: Double, range: ClosedRange<Double>, lower: Damping, upper: Damping
    ) -> Double {
        let free = origin - translation
        if free < range.lowerBound {
            let distance = range.lowerBound - free
            let excess = excess < 0 ? -excess * remainingExcessFraction(distance) : 0
            return range.lowerBound - lower.overshoot(distance: distance) - excess
        }
        if free > range.upperBound {
            let distance = free - range.upperBound
            let excess = excess > 0 ? excess * remainingExcessFraction(distance) : 0
            return range.upperBound + upper.overshoot(distance: distance) + excess
        }
        return free
    }

    /// The velocity of the list under a finger that moves it by `velocity`; both points per second,
    /// positive towards the end of the content.
    package func velocity(
        _ velocity: Double, translation: Double, range: ClosedRange<Double>, lower: Damping,
        upper: Damping
    ) -> Double {
        let free = origin - translation
        if free < range.lowerBound {
            return velocity * slope(lower, range.lowerBound - free, excess: -excess)
        }
        if free > range.upperBound {
            return velocity * slope(upper, free - range.upperBound, excess: excess)
        }
        return velocity
    }

    private func slope(_ damping: Damping, _ distance: Double, excess: Double) -> Double {
        damping.slope(distance: distance) + (excess > 0 && distance < depth ? excess / depth : 0)
    }

    /// The fraction of the excess that remains when the finger is `distance` beyond the edge.
    private func remainingExcessFraction(_ distance: Double) -> Double { min(distance / depth, 1) }

    /// The finger's distance that holds the list at `overshoot`, and the part that no distance
    /// explains.
    private static func depthAndExcess(
        _ overshoot: Double, _ damping: Damping
    ) -> (depth: Double, excess: Double) {
        // The way on which the excess is lost is at least as long as the excess.
        let depth = max(damping.distance(overshoot: overshoot), overshoot - damping.limit)
        return (depth, max(overshoot - damping.overshoot(distance: depth), 0))
    }
}
