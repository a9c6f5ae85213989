import RefreshProtocol

/// Writes the structure around the members of a frame.
struct FrameLayers {
    private let texts: PreparedTexts
    private let isBehindMember: Bool
    /// The layer with an open object.
    private var layer: Int?

    @inline(__always)
    init(_ choreography: Choreography, behindMember: Bool) {
        texts = choreography.memberTexts
        isBehindMember = behindMember
    }

    /// Appends the text that precedes the member's value.
    @inline(__always)
    mutating func beginMember(_ member: LiveMember, in out: inout ByteBuffer) {
        if member.layer == layer { return out.append(member.next, of: texts) }
        if layer == nil {
            out.append(literal: isBehindMember ? #","frame":{"# : #""frame":{"#)
            out.append(member.opening.dropFirst(2), of: texts)
        } else {
            out.append(member.opening, of: texts)
        }
        layer = member.layer
    }

    /// Appends the closing text after the last member, if there was a member.
    @inline(__always)
    func close(in out: inout ByteBuffer) {
        if layer != nil { out.append(literal: "}}") }
    }
}
