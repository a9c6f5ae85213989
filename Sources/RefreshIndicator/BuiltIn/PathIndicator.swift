import RefreshProtocol

/// MRefresh's indicator. The pull draws the parts of a drawing. During a load, the drawing blinks
/// and turns. At the end of the load, it shrinks and fades.
struct PathIndicator {
    /// The quantity of the drawing that grows evenly with the pull.
    enum DrawBy: String, CaseIterable {
        /// The length of the line.
        case length
        /// The nodes of the line, one after the other, as in MRefresh.
        case nodes
    }

    enum Loading: String, CaseIterable {
        case blink, rotate
    }

    var parts = [PathPart(Self.arrow)]
    /// The frame into which the parts are fitted, in points.
    var frame = Size(width: 40, height: 40)
    /// Whether the scale and the shift that fit the first part into the frame are applied to all
    /// parts. If not, each part is fitted into the frame on its own.
    var scaleAsFirst = false
    var drawBy = DrawBy.length
    /// The number of times that each segment is halved. The ends of the resulting pieces are the
    /// nodes.
    var smoothing = 0
    /// The line width in points.
    var lineWidth = 3.0
    /// The colour; nil for the client's tint.
    var color: RGBColor?
    var loading = Set(Loading.allCases)
    /// The duration of one turn in milliseconds. The change from bright to dim has the same
    /// duration.
    var period = 400.0
    var edge = PathEdge()

    static let fields =
        [
            "parts", "frame", "scaleAsFirst", "drawBy", "smoothing", "lineWidth", "color",
            "loading", "period",
        ] + PathEdge.fields
    static let partFields = ["path", "start"]

    /// The minimum opacity while the drawing blinks.
    private static let dim = 0.3
    /// The time in which the indicator shrinks, in milliseconds. The indicator fades in the second
    /// half of this time.
    private static let shrinking = 100.0

    init() {}

    init(_ options: PlacedValue) throws(ProgrammeError) {
        if let parts = try options.member("parts") { self.parts = try Self.parts(parts) }
        if let frame = try options.member("frame") { self.frame = try Self.frame(frame) }
        if let flag = try options.member("scaleAsFirst") { scaleAsFirst = try flag.flag() }
        if let word = try options.member("drawBy") { drawBy = try word.keyword(DrawBy.self) }
        if let smoothing = try options.member("smoothing") {
            self.smoothing = try smoothing.wholeNumber(in: IndicatorBounds.smoothing)
        }
        if let width = try options.member("lineWidth") {
            lineWidth = try width.positiveNumber(upTo: IndicatorBounds.size)
        }
        color = try options.member("color")?.color()
        if let words = try options.member("loading") {
            loading = []
            for word in try words.elements() { loading.insert(try word.keyword(Loading.self)) }
        }
        if let period = try options.member("period") {
            self.period = try period.number(in: IndicatorBounds.period)
        }
        edge = try PathEdge(options, frame: self.frame)
        try checkSize(options)
    }

    private static func parts(_ value: PlacedValue) throws(ProgrammeError) -> [PathPart] {
        var parts: [PathPart] = []
        for element in try value.elements() {
            _ = try element.members(among: partFields)
            parts.append(
                PathPart(
                    try element.requiredMember("path").path(),
                    start: try element.member("start")?.number(in: 0...1) ?? 0))
        }
        guard IndicatorBounds.parts ~= parts.count else {
            throw value.error("expected 1 to \(IndicatorBounds.parts.upperBound) parts")
        }
        return parts
    }

    private static func frame(_ value: PlacedValue) throws(ProgrammeError) -> Size {
        let sides = try value.elements()
        guard sides.count == 2 else { throw value.error("expected width and height") }
        return Size(
            width: try sides[0].positiveNumber(upTo: IndicatorBounds.size),
            height: try sides[1].positiveNumber(upTo: IndicatorBounds.size))
    }

    /// Checks the length of each path's text. After a path was fitted into the frame, its text can
    /// be longer than in the file.
    private func checkSize(_ options: PlacedValue) throws(ProgrammeError) {
        for (index, path) in drawings.enumerated()
        where path.text.utf8.count > ProgrammeLimits.pathBytes {
            let most = ProgrammeLimits.pathBytes
            throw ProgrammeError(
                "\(options.location).parts[\(index)].path",
                "it has more than \(most) bytes after it is fitted into its frame")
        }
    }

    /// The parts in their frame, centred at the programme's origin.
    var drawings: [SVGPath] {
        let box = Box(
            minX: -frame.width / 2, minY: -frame.height / 2, maxX: frame.width / 2,
            maxY: frame.height / 2)
        let first = scaleAsFirst ? parts.first?.path : nil
        return parts.map { $0.path.fitted(into: box, like: first).rounded }
    }

    var programme: Programme {
        let drawings = drawings
        let names = parts.indices.map { "part\($0 + 1)" }
        var programme = Programme(
            layers: drawings.enumerated().map { index, path in
                var values: [LayerProperty: PropertyValue] = [.strokeEnd: .number(0)]
                values[.color] = color.map { .color($0) }
                return Layer(
                    names[index],
                    .path(path, stroke: lineWidth, cap: .round, isFilled: false), values)
            })
        programme.size = frame
        programme.pull = parts.indices.map {
            Track(names[$0], .strokeEnd, strokeKeys(parts[$0], as: drawings[$0]))
        }
        programme.run = run
        // The drawing fades from full opacity, even if the run ends in the middle of a blink.
        let half = Self.shrinking / 2
        let clip = Programme.Clip(
            duration: Self.shrinking,
            tracks: [
                .everywhere(.scale, [Key(0, 1), Key(Self.shrinking, 0)]),
                .everywhere(.opacity, [Key(half, 1), Key(Self.shrinking, 0)]),
            ])
        programme.finish = Programme.Finish(ending: .atRelease, success: clip, failure: clip)
        programme.setEnterTransitions(
            of: Programme.ended, Transition(duration: half, properties: [.opacity]))
        programme.edge = edge.settings
        return programme
    }

    /// The fraction of a part's line that is drawn, as keys over the pull.
    private func strokeKeys(_ part: PathPart, as drawing: SVGPath) -> [Key] {
        if part.start >= 1 { return [Key(1, 0), Key(1, 1)] }
        switch drawBy {
        case .length: return [Key(part.start, 0), Key(1, 1)]
        case .nodes:
            let fractions = drawing.nodeFractions(smoothing: smoothing)
            let keys = fractions.enumerated().dropFirst().map { index, fraction in
                Key(
                    part.pull(drawing: index + 1, of: fractions.count), fraction, .hold)
            }
            return keys.isEmpty ? [Key(0, 0), Key(1, 0), Key(1, 1)] : [Key(0, 0)] + keys
        }
    }

    private var run: Programme.Run {
        var tracks: [Track] = []
        if loading.contains(.blink) {
            tracks.append(
                .everywhere(.opacity, [Key(0, 1), Key(period, Self.dim), Key(2 * period, 1)]))
        }
        if loading.contains(.rotate) {
            tracks.append(.everywhere(.rotation, [Key(0, 0), Key(2 * period, 4 * .pi)]))
        }
        return Programme.Run(duration: 2 * period, tracks: tracks)
    }

    /// A circular arrow: more than three quarters of a circle, and an arrow head. The bounding box
    /// of the arrow is that of the circle, so that the arrow turns about the centre of the circle.
    private static let arrow: SVGPath = {
        let radius = 20.0
        let tip = Point(x: 17.3205, y: -10)
        let arc = EllipticalArc(
            from: Point(x: radius, y: 0), to: tip, radiusX: radius, radiusY: radius, rotation: 0,
            isLarge: true, isClockwise: true)
        let (left, right) = (Point(x: 8.4, y: -13.25), Point(x: 18.97, y: -19.36))
        return SVGPath(
            segments: [.move(Point(x: radius, y: 0))] + [arc].compactMap { $0 }.map { .arc($0) }
                + [.move(left), .line(left, tip), .line(tip, right)])
    }()
}

extension PathPart {
    /// The smallest pull at which `nodes` of `count` nodes are drawn, by MRefresh's formula.
    func pull(drawing nodes: Int, of count: Int) -> Double {
        if nodes >= count { return 1 }
        func isDrawn(_ pull: Double) -> Bool {
            Self.nodes(of: count, at: progress(at: pull)) >= nodes
        }
        // The quotient differs from the result by a few rounding errors at most.
        var pull = start + (1 - start) * Double(nodes) / Double(count)
        while pull < 1, !isDrawn(pull) { pull = pull.nextUp }
        while pull > start, isDrawn(pull.nextDown) { pull = pull.nextDown }
        return pull
    }
}
