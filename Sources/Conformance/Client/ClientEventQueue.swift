internal import Dispatch
internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

/// The queue of client events for the current case.
final class ClientEventQueue: Sendable {
    let state = Mutex(GradingServer.State())
    /// The semaphore is signalled once for each event.
    let signal = DispatchSemaphore(value: 0)
    /// The initial time of the server's clock. It is arbitrary, so that this clock differs from the
    /// clocks of all clients.
    private static let originMs = 81_532.25

    static var nowMs: Double { originMs + Double(MonotonicClock.nowMicroseconds) / 1000 }

    func enqueue(_ kind: ConnectionEvent.Kind, of line: Int) {
        let event = ConnectionEvent(connection: line, kind: kind, atMs: Self.nowMs)
        state.withLock { $0.events.append(event) }
        signal.signal()
    }
}

/// Puts the events of clients into the queue.
final class GradingHandler: TransportHandler {
    private let eventQueue: ClientEventQueue
    /// The maximum size of a message in bytes. It is far above the protocol's limit, so that the
    /// case, and not the transport, reports messages that exceed the protocol's limit.
    private static let messageBytesMax = 1 << 22

    init(_ eventQueue: ClientEventQueue) { self.eventQueue = eventQueue }

    func admit(_ request: UpgradeRequest) -> UpgradeDecision {
        guard request.path == ProtocolVersion.sessionPath else {
            return .refuse(
                .fault(status: 404, code: "notFound", message: "This path is not served."))
        }
        let (line, isLetIn) = eventQueue.state.withLock { state in
            state.connectionCount += 1
            defer { if state.refusals > 0 { state.refusals -= 1 } }
            return (state.connectionCount, state.refusals == 0)
        }
        eventQueue.enqueue(
            .upgradeRequested(subprotocols: request.subprotocols, isLetIn: isLetIn), of: line)
        guard isLetIn else {
            return .refuse(
                .fault(status: 503, code: "draining", message: "The daemon is stopping."))
        }
        return .accept(messageBytesMax: Self.messageBytesMax, tag: line)
    }

    func opened(_ connection: Connection) {
        eventQueue.state.withLock { $0.keys[connection.tag] = connection.key }
        eventQueue.enqueue(.opened, of: connection.tag)
    }

    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
        guard !isBinary else { return eventQueue.enqueue(.binaryMessage, of: connection.tag) }
        let text = unsafe message.withUnsafeBufferPointer { bytes in
            unsafe String(decoding: bytes, as: UTF8.self)
        }
        answerPing(in: text, on: connection)
        eventQueue.enqueue(.message(text), of: connection.tag)
    }

    func becameWritable(_ connection: Connection) {}

    func closed(_ connection: Connection) {
        eventQueue.state.withLock { $0.keys[connection.tag] = nil }
        eventQueue.enqueue(.disconnected, of: connection.tag)
    }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        .fault(status: 404, code: "notFound", message: "This path is not served.")
    }

    func wakeupFired() {}

    /// Answers a `ping` immediately, independently of the current case. Without a pong, a client
    /// considers the connection lost.
    private func answerPing(in text: String, on connection: Connection) {
        guard text.contains("\"ping\""), let frame = try? JSONValue(parsing: text),
            let ping = (frame.array ?? [frame]).first(where: { $0["type"]?.string == "ping" }),
            let t = ping["t"]?.number
        else { return }
        let (handled, answers) = eventQueue.state.withLock { ($0.handled, $0.answersPings) }
        guard answers else { return }
        let pong = JSONValue.object([
            JSONValue.Member("type", .string("pong")), JSONValue.Member("t", .number(t)),
            JSONValue.Member("time", .number(ClientEventQueue.nowMs)),
            JSONValue.Member("ack", .number(Double(handled))),
        ])
        connection.enqueue(Array(pong.text.utf8), isBinary: false)
    }
}
