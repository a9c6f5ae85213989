/// Knows what a `stream` client is to be told of a view's indicators.
package protocol FrameWriting: ~Copyable {
    /// Appends `"frame":{…}`, behind a comma if another member is before it; nothing if there is
    /// nothing to tell of the indicator at that edge.
    mutating func writeFrame(of role: EdgeRole, behindMember: Bool, to out: inout ByteBuffer)
}
