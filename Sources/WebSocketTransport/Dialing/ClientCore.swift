import CLWS

/// The part of a `ClientLoop` that is used on the loop's thread only: the dialed connections, by
/// number. As a transport handler it accepts no connections, because its loop has no listeners.
package final class ClientCore: TransportHandler {
    private unowned let loop: EventLoop
    private let speaksTLS: Bool
    private let timer: PreciseTimer?
    private var connections: [ClientConnection?] = []
    var handler: (any ClientHandler)?

    init(loop: EventLoop, speaksTLS: Bool) {
        self.loop = loop
        self.speaksTLS = speaksTLS
        timer = unsafe try? PreciseTimer(loop: loop.parts.uvLoop)
        timer?.action = { [unowned self] in handler?.wakeupFired() }
    }

    /// Starts dialing. The handler's `opened` or `failed` is called once with the result, possibly
    /// before this call returns. `number` must be 0 or more, unique and small, because it indexes a
    /// table.
    package func dial(_ target: DialTarget, number: Int, subprotocol: String? = "refresh.v1") {
        loop.checkThread()
        while connections.count <= number { connections.append(nil) }
        let connection = ClientConnection(number: number, core: self)
        connections[number] = connection
        guard speaksTLS || !target.isEncrypted else {
            return connection.fail(
                .unreachable(reason: "there are no trusted certificate authorities"))
        }
        let wsi = unsafe loop.beginDialing(
            target, subprotocol: subprotocol, origin: nil, number: number + 1)
        if let wsi = unsafe wsi {
            unsafe connection.dialingStarted(wsi)
        } else {
            connection.fail(.unreachable(reason: TransportLog.lastError))
        }
    }

    /// Schedules a call of `ClientHandler.wakeupFired` at a time of `MonotonicClock`, with a
    /// precision of some microseconds. A second call replaces the time of the first.
    package func scheduleWakeup(at microseconds: Int64) {
        loop.checkThread()
        guard let timer else { return loop.scheduleWakeup(at: microseconds) }
        timer.arm(at: microseconds)
    }

    /// Handles a callback of libwebsockets for a connection. A result of -1 ends the connection.
    func handleCallback(
        _ reason: lws_callback_reasons, of number: Int, _ wsi: OpaquePointer,
        _ bytes: UnsafeRawBufferPointer
    ) -> Int32 {
        guard connections.indices.contains(number - 1),
            let connection = connections[number - 1]
        else { return 0 }
        switch reason {
        case LWS_CALLBACK_CLIENT_RECEIVE: unsafe connection.received(bytes)
        case LWS_CALLBACK_CLIENT_WRITEABLE: return connection.becameWritable()
        case LWS_CALLBACK_CLIENT_ESTABLISHED: unsafe connection.opened(wsi)
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: unsafe connection.receivedClose(bytes)
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: unsafe connection.failed(wsi, bytes)
        case LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_CLOSED_CLIENT_HTTP: connection.ended()
        case LWS_CALLBACK_WSI_DESTROY: unsafe connection.destroyed(wsi)
        default: break
        }
        return 0
    }

    /// Cuts all connections, before the loop stops.
    func endAll() {
        for case let connection? in connections { connection.terminate() }
        loop.processTimeouts()
    }

    package func wakeupFired() { handler?.wakeupFired() }

    package func admit(_ request: UpgradeRequest) -> UpgradeDecision {
        .refuse(HTTPResponse(status: 404))
    }

    package func respond(to request: HTTPRequest) -> HTTPResponse { HTTPResponse(status: 404) }
    package func opened(_ connection: Connection) {}
    package func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {}
    package func becameWritable(_ connection: Connection) {}
    package func closed(_ connection: Connection) {}
}
