/// One dialed WebSocket connection. The connection is cut when the last reference to this object is
/// released.
package final class DialedClient: Sendable {
    private let number: Int
    private let dialer: Dialer

    init(number: Int, dialer: Dialer) {
        self.number = number
        self.dialer = dialer
    }

    deinit {
        dialer.run { [number] in $0.terminateConnection(number) }
    }

    /// Sends one text message. The message is lost if the connection has ended.
    package func send(_ text: String) {
        send(Array(text.utf8), isBinary: false)
    }

    /// Sends one message. The bytes of a text message must be UTF-8, or the peer will reject it.
    package func send(_ bytes: [UInt8], isBinary: Bool) {
        dialer.run { [number] in $0.socket(number)?.send(bytes, isBinary: isBinary) }
    }

    /// Sends all queued messages, and then closes with this code and reason. Messages that arrive
    /// in the meantime are still received.
    package func close(code: UInt16 = 1_000, reason: String = "") {
        dialer.run { [number] in $0.socket(number)?.close(code: code, reason: reason) }
    }

    /// Ends the connection without a close frame, like a network failure.
    package func terminate() {
        dialer.run { [number] in $0.socket(number)?.terminate() }
    }

    /// Returns the next event in order. Waits at most `limit` for the event.
    package func receive(within limit: Duration) async -> DialedEvent {
        await withCheckedContinuation { continuation in
            receive(within: limit) { continuation.resume(returning: $0) }
        }
    }

    /// The blocking form of `receive`, for threads that are not part of Swift's concurrency.
    package func receiveBlocking(within limit: Duration) -> DialedEvent {
        Dialer.blocking { receive(within: limit, $0) }
    }

    private func receive(
        within limit: Duration, _ completion: @escaping @Sendable (DialedEvent) -> Void
    ) {
        let deadline = MonotonicClock.nowMicroseconds + limit.wholeMicroseconds
        let isPosted = dialer.run { [number] core in
            core.awaitEvent(number, DialedSocket.Waiter(deadline: deadline, deliver: completion))
        }
        if !isPosted { completion(.closed(code: 1_006, reason: "the dialer stopped")) }
    }
}

/// An event of a dialed connection.
package enum DialedEvent: Hashable, Sendable {
    /// One complete message.
    case message([UInt8], isBinary: Bool)
    /// The connection has ended. Code and reason are those of the peer's close frame. The code is
    /// 1005 if the frame had no code, and 1006 if there was no close frame. Every later wait has
    /// the same result.
    case closed(code: UInt16, reason: String)
    /// The time limit was exceeded.
    case timedOut

    /// The text of a text message; nil for anything else.
    package var text: String? {
        guard case .message(let bytes, false) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
