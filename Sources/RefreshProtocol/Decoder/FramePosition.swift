/// How far a frame is decoded.
package struct FramePosition: Sendable {
    enum Stage: Sendable { case start, inBatch, end }

    var stage = Stage.start
    var index = 0

    package init() {}
}
