/// Parses path data into segments, command by command. The segments have absolute coordinates and
/// no shorthands.
struct SVGPathParser {
    /// The control point of the last command, which a smooth command reflects.
    private enum Memory {
        case nothing
        /// The last command was a cubic. The value is its second control point.
        case cubic(Point)
        /// The last command was a quadratic. The value is its control point.
        case quadratic(Point)
    }

    private var scanner: PathScanner
    private var segments: [PathSegment] = []
    /// The position of the pen.
    private var current = Point.zero
    /// The beginning of the sub-path.
    private var origin = Point.zero
    private var previousControl = Memory.nothing
    /// The position of the current command, or of its repetition without a letter, in bytes.
    private var commandPosition = 0

    static func segments(of text: String) throws(SVGPathError) -> [PathSegment] {
        var parser = SVGPathParser(scanner: PathScanner(text))
        try parser.parse()
        return parser.segments
    }

    private init(scanner: PathScanner) {
        self.scanner = scanner
    }

    private mutating func parse() throws(SVGPathError) {
        scanner.skipSpaces()
        while !scanner.isAtEnd {
            commandPosition = scanner.position
            let command = try scanner.readCommand()
            if segments.isEmpty, command.kind != .move {
                throw scanner.error(.moveExpected, at: commandPosition)
            }
            scanner.skipSpaces()
            try parseArguments(of: command)
            scanner.skipSpaces()
            guard command.kind != .close else { continue }
            while scanner.isBeforeValue {
                scanner.skipSeparator()
                commandPosition = scanner.position
                try parseArguments(of: command.repeated)
                scanner.skipSpaces()
            }
        }
    }

    private mutating func parseArguments(of command: PathCommand) throws(SVGPathError) {
        let base = command.isRelative ? current : .zero
        switch command.kind {
        case .move:
            let target = try readPoint(from: base)
            origin = target
            try add(.move(target))
        case .line: try add(.line(current, try readPoint(from: base)))
        case .horizontal:
            let target = Point(x: base.x + (try scanner.readNumber()), y: current.y)
            try add(.line(current, try validated(target)))
        case .vertical:
            let target = Point(x: current.x, y: base.y + (try scanner.readNumber()))
            try add(.line(current, try validated(target)))
        case .cubic: try addCubic(try readPoint(from: base), base)
        case .smoothCubic:
            var control = current
            if case .cubic(let last) = previousControl { control = last.reflected(about: current) }
            try addCubic(try validated(control), base, isFirst: true)
        case .quadratic:
            let control = try readPoint(from: base)
            try addQuadratic(control, try readPoint(from: base, isFirst: false))
        case .smoothQuadratic:
            var control = current
            if case .quadratic(let last) = previousControl {
                control = last.reflected(about: current)
            }
            try addQuadratic(try validated(control), try readPoint(from: base))
        case .arc: try addArc(base)
        case .close:
            try add(.close(from: current, to: origin))
        }
    }

    /// Reads the second control point and the end. `isFirst` states whether these points are the
    /// first values of their command.
    private mutating func addCubic(
        _ control: Point, _ base: Point, isFirst: Bool = false
    ) throws(SVGPathError) {
        let second = try readPoint(from: base, isFirst: isFirst)
        let target = try readPoint(from: base, isFirst: false)
        try add(.cubic(current, control, second, target))
        previousControl = .cubic(second)
    }

    private mutating func addQuadratic(
        _ control: Point, _ target: Point
    ) throws(SVGPathError) {
        try add(.quadratic(current, control, target))
        previousControl = .quadratic(control)
    }

    private mutating func addArc(_ base: Point) throws(SVGPathError) {
        let radiusX = try scanner.readNumber()
        scanner.skipSeparator()
        let radiusY = try scanner.readNumber()
        scanner.skipSeparator()
        let rotation = try scanner.readNumber()
        scanner.skipSeparator()
        let isLarge = try scanner.readFlag()
        scanner.skipSeparator()
        let isClockwise = try scanner.readFlag()
        let target = try readPoint(from: base, isFirst: false)
        // An arc with equal ends is omitted, and an arc with a radius of zero is a line. Source:
        // SVG 1.1, F.6.2.
        guard target != current else { return previousControl = .nothing }
        guard radiusX != 0, radiusY != 0 else { return try add(.line(current, target)) }
        guard
            let arc = EllipticalArc(
                from: current, to: target, radiusX: radiusX.magnitude, radiusY: radiusY.magnitude,
                rotation: rotation, isLarge: isLarge, isClockwise: isClockwise)
        else { throw scanner.error(.numberOutOfRange, at: commandPosition) }
        try add(.arc(arc))
    }

    private mutating func add(_ segment: PathSegment) throws(SVGPathError) {
        guard segments.count < PathLimits.segmentsMax else {
            throw scanner.error(.tooManySegments, at: commandPosition)
        }
        segments.append(segment)
        current = segment.end
        previousControl = .nothing
    }

    /// Reads a point. `isFirst` states whether the point is the first value of its command. If it
    /// is, no comma may precede the point.
    private mutating func readPoint(
        from base: Point, isFirst: Bool = true
    ) throws(SVGPathError) -> Point {
        if !isFirst { scanner.skipSeparator() }
        let x = try scanner.readNumber()
        scanner.skipSeparator()
        let y = try scanner.readNumber()
        return try validated(base + Point(x: x, y: y))
    }

    private func validated(_ point: Point) throws(SVGPathError) -> Point {
        let limit = PathLimits.coordinateMax
        guard point.x.magnitude <= limit, point.y.magnitude <= limit else {
            throw scanner.error(.numberOutOfRange, at: commandPosition)
        }
        return point
    }
}
