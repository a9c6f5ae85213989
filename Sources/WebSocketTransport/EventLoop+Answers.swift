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

    /// After the whole answer: the next request on this connection, or its end.
    func finish(_ exchange: HTTPExchange, on wsi: OpaquePointer) -> Int32 {
        if exchange.closesAfter { return -1 }
        return unsafe lws_http_transaction_completed(wsi) == 0 ? 0 : -1
    }

    /// While an answer is under way the library does not read, but is woken without end by whatever
    /// the peer sends: let the socket stay quiet until there is a lot.
    func holdBackInput(of wsi: OpaquePointer, _ isHeldBack: Bool) {
        var mark: Int32 = isHeldBack ? 1 << 30 : 1
        _ = unsafe setsockopt(
            lws_get_socket_fd(wsi), SOL_SOCKET, SO_RCVLOWAT, &mark,
            socklen_t(MemoryLayout<Int32>.size))
    }

    /// Has the library keep an object for a connection that does not stand yet, until `release`.
    func hold(_ object: AnyObject, on wsi: OpaquePointer) {
        _ = unsafe release(wsi)
        unsafe lws_set_opaque_user_data(wsi, Unmanaged.passRetained(object).toOpaque())
    }

    /// The object kept, if any.
    func held(_ wsi: OpaquePointer) -> AnyObject? {
        guard let kept = unsafe lws_get_opaque_user_data(wsi) else { return nil }
        return unsafe Unmanaged<AnyObject>.fromOpaque(kept).takeUnretainedValue()
    }

    /// The object kept, which the library keeps no more.
    func release(_ wsi: OpaquePointer) -> AnyObject? {
        guard let kept = unsafe lws_get_opaque_user_data(wsi) else { return nil }
        unsafe lws_set_opaque_user_data(wsi, nil)
        return unsafe Unmanaged<AnyObject>.fromOpaque(kept).takeRetainedValue()
    }
}
