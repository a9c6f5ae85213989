import CLWS

/// One dialed connection of a `ClientLoop`. It belongs to that loop's thread.
@safe
package final class ClientConnection {
    private enum Phase {
        case dialing, open, leaving, ended
    }

    /// The number that was passed to `dial`.
    package let number: Int

    // The core outlives its connections, because it owns them.
    private unowned(unsafe) let core: ClientCore
    private var phase = Phase.dialing
    private var wsi: OpaquePointer?
    private var assembly: [UInt8] = []
    private var outbox: Outbox?
    private var endCode: UInt16 = 1_006

    init(number: Int, core: ClientCore) {
        self.number = number
        unsafe self.core = core
    }

    /// The number of bytes that `send` may overwrite before a payload.
    package static var headroom: Int { Connection.headroom }

    /// The number of bytes in the queued messages.
    package var queuedBytes: Int { outbox?.byteCount ?? 0 }

    /// Sends one text message, now or as soon as the socket accepts it. The payload and the
    /// `headroom` bytes before it are overwritten, because clients mask messages in place.
    package func send(_ payload: UnsafeMutableBufferPointer<UInt8>) {
        guard phase == .open, let wsi = unsafe wsi, let start = payload.baseAddress else { return }
        guard outbox == nil, unsafe lws_partial_buffered(wsi) == 0 else {
            let outbox = self.outbox ?? Outbox()
            unsafe outbox.append(payload, isBinary: false)
            self.outbox = outbox
            unsafe lws_callback_on_writable(wsi)
            return
        }
        if unsafe lws_write(wsi, start, payload.count, LWS_WRITE_TEXT) < 0 { terminate() }
    }

    /// Ends the connection without a close frame, like a network failure.
    package func terminate() {
        guard phase != .ended, let wsi = unsafe wsi else { return }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC)
    }

    /// Reports that the connection could not be opened.
    func fail(_ failure: DialFailure) {
        guard phase != .ended else { return }
        phase = .ended
        unsafe core.handler?.failed(number, failure)
    }
}

// MARK: - libwebsockets events

extension ClientConnection {
    /// libwebsockets has started to dial on this socket.
    func dialingStarted(_ wsi: OpaquePointer) {
        if phase != .ended { unsafe self.wsi = wsi }
    }

    /// The handshake is complete.
    func opened(_ wsi: OpaquePointer) {
        unsafe self.wsi = wsi
        guard phase == .dialing else { return }
        phase = .open
        unsafe core.handler?.opened(self)
    }

    /// Part of a message was received.
    func received(_ piece: UnsafeRawBufferPointer) {
        guard phase == .open, let wsi = unsafe wsi else { return }
        let isFinal = unsafe lws_is_final_fragment(wsi) != 0
        let isBinary = unsafe lws_frame_is_binary(wsi) != 0
        if isFinal, assembly.isEmpty {
            let message = unsafe piece.assumingMemoryBound(to: UInt8.self)
            unsafe core.handler?.received(
                Span(_unsafeElements: message), isBinary: isBinary, on: self)
            return
        }
        unsafe assembly.append(contentsOf: piece)
        guard isFinal else { return }
        let message = assembly
        assembly.removeAll(keepingCapacity: true)
        unsafe core.handler?.received(message.span, isBinary: isBinary, on: self)
    }

    /// The socket is writable. A result of -1 ends the connection.
    func becameWritable() -> Int32 {
        guard let wsi = unsafe wsi, phase == .open, let outbox else { return 0 }
        var isBroken = false
        unsafe outbox.withNext { payload, _ in
            guard let start = payload.baseAddress else { return }
            isBroken = unsafe lws_write(wsi, start, payload.count, LWS_WRITE_TEXT) < 0
        }
        if outbox.isEmpty { self.outbox = nil }
        if isBroken { return -1 }
        if self.outbox != nil { unsafe lws_callback_on_writable(wsi) }
        return 0
    }

    /// The peer's close frame was received. libwebsockets answers it.
    func receivedClose(_ payload: UnsafeRawBufferPointer) {
        endCode =
            unsafe payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : 1_005
        if phase == .open { phase = .leaving }
    }

    /// Dialing failed: the connection could not be established, or the server refused the upgrade.
    func failed(_ wsi: OpaquePointer, _ text: UnsafeRawBufferPointer) {
        unsafe self.wsi = nil
        let status = Int(unsafe lws_http_client_http_response(wsi))
        let reason = unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        fail(status > 0 ? .refused(status: status) : .unreachable(reason: reason))
    }

    /// The connection is closed.
    func ended() {
        unsafe wsi = nil
        outbox = nil
        switch phase {
        case .dialing: fail(.unreachable(reason: "the server closed the connection"))
        case .open, .leaving:
            phase = .ended
            unsafe core.handler?.closed(self, code: endCode)
        case .ended: return
        }
    }

    /// libwebsockets releases the connection. This may be the first report of the end.
    func destroyed(_ wsi: OpaquePointer) {
        if unsafe self.wsi == wsi { ended() }
    }
}
