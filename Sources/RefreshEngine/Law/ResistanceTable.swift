import RefreshProtocol

/// A damping curve approximated by a few points with linear interpolation. The error is at most
/// `errorMax` points.
///
/// The slope of a curve never increases. The points are therefore placed a little above the curve,
/// so that the lines between them deviate from it on both sides. This takes a third fewer points
/// than a table whose points are on the curve.
struct ResistanceTable {
    /// The guaranteed maximum error, in points.
    static let errorMax = 0.1
    /// The maximum number of points in a table.
    static let countMax = 40

    let points: [Resistance.Point]

    /// The permitted error at each tested distance. The rest of `errorMax` is for rounding, and for
    /// the distances between the tested ones.
    private static let tolerance = 0.075
    /// The maximum distance of a point above the curve.
    private static let lift = 0.07
    private static let probes = 16

    /// `travel` is the finger's maximum travel beyond the edge, in points.
    init(_ damping: Damping, travel: Double) {
        var points = [Resistance.Point(travel: 0, shown: 0)]
        while let last = points.last, last.travel < travel, points.count < Self.countMax {
            points.append(Self.next(after: last, damping, travel))
        }
        self.points = points
    }

    /// The farthest point to which a straight line from `last` stays close enough to the curve.
    private static func next(
        after last: Resistance.Point, _ damping: Damping, _ travel: Double
    ) -> Resistance.Point {
        var best = point(min(last.travel + 0.25, travel), damping, lift: 0)
        for lift in [0, lift] {
            var near = best.travel
            var far = travel
            if isWithinTolerance(from: last, to: point(far, damping, lift: lift), damping) {
                near = far
            }
            while far - near > 0.125 {
                let middle = (near + far) / 2
                let isNear = isWithinTolerance(
                    from: last, to: point(middle, damping, lift: lift), damping)
                if isNear { near = middle } else { far = middle }
            }
            let candidate = point(near, damping, lift: lift)
            if near > best.travel, isWithinTolerance(from: last, to: candidate, damping) {
                best = candidate
            }
        }
        return best
    }

    private static func point(
        _ travel: Double, _ damping: Damping, lift: Double
    ) -> Resistance.Point {
        // Both numbers are rounded to hundredths, which need few digits on the wire.
        let rounded = (travel * 100).rounded() / 100
        let shown = damping.overshoot(distance: rounded) + lift
        return Resistance.Point(travel: rounded, shown: (shown * 100).rounded() / 100)
    }

    private static func isWithinTolerance(
        from: Resistance.Point, to: Resistance.Point, _ damping: Damping
    ) -> Bool {
        let length = to.travel - from.travel
        guard length > 0 else { return false }
        func isNear(_ travel: Double) -> Bool {
            let line = from.shown + (to.shown - from.shown) * (travel - from.travel) / length
            return abs(line - damping.overshoot(distance: travel)) <= tolerance
        }
        for probe in 1...probes {
            if !isNear(from.travel + length * Double(probe) / Double(probes)) { return false }
        }
        // Some curves have a kink. A kink can lie so close to an end of the line that none of the
        // probes above is near it.
        var distance = 0.25
        while distance < length / Double(probes) {
            if !isNear(from.travel + distance) || !isNear(to.travel - distance) { return false }
            distance *= 1.25
        }
        return true
    }
}
