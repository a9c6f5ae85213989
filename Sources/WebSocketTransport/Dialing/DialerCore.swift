/// The dialed connections of one dialer, on its loop's thread. As a transport handler it accepts no
/// connections, because its loop has no listeners.
final class DialerCore: TransportHandler {
    private unowned let loop: EventLoop
    private var sockets: [Int: DialedSocket] = [:]

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Returns the connection with this number, as long as its `DialedClient` is referenced.
    func socket(_ number: Int) -> DialedSocket? { sockets[number] }

    /// Starts dialing. `dialed` is called once, with nil for success.
    func dial(
        _ target: DialTarget, subprotocol: String?, origin: String?, authorization: String?,
        number: Int, deadline: Int64,
        dialed: @escaping @Sendable (DialFailure?) -> Void
    ) {
        begin(
            DialedSocket(deadline: deadline, authorization: authorization, dialed: dialed),
            target, subprotocol: subprotocol, origin: origin, number: number)
    }

    /// Starts dialing with this socket, which then belongs to this object.
    func begin(
        _ socket: DialedSocket, _ target: DialTarget, subprotocol: String?, origin: String?,
        number: Int
    ) {
        sockets[number] = socket
        let wsi = unsafe loop.beginDialing(
            target, subprotocol: subprotocol, origin: origin, number: number)
        if let wsi = unsafe wsi {
            unsafe socket.dialingStarted(wsi)
        } else if !socket.isEnded {
            socket.fail(.unreachable(reason: TransportLog.lastError))
        }
        watchDeadlines()
    }

    /// Registers a waiter for the next event of a connection.
    func awaitEvent(_ number: Int, _ waiter: DialedSocket.Waiter) {
        guard let socket = sockets[number] else {
            waiter.deliver(.closed(code: 1_006, reason: ""))
            return
        }
        socket.awaitEvent(waiter)
        loop.scheduleWakeup(at: waiter.deadline)
    }

    /// Cuts the connection, because its `DialedClient` was released.
    func terminateConnection(_ number: Int) {
        sockets.removeValue(forKey: number)?.terminate()
    }

    /// Ends all connections, before the loop stops.
    func endAll() {
        for socket in sockets.values { socket.fail(.unreachable(reason: "the dialer stopped")) }
    }

    func wakeupFired() {
        let now = MonotonicClock.nowMicroseconds
        for socket in sockets.values { socket.expire(now: now) }
        watchDeadlines()
    }

    func admit(_ request: UpgradeRequest) -> UpgradeDecision {
        .refuse(HTTPResponse(status: 404))
    }

    func respond(to request: HTTPRequest) -> HTTPResponse { HTTPResponse(status: 404) }

    func opened(_ connection: Connection) {}
    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {}
    func becameWritable(_ connection: Connection) {}
    func closed(_ connection: Connection) {}

    private func watchDeadlines() {
        if let next = sockets.values.lazy.compactMap(\.nextDeadline).min() {
            loop.scheduleWakeup(at: next)
        }
    }
}
