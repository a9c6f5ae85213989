internal import Dispatch
internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

/// The server that a client under test connects to. It does nothing by itself but let connections
/// in, number them, and answer `ping`; all else is said by the case that is asked.
///
///     the client -> GradingHandler -> events -> ClientTrial (another thread)
///                <- say, close, cut <----------------------'
final class GradingServer: Sendable {
    /// What the loop's thread and that of the cases share.
    struct Desk {
        var events: [LineEvent] = []
        var keys: [Int: UInt64] = [:]
        var lineCount = 0
        /// So many upgrades are refused with 503.
        var refusals = 0
        /// The last `seq` that `pong` says is handled.
        var handled = 0
        /// False: no `ping` is answered.
        var answersPings = true
    }

    let desk: GradingDesk
    private let loop: EventLoop
    /// Where clients connect.
    let url: String

    /// Listens at a numeric address, and nobody else does; port 0 is one that is free.
    init(host: String, port: UInt16) throws(TransportError) {
        let desk = GradingDesk()
        self.desk = desk
        let listener = try ListeningSocket.openAlone(host: host, port: port)
        let authority = listener.address.contains(":") ? "[\(listener.address)]" : listener.address
        url = "ws://\(authority):\(listener.port)\(ProtocolVersion.sessionPath)"
        loop = try EventLoop(
            configuration: LoopConfiguration(subprotocols: [ProtocolVersion.subprotocol]),
            listeners: [listener]
        ) { _ in GradingHandler(desk) }
        loop.start()
    }

    /// Ends all connections; call once.
    func stop() { loop.stop() }

    /// A time on the clock that it tells its clients.
    static var nowMs: Double { GradingDesk.nowMs }

    /// The next thing that a client did; nil when nothing was by then.
    func next(untilMs deadline: Double) -> LineEvent? {
        let wait = max(0, deadline - Self.nowMs)
        guard desk.signal.wait(timeout: .now() + wait / 1000) == .success else { return nil }
        return desk.state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
    }

    /// Another case is asked.
    func beginAnew() {
        desk.state.withLock {
            $0.refusals = 0
            $0.handled = 0
            $0.answersPings = true
        }
    }

    /// Answers `ping`, or does not any more.
    func answerPings(_ answers: Bool) { desk.state.withLock { $0.answersPings = answers } }

    /// The next upgrades are refused with 503, so many.
    func refuse(_ count: Int) { desk.state.withLock { $0.refusals = count } }

    /// The last `seq` that the client has been told to be handled.
    func note(handled seq: Int) { desk.state.withLock { $0.handled = seq } }

    /// Says a frame over a connection; over one that has ended nothing.
    func say(_ text: String, on line: Int) {
        withConnection(line) { $0.enqueue(Array(text.utf8), isBinary: false) }
    }

    /// Closes it.
    func close(_ line: Int, code: UInt16) {
        withConnection(line) { $0.close(code: code, reason: "") }
    }

    /// Cuts it off.
    func cut(_ line: Int) { withConnection(line) { $0.cut() } }

    private func withConnection(_ line: Int, _ act: @escaping @Sendable (Connection) -> Void) {
        guard let key = desk.state.withLock({ $0.keys[line] }) else { return }
        loop.post { [loop] in
            if let connection = loop.connection(key) { act(connection) }
        }
    }
}
