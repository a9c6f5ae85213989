internal import ScenarioKit
internal import WebSocketTransport

/// A connection over which a journal is replayed. The server is at the other end of a WebSocket and
/// runs in real time, or it is in this process and has its own clock.
protocol ReplayLine: AnyObject {
    /// The time of a monotonic clock, in microseconds.
    var nowMicroseconds: Int64 { get }
    /// Returns the next event. If there is none within `limit`, measured by the clock of
    /// `nowMicroseconds`, returns `timedOut`.
    func receive(within limit: Duration) async -> DialedEvent
    /// Sends one text frame, or an empty binary frame if `text` is nil.
    func send(_ text: String?) async
    /// Cuts the connection without a close frame, as a network failure does. No events follow.
    func cut() async
    /// Opens a connection to the server. After `cut`, it is a new connection to the same server.
    func openConnection() async throws(SocketReplay.Unreachable)
}

/// A connection to the server at a URL.
final class DialedLine: ReplayLine {
    private let url: String
    private let dialer: Dialer
    private let timeout: Duration
    /// Nil if no connection was opened, or if the connection was cut.
    private var client: DialedClient?

    init(_ url: String, _ dialer: Dialer, timeout: Duration) {
        self.url = url
        self.dialer = dialer
        self.timeout = timeout
    }

    var nowMicroseconds: Int64 { MonotonicClock.nowMicroseconds }

    func receive(within limit: Duration) async -> DialedEvent {
        guard let client else {
            try? await Task.sleep(for: limit)
            return .timedOut
        }
        return await client.receive(within: limit)
    }

    func send(_ text: String?) async {
        if let text { client?.send(text) } else { client?.send([], isBinary: true) }
    }

    func cut() async {
        client?.terminate()
        client = nil
    }

    func openConnection() async throws(SocketReplay.Unreachable) {
        do {
            client = try await dialer.connect(url, within: timeout)
        } catch {
            throw SocketReplay.Unreachable(reason: error.text(of: url))
        }
    }

    func close() { client?.close() }
}
