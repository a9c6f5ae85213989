/// Points, pieces and extents of a segment. A parameter (0...1) is the curve's own, not a fraction
/// of its length; on an arc it is the fraction of the angle.
extension PathSegment {
    func point(at part: Double) -> Point {
        switch self {
        case .move(let point): point
        case .line(let from, let to), .close(let from, let to): from.mixed(with: to, part)
        case .quadratic(let from, let control, let to):
            from.mixed(with: control, part).mixed(with: control.mixed(with: to, part), part)
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
            return (control - from).mixed(with: to - control, part) * 2
        case .cubic(let from, let first, let second, let to):
            let middle = second - first
            let early = (first - from).mixed(with: middle, part)
            return early.mixed(with: middle.mixed(with: to - second, part), part) * 3
        case .arc(let arc): return arc.derivative(at: part)
        }
    }

    /// The piece between two parameters in order, by De Casteljau's algorithm. A piece of a closing
    /// edge is a line.
    func piece(from: Double, to: Double) -> PathSegment {
        switch self {
        case .move: return self
        case .line(let start, let end), .close(let start, let end):
            return .line(start.mixed(with: end, from), start.mixed(with: end, to))
        case .quadratic(let start, let control, let end):
            func blossom(_ one: Double, _ other: Double) -> Point {
                start.mixed(with: control, one).mixed(with: control.mixed(with: end, one), other)
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
    func placed(_ scale: Double, _ shift: Point) -> PathSegment {
        func place(_ point: Point) -> Point { point * scale + shift }
        return switch self {
        case .move(let point): .move(place(point))
        case .line(let from, let to): .line(place(from), place(to))
        case .quadratic(let from, let control, let to):
            .quadratic(place(from), place(control), place(to))
        case .cubic(let from, let first, let second, let to):
            .cubic(place(from), place(first), place(second), place(to))
        case .arc(let arc): .arc(arc.placed(scale, shift))
        case .close(let from, let to): .close(from: place(from), to: place(to))
        }
    }

    /// The exact extent: that of the curve, not of its control points.
    var bounds: Box {
        if case .arc(let arc) = self { return arc.bounds }
        var box = Box(start)
        box.cover(end)
        for part in turns { box.cover(point(at: part)) }
        return box
    }

    /// The inner parameters at which a coordinate changes direction, unordered; for an arc, at
    /// which its ellipse's own coordinates do. Only near these can the speed fall to zero, or
    /// almost to zero, and rise again.
    var turns: [Double] {
        switch self {
        case .move, .line, .close: []
        case .quadratic(let from, let control, let to):
            Self.turn(from.x, control.x, to.x) + Self.turn(from.y, control.y, to.y)
        case .cubic(let from, let first, let second, let to):
            Self.turns(from.x, first.x, second.x, to.x)
                + Self.turns(from.y, first.y, second.y, to.y)
        case .arc(let arc): arc.turns
        }
    }

    /// The symmetric function of three parameters that equals the cubic if all are equal; it gives
    /// the control points of pieces.
    private static func blossom(
        _ from: Point, _ first: Point, _ second: Point, _ to: Point, _ one: Double,
        _ other: Double, _ third: Double
    ) -> Point {
        let middle = first.mixed(with: second, one)
        let early = from.mixed(with: first, one).mixed(with: middle, other)
        let late = middle.mixed(with: second.mixed(with: to, one), other)
        return early.mixed(with: late, third)
    }

    /// The inner parameters at which a coordinate of a quadratic changes direction.
    private static func turn(_ from: Double, _ control: Double, _ to: Double) -> [Double] {
        let (early, late) = (control - from, to - control)
        // The rate changes linearly from the first to the second.
        guard early * late < 0 || (early < 0) != (late < 0) else { return [] }
        let part = early / (early - late)
        return part > 0 && part < 1 ? [part] : []
    }

    /// The inner parameters at which a coordinate of a cubic changes direction.
    private static func turns(
        _ from: Double, _ first: Double, _ second: Double, _ to: Double
    ) -> [Double] {
        let (early, middle, late) = (first - from, second - first, to - second)
        let size = max(early.magnitude, middle.magnitude, late.magnitude)
        guard size > 0 else { return [] }
        // A third of the rate: a + 2 b t + c t^2, scaled to about 1 so that no square underflows.
        let (a, b) = (early / size, (middle - early) / size)
        let c = (late - 2 * middle + early) / size
        let square = b * b - a * c
        guard square >= 0 else { return [] }
        // One root is computed without cancellation, the other from their product.
        let sum = -(b + (b < 0 ? -square.squareRoot() : square.squareRoot()))
        return [sum / c, a / sum].filter { $0 > 0 && $0 < 1 }
    }
}
