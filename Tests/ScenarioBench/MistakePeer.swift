package import RefreshProtocol
package import ScenarioKit
internal import Synchronization

/// The mistakes that a daemon has reported to a client, on any of its connections.
package final class MistakeLog: Sendable {
    private let reported = Mutex<[DiagnosticCode]>([])
    private let handled = Mutex(0.0)

    package init() {}

    /// The mistakes, in order.
    package var mistakes: [DiagnosticCode] { reported.withLock { $0 } }

    /// The largest `ack` that was received.
    package var ack: Double { handled.withLock { $0 } }

    fileprivate func record(inFrame text: String) {
        guard let value = try? JSONValue(parsing: text) else { return }
        let messages = value.array ?? [value]
        let acks = messages.compactMap { $0["ack"]?.number }
        handled.withLock { $0 = max($0, acks.max() ?? 0) }
        let codes = messages.compactMap { message -> DiagnosticCode? in
            guard message["type"]?.string == "diagnostic" else { return nil }
            return message["code"]?.string.flatMap(DiagnosticCode.init)
        }
        reported.withLock { $0 += codes.filter { $0.page != nil } }
    }
}

/// A connection whose `hello` requests diagnostics. It records the reported mistakes of the client.
package final class MistakePeer: Peer {
    private let peer: any Peer
    private let log: MistakeLog

    package init(_ peer: any Peer, _ log: MistakeLog) {
        self.peer = peer
        self.log = log
    }

    package var now: Instant { peer.now }
    package var nextDue: Instant? { peer.nextDue }

    package func send(_ text: String) async throws(PeerError) {
        try await peer.send(Self.requestingDiagnostics(text))
    }

    package func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
        let event = try await peer.receive(until: deadline)
        if case .frame(let text) = event { log.record(inFrame: text) }
        return event
    }

    package func simulate(_ word: FeedEvent, ofFeed feed: String) throws(PeerError) {
        try peer.simulate(word, ofFeed: feed)
    }

    package func idle(until deadline: Instant) async throws(PeerError) {
        try await peer.idle(until: deadline)
    }

    package func close() async { await peer.close() }

    package func cut() async { await peer.cut() }

    /// Adds the request for diagnostics to each `hello` of a frame. A frame that is not valid is
    /// not changed.
    private static func requestingDiagnostics(_ frame: String) -> String {
        guard frame.contains(#""hello""#), let value = try? JSONValue(parsing: frame) else {
            return frame
        }
        let messages = (value.array ?? [value]).map { message in
            guard message["type"]?.string == "hello" else { return message }
            var hello = message
            hello["diagnostics"] = .bool(true)
            return hello
        }
        return value.array == nil ? messages[0].text : JSONValue.array(messages).text
    }
}
