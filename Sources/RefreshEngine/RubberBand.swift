/// How far content follows a finger beyond its edge: UIScrollView's curve with c = 0.55.
///
/// Golden numbers for a dimension of 812 points: 10 -> 5.463, 100 -> 51.511, 200 -> 96.876.
enum RubberBand {
    private static let constant = 0.55

    /// The shown overshoot for a finger that went `distance` points too far.
    static func overshoot(distance: Double, dimension: Double) -> Double {
        let dimension = max(dimension, 1)
        return dimension * (1 - 1 / (distance * constant / dimension + 1))
    }

    /// The finger's distance that shows `overshoot` points.
    static func distance(overshoot: Double, dimension: Double) -> Double {
        let dimension = max(dimension, 1)
        // The curve never reaches the dimension; what is beyond it was not made by this band.
        let shown = min(overshoot, dimension * 0.999)
        return dimension / constant * (1 / (1 - shown / dimension) - 1)
    }
}
