import RefreshProtocol

/// Writes the JSON text before, between and after the values of a frame.
struct FrameLayers {
    private let texts: PreparedTexts
    private let isBehindMember: Bool
    /// The layer whose JSON object is begun and not ended yet.
    private var layer: Int?

    @inline(__always)
    init(_ choreography: Choreography, behindMember: Bool) {
        texts = choreography.memberTexts
        isBehindMember = behindMember
    }

    /// Appends the text before the value of a member.
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

    /// Appends the closing text after the last member. Appends nothing if there was no member.
    @inline(__always)
    func close(in out: inout ByteBuffer) {
        if layer != nil { out.append(literal: "}}") }
    }
}
