import CLWS

/// The part of one dialed connection that is used on the dialer's loop thread only.
@safe
package final class DialedSocket {
    private enum Phase {
        case dialing, open, closing, leaving, ended
    }

    /// A caller that waits for the next event until a time of `MonotonicClock`.
    struct Waiter {
        let deadline: Int64
        let deliver: @Sendable (DialedEvent) -> Void
    }

    /// Called once with the result of dialing: nil after success, or the failure.
    private var dialed: (@Sendable (DialFailure?) -> Void)?
    private let dialDeadline: Int64
    /// The Authorization header of the request; nil if none is sent.
    private let authorization: String?
    /// The Cookie header of the request; nil if none is sent.
    private let cookie: String?
    /// Receives the events instead of the waiters; nil for the sockets of a `Dialer`.
    private var observer: (any DialedSocketObserver)?
    private var phase = Phase.dialing
    private var wsi: OpaquePointer?
    private var assembly: [UInt8] = []
    private var events: [DialedEvent] = []
    private var waiters: [Waiter] = []
    private var outbox: Outbox?
    private var pendingCloseFrame: CloseFrame?
    private var hasSentCloseFrame = false
    private var end: (code: UInt16, reason: String) = (1_006, "")
    private var isReadingPaused = false

    /// The maximum size of a received message, in bytes. A longer message closes the connection
    /// with 1009.
    private let messageBytesMax: Int

    init(
        deadline: Int64, authorization: String? = nil,
        dialed: @escaping @Sendable (DialFailure?) -> Void
    ) {
        dialDeadline = deadline
        self.authorization = authorization
        cookie = nil
        messageBytesMax = .max
        self.dialed = dialed
    }

    /// Creates a socket whose events are passed to `observer`, and to no waiter.
    init(
        deadline: Int64, authorization: String?, cookie: String?, messageBytesMax: Int,
        observer: any DialedSocketObserver
    ) {
        dialDeadline = deadline
        self.authorization = authorization
        self.cookie = cookie
        self.messageBytesMax = messageBytesMax
        self.observer = observer
    }

    /// Whether the connection has ended, or could not be opened.
    var isEnded: Bool { phase == .ended }

    /// Whether this side has begun to close.
    package var isClosing: Bool { phase == .closing }

    /// The earliest deadline of dialing or of a waiter.
    var nextDeadline: Int64? {
        let waiting = waiters.lazy.map(\.deadline).min()
        guard phase == .dialing else { return waiting }
        return min(dialDeadline, waiting ?? .max)
    }

    /// Times out dialing and all waiters whose deadlines have passed.
    func expire(now: Int64) {
        if phase == .dialing, dialDeadline <= now { fail(.timedOut) }
        let over = waiters.filter { $0.deadline <= now }
        waiters.removeAll { $0.deadline <= now }
        for waiter in over { waiter.deliver(.timedOut) }
    }

    /// Passes the next event to `waiter`, now or when it occurs.
    func awaitEvent(_ waiter: Waiter) {
        if !events.isEmpty {
            waiter.deliver(events.removeFirst())
        } else if phase == .ended {
            waiter.deliver(.closed(code: end.code, reason: end.reason))
        } else {
            waiters.append(waiter)
        }
    }

    /// Adds the Authorization and the Cookie header, if any, to the request being sent. `place` is
    /// the position of the next header. The headers must fit before `end`. Returns false if there
    /// is not enough room.
    func addHeaders(
        _ wsi: OpaquePointer, at place: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        end: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let headers = [
            (WSI_TOKEN_HTTP_AUTHORIZATION, authorization), (WSI_TOKEN_HTTP_COOKIE, cookie),
        ]
        for case (let token, let value?) in headers {
            let bytes = Array(value.utf8)
            guard
                unsafe lws_add_http_header_by_token(
                    wsi, token, bytes, Int32(bytes.count), place, end) == 0
            else { return false }
        }
        return true
    }

    /// The number of bytes in the queued messages.
    package var queuedBytes: Int { outbox?.byteCount ?? 0 }

    /// Pauses or resumes reading from the server. Data that has already arrived can still be
    /// delivered.
    package func setReadingPaused(_ isPaused: Bool) {
        guard phase == .open, isReadingPaused != isPaused, let wsi = unsafe wsi else { return }
        isReadingPaused = isPaused
        unsafe lws_rx_flow_control(wsi, isPaused ? 0 : 1)
    }

    /// Sends one message, after all messages of earlier calls.
    package func send(_ bytes: [UInt8], isBinary: Bool) {
        guard phase == .open, let wsi = unsafe wsi else { return }
        let outbox = self.outbox ?? Outbox()
        outbox.append(bytes, isBinary: isBinary)
        self.outbox = outbox
        unsafe lws_callback_on_writable(wsi)
    }

    /// Closes the connection after all earlier messages are sent.
    package func close(code: UInt16, reason: String) {
        guard phase == .open, let wsi = unsafe wsi else { return }
        // The server's answer to the close frame must be read.
        setReadingPaused(false)
        phase = .closing
        pendingCloseFrame = CloseFrame(code: code, reason: reason)
        // A server that does not read must not keep an observer's connection open.
        if observer != nil { unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, 10) }
        unsafe lws_callback_on_writable(wsi)
    }

    /// Cuts the connection without a close frame.
    package func terminate() {
        guard phase != .ended, let wsi = unsafe wsi else { return }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC)
    }

    /// Ends the connection because dialing has failed or the dialer stops. `failure` is reported
    /// only if dialing has not ended yet.
    func fail(_ failure: DialFailure) {
        terminate()
        let wasDialing = phase == .dialing
        phase = .ended
        report(failure, wasDialing: wasDialing)
        notifyWaitersOfEnd()
    }

    /// Reports the end of the connection. Its observer may then be released.
    private func report(_ failure: DialFailure, wasDialing: Bool) {
        dialed?(failure)
        dialed = nil
        if wasDialing {
            observer?.dialingFailed(failure)
        } else {
            observer?.ended(code: end.code, reason: end.reason)
        }
        observer = nil
    }

    private func deliver(_ event: DialedEvent) {
        if let observer {
            if case .message(let bytes, let isBinary) = event {
                observer.received(bytes, isBinary: isBinary)
            }
            return
        }
        guard let waiter = waiters.first else {
            events.append(event)
            return
        }
        waiters.removeFirst()
        waiter.deliver(event)
    }

    private func notifyWaitersOfEnd() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.deliver(.closed(code: end.code, reason: end.reason)) }
    }
}

// MARK: - libwebsockets events

extension DialedSocket {
    /// libwebsockets has started to dial on this socket.
    func dialingStarted(_ wsi: OpaquePointer) {
        if phase != .ended { unsafe self.wsi = wsi }
    }

    /// The handshake is complete.
    func opened(_ wsi: OpaquePointer) {
        unsafe self.wsi = wsi
        guard phase == .dialing else {
            terminate()
            return
        }
        phase = .open
        dialed?(nil)
        dialed = nil
        observer?.opened()
    }

    /// Part of a message was received.
    func received(_ piece: UnsafeRawBufferPointer) {
        guard phase == .open || phase == .closing, let wsi = unsafe wsi else { return }
        guard piece.count <= messageBytesMax - assembly.count else {
            assembly = []
            observer?.messageTooBig()
            return close(code: 1_009, reason: "message too big")
        }
        unsafe assembly.append(contentsOf: piece)
        guard unsafe lws_is_final_fragment(wsi) != 0 else { return }
        let message = assembly
        assembly = []
        deliver(.message(message, isBinary: unsafe lws_frame_is_binary(wsi) != 0))
    }

    /// The socket is writable. A result of -1 ends the connection.
    func becameWritable() -> Int32 {
        guard let wsi = unsafe wsi, phase == .open || phase == .closing else { return 0 }
        var isBroken = false
        if let outbox {
            unsafe outbox.withNext { payload, isBinary in
                guard let start = payload.baseAddress else { return }
                let kind = isBinary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT
                isBroken = unsafe lws_write(wsi, start, payload.count, kind) < 0
            }
            if outbox.isEmpty { self.outbox = nil }
            if isBroken { return -1 }
            if self.outbox != nil || phase == .closing { unsafe lws_callback_on_writable(wsi) }
            observer?.queueShortened()
            return 0
        }
        guard phase == .closing else { return 0 }
        // Messages are received until the peer answers the close frame.
        hasSentCloseFrame = true
        defer { pendingCloseFrame = nil }
        return unsafe pendingCloseFrame?.send(on: wsi) == false ? -1 : 0
    }

    /// The peer's close frame was received.
    func receivedClose(_ payload: UnsafeRawBufferPointer) -> Int32 {
        end = unsafe CloseFrame.content(of: payload)
        phase = .leaving
        return hasSentCloseFrame ? -1 : 0
    }

    /// Dialing failed: the connection could not be established, or the server refused the upgrade.
    func failed(_ wsi: OpaquePointer, _ text: UnsafeRawBufferPointer) {
        unsafe self.wsi = nil
        let status = Int(unsafe lws_http_client_http_response(wsi))
        let reason = unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        guard phase != .ended else { return }
        fail(status > 0 ? .refused(status: status) : .unreachable(reason: reason))
    }

    /// The connection is closed.
    func closed() {
        unsafe wsi = nil
        guard phase != .ended else { return }
        let wasDialing = phase == .dialing
        phase = .ended
        outbox = nil
        report(
            .unreachable(reason: "the server closed the connection"), wasDialing: wasDialing)
        notifyWaitersOfEnd()
    }

    /// libwebsockets releases the connection. This may be the first report of the end: if a server
    /// hangs up during the handshake, libwebsockets reports neither a dial failure nor a close.
    func destroyed(_ wsi: OpaquePointer) {
        if unsafe self.wsi == wsi { closed() }
    }
}

/// Receives the events of one dialed connection, on the loop's thread. No method may block.
package protocol DialedSocketObserver: AnyObject {
    /// The connection is open, and messages may be sent.
    func opened()
    /// The connection could not be opened. No other event follows.
    func dialingFailed(_ failure: DialFailure)
    /// A complete message was received.
    func received(_ message: [UInt8], isBinary: Bool)
    /// The server sent a message above the limit. The connection is being closed with 1009.
    func messageTooBig()
    /// A queued message was sent.
    func queueShortened()
    /// The open connection has ended. Code and reason are those of the server's close frame. The
    /// code is 1005 if the frame had no code, and 1006 if there was no close frame. No other event
    /// follows.
    func ended(code: UInt16, reason: String)
}
