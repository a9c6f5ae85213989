internal import RefreshProtocol
package import ScenarioKit

/// One frame of a recorded or replayed session, for the list of frames around a difference.
package struct ReplayedFrame: Hashable, Sendable {
    /// The side that sent the frame.
    package var side: Exchange.Side
    /// The number of the frame's journal line. Nil for a frame that a server sent in the replay.
    package var line: Int?
    /// Seconds since the start of the session.
    package var at: Double
    package var text: String
    /// Whether this is the frame in which the recording and the replay differ.
    package var differs = false

    /// The frame as a JSON object.
    var json: JSONValue {
        .object([
            .init("line", line.map { .number(Double($0)) } ?? .null), .init("at", .number(at)),
            .init("from", .string(side == .client ? "client" : "server")),
            .init("text", .string(text)), .init("differs", .bool(differs)),
        ])
    }
}

/// The frames around a difference, in the recording and in the replay.
package struct ReplayContext: Hashable, Sendable {
    package var recorded: [ReplayedFrame] = []
    package var replayed: [ReplayedFrame] = []

    /// The maximum number of frames shown before a difference, and the same number after it.
    package static let framesMax = 100
    /// The default number of frames shown.
    package static let framesUsual = 3
}
