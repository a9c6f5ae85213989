internal import RefreshProtocol

/// The first difference between a replayed session and the recorded one.
package struct ReplayDifference: Hashable, Sendable {
    /// The number of the journal line that did not match; nil if the journal has no line for the
    /// replayed output.
    package let line: Int?
    /// The number of the journal line whose input the session was handling when the difference
    /// occurred. Nil in a replay over a socket, where this line is unknown.
    package let inputLine: Int?
    /// Seconds since the start of the recorded session.
    package let at: Double
    /// The last frame that the client sent before the difference.
    package let cause: ReplayedFrame?
    /// The recorded output. It is a journal line without its checksum or, in a replay over a
    /// socket, a frame. Nil if there is none.
    package let recorded: String?
    /// The actual output in the same form. Nil if there is none.
    package let replayed: String?
    /// The field that differs.
    package let field: JSONDifference
    /// The frames around the difference.
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
        self.field = field ?? Self.firstDifferingField(recorded, replayed)
        self.context = context
    }

    /// The length of the common prefix of the two outputs, in bytes.
    var commonPrefixLength: Int {
        zip((recorded ?? "").utf8, (replayed ?? "").utf8).prefix { $0 == $1 }.count
    }

    /// Returns the first field that differs between two lines. If both lines contain a frame, the
    /// frames are compared.
    private static func firstDifferingField(_ recorded: String?, _ replayed: String?)
        -> JSONDifference
    {
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

    /// The members that the difference adds to the JSON of the verdict.
    var members: [JSONValue.Member] {
        [
            .init("line", Self.jsonNumber(line)), .init("inputLine", Self.jsonNumber(inputLine)),
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
            .init("line", Self.jsonNumber(cause.line)), .init("at", .number(cause.at)),
            .init("text", .string(cause.text)),
        ])
    }

    private static func jsonNumber(_ line: Int?) -> JSONValue {
        line.map { .number(Double($0)) } ?? .null
    }
}
