import RefreshProtocol

/// Jackrabbit's indicator: a compass and a needle approach from both sides and meet at the
/// threshold. During a refresh, the needle makes quarter turns in front of the *ground*. The ground
/// is a box that fills the gap and has another colour after each quarter turn. At the end of the
/// refresh, the compass and the needle separate.
struct CompassIndicator {
    /// The picture of a half.
    enum Picture: Hashable {
        /// A drawing in points, relative to the centre of the half. `stroke` is the line width; 0:
        /// the drawing is filled.
        case path(SVGPath, stroke: Double)
        /// An image that the client has under this name.
        case image(String)
    }

    /// One half of the indicator: the compass or the needle.
    struct Half: Hashable {
        /// The picture; nil for the built-in drawing.
        var picture: Picture?
        /// The width of the half in points, which is also the distance from which the half
        /// approaches.
        var width: Double
    }

    var background = Half(width: 60)
    var needle = Half(width: 60)
    /// The colours of the ground, in turn. Each quarter turn of the needle has one colour.
    var colors = Self.standardColors
    /// The duration of a quarter turn, in milliseconds.
    var step = 300.0
    /// The colour of the halves; nil for the client's tint.
    var color: RGBColor?

    static let fields = ["width", "background", "needle", "colors", "step", "color"]
    static let halfFields = ["path", "strokeWidth", "image", "width"]

    /// Red, blue, purple, cyan, orange, magenta: UIKit's colours with these names.
    private static let standardColors = [
        RGBColor(255, 0, 0), RGBColor(0, 0, 255), RGBColor(128, 0, 128),
        RGBColor(0, 255, 255), RGBColor(255, 128, 0), RGBColor(255, 0, 255),
    ]
    private static let groundOpacity = 0.3
    /// The pull at which the halves are fully visible. At a smaller pull they are more transparent,
    /// and at a pull of 0 they are invisible. Otherwise, a client that does not clip would show
    /// them beside a list at rest.
    private static let fullOpacityPull = 0.25

    init() {}

    init(_ options: PlacedValue) throws(ProgrammeError) {
        if let width = try options.member("width") {
            background.width = try width.number(in: IndicatorBounds.width)
            needle.width = background.width
        }
        if let half = try options.member("background") {
            background = try Half(half, width: background.width)
        }
        if let half = try options.member("needle") {
            needle = try Half(half, width: needle.width)
        }
        if let colors = try options.member("colors") { self.colors = try colors.colors() }
        if let step = try options.member("step") {
            // The run contains a complete round of quarter turns and colours, and must not be
            // longer than `timeMax`.
            let most = ProgrammeLimits.timeMax / Double(stepsPerRound + 1)
            self.step = try step.number(in: 10...most.rounded(.down))
        }
        color = try options.member("color")?.color()
    }

    /// The number of steps after which the needle and the ground look the same again. It is the
    /// least common multiple of 4 (for the quarter turns) and the number of colours.
    private var stepsPerRound: Int {
        var steps = 4
        while steps % colors.count != 0 { steps += 4 }
        return steps
    }

    var programme: Programme {
        var programme = Programme(layers: [
            Layer(
                "ground", .box(width: nil, height: nil, corner: 0),
                [.opacity: .number(0), .color: .color(colors[0])]),
            layer("compass", background, Self.compass, stroke: 2.5),
            layer("needle", needle, Self.arrow, stroke: 0),
        ])
        programme.size = Size(
            width: 3 * max(background.width, needle.width),
            height: max(background.width, needle.width))
        programme.pull = [
            Track("compass", .x, approachKeys(background.width)),
            Track("compass", .opacity, [Key(0, 0), Key(Self.fullOpacityPull, 1)]),
            Track("needle", .x, approachKeys(-needle.width)),
            Track("needle", .opacity, [Key(0, 0), Key(Self.fullOpacityPull, 1)]),
        ]
        programme.run = run
        programme.setEnterTransitions(
            of: Programme.running,
            Transition(duration: step, easing: .easeOut, properties: [.x]))
        programme.setFinish(
            .atStep, over: 300,
            [
                Track("compass", .x, [Key(0, 0), Key(300, background.width, .easeIn)]),
                Track("needle", .x, [Key(0, 0), Key(300, -needle.width, .easeIn)]),
            ])
        programme.setEnterTransitions(
            of: Programme.ended,
            Transition(duration: 300, easing: .easeIn, properties: [.opacity]))
        return programme
    }

    /// The keys that move a half from the side to the middle. When the halves are less than a point
    /// apart, they snap together.
    private func approachKeys(_ width: Double) -> [Key] {
        let latch = (1 - 1 / (background.width + needle.width)).nextUp
        return [Key(0, width), Key(latch, width * (1 - latch)), Key(latch, 0)]
    }

    /// The part that plays during a refresh. The ground fades in during the first step, and the
    /// loop begins with the second step.
    private var run: Programme.Run {
        let end = Double(stepsPerRound + 1) * step
        let grounds = (0...stepsPerRound).map { colors[$0 % colors.count] }
        let tracks = [
            Track("needle", .rotation, [Key(0, 0), Key(end, Double(stepsPerRound + 1) * .pi / 2)]),
            Track("ground", .opacity, [Key(0, 0), Key(step, Self.groundOpacity)]),
            Track(
                "ground", .color,
                grounds.enumerated().map { Key(Double($0 + 1) * step, $1) }),
        ]
        return Programme.Run(duration: end, loopFrom: step, step: step, tracks: tracks)
    }

    private func layer(
        _ name: String, _ half: Half, _ standard: [PathSegment], stroke: Double
    ) -> Layer {
        var values: [LayerProperty: PropertyValue] = [.opacity: .number(0)]
        values[.color] = color.map { .color($0) }
        let content: Layer.Content
        switch half.picture {
        case .image(let image):
            values[.color] = nil
            content = .image(image, width: half.width, height: half.width)
        case .path(let path, let width):
            content = .path(path, stroke: width, cap: .round, isFilled: width == 0)
        case nil:
            let scale = half.width / 60
            content = .path(
                SVGPath(segments: standard.map { $0.transformed(scale: scale, shift: .zero) })
                    .rounded,
                stroke: stroke * scale, cap: .round, isFilled: stroke == 0)
        }
        return Layer(name, content, values)
    }
}
