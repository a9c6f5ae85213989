import RefreshProtocol

/// The option objects of docs/protocol.md, "Profiles and edge options", "The second floor",
/// "Paging".
extension MessageRule {
    /// All edges are decoded alike. Each edge is tested with a few options, and one edge with all.
    static let edges: [FieldRule] =
        [FieldRule("top", .setting(options))]
        + ["bottom", "leading", "trailing"].map {
            FieldRule(
                $0, .setting([FieldRule("length", points), FieldRule("fill", .whole(0...1000))]))
        }

    static let paging = FieldKind.object([
        FieldRule("style", .word(["page", "offset", "cursor", "none"])),
        FieldRule("first", .whole(0...1)), FieldRule("size", .whole(1...1000)),
    ])

    static let pan = FieldKind.object([
        FieldRule(
            "damping",
            .word([
                "none", "uiscrollview", "smartRefreshLayout", "swipeRefreshLayout", "compose",
                "flutter",
            ])),
        FieldRule("maximumPull", .nullable(points)),
        FieldRule("deceleration", .word(["normal", "fast"])),
    ])

    /// The options of an edge of either role. The view decides which of them are compatible.
    static let options: [FieldRule] =
        flags + lengths + times + words + [
            FieldRule("preloadItems", .whole(0...1000)), FieldRule("fill", .whole(0...1000)),
            FieldRule("intents", .intents), FieldRule("floor", .setting(floor)),
        ]

    private static let flags = [
        "enabled", "hold", "strict", "floating", "seesCode", "pullsAgain", "firesAgain",
        "anyDirection", "asksAgain",
    ].map { FieldRule($0, .flag) }

    private static let lengths =
        ["length", "preload", "start", "hysteresis", "slop"].map { FieldRule($0, points) }
        + ["room", "zone"].map { FieldRule($0, .nullable(points)) }

    private static let times =
        [
            "insetDuration", "offsetDuration", "step", "minVisible", "successHold",
            "failureHold", "coolDown", "staleAfter", "backOff", "backOffMax",
        ].map { FieldRule($0, .time) }
        + ["deadline", "leadTime"].map { FieldRule($0, .nullable(.time)) }

    private static let words = [
        FieldRule("whileLoading", .word(["cancel", "queue", "reject", "concurrent"])),
        FieldRule("whileRefreshing", .word(["cancel", "queue", "reject", "concurrent"])),
        FieldRule("trigger", .word(["release", "reach", "platform"])),
        FieldRule("mode", .word(["user", "limit"])),
        FieldRule("onCancel", .word(["disarm", "release"])),
        FieldRule("closing", .word(["atOnce", "animated", "atRelease", "atStep"])),
        FieldRule("rearm", .word(["content", "gesture"])),
    ]

    private static let floor: [FieldRule] = [
        FieldRule("length", points), FieldRule("velocity", .number(-1_000_000...1_000_000)),
        FieldRule("closing", .number(-1...1)), FieldRule("duration", .time),
        FieldRule("timeout", .time),
    ]
}
