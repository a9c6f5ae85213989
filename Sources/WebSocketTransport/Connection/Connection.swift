import CLWS

/// One WebSocket connection. It belongs to its loop's thread: nothing of it may be touched
/// elsewhere, only `key` may travel.
///
/// What the library needs of it while it is idle is this object and a pointer to it; buffers for a
/// message in pieces and for frames that wait exist only as long as there are any.
@safe
package final class Connection {
    /// How far the end has come.
    enum Phase: UInt8 {
        /// Both sides may send.
        case open
        /// `close` was called; what is queued goes first. Becomes `leaving` or `broken`.
        case closing
        /// The close is in the library's hands, or the peer began it. Nothing is sent or delivered.
        case leaving
        /// A write failed: the library ends it at the next opportunity.
        case broken
        /// The library is done with it; `wsi` is no more.
        case gone
    }

    /// Names the connection beyond its life: loop (8 bits), generation (24), slot (32).
    package let key: UInt64
    /// What the handler said when it let the connection in.
    package let tag: Int
    /// Whatever the handler keeps for this connection; released after `closed`.
    package var owner: AnyObject? { keptOwner }

    // The loop outlives its connections: it ends by waiting for them.
    unowned(unsafe) let loop: EventLoop
    let wsi: OpaquePointer
    private var keptOwner: AnyObject?
    private var assembly: [UInt8] = []
    private var outbox: Outbox?
    private var pendingCloseFrame: CloseFrame?
    /// Bytes of one received message. Private, so that the compiler sees all who use it: a look at
    /// it from elsewhere would cost each message a check.
    private var messageBytesMax: Int
    /// The loop's clock when the peer last gave a sign of life, in milliseconds.
    private(set) var lastActivityMs: UInt32
    private(set) var phase = Phase.open
    private var fragmentRateLimit: FragmentRateLimit
    private var isAssembling = false
    private var textCheck = UTF8Check()
    private var wantsWritable = false
    /// Whether who wants to write bounds for how long; meanwhile silence does not count.
    private var isWaitBounded = false
    /// Nothing is read while the queue is too long, or while the handler wants nothing.
    private var isPausedByQueue = false
    private var isPausedByHandler = false
    private var isPinged = false
    /// Whether the library is inside a callback for this connection, whose result can end it.
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

    /// From now on a received message may have so many bytes; a longer one closes with 1009. At
    /// first it is what the handler said when it let the connection in.
    package func setMessageBytesMax(_ bytes: Int) { messageBytesMax = bytes }

    /// Keeps something for this connection, in place of what was kept.
    package func setOwner(_ owner: AnyObject?) { keptOwner = owner }

    /// The bytes before a payload that `send` may overwrite.
    package static var headroom: Int { clws_headroom() }

    /// The peer's numeric address, without the port; empty when the connection has ended.
    package var peerAddress: String {
        guard phase != .gone else { return "" }
        return unsafe SocketAddress(peerOf: lws_get_socket_fd(wsi))?.host ?? ""
    }

    /// The slot in the loop's table, as in `key`.
    package var slot: UInt32 { UInt32(truncatingIfNeeded: key) }

    /// The generation of the slot, as in `key`.
    package var generation: UInt32 { UInt32(truncatingIfNeeded: key >> 32) & 0xff_ffff }

    /// Whether a frame can go out now: the connection is open, nothing waits, nothing is half sent.
    package var isWritable: Bool {
        guard phase == .open, outbox == nil else { return false }
        return unsafe lws_partial_buffered(wsi) == 0
    }

    /// Sends one text frame now, in the loop's hands when this returns. Only while `isWritable`;
    /// otherwise it is queued. The `headroom` bytes before the payload may be overwritten. Whether
    /// all of it has gone to the system, so that it is writable behind it.
    @discardableResult
    package func send(_ payload: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        unsafe loop.checkThread()
        // The caller has asked `isWritable`; should it not have, the library itself keeps the order
        // of what is half sent.
        guard phase == .open, outbox == nil, let start = payload.baseAddress else {
            unsafe enqueue(Array(payload), isBinary: false)
            return false
        }
        return unsafe write(start, payload.count, isBinary: false)
    }

    /// Queues one frame; the queue is drained one frame at a time as the peer takes them. Above
    /// `LoopConfiguration.queuedBytesMark` nothing is read from the peer until the queue is empty.
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

    /// Whether nothing is read from the peer. What has come in already may still be delivered. Its
    /// silence is ours then, and does not count: the caller bounds for how long.
    package func setReadingPaused(_ isHeldBack: Bool) {
        unsafe loop.checkThread()
        guard phase == .open, self.isPausedByHandler != isHeldBack else { return }
        self.isPausedByHandler = isHeldBack
        // What it said meanwhile is read only now.
        if !isHeldBack { recordActivity() }
        updateReadFlow()
    }

    /// The bytes of the frames that wait in the queue.
    package var queuedBytes: Int { outbox?.byteCount ?? 0 }

    /// Asks for one call of `TransportHandler.writable` as soon as `isWritable`.
    ///
    /// - Parameter isBounded: the caller closes a peer that takes too long; it is not cut off for
    ///   silence before. Nobody can be asked for a sign of life behind what is half sent.
    package func requestWritable(isBounded: Bool = false) {
        unsafe loop.checkThread()
        guard phase == .open else { return }
        wantsWritable = true
        isWaitBounded = isBounded
        unsafe lws_callback_on_writable(wsi)
    }

    /// Closes with this code and reason after everything sent and queued; nothing is delivered any
    /// more but `closed`. The reason is cut to 123 bytes. A second call changes nothing. A peer
    /// that does not take what is queued within ten seconds is cut off.
    package func close(code: UInt16, reason: String) {
        unsafe loop.checkThread()
        guard phase == .open else { return }
        phase = .closing
        pendingCloseFrame = CloseFrame(code: code, reason: reason)
        assembly = []
        wantsWritable = false
        // The answer to the close frame has to be read.
        if isPausedByHandler {
            isPausedByHandler = false
            updateReadFlow()
        }
        guard !sendCloseFrameIfReady() else { return }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, 10)
        unsafe lws_callback_on_writable(wsi)
        unsafe loop.processTimeouts()
    }

    /// The same at once: what is queued is dropped, and behind half a frame nothing can be said.
    package func closeImmediately(code: UInt16, reason: String) {
        guard phase == .open else { return }
        outbox = nil
        close(code: code, reason: reason)
        if unsafe lws_partial_buffered(wsi) != 0 { unsafe loop.scheduleTermination(of: self) }
    }

    /// Notes a sign of life. The transport does so by itself for every message and pong.
    package func recordActivity() {
        lastActivityMs = unsafe loop.coarseMs
        isPinged = false
    }

    /// Whether all of it has gone.
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

// MARK: - What the library tells

extension Connection {
    /// A piece of a message came. The result ends the connection when it is not 0.
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

    /// A piece of a message came that nobody takes any more.
    @inline(never)
    private func discardMessage() -> Int32 {
        guard phase != .broken else { return -1 }
        if unsafe lws_is_final_fragment(wsi) != 0 { unsafe loop.handler?.messageDropped(on: self) }
        return 0
    }

    /// The socket takes bytes again, as was asked for.
    func becameWritable() -> Int32 {
        unsafe loop.checkThread()
        isInCallback = true
        // The socket took what was sent before: the peer reads.
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
            // One frame a call (L15), and the close frame behind the last.
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

    /// A frame came that is no whole message. False if that was one too many: the connection is
    /// closed.
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

    /// The peer's close frame came. The library answers it with the same code unless the result is
    /// -1, which ends the connection at once.
    func receivedClose(_ bytes: UnsafeMutableRawPointer?, count: Int) -> Int32 {
        // It answers ours: both sides have said what there was to say.
        if phase == .leaving { return -1 }
        guard phase == .open || phase == .closing else { return 0 }
        phase = .leaving
        let payload = unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
        guard payload.count > 2 else { return 0 }
        var check = UTF8Check()
        if unsafe check.validate(UnsafeRawBufferPointer(rebasing: payload[2...])), check.isComplete
        {
            return 0
        }
        _ = unsafe CloseFrame(code: 1_007, reason: "invalid UTF-8").send(on: wsi)
        return -1
    }

    /// The library is done with the connection.
    func ended() {
        phase = .gone
        assembly = []
        outbox = nil
    }

    /// Asks a silent peer for a sign of life, and cuts off one that stays silent; but not while its
    /// silence proves nothing, and somebody else bounds how long that lasts.
    func checkLiveness(nowMs: UInt32, pingBuffer: UnsafeMutablePointer<UInt8>) {
        guard phase == .open, !isPausedByHandler, !(wantsWritable && isWaitBounded) else { return }
        unsafe loop.checkThread()
        let silentMs = Int(nowMs &- lastActivityMs)
        if isPinged {
            if unsafe silentMs >= loop.configuration.hangUpAfterMs { terminate() }
        } else if unsafe silentMs >= loop.configuration.pingAfterMs {
            isPinged = true
            // Looked at late, it still gets the whole time between the two to answer.
            lastActivityMs = nowMs &- UInt32(unsafe loop.configuration.pingAfterMs)
            guard unsafe lws_partial_buffered(wsi) == 0 else { return }
            // The library reports only pongs that carry something.
            if unsafe lws_write(wsi, pingBuffer, 4, LWS_WRITE_PING) < 0 { terminate() }
        }
    }

    private var isBinary: Bool { unsafe lws_frame_is_binary(wsi) != 0 }

    private func assemble(_ piece: UnsafeRawBufferPointer, _ isFinal: Bool) {
        // The length a frame announces may be absurd: subtract, never add.
        let announced = Int(clamping: unsafe lws_remaining_packet_payload(wsi))
        let room = messageBytesMax - assembly.count
        guard piece.count <= room, announced <= room - piece.count else {
            unsafe loop.handler?.messageRefused(.tooBig, on: self)
            close(code: 1009, reason: "message too big")
            return
        }
        // What comes of one frame in several pieces is one.
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

    /// Sends the close frame if everything before it has gone; false when it has to wait.
    private func sendCloseFrameIfReady() -> Bool {
        guard outbox == nil, unsafe lws_partial_buffered(wsi) == 0, let pendingCloseFrame else {
            return false
        }
        self.pendingCloseFrame = nil
        phase = .leaving
        if unsafe !pendingCloseFrame.send(on: wsi) { fail() }
        return true
    }

    /// Nothing can be written any more.
    private func fail() {
        phase = .broken
        outbox = nil
        if !isInCallback { terminate() }
    }

    /// What a callback returns to the library: -1 ends the connection.
    private func callbackResult() -> Int32 {
        isInCallback = false
        return phase == .broken ? -1 : 0
    }
}
