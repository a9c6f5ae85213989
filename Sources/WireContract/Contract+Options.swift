import RefreshEngine
import RefreshProtocol

/// Options of edges, floors, paging and panning. Source: docs/protocol.md, "Profiles and edge
/// options".
extension Contract {
    static let optionParts = [
        Definition(
            "edgeOptions", "Options of an edge of either role that differ from the profile's.",
            .object(edgeOptions)),
        Definition("floorOptions", "The second floor.", .object(floorOptions)),
        Definition("pagingOptions", "How requests select pages.", .object(pagingOptions)),
        Definition(
            "panOptions", "How a list moves under a finger and after its release.",
            .object(panOptions)),
        Definition(
            "frames", "How the client draws its indicators.",
            .either([
                .words(FramesMode.self),
                .object([
                    ShapeField("mode", .words(FramesMode.self), "what the client draws itself"),
                    ShapeField(
                        "rate", .whole(FrameSettings.rates), "frames a second of a stream client"),
                    ShapeField("language", .string, "a BCP 47 tag"),
                    ShapeField(
                        "motion", .words(MotionPreference.self), "whether indicators may move"),
                ]),
            ])),
        Definition(
            "attachBody", "A view to attach.",
            .object([.required("view", .reference("view"))] + attachFields)
        ),
        Definition(
            "refreshEdge", "An edge with the role refresh: its state and every option in force.",
            .object(attachedEdges[0])),
        Definition(
            "loadMoreEdge", "An edge with the role loadMore: its state and every option in force.",
            .object(attachedEdges[1])),
    ]

    static let parameters = ShapeField(
        "parameters", .named(.string), "the parameters of the feed, by name")

    /// The members of `attach` other than `view`.
    static let attachFields: [ShapeField] =
        [
            .required("profile", .string, "one of the `profiles` of `welcome`"),
            ShapeField(
                "feed", .string, "the feed of the items; without it the client is the backend"),
            parameters,
            ShapeField("geometry", .reference("geometry"), "sizes and positions"),
            ShapeField("offset", .points, "the current content offset"),
            ShapeField("axis", .words(Axis.self), "the axis along which the view scrolls"),
            ShapeField("reversed", .flag, "whether reading begins at the far end"),
        ] + edgeSettings + [
            ShapeField("paging", .reference("pagingOptions"), "how requests select pages"),
            ShapeField("pan", .reference("panOptions"), "how `pan` moves the list"),
            ShapeField(
                "attention", .words(EvaluationTrigger.self),
                "what makes the daemon evaluate the position"),
            ShapeField("haptics", .flag, "whether updates have haptic cues"),
            ShapeField("announcements", .flag, "whether updates have spoken cues"),
            ShapeField(
                "initial", .words(FirstItems.self), "how the view gets its first items",
                need: .features),
        ]

    /// The options of each edge. The value `null` means that the edge is left out or removed.
    static let edgeSettings = Edge.allCases.map {
        ShapeField(
            $0.rawValue, .orNull(.reference("edgeOptions")), "options of this edge; null: none")
    }

    private static let edgeOptions = OptionField.allCases.compactMap { field in
        field.edgeKind.map {
            ShapeField(
                field.wireName, shape(of: $0, field), need: need(of: field))
        }
    }

    private static let floorOptions = FloorOptions.entries.compactMap { entry in
        entry.field.floorKind.map { ShapeField(entry.field.wireName, shape(of: $0, entry.field)) }
    }

    private static let panOptions = PanOptions.entries.compactMap { entry in
        entry.field.panKind.map { ShapeField(entry.field.wireName, shape(of: $0, entry.field)) }
    }

    private static let pagingOptions = [
        ShapeField("style", .words(PagingStyle.self), "how a page is named"),
        ShapeField("first", .whole(0...1), "the number of the first page or of the first item"),
        ShapeField(
            "size",
            .number(Shape.NumberBounds(least: 1, isWhole: true, limit: "pageSizeMax")),
            "the number of items of a page"),
        ShapeField(
            "access", .words(PagingAccess.self), "which pages are requested",
            need: .named(.visibleRange)),
    ]

    /// The members of an edge in `attached`, for the role `refresh` and for the role `loadMore`.
    private static let attachedEdges = ShapeField.exclusive([
        edgeHead(.refresh) + effectiveFields(RefreshOptions.entries.map(\.field) + [.floor])
            + edgeTail,
        edgeHead(.loadMore) + effectiveFields(LoadMoreOptions.entries.map(\.field)) + edgeTail,
    ])

    private static func edgeHead(_ role: EdgeRole) -> [ShapeField] {
        [
            .required("role", .constant(.string(role.rawValue)), "the role of the edge"),
            .required("state", .word(states(of: role)), "the state of the edge"),
        ]
    }

    /// The members of an edge for clients that are not `plain`.
    private static let edgeTail = [
        ShapeField("indicator", .orNull(.string), "the name of the programme"),
        ShapeField("programme", .reference("programme"), "the programme"),
        ShapeField("frame", .reference("frame"), "what its layers show now"),
    ]

    private static func effectiveFields(_ fields: [OptionField]) -> [ShapeField] {
        fields.compactMap { field in
            field.edgeKind.map { kind in
                // `attached` has the options of features only for clients with features.
                field.needsFeatures
                    ? ShapeField(field.wireName, shape(of: kind, field), need: need(of: field))
                    : .required(field.wireName, shape(of: kind, field))
            }
        }
    }

    private static func need(of field: OptionField) -> FeatureNeed? {
        guard field.needsFeatures else { return nil }
        return field.feature.map { .named($0) } ?? .features
    }

    private static func states(of role: EdgeRole) -> [String] {
        let others: Set<EdgeState> =
            switch role {
            case .refresh: [.approaching, .loading, .noMore]
            case .loadMore: [.pulling, .refreshing, .succeeded, .finishing]
            }
        return EdgeState.allCases.filter { !others.contains($0) }.map(\.rawValue)
    }

    /// Returns the shape of an option. Lengths and times with special bounds have their own cases.
    private static func shape(of kind: OptionKind, _ field: OptionField) -> Shape {
        switch kind {
        case .flag: .flag
        case .length where field == .length:
            .number(Shape.NumberBounds(above: 0, limit: "geometryPointsMax", unit: .points))
        case .length: .length
        case .lengthOrNull: .orNull(.length)
        case .velocity:
            .number(Shape.NumberBounds(least: 0, limit: "velocityMax", unit: .pointsPerSecond))
        case .fraction: .number(Shape.NumberBounds(most: 1, above: 0))
        case .factor: .factor
        case .time, .interval: .time
        case .timeOrNull: .orNull(.time(least: field == .deadline ? 1 : 0))
        case .count: .whole(OptionKind.counts)
        case .keyword(let words): .word(words)
        case .name: .orNull(.string)
        case .intents: .list(.words(Intent.self))
        case .floor: .orNull(.reference("floorOptions"))
        }
    }
}
