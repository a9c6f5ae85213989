import CLWS
import Glibc

// Writes answers, and stores an object for each connection that is not open yet.
extension EventLoop {
    /// Writes the next part of an answer.
    func writeNextPart(of exchange: HTTPExchange, on wsi: OpaquePointer) {
        unsafe write(exchange.next(), on: wsi)
    }

    /// Passes bytes to libwebsockets, which sends them or keeps them until the peer accepts them.
    func write(_ part: ArraySlice<UInt8>, on wsi: OpaquePointer) {
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

    /// Returns whether the answer is finished: the whole answer was passed to libwebsockets. If the
    /// connection stays open, libwebsockets' buffer must be empty too. If a part of the answer were
    /// in the buffer, libwebsockets would read the next head without an inspection by the loop.
    func isFullyWritten(_ exchange: HTTPExchange, on wsi: OpaquePointer) -> Bool {
        unsafe exchange.isDone && (exchange.closesAfter || lws_partial_buffered(wsi) == 0)
    }

    /// After a whole answer, continues with the next request on this connection, or ends the
    /// connection.
    func finish(_ exchange: HTTPExchange, on wsi: OpaquePointer) -> Int32 {
        if exchange.closesAfter { return -1 }
        if unsafe connectionRecord(wsi)?.reader?.isLastAnswer == true { return -1 }
        guard unsafe lws_http_transaction_completed(wsi) == 0 else { return -1 }
        // libwebsockets has set its own timeout for the next request.
        unsafe lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0)
        if let record = unsafe connectionRecord(wsi) {
            startHeadDeadline(of: record)
            watchNextHead(of: record)
        }
        return 0
    }

    /// Raises or restores the socket's low-water mark for reading. libwebsockets does not read
    /// during an answer. Without a raised mark, data from the peer would then wake libwebsockets
    /// continuously.
    func setInputPaused(of wsi: OpaquePointer, _ isPaused: Bool) {
        var mark: Int32 = isPaused ? 1 << 30 : 1
        _ = unsafe setsockopt(
            lws_get_socket_fd(wsi), SOL_SOCKET, SO_RCVLOWAT, &mark,
            socklen_t(MemoryLayout<Int32>.size))
    }

    /// Stores an object for a connection that is not open yet, until `removeStoredObject`.
    func store(_ object: AnyObject, on wsi: OpaquePointer) {
        unsafe connectionRecord(wsi)?.held = object
    }

    /// Returns the stored object, if any.
    func storedObject(on wsi: OpaquePointer) -> AnyObject? {
        unsafe connectionRecord(wsi)?.held
    }

    /// Returns the stored object, and stores it no longer.
    func removeStoredObject(on wsi: OpaquePointer) -> AnyObject? {
        guard let record = unsafe connectionRecord(wsi) else { return nil }
        defer { record.held = nil }
        return record.held
    }
}
