/// One dialed WebSocket connection. Cut off when the last reference to it goes.
package final class DialedClient: Sendable {
    private let number: Int
    private let dialer: Dialer

    init(number: Int, dialer: Dialer) {
        self.number = number
        self.dialer = dialer
    }

    deinit {
        dialer.run { [number] in $0.forget(number) }
    }

    /// Sends one text message; lost when the connection has ended.
    package func send(_ text: String) {
        send(Array(text.utf8), isBinary: false)
    }

    /// Sends one message; text must be UTF-8 for the peer to take it.
    package func send(_ bytes: [UInt8], isBinary: Bool) {
        dialer.run { [number] in $0.socket(number)?.send(bytes, isBinary: isBinary) }
    }

    /// Closes with this code and reason after everything sent. What comes meanwhile is still
    /// received.
    package func close(code: UInt16 = 1_000, reason: String = "") {
        dialer.run { [number] in $0.socket(number)?.close(code: code, reason: reason) }
    }

    /// Ends the connection without a close frame, as a lost network does.
    package func cut() {
        dialer.run { [number] in $0.socket(number)?.cut() }
    }

    /// The next event, in order; waits for it at most that long.
    package func receive(within limit: Duration) async -> DialedEvent {
        await withCheckedContinuation { continuation in
            receive(within: limit) { continuation.resume(returning: $0) }
        }
    }

    /// As `receive`, for plain threads.
    package func receiveBlocking(within limit: Duration) -> DialedEvent {
        Dialer.blocking { receive(within: limit, $0) }
    }

    private func receive(within limit: Duration, _ tell: @escaping @Sendable (DialedEvent) -> Void)
    {
        let deadline = MonotonicClock.nowMicroseconds + limit.wholeMicroseconds
        let isPosted = dialer.run { [number] core in
            core.await(number, DialedSocket.Waiter(deadline: deadline, tell: tell))
        }
        if !isPosted { tell(.closed(code: 1_006, reason: "the dialer stopped")) }
    }
}
