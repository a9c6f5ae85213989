/// How a client draws its indicators. Source: docs/protocol.md, "hello".
package struct FrameSettings: Hashable, Sendable, Codable {
    /// The frame rates that a client may request, frames per second.
    package static let rates = 1...30

    package var mode: FramesMode
    /// Frames per second for automatic movement.
    package var rate = rates.upperBound
    /// A BCP 47 tag.
    package var language = "en"
    package var motion = MotionPreference.full

    package init(mode: FramesMode = .plain) {
        self.mode = mode
    }
}
