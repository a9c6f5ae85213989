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
                ShapeField("alpha", .real), ShapeField("scale", .real),
                ShapeField("rotation", .real, "radians"),
                ShapeField("spin", .real, "radians per second"),
            ])),
        Definition("edgeUpdate", "The changes at an edge.", .object(edgeUpdate)),
        Definition("inset", "The daemon's own share of the insets, from now on.", .object(inset)),
        Definition(
            "offset", "A command that moves the list.",
            .forms([[.required("to", .real)] + timeline, pathOffset])),
        Definition(
            "floorUpdate", "The second floor.",
            .object([
                .required("state", .words(FloorState.self)), ShapeField("progress", .part),
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
        ShapeField.required("duration", .notNegative, "ms; 0: at once"),
        ShapeField("start", .real, "daemon time at which the timeline begins"),
        ShapeField("curve", .words(Curve.self)),
    ]

    private static let inset = Edge.allCases.map { ShapeField($0.rawValue, .real) } + timeline

    private static let pathOffset: [ShapeField] = [
        .required("to", .real), .required("duration", .notNegative), .required("start", .real),
        .required(
            "path", .list(.tuple([.notNegative, .real]), count: 1...48),
            "each key: ms after the start, and the offset"),
    ]

    private static let edgeUpdate = [
        ShapeField("role", .words(EdgeRole.self), "present if the edge gets another programme"),
        ShapeField("state", .words(EdgeState.self)),
        ShapeField(
            "progress",
            .number(Shape.NumberBounds(least: 0, most: OptionKind.factors.upperBound)),
            "above 1 only by the option progressMax"),
        ShapeField("cause", .reference("cause")),
        ShapeField("result", .words(LoadResult.self)),
        ShapeField("indicator", .either([.reference("spinner"), .string, .null])),
        ShapeField("programme", .reference("programme")),
        ShapeField("frame", .reference("frame")),
    ]

    private static let law =
        [ShapeField("rest", .tuple([.real, .real]), "the resting offsets of the list")]
        + Edge.allCases.map { ShapeField($0.rawValue, .orNull(.reference("edgeLaw"))) }
        + [
            ShapeField("crossings", .list(.real)),
            ShapeField("follow", .list(.reference("range"))),
            ShapeField("interest", .list(.reference("range"))),
            ShapeField(
                "resistance",
                .object(
                    Edge.allCases.map {
                        ShapeField($0.rawValue, .list(.tuple([.real, .real])))
                    })),
        ]

    private static let edgeLaw: [ShapeField] = [
        .required(
            "pull",
            .tuple([
                .tuple([.real, .constant(.number(0))]), .tuple([.real, .constant(.number(1))]),
            ])),
        ShapeField("arm", .real), ShapeField("disarm", .real), ShapeField("strict", .flag),
        ShapeField("fires", .word(["release", "reach"])),
        ShapeField("lead", .tuple([.real, .real]), "ms, offset"),
        ShapeField("room", .notNegative), ShapeField("duration", .notNegative),
    ]
}
