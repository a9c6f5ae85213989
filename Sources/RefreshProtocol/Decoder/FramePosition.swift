/// How far a frame is decoded.
package struct FramePosition: Sendable {
    enum Stage: Sendable { case start, inBatch, end }

    var stage = Stage.start
    var index = 0

    package init() {}

    /// Whether nothing of the frame is decoded.
    package var isAtStart: Bool {
        if case .start = stage { true } else { false }
    }
}
