import RefreshIndicator
import RefreshProtocol

/// The parts of the daemon's messages about views. Source: docs/protocol.md, "update" and "The
/// control law".
extension Contract {
    static let updateDefinitions = [
        Definition("programme", "An indicator: docs/indicators.md.", .named(.anything)),
        Definition(
            "frame", "Changed properties of an indicator's layers, by layer.",
            .named(
                .object(
                    LayerProperty.allCases.map {
                        ShapeField($0.rawValue, $0 == .color ? .string : .real)
                    } + [ShapeField("text", .string)]))),
        Definition(
            "spinner", "Changed parameters of a spinner.",
            .object([
                ShapeField("progress", .real, "the drawn part of the spinner"),
                ShapeField("alpha", .real, "the opacity"),
                ShapeField("scale", .real, "the factor of its size"),
                ShapeField("rotation", .real(in: .radians), "the angle"),
                ShapeField(
                    "spin", .real(in: .radiansPerSecond), "the speed while it turns, otherwise 0"),
            ])),
        Definition("edgeUpdate", "The changes at an edge.", .object(edgeUpdate)),
        Definition("inset", "The daemon's own share of the insets, from now on.", .object(inset)),
        Definition(
            "offset", "A command that moves the list.",
            .forms([[target] + timeline, pathOffset])),
        Definition(
            "floorUpdate", "The second floor.",
            .object([
                .required("state", .words(FloorState.self), "the state of the floor"),
                ShapeField("progress", .part, "the progress of the pull to its threshold"),
            ])),
        Definition("law", "The data with which a client paints the view by itself.", .object(law)),
        Definition(
            "edgeLaw", "How a pull at an edge is shown, and when it fires.",
            .object(edgeLaw)),
        Definition(
            "range", "The bounds from and to; null: unbounded.",
            .tuple([.orNull(.real), .orNull(.real)])),
    ]

    private static let timeline = [
        ShapeField.required("duration", .duration, "0: at once"),
        ShapeField("start", .clock, "daemon time at which the timeline begins"),
        ShapeField("curve", .words(Curve.self), "how the value moves to the new one"),
    ]

    private static let target = ShapeField.required(
        "to", .real(in: .points), "the content offset at the end")

    private static let inset =
        Edge.allCases.map {
            ShapeField($0.rawValue, .real(in: .points), "the daemon's share at this edge")
        } + timeline

    private static let pathOffset: [ShapeField] = [
        target, .required("duration", .duration, "the time of the whole movement"),
        .required("start", .clock, "daemon time at which the timeline begins"),
        .required(
            "path", .list(.tuple([.notNegative, .real]), count: 1...48),
            "each key: ms after the start, and the offset"),
    ]

    private static let edgeUpdate = [
        ShapeField("role", .words(EdgeRole.self), "present if the edge gets another programme"),
        ShapeField("state", .words(EdgeState.self), "the state of the edge"),
        ShapeField(
            "progress",
            .number(Shape.NumberBounds(least: 0, most: OptionKind.factors.upperBound)),
            "the progress to the threshold; above 1 only by the option `progressMax`"),
        ShapeField("cause", .reference("cause")),
        ShapeField("result", .words(LoadResult.self), "how a refresh or a load has ended"),
        ShapeField(
            "indicator", .either([.reference("spinner"), .string, .null]),
            "for a `plain` client: the spinner; for any other: the name of a new programme"),
        ShapeField(
            "programme", .reference("programme"), "the new programme, with its name `indicator`"),
        ShapeField(
            "frame", .reference("frame"), "for a `stream` client: what the layers show now"),
    ]

    private static let law =
        [
            ShapeField(
                "rest", .tuple([.real(in: .points), .real(in: .points)]),
                "the resting offsets of the list")
        ]
        + Edge.allCases.map {
            ShapeField(
                $0.rawValue, .orNull(.reference("edgeLaw")), "the law of a pull at this edge")
        } + [
            ShapeField(
                "crossings", .list(.real(in: .points)),
                "offsets of which the daemon must know on which side the list is"),
            ShapeField(
                "follow", .list(.reference("range")),
                "offsets at which a `local` client sends every sample"),
            ShapeField(
                "interest", .list(.reference("range")),
                "offsets at which the daemon needs samples"),
            ShapeField(
                "resistance",
                .object(
                    Edge.allCases.map {
                        ShapeField(
                            $0.rawValue,
                            .list(.tuple([.real(in: .points), .real(in: .points)])),
                            "keys: travel of the finger, and travel of the list")
                    }), "how far the list follows a finger beyond its content"),
        ]

    private static let edgeLaw: [ShapeField] = [
        .required(
            "pull",
            .tuple([
                .tuple([.real(in: .points), .constant(.number(0))]),
                .tuple([.real(in: .points), .constant(.number(1))]),
            ]), "the offsets of the progress 0 and 1"),
        ShapeField("arm", .real(in: .points), "the offset at which the edge is armed"),
        ShapeField("disarm", .real(in: .points), "the offset at which it is disarmed"),
        ShapeField("strict", .flag, "whether the offset must be passed, not only reached"),
        ShapeField("fires", .word(["release", "reach"]), "when the edge fires"),
        ShapeField(
            "lead", .tuple([.real(in: .milliseconds), .real(in: .points)]), "ms, offset"),
        ShapeField("room", .number(Shape.NumberBounds(least: 0, unit: .points)), "the room"),
        ShapeField("duration", .duration, "the time in which the room opens"),
    ]
}
