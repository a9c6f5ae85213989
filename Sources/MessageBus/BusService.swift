internal import CNATS
internal import Glibc
internal import Synchronization

/// Serves the socket of a connection: publishes the messages that wait, reads, and collects the
/// events. libnats calls this an external event loop; it then has no thread for the connection.
///
/// Any thread may serve, but only one at a time. Sendability is unchecked, because `serving` guards
/// the member that changes.
final class BusService: @unchecked Sendable {
    private let queue: BusQueue
    private let serving = Mutex<Void>(())
    /// Held while the current link is used. Its owner waits for this, but not for `serving`,
    /// because a thread that serves may wait for long.
    private let using = Mutex<Void>(())
    /// The link whose socket was full when it was last written to; 0 if there is none.
    private var fullLink: UInt = 0
    /// The time of the last waiting, if `BusLoop` waited for the server meanwhile.
    private var polledMs: Int64?
    /// The link that was served last, and what libnats may do with its socket.
    private var gate = (link: UInt(0), records: TLSRecordGate())
    /// Received messages that were used.
    private var used = UsedMessages()

    /// The maximum of the bytes of messages that libnats is given before it writes, except of
    /// a single message. Pings come after them, and over TLS the thread waits until they are
    /// written.
    private static let batchBytes = 256 << 10

    /// The time in milliseconds in which a thread that serves does everything but waiting.
    private static let awayMs: Int64 = 500

    init(_ queue: BusQueue) { self.queue = queue }

    /// Waits for events at most until `deadlineMs` (see `MonotonicClock`), and appends them. May
    /// return earlier.
    func serve(into events: inout [BusEvent], untilMs deadlineMs: Int64?) {
        serving.withLock { _ in serveAlone(into: &events, deadlineMs) }
    }

    /// Waits until no thread uses a link that has been detached.
    func waitForRelease() { using.withLock { _ in } }

    private func serveAlone(into events: inout [BusEvent], _ deadlineMs: Int64?) {
        using.withLock { _ in send() }
        let (socket, mayWait, overdueMs) = queue.beginWaiting(isFull: fullLink != 0)
        let untilMs = overdueMs.map { min($0, deadlineMs ?? $0) } ?? deadlineMs
        let wasAway = overdueMs != nil && isAway(since: polledMs)
        let ready = Self.poll(
            queue.wakeup, socket, timeoutMs: mayWait ? Self.timeoutMs(until: untilMs) : 0)
        queue.endWaiting(into: &events)
        if let overdueMs {
            let hasSlept = mayWait && isAway(since: untilMs ?? overdueMs)
            let isReadable = ready & ~Int16(POLLOUT) != 0
            let nowMs = MonotonicClock.nowMs
            polledMs = nowMs
            queue.endOverdueFlush(at: nowMs, restarts: wasAway || hasSlept || isReadable)
        } else {
            polledMs = nil
        }
        using.withLock { _ in handle(ready, of: socket, into: &events) }
    }

    /// Whether this thread has done something else for long since `timeMs`: it has written over
    /// TLS, it was not asked to serve, or the process has stood still.
    private func isAway(since timeMs: Int64?) -> Bool {
        timeMs.map { MonotonicClock.nowMs - $0 > Self.awayMs } != false
    }

    /// Writes and reads, as far as the socket is ready, and collects the received messages.
    private func handle(
        _ ready: Int16, of socket: BusQueue.Socket?, into events: inout [BusEvent]
    ) {
        // Another thread may have detached the link meanwhile.
        guard let socket, queue.currentSocket?.link == socket.link else { return }
        enter(socket)
        if ready & Int16(POLLOUT) != 0 { write(to: socket) }
        if ready & ~Int16(POLLOUT) != 0, gate.records.mayRead(socket.socket, ready) {
            unsafe natsConnection_ProcessReadEvent(socket.connection)
        }
        unsafe socket.subscriptions.forEach { unsafe collect(from: $0, into: &events) }
    }

    private func enter(_ socket: BusQueue.Socket) {
        if gate.link != socket.link { gate = (socket.link, TLSRecordGate()) }
    }

    /// Returns the time to wait in milliseconds; -1 without a limit.
    private static func timeoutMs(until deadlineMs: Int64?) -> Int32 {
        guard let deadlineMs else { return -1 }
        return Int32(clamping: max(0, deadlineMs - MonotonicClock.nowMs))
    }

    /// Waits for the descriptors. Returns the events of the socket.
    private static func poll(
        _ wakeup: Int32, _ socket: BusQueue.Socket?, timeoutMs: Int32
    ) -> Int16 {
        let watched =
            (socket?.reads == true ? Int16(POLLIN) | TLSRecordGate.hangUp : 0)
            | (socket?.writes == true ? Int16(POLLOUT) : 0)
        // The end of a connection would be reported again and again, although libnats knows it.
        let descriptor = watched == 0 ? -1 : socket?.socket.descriptor ?? -1
        var polled = (
            pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: watched, revents: 0)
        )
        unsafe withUnsafeMutableBytes(of: &polled) { bytes in
            let first = unsafe bytes.assumingMemoryBound(to: pollfd.self).baseAddress
            _ = unsafe Glibc.poll(first, 2, timeoutMs)
        }
        if polled.0.revents != 0 {
            var count: UInt64 = 0
            _ = unsafe read(wakeup, &count, MemoryLayout<UInt64>.size)
        }
        return polled.1.revents
    }
}

// MARK: - Sending and receiving

extension BusService {
    /// Passes messages that wait to libnats, which writes them with one call of the system. The
    /// rest follows when the socket has taken them.
    private func send() {
        guard let socket = queue.currentSocket, fullLink != socket.link else { return }
        enter(socket)
        fullLink = 0
        let messages = queue.removeMessages(bytesMax: Self.batchBytes)
        for message in messages { unsafe publish(message, on: socket.connection) }
        if !messages.isEmpty || socket.writes { write(to: socket) }
    }

    /// Writes what libnats has for the socket, as far as the socket takes it.
    private func write(to socket: BusQueue.Socket) {
        // libnats would take a write of nothing for the end of the connection.
        if queue.currentSocket?.writes == true, gate.records.mayWrite(socket.socket) {
            unsafe natsConnection_ProcessWriteEvent(socket.connection)
        }
        fullLink = queue.releaseWritten() ? 0 : socket.link
    }

    private func publish(_ message: BusQueue.Message, on connection: OpaquePointer) {
        let bytes = message.bytes
        let status =
            message.envelope.isEmpty
            ? unsafe bytes.withUnsafeBytes { bytes in
                unsafe natsConnection_Publish(
                    connection, message.subject, bytes.baseAddress, Int32(bytes.count))
            } : unsafe publishEnveloped(message, on: connection)
        // A connection that is lost is reported as such. The size has been checked.
        if status == NATS_NO_SERVER_SUPPORT {
            let failure = NATSFailure("A message to \(message.subject)", status)
            queue.report(.failed(reason: failure.reason))
        }
    }

    private func publishEnveloped(
        _ message: BusQueue.Message, on connection: OpaquePointer
    ) -> natsStatus {
        var created: OpaquePointer?
        let (bytes, envelope) = (message.bytes, message.envelope)
        var status = unsafe bytes.withUnsafeBytes { bytes in
            unsafe natsMsg_Create(
                &created, message.subject, envelope.replySubject, bytes.baseAddress,
                Int32(bytes.count))
        }
        guard status == NATS_OK, let created = unsafe created else { return status }
        defer { unsafe natsMsg_Destroy(created) }
        for header in envelope.headers where status == NATS_OK {
            status = unsafe natsMsgHeader_Set(created, header.name, header.value)
        }
        return status == NATS_OK ? unsafe natsConnection_PublishMsg(connection, created) : status
    }

    /// Appends the messages that libnats has read for a subscription.
    private func collect(from subscription: OpaquePointer, into events: inout [BusEvent]) {
        var count: UInt64 = 0
        guard unsafe natsSubscription_QueuedMsgs(subscription, &count) == NATS_OK else { return }
        for _ in 0..<count {
            var received: OpaquePointer?
            guard unsafe natsSubscription_NextMsg(&received, subscription, 0) == NATS_OK,
                let message = unsafe received
            else { return }
            if let event = unsafe BusEvent(received: message) { events.append(event) }
            unsafe used.append(message)
        }
    }
}
