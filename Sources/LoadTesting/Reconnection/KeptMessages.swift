internal import RefreshProtocol

/// The messages that a client has sent and that the daemon may not have handled, the oldest first.
/// After a lost connection, the client sends them again. Of the samples of a view, it keeps at most
/// the first, the last and the newest between them.
struct KeptMessages {
    /// The maximum number of kept messages. They fit into the frame of `hello`. If there are more,
    /// the oldest are dropped, and are lost if the connection is lost.
    static let countMax = 32

    private struct Kept {
        let seq: Int
        let retention: MessageRetention
        let text: [UInt8]
    }

    private var messages: [Kept] = []

    /// The messages as JSON.
    var texts: [[UInt8]] { messages.map(\.text) }

    /// Keeps a sent message if it must be kept. `seq` is the number with which it was sent, and
    /// `clockMs` the time at which its gesture started.
    mutating func add(_ message: LoadMessage, seq: Int, clockMs: Double) {
        guard let retention = message.retention else { return }
        if case .sample(let view, let place) = retention {
            messages.removeAll { kept in
                guard case .sample(view, let other) = kept.retention else { return false }
                return place == .first || other == place
            }
        }
        var text = ByteBuffer()
        var previous = seq - 1
        message.write(into: &text, seq: &previous, clockMs: clockMs)
        messages.append(Kept(seq: seq, retention: retention, text: text.bytes))
        if messages.count > Self.countMax { messages.removeFirst() }
    }

    /// Drops the messages that the daemon has handled: those up to this number.
    mutating func removeHandled(upTo ack: Int) {
        if messages.first.map({ $0.seq <= ack }) == true { messages.removeAll { $0.seq <= ack } }
    }

    mutating func removeAll() { messages = [] }
}
