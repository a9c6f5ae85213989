/// Writes the indicator frames that a `stream` client of a view needs.
package protocol FrameWriting: ~Copyable {
    /// Appends `"frame":{…}`, after a comma if another member precedes it. Appends nothing if
    /// nothing about the indicator at that edge needs to be sent.
    mutating func writeFrame(of role: EdgeRole, behindMember: Bool, to out: inout ByteBuffer)
}
