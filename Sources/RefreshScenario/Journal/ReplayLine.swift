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
}

extension DialedClient: ReplayLine {
    var nowMicroseconds: Int64 { MonotonicClock.nowMicroseconds }

    func say(_ text: String?) async {
        if let text { send(text) } else { send([], isBinary: true) }
    }
}
