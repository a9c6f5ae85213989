internal import RefreshProtocol

extension ResumeHandshake {
    /// Parses the members of the line that records the handshake in a journal.
    init(_ members: JournalMembers) throws(JournalLineError) {
        let text = try JournalMembers(members.value("hello")).bytes()
        var held: [[UInt8]] = []
        for frame in try members.value("held").array ?? [] {
            held.append(try JournalMembers(frame).bytes())
        }
        guard let hello = Self.decodedHello(text) else {
            throw JournalLineError("has an invalid `hello`")
        }
        self.init(hello, text: text, held: held)
    }

    /// Decodes a `hello` with the widest limits, because the recording daemon has already checked
    /// its own limits.
    private static func decodedHello(_ text: [UInt8]) -> Hello? {
        var limits = Limits()
        for entry in Limits.table { limits[keyPath: entry.path] = entry.range.upperBound }
        var decoder = MessageDecoder(limits: limits)
        var position = FramePosition()
        guard case .message(.hello(let hello)) = decoder.next(in: text.span, at: &position)
        else { return nil }
        return hello
    }
}
