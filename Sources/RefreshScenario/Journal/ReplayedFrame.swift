internal import RefreshProtocol

/// One frame of a session, recorded or replayed, as it is shown around a difference.
package struct ReplayedFrame: Hashable, Sendable {
    /// Who said it.
    package var side: Exchange.Side
    /// Its line in the journal; nil: it stands in none, a server says it now.
    package var line: Int?
    /// Seconds since the session began.
    package var at: Double
    package var text: String
    /// Whether it is the one that is not as recorded.
    package var differs = false

    /// One JSON object.
    var json: JSONValue {
        .object([
            .init("line", line.map { .number(Double($0)) } ?? .null), .init("at", .number(at)),
            .init("from", .string(side == .client ? "client" : "server")),
            .init("text", .string(text)), .init("differs", .bool(differs)),
        ])
    }
}

/// The frames around a difference, on both sides.
package struct ReplayContext: Hashable, Sendable {
    package var recorded: [ReplayedFrame] = []
    package var replayed: [ReplayedFrame] = []

    /// How many frames before and behind a difference are shown at most.
    package static let framesMax = 100
    /// How many are, if nobody asks for another number.
    package static let framesUsual = 3
}
