@testable import RefreshIndicator

/// A command of a path and its values, as recorded.
struct SVGOracleNode: Decodable, CustomStringConvertible {
    /// A number, or the name of a number that JSON cannot represent.
    struct Number: Decodable {
        var value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Double.self) {
                self.value = value
            } else {
                value = try container.decode(String.self) == "Infinity" ? .infinity : .nan
            }
        }
    }

    var letter: String
    /// Absolute coordinates, x and y alternately, except for arcs.
    var values: [Double]

    init(_ letter: String, _ values: [Double]) {
        self.letter = letter
        self.values = values
    }

    init(from decoder: any Decoder) throws {
        var members = try decoder.unkeyedContainer()
        letter = try members.decode(String.self)
        values = try members.decode([Number].self).map(\.value)
    }

    /// Converts a segment of the path code.
    init(_ segment: PathSegment) {
        func values(_ points: Point...) -> [Double] { points.flatMap { [$0.x, $0.y] } }
        switch segment {
        case .move(let point): self.init("M", values(point))
        case .line(_, let to): self.init("L", values(to))
        case .quadratic(_, let control, let to): self.init("Q", values(control, to))
        case .cubic(_, let first, let second, let to): self.init("C", values(first, second, to))
        case .arc(let arc):
            let flags = [arc.isLarge, arc.isClockwise].map { $0 ? 1.0 : 0 }
            let shape = [arc.radiusX, arc.radiusY, arc.rotation]
            self.init("A", shape + flags + values(arc.end))
        case .close: self.init("Z", [])
        }
    }

    var description: String { "\(letter)\(values)" }

    /// The node with an uppercase letter, which is L for every kind of line.
    var plain: SVGOracleNode {
        let letter = letter.uppercased()
        return SVGOracleNode(letter == "H" || letter == "V" ? "L" : letter, values)
    }

    var isClose: Bool { letter == "Z" || letter == "z" }

    var points: [Point] {
        stride(from: 0, to: values.count - 1, by: 2).map { Point(x: values[$0], y: values[$0 + 1]) }
    }

    var end: Point? { points.last }

    /// The node with each point `p` moved to `p * scale + shift`. Not for arcs.
    func placed(_ scale: Double, _ shift: Point) -> SVGOracleNode {
        SVGOracleNode(
            letter,
            points.flatMap { [$0.x * scale + shift.x, $0.y * scale + shift.y] })
    }

    func isNear(_ other: SVGOracleNode) -> Bool {
        letter == other.letter && values.count == other.values.count
            && zip(values, other.values).allSatisfy { $0.isNear($1) }
    }
}

extension [SVGOracleNode] {
    func isNear(_ other: [SVGOracleNode]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isNear($1) }
    }

    /// The extents of all points, including control points, as the original computes them. Nil if
    /// there is no point.
    var controlBox: Box? {
        var box: Box?
        for point in flatMap(\.points) {
            if box == nil { box = Box(point) } else { box?.formUnion(point) }
        }
        return box
    }

    /// The nodes with arcs changed according to SVG's rules: an arc without a radius is a line, and
    /// an arc to the pen's position is omitted.
    var withoutEmptyArcs: [SVGOracleNode] {
        var pen = Point.zero
        var start = Point.zero
        return compactMap { node in
            defer {
                if node.isClose { pen = start } else { pen = node.arcEnd ?? node.end ?? pen }
                if node.letter == "M" { start = pen }
            }
            guard let end = node.arcEnd else { return node }
            if end == pen { return nil }
            let radii = node.values.prefix(2).map(\.magnitude)
            if radii.contains(0) { return SVGOracleNode("L", [end.x, end.y]) }
            return SVGOracleNode("A", radii + node.values.dropFirst(2))
        }
    }

    /// The nodes with each segment halved `times` times by a simple method. Moves and closing edges
    /// stay unchanged. Nil if there is an arc, which has no such halves.
    func halved(_ times: Int) -> [SVGOracleNode]? {
        guard !contains(where: { $0.letter == "A" }) else { return nil }
        guard times > 0 else { return self }
        var pen = Point.zero
        var start = Point.zero
        var halves: [SVGOracleNode] = []
        for node in self {
            switch node.letter {
            case "M":
                halves.append(node)
                start = node.end ?? start
                pen = start
            case "Z":
                halves.append(node)
                pen = start
            default:
                halves += node.halves(from: pen)
                pen = node.end ?? pen
            }
        }
        return halves.halved(times - 1)
    }
}

extension SVGOracleNode {
    fileprivate var arcEnd: Point? {
        letter == "A" && values.count == 7 ? Point(x: values[5], y: values[6]) : nil
    }

    /// The halves by De Casteljau's algorithm: the midpoints of the midpoints.
    fileprivate func halves(from pen: Point) -> [SVGOracleNode] {
        var row = [pen] + points
        var (early, late) = ([Point](), [row[row.count - 1]])
        while row.count > 1 {
            row = zip(row, row.dropFirst()).map {
                Point(x: ($0.x + $1.x) / 2, y: ($0.y + $1.y) / 2)
            }
            early.append(row[0])
            late.insert(row[row.count - 1], at: 0)
        }
        return [early, Array(late.dropFirst())].map {
            SVGOracleNode(letter, $0.flatMap { [$0.x, $0.y] })
        }
    }
}
