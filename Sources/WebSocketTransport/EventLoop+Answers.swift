import CLWS
import Glibc

// How answers are written, and where the library keeps what belongs to a connection before it
// stands.
extension EventLoop {
    /// What is handed to the library in one call. What the peer does not take at once, it copies.
    private static let answerPartBytes = 65_536

    /// Writes the next part of an answer.
    func start(_ exchange: HTTPExchange, on wsi: OpaquePointer) {
        let part = exchange.next(Self.answerPartBytes)
        let room = Connection.headroom
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room + part.count) {
            buffer in
            guard let start = buffer.baseAddress else { return }
            let payload = unsafe start + room
            unsafe part.withUnsafeBufferPointer { bytes in
                guard let source = bytes.baseAddress else { return }
                unsafe payload.initialize(from: source, count: bytes.count)
            }
            unsafe lws_write(wsi, payload, part.count, LWS_WRITE_HTTP)
        }
    }

    /// Whether all of it is in the system's hands, or in the library's before it hangs up. What is
    /// left with the library otherwise would have it read the next head by itself after that.
    func hasGone(_ exchange: HTTPExchange, on wsi: OpaquePointer) -> Bool {
        unsafe exchange.isDone && (exchange.closesAfter || lws_partial_buffered(wsi) == 0)
    }

    /// After the whole answer: the next request on this connection, or its end.
    func finish(_ exchange: HTTPExchange, on wsi: OpaquePointer) -> Int32 {
        if exchange.closesAfter { return -1 }
        if unsafe visit(wsi)?.reader?.isOver == true { return -1 }
        guard unsafe lws_http_transaction_completed(wsi) == 0 else { return -1 }
        // The library has set a time of its own for the next request.
        unsafe lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0)
        if let visit = unsafe visit(wsi) {
            awaitHead(of: visit)
            watchNextHead(of: visit)
        }
        return 0
    }

    /// While an answer is under way the library does not read, but is woken without end by whatever
    /// the peer sends: let the socket stay quiet until there is a lot.
    func holdBackInput(of wsi: OpaquePointer, _ isHeldBack: Bool) {
        var mark: Int32 = isHeldBack ? 1 << 30 : 1
        _ = unsafe setsockopt(
            lws_get_socket_fd(wsi), SOL_SOCKET, SO_RCVLOWAT, &mark,
            socklen_t(MemoryLayout<Int32>.size))
    }

    /// Keeps an object for a connection that does not stand yet, until `release`.
    func hold(_ object: AnyObject, on wsi: OpaquePointer) {
        unsafe visit(wsi)?.held = object
    }

    /// The object kept, if any.
    func held(_ wsi: OpaquePointer) -> AnyObject? {
        unsafe visit(wsi)?.held
    }

    /// The object kept, which is kept no more.
    func release(_ wsi: OpaquePointer) -> AnyObject? {
        guard let visit = unsafe visit(wsi) else { return nil }
        defer { visit.held = nil }
        return visit.held
    }
}
