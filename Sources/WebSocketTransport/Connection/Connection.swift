import CLWS

/// One WebSocket connection. Used on its loop's thread only; other threads may use only its `key`.
///
/// An idle connection has no buffers. The buffers for an incomplete message and for queued frames
/// exist only while they are needed.
@safe
package final class Connection {
    /// The state of the connection, from open to released.
    enum Phase: UInt8 {
        /// Both sides may send.
        case open
        /// `close` was called. Queued frames are still sent. `leaving` or `broken` follows.
        case closing
        /// The close frame was passed to libwebsockets, or the peer began to close. From then on
        /// nothing more is sent, and no message is delivered.
        case leaving
        /// A write failed. libwebsockets ends the connection at the next opportunity.
        case broken
        /// libwebsockets has released the connection, and `wsi` is invalid.
        case gone
    }

    /// The identity: index of the loop (8 bits), generation of the slot (24 bits), slot (32 bits).
    package let key: UInt64
    /// The value that the handler chose when it accepted the upgrade (`UpgradeDecision`).
    package let tag: Int
    /// The handler's object for this connection. It is released after `closed`.
    package var owner: AnyObject? { keptOwner }

    // The loop outlives its connections, because it ends only after all of them have ended.
    unowned(unsafe) let loop: EventLoop
    let wsi: OpaquePointer
    private var keptOwner: AnyObject?
    private var assembly: [UInt8] = []
    private var outbox: Outbox?
    private var pendingCloseFrame: CloseFrame?
    /// The maximum size of a received message, bytes. The property is private, so that the compiler
    /// sees every access and can omit the exclusivity check for each message.
    private var messageBytesMax: Int
    /// The time of the loop's clock at the peer's last activity, in milliseconds.
    private(set) var lastActivityMs: UInt32
    private(set) var phase = Phase.open
    private var fragmentRateLimit: FragmentRateLimit
    private var isAssembling = false
    private var textCheck = UTF8Check()
    private var wantsWritable = false
    /// Whether the caller of `requestWritable` limits the wait. If the caller limits it, the peer's
    /// silence is ignored during the wait.
    private var isWaitBounded = false
    /// Whether reading is paused because the queue is too long, or because the handler has paused
    /// it.
    private var isPausedByQueue = false
    private var isPausedByHandler = false
    private var isPinged = false
    /// Whether a libwebsockets callback, whose result can end this connection, is running.
    private var isInCallback = false

    init(wsi: OpaquePointer, key: UInt64, admission: Admission, loop: EventLoop) {
        unsafe self.wsi = wsi
        self.key = key
        tag = admission.tag
        keptOwner = admission.owner
        messageBytesMax = admission.messageBytesMax
        fragmentRateLimit = FragmentRateLimit(perSecond: admission.loosePerSecondMax)
        unsafe self.loop = loop
        lastActivityMs = loop.coarseMs
    }

    /// Sets the maximum size of a received message, bytes. A longer message closes the connection
    /// with 1009. The initial value is that of the accepted `UpgradeDecision`.
    package func setMessageBytesMax(_ bytes: Int) { messageBytesMax = bytes }

    /// Keeps `owner` for this connection, and releases the previous object.
    package func setOwner(_ owner: AnyObject?) { keptOwner = owner }

    /// The number of bytes that `send` may overwrite before a payload.
    package static var headroom: Int { clws_headroom() }

    /// The peer's numeric address, without the port; empty when the connection has ended.
    package var peerAddress: String {
        guard phase != .gone else { return "" }
        return unsafe SocketAddress(peerOf: lws_get_socket_fd(wsi))?.host ?? ""
    }

    /// The slot in the loop's table of connections, as in `key`.
    package var slot: UInt32 { UInt32(truncatingIfNeeded: key) }

    /// The generation of the slot, which differs at each use of the slot, as in `key`.
    package var generation: UInt32 { UInt32(truncatingIfNeeded: key >> 32) & 0xff_ffff }

    /// Whether a frame can be sent now: the connection is open, no frame is queued, and no frame is
    /// partly sent.
    package var isWritable: Bool {
        guard phase == .open, outbox == nil else { return false }
        return unsafe lws_partial_buffered(wsi) == 0
    }

    /// Sends one text frame, or queues it if other frames are queued. Drops it if the connection is
    /// not open. The `headroom` bytes before the payload may be overwritten. Returns true if the
    /// system has accepted the whole frame. The connection is then still writable.
    @discardableResult
    package func send(_ payload: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        unsafe loop.checkThread()
        // If libwebsockets has sent a frame only in part, it sends the rest before this frame.
        guard phase == .open, outbox == nil, let start = payload.baseAddress else {
            unsafe enqueue(Array(payload), isBinary: false)
            return false
        }
        return unsafe write(start, payload.count, isBinary: false)
    }

    /// Queues one frame. Above `LoopConfiguration.queuedBytesMark` queued bytes, nothing is read
    /// from the peer until the queue is empty.
    package func enqueue(_ bytes: [UInt8], isBinary: Bool) {
        unsafe loop.checkThread()
        guard phase == .open else { return }
        if outbox == nil { unsafe lws_callback_on_writable(wsi) }
        let outbox = self.outbox ?? Outbox()
        outbox.append(bytes, isBinary: isBinary)
        self.outbox = outbox
        if !isPausedByQueue, unsafe outbox.byteCount > loop.configuration.queuedBytesMark {
            isPausedByQueue = true
            unsafe lws_rx_flow_control(wsi, 0)
        }
    }

    /// Pauses or resumes reading from the peer. Data that has already arrived can still be
    /// delivered. While reading is paused, the peer's silence is ignored, so the caller must limit
    /// the pause.
    package func setReadingPaused(_ isPaused: Bool) {
        unsafe loop.checkThread()
        guard phase == .open, self.isPausedByHandler != isPaused else { return }
        self.isPausedByHandler = isPaused
        // Data that the peer sent during the pause is read only now.
        if !isPaused { recordActivity() }
        updateReadFlow()
    }

    /// The number of bytes in the queued frames.
    package var queuedBytes: Int { outbox?.byteCount ?? 0 }

    /// Requests one call of `TransportHandler.becameWritable` as soon as `isWritable` is true.
    ///
    /// - Parameter isBounded: whether the caller limits the wait. In a limited wait, silence does
    ///   not end the connection, because no ping can follow a partly sent frame.
    package func requestWritable(isBounded: Bool = false) {
        unsafe loop.checkThread()
        guard phase == .open else { return }
        wantsWritable = true
        isWaitBounded = isBounded
        unsafe lws_callback_on_writable(wsi)
    }

    /// Closes the connection with this code and reason (truncated to 123 bytes) after all queued
    /// frames are sent. The handler then receives only `messageDropped` and `closed`. A second call
    /// has no effect. If the peer does not accept the queue in ten seconds, the connection is cut.
    package func close(code: UInt16, reason: String) {
        unsafe loop.checkThread()
        guard phase == .open else { return }
        phase = .closing
        pendingCloseFrame = CloseFrame(code: code, reason: reason)
        assembly = []
        wantsWritable = false
        // The peer's answer to the close frame must be read.
        if isPausedByHandler {
            isPausedByHandler = false
            updateReadFlow()
        }
        guard !sendCloseFrameIfReady() else { return }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, 10)
        unsafe lws_callback_on_writable(wsi)
        unsafe loop.processTimeouts()
    }

    /// Closes the connection without sending the queued frames. If a frame is partly sent, no close
    /// frame can follow it, and the connection is cut.
    package func closeImmediately(code: UInt16, reason: String) {
        guard phase == .open else { return }
        outbox = nil
        close(code: code, reason: reason)
        if unsafe lws_partial_buffered(wsi) != 0 { unsafe loop.scheduleTermination(of: self) }
    }

    /// Records activity of the peer. The transport itself does this for every message and pong.
    package func recordActivity() {
        lastActivityMs = unsafe loop.coarseMs
        isPinged = false
    }

    /// Returns whether the system has accepted the whole frame.
    @discardableResult
    private func write(
        _ start: UnsafeMutablePointer<UInt8>, _ count: Int, isBinary: Bool
    ) -> Bool {
        let kind = isBinary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT
        guard unsafe lws_write(wsi, start, count, kind) >= 0 else {
            fail()
            return false
        }
        return unsafe lws_partial_buffered(wsi) == 0
    }
}

// MARK: - libwebsockets events

extension Connection {
    /// Part of a message was received. A result other than 0 ends the connection.
    func receive(_ bytes: UnsafeMutableRawPointer?, count: Int) -> Int32 {
        guard phase == .open else { return discardMessage() }
        unsafe loop.checkThread()
        isInCallback = true
        recordActivity()
        let isFinal = unsafe lws_is_final_fragment(wsi) != 0
        let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
        if isFinal, !isAssembling, count <= messageBytesMax {
            let isBinary = isBinary
            var check = UTF8Check()
            if unsafe isBinary || (check.validate(piece) && check.isComplete) {
                let message = unsafe piece.assumingMemoryBound(to: UInt8.self)
                unsafe loop.forward(Span(_unsafeElements: message), isBinary, self)
            } else {
                closeForInvalidText()
            }
        } else {
            unsafe assemble(piece, isFinal)
        }
        return callbackResult()
    }

    /// Drops a part of a message, because the connection no longer delivers messages.
    @inline(never)
    private func discardMessage() -> Int32 {
        guard phase != .broken else { return -1 }
        if unsafe lws_is_final_fragment(wsi) != 0 { unsafe loop.handler?.messageDropped(on: self) }
        return 0
    }

    /// The socket is writable again, as requested.
    func becameWritable() -> Int32 {
        unsafe loop.checkThread()
        isInCallback = true
        // The socket has accepted the earlier frames, which shows that the peer reads.
        recordActivity()
        if let outbox, phase == .open || phase == .closing {
            unsafe outbox.withNext { payload, isBinary in
                if let start = payload.baseAddress {
                    unsafe write(start, payload.count, isBinary: isBinary)
                }
            }
            if outbox.isEmpty {
                self.outbox = nil
                resumeReading()
            }
            // Each call may write one frame. The close frame follows the last queued frame.
            if phase == .closing, sendCloseFrameIfReady() { return callbackResult() }
            if self.outbox != nil || wantsWritable || phase == .closing {
                unsafe lws_callback_on_writable(wsi)
            }
        } else if phase == .closing {
            if !sendCloseFrameIfReady() { unsafe lws_callback_on_writable(wsi) }
        } else if wantsWritable, isWritable {
            wantsWritable = false
            unsafe loop.handler?.becameWritable(self)
        }
        return callbackResult()
    }

    /// The peer answered a ping.
    func receivedPong() {
        recordActivity()
        countFragment()
    }

    /// Counts a frame that is not a complete message, such as a fragment or a pong. If the frame
    /// exceeds the rate limit, closes the connection and returns false.
    @discardableResult
    @inline(never)
    private func countFragment() -> Bool {
        guard phase == .open else { return false }
        let now = UInt32(truncatingIfNeeded: MonotonicClock.nowMicroseconds / 1000)
        if fragmentRateLimit.consume(atMs: now) { return true }
        unsafe loop.handler?.messageRefused(.tooManyFrames, on: self)
        close(code: 4104, reason: "too many frames")
        return false
    }

    /// The peer's close frame was received. If the result is 0, libwebsockets answers it with the
    /// same code. A result of -1 ends the connection at once.
    func receivedClose(_ bytes: UnsafeMutableRawPointer?, count: Int) -> Int32 {
        // The peer's frame answers this side's close frame, so the closing handshake is complete.
        if phase == .leaving { return -1 }
        guard phase == .open || phase == .closing else { return 0 }
        phase = .leaving
        let payload = unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
        guard unsafe CloseFrame.hasValidReason(payload) else {
            _ = unsafe CloseFrame(code: 1_007, reason: "invalid UTF-8").send(on: wsi)
            return -1
        }
        let (code, reason) = unsafe CloseFrame.content(of: payload)
        unsafe loop.handler?.closeReceived(code: code, reason: reason, on: self)
        return 0
    }

    /// libwebsockets has released the connection.
    func ended() {
        phase = .gone
        assembly = []
        outbox = nil
    }

    /// Pings a silent peer, and cuts its connection if the peer stays silent. Does nothing during a
    /// pause or wait that the handler limits, because the peer may have no opportunity to answer.
    func checkLiveness(nowMs: UInt32, pingBuffer: UnsafeMutablePointer<UInt8>) {
        guard phase == .open, !isPausedByHandler, !(wantsWritable && isWaitBounded) else { return }
        unsafe loop.checkThread()
        let silentMs = Int(nowMs &- lastActivityMs)
        if isPinged {
            if unsafe silentMs >= loop.configuration.hangUpAfterMs { terminate() }
        } else if unsafe silentMs >= loop.configuration.pingAfterMs {
            isPinged = true
            // This value gives the peer the full time to answer, even if this check is late.
            lastActivityMs = nowMs &- UInt32(unsafe loop.configuration.pingAfterMs)
            guard unsafe lws_partial_buffered(wsi) == 0 else { return }
            // libwebsockets reports only pongs that have a payload, so the ping has a payload too.
            if unsafe lws_write(wsi, pingBuffer, 4, LWS_WRITE_PING) < 0 { terminate() }
        }
    }

    private var isBinary: Bool { unsafe lws_frame_is_binary(wsi) != 0 }

    private func assemble(_ piece: UnsafeRawBufferPointer, _ isFinal: Bool) {
        // The announced length can be huge. A sum could overflow, but a difference cannot.
        let announced = Int(clamping: unsafe lws_remaining_packet_payload(wsi))
        let room = messageBytesMax - assembly.count
        guard piece.count <= room, announced <= room - piece.count else {
            unsafe loop.handler?.messageRefused(.tooBig, on: self)
            close(code: 1009, reason: "message too big")
            return
        }
        // Several pieces of one frame count as one frame.
        if !isFinal, announced == 0, !countFragment() { return }
        let isBinary = isBinary
        if !isAssembling { textCheck = UTF8Check() }
        guard unsafe isBinary || (textCheck.validate(piece) && (!isFinal || textCheck.isComplete))
        else {
            closeForInvalidText()
            return
        }
        unsafe assembly.append(contentsOf: piece)
        isAssembling = !isFinal
        guard isFinal else {
            unsafe loop.handler?.buffered(bytes: piece.count)
            return
        }
        let message = assembly
        assembly = []
        unsafe loop.forward(message.span, isBinary, self)
    }

    private func closeForInvalidText() {
        unsafe loop.handler?.messageRefused(.notText, on: self)
        close(code: 1_007, reason: "invalid UTF-8")
    }

    private func resumeReading() {
        guard isPausedByQueue else { return }
        isPausedByQueue = false
        updateReadFlow()
    }

    private func updateReadFlow() {
        unsafe lws_rx_flow_control(wsi, isPausedByQueue || isPausedByHandler ? 0 : 1)
    }

    /// If all earlier frames are sent, sends the close frame. If they are not, returns false.
    private func sendCloseFrameIfReady() -> Bool {
        guard outbox == nil, unsafe lws_partial_buffered(wsi) == 0, let pendingCloseFrame else {
            return false
        }
        self.pendingCloseFrame = nil
        phase = .leaving
        if unsafe !pendingCloseFrame.send(on: wsi) { fail() }
        return true
    }

    /// Handles a failed write.
    private func fail() {
        phase = .broken
        outbox = nil
        if !isInCallback { terminate() }
    }

    /// Returns the result of a callback to libwebsockets: -1 ends the connection.
    private func callbackResult() -> Int32 {
        isInCallback = false
        return phase == .broken ? -1 : 0
    }
}
