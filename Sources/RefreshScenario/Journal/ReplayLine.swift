internal import WebSocketTransport

/// Where a journal is played to: a server over a WebSocket, in real time, or one with a clock of
/// its own.
protocol ReplayLine: AnyObject {
    /// A clock that never goes back.
    var nowMicroseconds: Int64 { get }
    /// What comes next, within so much time of that clock.
    func receive(within limit: Duration) async -> DialedEvent
    /// Sends one text frame; nil: a binary frame with nothing in it.
    func say(_ text: String?) async
    /// Ends the connection without a close, as a lost network does. Nothing comes from then on.
    func lose() async
    /// Makes another connection to the same server.
    func connectAgain() async throws(SocketReplay.Unreachable)
}

/// A server at a URL.
final class DialedLine: ReplayLine {
    private let url: String
    private let dialer: Dialer
    private let patience: Duration
    /// Nil: lost.
    private var client: DialedClient?

    init(_ url: String, _ dialer: Dialer, patience: Duration) {
        self.url = url
        self.dialer = dialer
        self.patience = patience
    }

    var nowMicroseconds: Int64 { MonotonicClock.nowMicroseconds }

    func receive(within limit: Duration) async -> DialedEvent {
        guard let client else {
            try? await Task.sleep(for: limit)
            return .timedOut
        }
        return await client.receive(within: limit)
    }

    func say(_ text: String?) async {
        if let text { client?.send(text) } else { client?.send([], isBinary: true) }
    }

    func lose() async {
        client?.cut()
        client = nil
    }

    func connectAgain() async throws(SocketReplay.Unreachable) {
        do {
            client = try await dialer.connect(url, within: patience)
        } catch {
            throw SocketReplay.Unreachable(reason: error.text(of: url))
        }
    }

    func close() { client?.close() }
}
