internal import CNATS

/// One connection of libnats to one server. When it is lost, `BusLoop` creates another one.
///
/// It is used only on the thread of `BusLoop`, because most calls of libnats may block.
@safe final class NATSLink {
    let number: UInt
    private let connection: OpaquePointer
    private let server: BusServer
    private let reporter: BusReporter
    private let queue: BusQueue
    private var subscriptions: [OpaquePointer] = unsafe []

    /// The maximum of the bytes that wait for the handler, for each subscription.
    private static let pendingBytesMax: Int32 = 64 << 20

    /// The time to wait for the server to have read all that was sent, in milliseconds.
    private static let flushTimeoutMs: Int64 = 500

    /// Connects, which takes at most the connect timeout. (If a server begins a TLS handshake and
    /// then falls silent, libnats waits until the connection breaks.)
    init(
        to server: BusServer, settings: NATSSettings, reporter: BusReporter, queue: BusQueue
    ) throws(NATSFailure) {
        number = NATSLinkTable.insert(reporter: reporter, queue: queue)
        self.server = server
        self.reporter = reporter
        self.queue = queue
        do throws(NATSFailure) {
            try settings.prepare(link: number)
            var created: OpaquePointer?
            let status = unsafe natsConnection_Connect(&created, settings.pointer)
            guard status == NATS_OK, let created = unsafe created else {
                throw NATSFailure(server.url, status)
            }
            unsafe connection = created
        } catch {
            NATSLinkTable.remove(number)
            throw error
        }
    }

    /// Waits until the server knows the subscriptions, then accepts messages and reports
    /// `connected`. Without this wait, a message that another connection publishes now could be
    /// lost.
    func announce() {
        _ = unsafe natsConnection_FlushTimeout(connection, Self.flushTimeoutMs)
        let payloadMax = unsafe natsConnection_GetMaxPayload(connection)
        // libnats counts bytes with 32 bits.
        queue.open(link: number, payloadMax: min(Int(payloadMax), Int(Int32.max)))
        reporter.report(.connected(server: server.url))
    }

    func subscribe(_ subscription: BusSubscription) {
        var created: OpaquePointer?
        let subject = subscription.subject
        let closure = unsafe UnsafeMutableRawPointer(bitPattern: number)
        let status =
            if let group = subscription.group {
                unsafe natsConnection_QueueSubscribe(
                    &created, connection, subject, group, natsLinkReceived, closure)
            } else {
                unsafe natsConnection_Subscribe(
                    &created, connection, subject, natsLinkReceived, closure)
            }
        guard status == NATS_OK, let created = unsafe created else {
            return fail("The subscription to \(subject)", status)
        }
        unsafe subscriptions.append(created)
        let limited = unsafe natsSubscription_SetPendingLimits(
            created, NATSSettings.pendingMessagesMax, Self.pendingBytesMax)
        if limited != NATS_OK { fail("The subscription to \(subject)", limited) }
    }

    /// Writes a message to the socket. If the socket is full, this waits until the write deadline.
    func publish(_ message: [UInt8], to subject: String, _ envelope: BusEnvelope) {
        let status =
            envelope.isEmpty
            ? unsafe message.withUnsafeBytes { bytes in
                unsafe natsConnection_Publish(
                    connection, subject, bytes.baseAddress, Int32(bytes.count))
            } : publishEnveloped(message, to: subject, envelope)
        // A connection that is lost is reported as such.
        switch status {
        case NATS_MAX_PAYLOAD: refuse(message.count, subject)
        case NATS_NO_SERVER_SUPPORT: fail("A message to \(subject)", status)
        default: break
        }
    }

    private func publishEnveloped(
        _ message: [UInt8], to subject: String, _ envelope: BusEnvelope
    ) -> natsStatus {
        var created: OpaquePointer?
        var status = unsafe message.withUnsafeBytes { bytes in
            unsafe natsMsg_Create(
                &created, subject, envelope.replySubject, bytes.baseAddress, Int32(bytes.count))
        }
        guard status == NATS_OK, let created = unsafe created else { return status }
        defer { unsafe natsMsg_Destroy(created) }
        for header in envelope.headers where status == NATS_OK {
            status = unsafe natsMsgHeader_Set(created, header.name, header.value)
        }
        return status == NATS_OK ? unsafe natsConnection_PublishMsg(connection, created) : status
    }

    /// Reports that a message is too large.
    func refuse(_ count: Int, _ subject: String) {
        let payloadMax = unsafe natsConnection_GetMaxPayload(connection)
        let reason =
            "The message of \(count) bytes to \(subject) is above the limit of the server, "
            + "\(payloadMax) bytes."
        reporter.report(.failed(reason: reason))
    }

    /// Ends the connection. If `flushes` is true, waits until the server has read all messages, but
    /// not for long.
    func close(flushes: Bool) {
        if flushes {
            _ = unsafe natsConnection_FlushTimeout(connection, Self.flushTimeoutMs)
        }
        NATSLinkTable.remove(number)
        unsafe natsConnection_Close(connection)
        unsafe subscriptions.forEach { unsafe natsSubscription_Destroy($0) }
        unsafe natsConnection_Destroy(connection)
    }

    /// Reports an error of libnats, unless the connection is lost, which is reported as such.
    private func fail(_ subject: String, _ status: natsStatus) {
        guard status != NATS_CONNECTION_CLOSED else { return }
        reporter.report(.failed(reason: NATSFailure(subject, status).reason))
    }
}
