internal import Dispatch
internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

/// The server to which a client under test connects. It accepts and numbers connections, and
/// answers `ping`. All other messages to the client come from the current case.
///
///     the client -> GradingHandler -> events -> ClientTrial (another thread)
///                <- send, close, cut <---------------------'
final class GradingServer: Sendable {
    /// The state that the loop's thread shares with the thread of the cases.
    struct State {
        var events: [ConnectionEvent] = []
        var keys: [Int: UInt64] = [:]
        var connectionCount = 0
        /// The number of upgrades still to be refused with 503.
        var refusals = 0
        /// The `seq` of the last message that a case has handled. `pong` acknowledges this `seq`.
        var handled = 0
        /// Whether `ping` is answered.
        var answersPings = true
    }

    let eventQueue: ClientEventQueue
    private let loop: EventLoop
    /// The URL to which clients connect.
    let url: String

    /// Listens at a numeric address, at a port that no other process shares. Port 0 selects a free
    /// port.
    init(host: String, port: UInt16) throws(TransportError) {
        let eventQueue = ClientEventQueue()
        self.eventQueue = eventQueue
        let listener = try ListeningSocket.openExclusive(host: host, port: port)
        let authority = listener.address.contains(":") ? "[\(listener.address)]" : listener.address
        url = "ws://\(authority):\(listener.port)\(ProtocolVersion.sessionPath)"
        loop = try EventLoop(
            configuration: LoopConfiguration(subprotocols: [ProtocolVersion.subprotocol]),
            listeners: [listener]
        ) { _ in GradingHandler(eventQueue) }
        loop.start()
    }

    /// Closes all connections. Call this once.
    func stop() { loop.stop() }

    /// The current time of the server's clock, as sent to clients.
    static var nowMs: Double { ClientEventQueue.nowMs }

    /// Returns the next event of a client. Nil if no event occurs before `deadline`.
    func nextEvent(untilMs deadline: Double) -> ConnectionEvent? {
        let wait = max(0, deadline - Self.nowMs)
        guard eventQueue.signal.wait(timeout: .now() + wait / 1000) == .success else { return nil }
        return eventQueue.state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
    }

    /// Resets the state for the next case.
    func reset() {
        eventQueue.state.withLock {
            $0.refusals = 0
            $0.handled = 0
            $0.answersPings = true
        }
    }

    /// Sets whether `ping` is answered.
    func setAnswersPings(_ answers: Bool) {
        eventQueue.state.withLock { $0.answersPings = answers }
    }

    /// Refuses the next `count` upgrades with 503.
    func refuseUpgrades(_ count: Int) { eventQueue.state.withLock { $0.refusals = count } }

    /// Sets the last `seq` that was acknowledged to the client.
    func setHandled(seq: Int) { eventQueue.state.withLock { $0.handled = seq } }

    /// Sends a frame over a connection. Does nothing if the connection has ended.
    func send(_ text: String, on line: Int) {
        withConnection(line) { $0.enqueue(Array(text.utf8), isBinary: false) }
    }

    /// Closes a connection.
    func close(_ line: Int, code: UInt16) {
        withConnection(line) { $0.close(code: code, reason: "") }
    }

    /// Cuts a connection.
    func cut(_ line: Int) { withConnection(line) { $0.terminate() } }

    private func withConnection(_ line: Int, _ act: @escaping @Sendable (Connection) -> Void) {
        guard let key = eventQueue.state.withLock({ $0.keys[line] }) else { return }
        loop.post { [loop] in
            if let connection = loop.connection(key) { act(connection) }
        }
    }
}
