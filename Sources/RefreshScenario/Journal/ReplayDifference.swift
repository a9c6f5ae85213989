internal import RefreshProtocol

/// Where a replayed session first did something else than the recorded one.
package struct ReplayDifference: Hashable, Sendable {
    /// The number of the line that did not come true; nil: nothing was recorded there.
    package let line: Int?
    /// The number of the line whose input the session was handling; nil: over a socket nobody sees
    /// that.
    package let inputLine: Int?
    /// Seconds since the recorded session began.
    package let at: Double
    /// What the client said last before it.
    package let cause: ReplayedFrame?
    /// What was recorded: a line without its sum, or, over a socket, a frame; nil: nothing.
    package let recorded: String?
    /// What came instead, in the same form; nil: nothing.
    package let replayed: String?
    /// The field that differs.
    package let field: JSONDifference
    /// The frames around it.
    package internal(set) var context: ReplayContext

    init(
        line: Int?, inputLine: Int? = nil, at: Double = 0, cause: ReplayedFrame? = nil,
        recorded: String?, replayed: String?, field: JSONDifference? = nil,
        context: ReplayContext = ReplayContext()
    ) {
        self.line = line
        self.inputLine = inputLine
        self.at = at
        self.cause = cause
        self.recorded = recorded
        self.replayed = replayed
        self.field = field ?? Self.field(recorded, replayed)
        self.context = context
    }

    /// How many bytes the two begin with in common.
    var common: Int {
        zip((recorded ?? "").utf8, (replayed ?? "").utf8).prefix { $0 == $1 }.count
    }

    /// The first field that differs between two lines: within their frames, where both have one.
    private static func field(_ recorded: String?, _ replayed: String?) -> JSONDifference {
        let lines = [recorded, replayed].map { text in
            text.flatMap { try? JSONValue(parsing: $0) }
        }
        let frames = lines.map { line in
            line?["text"]?.string.flatMap { try? JSONValue(parsing: $0) }
        }
        let sides = frames.allSatisfy { $0 != nil } ? frames : lines
        return JSONDifference.first(sides[0], sides[1], within: 0)
            ?? JSONDifference(path: "$", expected: sides[0], got: sides[1])
    }

    /// The members that it adds to the verdict.
    var members: [JSONValue.Member] {
        [
            .init("line", Self.number(line)), .init("inputLine", Self.number(inputLine)),
            .init("at", .number(at)), .init("cause", causeJSON), .init("field", field.json),
            .init("recorded", recorded.map(JSONValue.string) ?? .null),
            .init("replayed", replayed.map(JSONValue.string) ?? .null),
            .init(
                "context",
                .object([
                    .init("recorded", .array(context.recorded.map(\.json))),
                    .init("replayed", .array(context.replayed.map(\.json))),
                ])),
        ]
    }

    private var causeJSON: JSONValue {
        guard let cause else { return .null }
        return .object([
            .init("line", Self.number(cause.line)), .init("at", .number(cause.at)),
            .init("text", .string(cause.text)),
        ])
    }

    private static func number(_ line: Int?) -> JSONValue {
        line.map { .number(Double($0)) } ?? .null
    }
}
