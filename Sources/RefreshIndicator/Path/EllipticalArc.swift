import RefreshProtocol

/// An arc of an ellipse between two points, as in SVG's `A` command. It stays exact and is never
/// converted to cubics.
///
/// The ellipse is a unit circle that was stretched, rotated and shifted. All angles are measured in
/// this unit circle. Points are computed from the arc's chord and not from the centre, so that arcs
/// that are almost straight stay exact.
package struct EllipticalArc: Hashable, Sendable {
    package let start: Point
    package let end: Point
    /// The given radii, in points, above 0. The radii of the ellipse are these radii times
    /// `growth`.
    package let radiusX: Double
    package let radiusY: Double
    /// The angle in degrees by which the axis of the x radius is rotated towards positive y.
    package let rotation: Double
    /// Whether the arc is more than half of the ellipse.
    package let isLarge: Bool
    /// Whether the arc goes from positive x towards positive y: SVG's sweep flag.
    package let isClockwise: Bool

    /// The factor by which the radii are multiplied. If the ellipse is too small to connect start
    /// and end, the factor is above 1. If not, it is 1.
    let growth: Double
    /// The angle of the start, in radians.
    let startAngle: Double
    /// The angle from the start to the end, in radians; negative if the arc is not clockwise. Its
    /// magnitude is at most a full turn.
    let sweepAngle: Double
    /// The direction of the rotated x axis.
    let axis: Point

    /// Creates the arc as specified in SVG 1.1, appendix F.6. Returns nil if the ellipse is too
    /// large for the computation.
    ///
    /// The ends must differ, and the radii must be above 0.
    init?(
        from start: Point, to end: Point, radiusX: Double, radiusY: Double, rotation: Double,
        isLarge: Bool, isClockwise: Bool
    ) {
        let axis = Self.axis(rotation)
        let chord = end - start
        // The chord in the unit circle.
        let unit = Point(
            x: (axis.x * chord.x + axis.y * chord.y) / radiusX,
            y: (axis.x * chord.y - axis.y * chord.x) / radiusY)
        let half = unit.magnitude / 2
        let growth = max(half, 1)
        guard growth * max(radiusX, radiusY) <= PathLimits.coordinateMax else { return nil }
        // In the unit circle, half the chord is the sine of half the arc's angle.
        let cosine = half < 1 ? ((1 - half) * (1 + half)).squareRoot() : 0
        let sign = isClockwise ? 1.0 : -1.0
        let halfAngle =
            CircularFunctions.atan2(min(half, 1), isLarge ? -cosine : cosine) * sign
        // The chord is perpendicular to the direction from the centre to the arc's midpoint.
        let middle = CircularFunctions.atan2(-unit.x * sign, unit.y * sign)
        self.init(
            start: start, end: end, radiusX: radiusX, radiusY: radiusY, rotation: rotation,
            isLarge: isLarge, isClockwise: isClockwise, growth: growth,
            startAngle: middle - halfAngle, sweepAngle: 2 * halfAngle, axis: axis)
    }

    private init(
        start: Point, end: Point, radiusX: Double, radiusY: Double, rotation: Double,
        isLarge: Bool, isClockwise: Bool, growth: Double, startAngle: Double, sweepAngle: Double,
        axis: Point
    ) {
        self.start = start
        self.end = end
        self.radiusX = radiusX
        self.radiusY = radiusY
        self.rotation = rotation
        self.isLarge = isLarge
        self.isClockwise = isClockwise
        self.growth = growth
        self.startAngle = startAngle
        self.sweepAngle = sweepAngle
        self.axis = axis
    }

    /// Returns the point at the fraction `part` (0...1) of the sweep angle.
    func point(at part: Double) -> Point {
        if part <= 0 { return start }
        if part >= 1 { return end }
        // The point is computed from the nearer end of the arc, because the rounding error is small
        // there.
        return part <= 0.5
            ? start + chord(from: startAngle, over: sweepAngle * part)
            : end + chord(from: startAngle + sweepAngle, over: sweepAngle * (part - 1))
    }

    /// Returns the derivative of `point(at:)` with respect to the fraction, at `part`.
    func derivative(at part: Double) -> Point {
        let (sin, cos) = CircularFunctions.sinAndCos(startAngle + sweepAngle * part)
        return stretched(Point(x: -sin, y: cos)) * sweepAngle
    }

    /// Returns the part of the arc between two fractions of the sweep angle. Both fractions are in
    /// 0...1, and `from` is not above `to`.
    func piece(from: Double, to: Double) -> EllipticalArc {
        let sweep = sweepAngle * (to - from)
        return EllipticalArc(
            start: point(at: from), end: point(at: to), radiusX: radiusX, radiusY: radiusY,
            rotation: rotation, isLarge: sweep.magnitude > .pi, isClockwise: isClockwise,
            growth: growth, startAngle: startAngle + sweepAngle * from, sweepAngle: sweep,
            axis: axis)
    }

    /// Returns the arc with each point `p` moved to `p * scale + shift`.
    func transformed(scale: Double, shift: Point) -> EllipticalArc {
        EllipticalArc(
            start: start * scale + shift, end: end * scale + shift, radiusX: radiusX * scale,
            radiusY: radiusY * scale, rotation: rotation, isLarge: isLarge,
            isClockwise: isClockwise, growth: growth, startAngle: startAngle,
            sweepAngle: sweepAngle, axis: axis)
    }

    /// The exact bounding box.
    var bounds: Box {
        var box = Box(start)
        box.formUnion(end)
        // The curve is vertical at `upright` and at the opposite angle, and horizontal at `level`
        // and at the opposite angle.
        let upright = CircularFunctions.atan2(-radiusY * axis.y, radiusX * axis.x)
        let level = CircularFunctions.atan2(radiusY * axis.x, radiusX * axis.y)
        for angle in [upright, level, upright + .pi, level + .pi] {
            var sweep = (angle - startAngle) * (sweepAngle < 0 ? -1 : 1)
            sweep -= (sweep / (2 * .pi)).rounded(.down) * (2 * .pi)
            if sweep < sweepAngle.magnitude {
                box.formUnion(point(at: sweep / sweepAngle.magnitude))
            }
        }
        return box
    }

    /// The fractions of the sweep angle at which the arc crosses an axis of the ellipse.
    var axisCrossings: [Double] {
        let quarter = Double.pi / 2
        let (low, high) = (
            min(startAngle, startAngle + sweepAngle), max(startAngle, startAngle + sweepAngle)
        )
        let axes = stride(from: (low / quarter).rounded(.up) * quarter, to: high, by: quarter)
        return axes.map { ($0 - startAngle) / sweepAngle }.filter { $0 > 0 && $0 < 1 }
    }

    /// Returns the vector from the point at `angle` to the point at `angle + sweep`.
    private func chord(from angle: Double, over sweep: Double) -> Point {
        let (sin, cos) = CircularFunctions.sinAndCos(angle + sweep / 2)
        return stretched(Point(x: -sin, y: cos) * (2 * CircularFunctions.sin(sweep / 2)))
    }

    /// Converts a vector in the unit circle to the vector in the ellipse.
    private func stretched(_ vector: Point) -> Point {
        let (x, y) = (vector.x * radiusX * growth, vector.y * radiusY * growth)
        return Point(x: axis.x * x - axis.y * y, y: axis.y * x + axis.x * y)
    }

    /// Returns the direction of the x axis after a rotation. Quarter turns are exact.
    private static func axis(_ degrees: Double) -> Point {
        let turned = degrees.truncatingRemainder(dividingBy: 360)
        let quarters = (turned / 90).rounded()
        let (sin, cos) = CircularFunctions.sinAndCos((turned - quarters * 90) * (.pi / 180))
        switch Int(quarters) & 3 {
        case 0: return Point(x: cos, y: sin)
        case 1: return Point(x: -sin, y: cos)
        case 2: return Point(x: -cos, y: -sin)
        default: return Point(x: sin, y: -cos)
        }
    }
}
