/// How a client draws its indicators. Source: docs/protocol.md, "hello".
package struct FrameSettings: Hashable, Sendable, Codable {
    /// The frame rates that a client may request, in frames per second.
    package static let rates = 1...30

    package var mode: FramesMode
    /// The frame rate that a `stream` client requests for animations, in frames per second.
    package var rate = rates.upperBound
    /// The language of texts, as a BCP 47 tag.
    package var language = "en"
    package var motion = MotionPreference.full

    package init(mode: FramesMode = .plain) {
        self.mode = mode
    }
}

/// The drawing capability of a client. Source: docs/protocol.md, "hello".
package enum FramesMode: String, CaseIterable, Sendable, Codable {
    /// The client draws its own spinner from five numbers.
    case plain
    /// The client draws layers from the properties that it receives.
    case stream
    /// The client plays whole programmes according to the control law.
    case local
}

/// The amount of motion that the client's user prefers. Source: docs/protocol.md, "hello".
package enum MotionPreference: String, CaseIterable, Sendable, Codable {
    case full, reduced
}
