internal import CNATS

/// One connection of libnats to one server. When it is lost, `BusLoop` creates another one.
///
/// It is used only on the thread of `BusLoop`, because its calls of libnats may block. Meanwhile
/// another thread serves the socket by `BusService`.
@safe final class NATSLink {
    let number: UInt
    private let connection: OpaquePointer
    private let server: BusServer
    private let queue: BusQueue
    private let service: BusService
    /// Nil if the connection was lost at once.
    private let socket: NATSSocket?
    private var subscriptions: [OpaquePointer] = unsafe []

    /// The maximum of the bytes that wait in libnats, for each subscription.
    private static let pendingBytesMax: Int32 = 64 << 20

    /// The time to wait for the server to know the subscriptions, in milliseconds.
    private static let flushTimeoutMs: Int64 = 500

    /// The time to wait for the server to have read all messages, in milliseconds.
    private static let closeTimeoutMs: Int64 = 900

    /// `number` is that of a `NATSAttempt`, which has created the connection.
    init(
        _ connection: OpaquePointer, _ number: UInt, to server: BusServer, queue: BusQueue,
        service: BusService
    ) {
        unsafe self.connection = connection
        self.number = number
        self.server = server
        self.queue = queue
        self.service = service
        socket = queue.socket(of: number)
    }

    /// Waits until the server knows the subscriptions, then accepts messages and reports
    /// `connected`. Without this wait, a message that another connection publishes now could be
    /// lost.
    func announce() {
        _ = waitForServer(Self.flushTimeoutMs)
        let payloadMax = unsafe natsConnection_GetMaxPayload(connection)
        // libnats counts bytes with 32 bits.
        queue.open(link: number, payloadMax: min(Int(payloadMax), Int(Int32.max)))
        queue.report(.connected(server: server.url))
    }

    func subscribe(_ subscription: BusSubscription) {
        var created: OpaquePointer?
        let subject = subscription.subject
        // The messages of a subscription without a callback wait until `BusService` collects them.
        // But libnats drops the server's empty answers there.
        let closure = unsafe UnsafeMutableRawPointer(bitPattern: number)
        let status =
            if subscription.receivesReplies {
                // The first such subscription creates the thread that passes on all answers.
                NATSLibrary.asBatch {
                    unsafe natsConnection_Subscribe(
                        &created, connection, subject, natsLinkReceived, closure)
                }
            } else if let group = subscription.group {
                unsafe natsConnection_QueueSubscribeSync(&created, connection, subject, group)
            } else {
                unsafe natsConnection_SubscribeSync(&created, connection, subject)
            }
        guard status == NATS_OK, let created = unsafe created else {
            return fail("The subscription to \(subject)", status)
        }
        unsafe subscriptions.append(created)
        let limited = unsafe natsSubscription_SetPendingLimits(
            created, NATSSettings.pendingMessagesMax, Self.pendingBytesMax)
        if limited != NATS_OK { fail("The subscription to \(subject)", limited) }
        if !subscription.receivesReplies { unsafe queue.add(created, link: number) }
    }

    /// Sends a ping, and waits for its answer, but at most as long as `liveness` permits. Reports
    /// the loss of the connection if the server has not answered for too long.
    func ping(_ liveness: inout NATSLiveness) {
        var traffic = self.traffic
        traffic.waiting += UInt64(max(0, unsafe natsConnection_Buffered(connection)))
        liveness.begin(at: MonotonicClock.nowMs, traffic)
        switch waitForServer(liveness.waitMs) {
        case NATS_OK: liveness.answer()
        case NATS_TIMEOUT:
            if let reason = liveness.miss(at: MonotonicClock.nowMs, self.traffic) {
                queue.lose(link: number, reason: reason)
            }
        // libnats reports the loss.
        default: break
        }
    }

    private var traffic: NATSLiveness.Traffic { socket?.traffic ?? NATSLiveness.Traffic() }

    /// Sends a ping, and waits for its answer. libnats measures the time by the clock of the day,
    /// which can be set back. Therefore `BusService` ends a connection whose wait lasts too long.
    private func waitForServer(_ timeoutMs: Int64) -> natsStatus {
        queue.beginFlush(link: number, timeoutMs, at: MonotonicClock.nowMs)
        defer { queue.endFlush() }
        return unsafe natsConnection_FlushTimeout(connection, timeoutMs)
    }

    /// Ends the connection. If `flushes` is true, waits until the server has read all messages, but
    /// not for long.
    func close(flushes: Bool) {
        if flushes { flush() }
        // The thread that serves the socket may wait for it in libnats. Only when that thread has
        // left the connection, another one may close it.
        socket?.shutDown()
        NATSLinkTable.remove(number)
        queue.detach(link: number)
        service.waitForRelease()
        unsafe natsConnection_Close(connection)
        unsafe subscriptions.forEach { unsafe natsSubscription_Destroy($0) }
        unsafe natsConnection_Destroy(connection)
    }

    /// Waits until the server has read all messages. The ping of a flush follows only the messages
    /// that libnats had been given, so the last flush begins when all are written.
    private func flush() {
        let deadlineMs = MonotonicClock.nowMs + Self.closeTimeoutMs
        var isWritten = false
        var status = NATS_OK
        while status == NATS_OK, !isWritten {
            isWritten = queue.isWritten
            let leftMs = deadlineMs - MonotonicClock.nowMs
            guard leftMs > 0 else { return }
            status = waitForServer(leftMs)
        }
    }

    /// Reports an error of libnats, unless the connection is lost, which is reported as such.
    private func fail(_ subject: String, _ status: natsStatus) {
        guard status != NATS_CONNECTION_CLOSED else { return }
        queue.report(.failed(reason: NATSFailure(subject, status).reason))
    }
}
