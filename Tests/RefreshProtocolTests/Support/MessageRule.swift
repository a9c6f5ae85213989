import RefreshProtocol
import Testing

/// Every message that a client may send, field by field. It is a second, independent form of
/// docs/protocol.md, "Messages of the client", with which the decoder is compared.
struct MessageRule: Sendable, CustomTestStringConvertible {
    let type: MessageType
    let fields: [FieldRule]

    var testDescription: String { type.rawValue }

    /// The message with every field that it may have.
    func full(_ random: inout SeededGenerator) -> JSONValue { typed(fields.full(&random)) }

    /// The message with the required fields and some of the others, in any order.
    func sample(_ random: inout SeededGenerator) -> JSONValue { typed(fields.sample(&random)) }

    private func typed(_ body: JSONValue) -> JSONValue {
        guard case .object(let members) = body else { return body }
        return .object([JSONValue.Member("type", .string(type.rawValue))] + members)
    }

    static let all: [MessageRule] = [
        MessageRule(
            type: .hello,
            fields: [
                .required("protocol", .whole(0...Int(Int32.max))), FieldRule("client", .text),
                FieldRule("frames", .frames), FieldRule("headers", .headers),
                FieldRule("views", .list([.required("view", .view)] + attach)),
                FieldRule("token", .text), FieldRule("snapshots", .flag),
                FieldRule("diagnostics", .flag),
                FieldRule(
                    "resume",
                    .object([
                        .required("session", .text), .required("token", .text),
                        FieldRule("ack", .whole(0...((1 << 53) - 1))),
                        FieldRule("received", .loads), FieldRule("snapshot", .text),
                    ])),
            ]),
        MessageRule(type: .attach, fields: header + attach),
        MessageRule(type: .detach, fields: header),
        MessageRule(type: .geometry, fields: header + geometry),
        MessageRule(
            type: .scroll,
            fields: header + sample + [
                .required("offset", points), FieldRule("from", points),
                .required(
                    "phase",
                    .word(["began", "dragging", "ended", "cancelled", "decelerating", "idle"])),
            ]),
        MessageRule(
            type: .pan,
            fields: header + sample + [
                .required("translation", points), FieldRule("offset", points),
                FieldRule("from", points),
                .required("phase", .word(["began", "dragging", "ended", "cancelled"])),
            ]),
        MessageRule(
            type: .refresh,
            fields: header + [FieldRule("cause", cause), FieldRule("animated", .flag)]),
        MessageRule(type: .begin, fields: header + [FieldRule("animated", .flag)]),
        MessageRule(type: .end, fields: header + [FieldRule("animated", .flag)]),
        MessageRule(type: .loadMore, fields: header + [FieldRule("cause", cause)]),
        MessageRule(type: .retry, fields: header + [FieldRule("edge", edge)]),
        MessageRule(type: .cancel, fields: header + [FieldRule("edge", edge)]),
        MessageRule(type: .reset, fields: header + [FieldRule("edge", edge)]),
        MessageRule(type: .floor, fields: header + [.required("open", .flag)]),
        MessageRule(type: .appear, fields: header),
        MessageRule(type: .disappear, fields: header),
        MessageRule(
            type: .reveal,
            fields: header + [
                FieldRule("edge", edge), FieldRule("id", .text), FieldRule("position", points),
                FieldRule("animated", .flag),
            ]),
        MessageRule(type: .read, fields: header + [.required("id", .text)]),
        MessageRule(
            type: .edit,
            fields: header + [
                .required("edit", .editName), .required("operation", .operation),
                FieldRule("delayMs", .whole(0...60_000)), FieldRule("repeated", .flag),
            ]),
        MessageRule(type: .undo, fields: header + [.required("edit", .editName)]),
        MessageRule(
            type: .loadBegan,
            fields: header + [.required("load", .load), FieldRule("accepted", .flag)]),
        MessageRule(
            type: .loadProgress,
            fields: header + [.required("load", .load), .required("progress", .number(0...1))]),
        MessageRule(
            type: .loadFinished,
            fields: header + [
                .required("load", .load),
                .required("result", .word(["success", "empty", "noMore", "failed", "cancelled"])),
                FieldRule("count", .whole(0...Int(Int32.max))), FieldRule("more", .flag),
                FieldRule("cursor", .text), FieldRule("code", .text), FieldRule("message", .text),
            ]),
        MessageRule(
            type: .enable,
            fields: header + [.required("edge", edge), .required("enabled", .flag)]),
        MessageRule(
            type: .configure,
            fields: header + edges + [FieldRule("paging", paging), FieldRule("pan", pan)]),
        MessageRule(
            type: .ping,
            fields: [
                .required(
                    "t",
                    .number(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude))
            ]),
        MessageRule(type: .snapshot, fields: []),
        MessageRule(type: .bye, fields: []),
    ]

    static let points = FieldKind.number(-10_000_000...10_000_000)
    static let length = FieldKind.number(0...10_000_000)
    static let edge = FieldKind.word(["top", "bottom", "leading", "trailing"])
    static let cause = FieldKind.word(["code", "key", "wheel", "accessibility", "finger"])

    static let header: [FieldRule] = [
        .required("seq", .whole(1...((1 << 53) - 1))), .required("view", .view),
        FieldRule("generation", .whole(0...Int(UInt32.max))),
    ]

    /// The common fields of `scroll` and `pan`.
    static let sample: [FieldRule] = [
        FieldRule("t", .number(-9_007_199_254_740_992...9_007_199_254_740_992)),
        FieldRule("velocity", .number(-1_000_000...1_000_000)), FieldRule("cause", cause),
        FieldRule("predicted", .word(["idle", "pulling", "eligible", "refreshing"])),
    ]

    static let size: [FieldRule] = [FieldRule("width", length), FieldRule("height", length)]

    static let insets: [FieldRule] = ["top", "left", "bottom", "right"].map {
        FieldRule($0, points)
    }

    static let geometry: [FieldRule] = [
        FieldRule("viewport", .object(size)), FieldRule("content", .object(size)),
        FieldRule("insets", .object(insets)), FieldRule("safeArea", .object(insets)),
        FieldRule(
            "bars",
            .object([
                FieldRule("status", length),
                FieldRule(
                    "navigation", .object([FieldRule("y", points), FieldRule("height", length)])),
                FieldRule(
                    "search", .object([FieldRule("height", length), FieldRule("active", .flag)])),
            ])),
        FieldRule("direction", .word(["ltr", "rtl"])),
        FieldRule("scale", .number(Double.leastNonzeroMagnitude...100)),
        FieldRule("offset", points),
        FieldRule("anchor", .object([.required("id", .text), .required("position", points)])),
    ]

    /// The fields of `attach`, except those that every message about a view has.
    static let attach: [FieldRule] =
        edges + [
            .required("profile", .text), FieldRule("feed", .text),
            FieldRule("parameters", .parameters),
            FieldRule("geometry", .object(geometry)), FieldRule("offset", points),
            FieldRule("axis", .word(["vertical", "horizontal"])), FieldRule("reversed", .flag),
            FieldRule("paging", paging), FieldRule("pan", pan),
            FieldRule("attention", .word(["everything", "movement"])),
            FieldRule("haptics", .flag), FieldRule("announcements", .flag),
        ]
}
