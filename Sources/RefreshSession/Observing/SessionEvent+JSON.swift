import RefreshProtocol

/// The JSON of events for watchers, which are WebSocket connections of operators.
extension SessionEvent {
    /// Returns one object. `time` is in the format of RFC 3339, as in the log.
    package func json(time: String) -> [UInt8] {
        var text = ByteBuffer(capacity: 192)
        text.append(literal: #"{"event":""#)
        text.append(literal: name)
        text.append(0x22 as UInt8)
        text.appendMember("time", time)
        text.appendMember("session", session)
        if let view { text.appendMember("view", view) }
        if let feed { text.appendMember("feed", feed) }
        appendDetails(to: &text)
        text.append(0x7D as UInt8)
        return text.bytes
    }

    /// Returns the message for a watcher that lost `count` events because its queue was full.
    package static func lost(_ count: Int) -> [UInt8] {
        Array(#"{"event":"lost","count":\#(count)}"#.utf8)
    }

    /// The message that tells a watcher that it now receives the events of all loops.
    package static let watching = Array(#"{"event":"watching"}"#.utf8)

    private func appendDetails(to text: inout ByteBuffer) {
        switch kind {
        case .opened(let loop, let peer):
            text.appendMember("loop", Int(loop))
            if let peer { text.appendMember("peer", peer) }
        case .greeted(let client, let frames, let subject):
            if let client { text.appendMember("client", client) }
            text.appendMember("frames", frames.rawValue)
            if let subject { text.appendMember("subject", subject) }
        case .received(let type, let seq):
            text.appendMember("type", type.rawValue)
            appendSeq(seq, to: &text)
        case .transition(let edge, let from, let to, let cause):
            text.appendMember("edge", edge.rawValue)
            if let from { text.appendMember("from", from.rawValue) }
            text.appendMember("to", to.rawValue)
            if let cause { text.appendMember("cause", cause.rawValue) }
        case .loadBegan(let load, let kind):
            text.appendMember("load", load)
            text.appendMember("kind", kind.rawValue)
        case .loadEnded(let load, let kind, let result, let ms):
            text.appendMember("load", load)
            text.appendMember("kind", kind.rawValue)
            text.appendMember("result", result.rawValue)
            if let ms { text.appendMember("ms", ms) }
        case .fault(let code, let seq):
            text.appendMember("code", code.rawValue)
            appendSeq(seq, to: &text)
        case .detached(let code), .closed(let code):
            if let code { text.appendMember("code", Int(code.rawValue)) }
        case .attached, .resumed: break
        }
    }

    private func appendSeq(_ seq: UInt64?, to text: inout ByteBuffer) {
        guard let seq else { return }
        text.beginMember("seq")
        text.append(seq)
    }
}
