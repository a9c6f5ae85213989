/// The relation between a finger and the list that it holds. It gives the list's place for the
/// finger's travel.
///
/// The list does not move at the moment at which a finger takes hold of it. At this moment, the
/// list can be farther out than a pull could move it, because of its momentum or because its
/// content has shrunk. The list keeps this excess until the finger goes back. While the finger goes
/// back to the edge, the excess decreases in proportion to the distance.
package struct DragAnchor: Hashable, Sendable, Codable {
    /// The place that the list would have without damping at a translation of 0, in points.
    private let origin: Double
    /// By how many points a list that is held beyond an edge is farther out than the damping of the
    /// edge allows. Negative beyond the lower bound of the range.
    private let excess: Double
    /// How far the finger was beyond the edge when it took hold of the list, in points.
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

    /// The velocity of the list under a finger that moves with `velocity`. Both are in points per
    /// second, positive towards the end of the content.
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

    /// The distance of the finger at which the damping gives `overshoot`. If no distance gives it,
    /// the second result is the excess.
    private static func depthAndExcess(
        _ overshoot: Double, _ damping: Damping
    ) -> (depth: Double, excess: Double) {
        // The distance over which the excess decreases is at least as long as the excess.
        let depth = max(damping.distance(overshoot: overshoot), overshoot - damping.limit)
        return (depth, max(overshoot - damping.overshoot(distance: depth), 0))
    }
}
