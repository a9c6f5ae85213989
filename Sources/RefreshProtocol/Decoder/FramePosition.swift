/// The decoder's position in a frame.
package struct FramePosition: Sendable {
    @usableFromInline
    enum Stage: Sendable { case start, inBatch, end }

    @usableFromInline var stage = Stage.start
    @usableFromInline var index = 0

    @inlinable
    package init() {}

    /// Whether no part of the frame is decoded.
    @inlinable
    package var isAtStart: Bool {
        if case .start = stage { true } else { false }
    }

    /// Whether the whole frame is decoded.
    @inlinable
    package var isAtEnd: Bool {
        if case .end = stage { true } else { false }
    }
}
