/// Points, pieces and extents of a segment. A parameter (0...1) is the parameter of the curve's
/// equation. It is not a fraction of the curve's length. On an arc, it is the fraction of the sweep
/// angle.
extension PathSegment {
    func point(at part: Double) -> Point {
        switch self {
        case .move(let point): point
        case .line(let from, let to), .close(let from, let to): from.interpolated(with: to, part)
        case .quadratic(let from, let control, let to):
            from.interpolated(with: control, part).interpolated(
                with: control.interpolated(with: to, part), part)
        case .cubic(let from, let first, let second, let to):
            Self.blossom(from, first, second, to, part, part, part)
        case .arc(let arc): arc.point(at: part)
        }
    }

    /// The derivative of the point with respect to the parameter, at `part`.
    func derivative(at part: Double) -> Point {
        switch self {
        case .move: return .zero
        case .line(let from, let to), .close(let from, let to): return to - from
        case .quadratic(let from, let control, let to):
            return (control - from).interpolated(with: to - control, part) * 2
        case .cubic(let from, let first, let second, let to):
            let middle = second - first
            let early = (first - from).interpolated(with: middle, part)
            return early.interpolated(with: middle.interpolated(with: to - second, part), part) * 3
        case .arc(let arc): return arc.derivative(at: part)
        }
    }

    /// The piece between two parameters, by De Casteljau's algorithm. `from` must not be above
    /// `to`. A piece of a closing edge is a line.
    func piece(from: Double, to: Double) -> PathSegment {
        switch self {
        case .move: return self
        case .line(let start, let end), .close(let start, let end):
            return .line(start.interpolated(with: end, from), start.interpolated(with: end, to))
        case .quadratic(let start, let control, let end):
            func blossom(_ one: Double, _ other: Double) -> Point {
                start.interpolated(with: control, one).interpolated(
                    with: control.interpolated(with: end, one), other)
            }
            return .quadratic(blossom(from, from), blossom(from, to), blossom(to, to))
        case .cubic(let start, let first, let second, let end):
            func blossom(_ one: Double, _ other: Double, _ third: Double) -> Point {
                Self.blossom(start, first, second, end, one, other, third)
            }
            return .cubic(
                blossom(from, from, from), blossom(from, from, to), blossom(from, to, to),
                blossom(to, to, to))
        case .arc(let arc): return .arc(arc.piece(from: from, to: to))
        }
    }

    /// The same segment with each point `p` at `p * scale + shift`.
    func transformed(scale: Double, shift: Point) -> PathSegment {
        func transform(_ point: Point) -> Point { point * scale + shift }
        return switch self {
        case .move(let point): .move(transform(point))
        case .line(let from, let to): .line(transform(from), transform(to))
        case .quadratic(let from, let control, let to):
            .quadratic(transform(from), transform(control), transform(to))
        case .cubic(let from, let first, let second, let to):
            .cubic(transform(from), transform(first), transform(second), transform(to))
        case .arc(let arc): .arc(arc.transformed(scale: scale, shift: shift))
        case .close(let from, let to): .close(from: transform(from), to: transform(to))
        }
    }

    /// The exact extent of the curve. Control points outside the curve do not count.
    var bounds: Box {
        if case .arc(let arc) = self { return arc.bounds }
        var box = Box(start)
        box.formUnion(end)
        for part in extrema { box.formUnion(point(at: part)) }
        return box
    }

    /// The inner parameters at which a coordinate changes direction, unordered. For an arc, the
    /// coordinates are measured along the axes of its ellipse.
    ///
    /// Only near these parameters can the graph of the speed have a corner, or almost a corner. At
    /// a corner, the derivative passes through zero, or almost through zero, and reverses its
    /// direction. Elsewhere, the speed can also be almost zero, but it falls and rises smoothly.
    var extrema: [Double] {
        switch self {
        case .move, .line, .close: []
        case .quadratic(let from, let control, let to):
            Self.quadraticExtrema(from.x, control.x, to.x)
                + Self.quadraticExtrema(from.y, control.y, to.y)
        case .cubic(let from, let first, let second, let to):
            Self.cubicExtrema(from.x, first.x, second.x, to.x)
                + Self.cubicExtrema(from.y, first.y, second.y, to.y)
        case .arc(let arc): arc.axisCrossings
        }
    }

    /// The symmetric function of three parameters that equals the cubic if all three are equal. It
    /// gives the control points of pieces.
    private static func blossom(
        _ from: Point, _ first: Point, _ second: Point, _ to: Point, _ one: Double,
        _ other: Double, _ third: Double
    ) -> Point {
        let middle = first.interpolated(with: second, one)
        let early = from.interpolated(with: first, one).interpolated(with: middle, other)
        let late = middle.interpolated(with: second.interpolated(with: to, one), other)
        return early.interpolated(with: late, third)
    }

    /// The inner parameters at which a coordinate of a quadratic changes direction.
    private static func quadraticExtrema(_ from: Double, _ control: Double, _ to: Double)
        -> [Double]
    {
        let (early, late) = (control - from, to - control)
        // The derivative changes linearly from `early` to `late`.
        guard early * late < 0 || (early < 0) != (late < 0) else { return [] }
        let part = early / (early - late)
        return part > 0 && part < 1 ? [part] : []
    }

    /// The inner parameters at which a coordinate of a cubic changes direction.
    private static func cubicExtrema(
        _ from: Double, _ first: Double, _ second: Double, _ to: Double
    ) -> [Double] {
        let (early, middle, late) = (first - from, second - first, to - second)
        let size = max(early.magnitude, middle.magnitude, late.magnitude)
        guard size > 0 else { return [] }
        // A third of the derivative, a + 2 b t + c t^2. Its coefficients are scaled to a magnitude
        // of about 1, so that no square underflows.
        let (a, b) = (early / size, (middle - early) / size)
        let c = (late - 2 * middle + early) / size
        let square = b * b - a * c
        guard square >= 0 else { return [] }
        // One root is computed without cancellation. The other root follows from the product of
        // both roots.
        let sum = -(b + (b < 0 ? -square.squareRoot() : square.squareRoot()))
        return [sum / c, a / sum].filter { $0 > 0 && $0 < 1 }
    }
}
