/// One event loop for a proxy: it accepts connections and dials others, all on one thread. The two
/// connections that a proxy joins therefore need no synchronisation, and each can pause the other.
package final class ProxyLoop: Sendable {
    private let loop: EventLoop

    /// Creates a loop that accepts from `listeners`, and owns them, even if this initializer
    /// throws. `wss` can be dialed only if `authorities` are given. `makeHandler` is called once on
    /// the loop's thread, before any other code runs there.
    package init(
        configuration: LoopConfiguration = LoopConfiguration(), listeners: [ListeningSocket],
        trusting authorities: TLSAuthorities? = nil,
        makeHandler: @escaping @Sendable (ProxyDialer) -> any TransportHandler
    ) throws(TransportError) {
        let speaksTLS = authorities != nil
        loop = try EventLoop(
            configuration, listeners, nil, TrustedProxies(), authorities: authorities
        ) { loop in
            let dialer = DialerCore(loop: loop)
            return ProxyCore(
                dialer, handler: makeHandler(ProxyDialer(dialer, speaksTLS: speaksTLS)))
        }
        loop.start()
    }

    /// Runs `job` with the handler on the loop's thread. Returns false if the loop has ended.
    @discardableResult
    package func post(_ job: @escaping @Sendable (any TransportHandler) -> Void) -> Bool {
        loop.post { [loop] in
            if let core = loop.handler as? ProxyCore { job(core.handler) }
        }
    }

    /// Cuts all connections and ends the thread.
    package func stop() {
        loop.post { [loop] in (loop.handler as? ProxyCore)?.dialer.endAll() }
        loop.stop()
    }
}

/// Dials the connections of a `ProxyLoop`. Used on the loop's thread only.
package final class ProxyDialer {
    private let core: DialerCore
    private let speaksTLS: Bool
    private var lastNumber = 0

    init(_ core: DialerCore, speaksTLS: Bool) {
        self.core = core
        self.speaksTLS = speaksTLS
    }

    /// Starts dialing. The observer receives all events of the connection; it may receive
    /// `dialingFailed` before this call returns. Headers whose value is nil are not sent.
    ///
    /// - Returns: the number of the connection, for `release`, and its socket.
    package func dial(
        _ target: DialTarget, subprotocol: String?, origin: String?, authorization: String?,
        cookie: String?, messageBytesMax: Int, within limit: Duration,
        observer: any DialedSocketObserver
    ) -> (number: Int, socket: DialedSocket) {
        lastNumber += 1
        let socket = DialedSocket(
            deadline: MonotonicClock.nowMicroseconds + limit.wholeMicroseconds,
            authorization: authorization, cookie: cookie, messageBytesMax: messageBytesMax,
            observer: observer)
        if target.isEncrypted, !speaksTLS {
            socket.fail(.unreachable(reason: "there are no trusted certificate authorities"))
        } else {
            core.begin(
                socket, target, subprotocol: subprotocol, origin: origin, number: lastNumber)
        }
        return (lastNumber, socket)
    }

    /// Cuts the connection if it is open, and forgets it.
    package func release(_ number: Int) { core.terminateConnection(number) }
}

/// The handler of a `ProxyLoop`. It passes the events of accepted connections to the handler of the
/// proxy, and the deadlines of dialing to the dialer.
final class ProxyCore: TransportHandler {
    let dialer: DialerCore
    let handler: any TransportHandler

    init(_ dialer: DialerCore, handler: any TransportHandler) {
        self.dialer = dialer
        self.handler = handler
    }

    var capturedHeaderNames: [String] { handler.capturedHeaderNames }

    func admit(_ request: UpgradeRequest) -> UpgradeDecision { handler.admit(request) }
    func respond(to request: HTTPRequest) -> HTTPResponse { handler.respond(to: request) }
    func opened(_ connection: Connection) { handler.opened(connection) }

    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
        handler.received(message, isBinary: isBinary, on: connection)
    }

    func messageRefused(_ breach: MessageBreach, on connection: Connection) {
        handler.messageRefused(breach, on: connection)
    }

    func closeReceived(code: UInt16, reason: String, on connection: Connection) {
        handler.closeReceived(code: code, reason: reason, on: connection)
    }

    func becameWritable(_ connection: Connection) { handler.becameWritable(connection) }
    func closed(_ connection: Connection) { handler.closed(connection) }
    func wakeupFired() { dialer.wakeupFired() }
}
