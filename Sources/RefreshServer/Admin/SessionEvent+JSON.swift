import RefreshProtocol

/// The JSON of events for watchers.
extension SessionEvent {
    /// Returns one object. `time`: RFC 3339, as in the log.
    func json(time: String) -> [UInt8] {
        var text = ByteBuffer(capacity: 192)
        text.append(literal: #"{"event":""#)
        text.append(literal: name)
        text.append(0x22 as UInt8)
        text.member("time", time)
        text.member("session", session)
        if let view { text.member("view", view) }
        if let feed { text.member("feed", feed) }
        appendDetails(to: &text)
        text.append(0x7D as UInt8)
        return text.bytes
    }

    /// Returns the message for a watcher that lost so many events because its queue was full.
    static func lost(_ count: Int) -> [UInt8] { Array(#"{"event":"lost","count":\#(count)}"#.utf8) }

    /// The message for a watcher when it starts to receive the events of all loops.
    static let watching = Array(#"{"event":"watching"}"#.utf8)

    private func appendDetails(to text: inout ByteBuffer) {
        switch happening {
        case .opened(let loop, let peer):
            text.member("loop", Int(loop))
            if let peer { text.member("peer", peer) }
        case .greeted(let client, let frames, let subject):
            if let client { text.member("client", client) }
            text.member("frames", frames.rawValue)
            if let subject { text.member("subject", subject) }
        case .received(let type, let seq):
            text.member("type", type.rawValue)
            appendSeq(seq, to: &text)
        case .transition(let edge, let from, let to, let cause):
            text.member("edge", edge.rawValue)
            if let from { text.member("from", from.rawValue) }
            text.member("to", to.rawValue)
            if let cause { text.member("cause", cause.rawValue) }
        case .loadBegan(let load, let kind):
            text.member("load", load)
            text.member("kind", kind.rawValue)
        case .loadEnded(let load, let kind, let result, let ms):
            text.member("load", load)
            text.member("kind", kind.rawValue)
            text.member("result", result.rawValue)
            if let ms { text.member("ms", ms) }
        case .fault(let code, let seq):
            text.member("code", code.rawValue)
            appendSeq(seq, to: &text)
        case .detached(let code), .closed(let code):
            if let code { text.member("code", Int(code.rawValue)) }
        case .attached, .resumed: break
        }
    }

    private func appendSeq(_ seq: UInt64?, to text: inout ByteBuffer) {
        guard let seq else { return }
        text.beginMember("seq")
        text.append(seq)
    }
}
