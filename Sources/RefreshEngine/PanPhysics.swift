/// A finger that drags the list by the engine's physics.
struct PanPhysics: Hashable, Sendable, Codable {
    /// Where the list would be, without a rubber band, for a translation of 0; points.
    var origin: Double

    /// Where the list is for a finger that has travelled `translation`, within `range` one to one and
    /// beyond it on the rubber band.
    func offset(
        translation: Double, range: ClosedRange<Double>, dimension: Double
    ) -> Double {
        let free = origin - translation
        if free < range.lowerBound {
            return range.lowerBound
                - RubberBand.overshoot(distance: range.lowerBound - free, dimension: dimension)
        }
        if free > range.upperBound {
            return range.upperBound
                + RubberBand.overshoot(distance: free - range.upperBound, dimension: dimension)
        }
        return free
    }

    /// The physics that show `offset` for `translation`: a finger that takes hold of the list moves
    /// nothing.
    static func holding(
        _ offset: Double, translation: Double, range: ClosedRange<Double>, dimension: Double
    ) -> PanPhysics {
        var free = offset
        if offset < range.lowerBound {
            free =
                range.lowerBound
                - RubberBand.distance(overshoot: range.lowerBound - offset, dimension: dimension)
        } else if offset > range.upperBound {
            free =
                range.upperBound
                + RubberBand.distance(overshoot: offset - range.upperBound, dimension: dimension)
        }
        return PanPhysics(origin: free + translation)
    }

    /// The same finger after the list was moved by `way` points under it.
    func moved(by way: Double) -> PanPhysics { PanPhysics(origin: origin + way) }
}
