internal import CNATS

// The callbacks of libnats. `closure`, `loop` and `data` are numbers in `NATSLinkTable`. Those of
// the event loop must not call libnats, which holds the lock of the connection.

private func entry(_ closure: UnsafeMutableRawPointer?) -> NATSLinkTable.Entry? {
    NATSLinkTable.entry(UInt(bitPattern: closure))
}

/// A connection has ended, for whatever reason.
func natsLinkClosed(_ connection: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
    guard let entry = unsafe entry(closure) else { return }
    unsafe entry.queue.lose(link: entry.number, reason: lastError(connection))
}

/// A connection has a problem, and continues.
func natsLinkFailed(
    _ connection: OpaquePointer?, _ subscription: OpaquePointer?, _ status: natsStatus,
    _ closure: UnsafeMutableRawPointer?
) {
    guard let entry = unsafe entry(closure) else { return }
    let reason =
        status == NATS_SLOW_CONSUMER
        ? "Received messages were dropped, because too many wait to be handled."
        : unsafe lastError(connection)
    entry.queue.report(.failed(reason: reason))
}

/// A connection has a socket, which must be served from now on.
func natsLinkAttached(
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ loop: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?, _ socket: natsSock
) -> natsStatus {
    guard let entry = unsafe entry(loop), let connection = unsafe connection else {
        return NATS_CONNECTION_CLOSED
    }
    guard let socket = NATSSocket(socket) else { return NATS_SYS_ERROR }
    unsafe data?.pointee = loop
    unsafe entry.queue.attach(link: entry.number, connection: connection, socket)
    return NATS_OK
}

/// A connection waits for its socket to be readable, or does not any more.
func natsLinkReads(_ data: UnsafeMutableRawPointer?, _ isAdded: Bool) -> natsStatus {
    if let entry = unsafe entry(data) { entry.queue.watch(link: entry.number, \.reads, isAdded) }
    return NATS_OK
}

/// A connection waits for its socket to be writable, or does not any more.
func natsLinkWrites(_ data: UnsafeMutableRawPointer?, _ isAdded: Bool) -> natsStatus {
    if let entry = unsafe entry(data) { entry.queue.watch(link: entry.number, \.writes, isAdded) }
    return NATS_OK
}

/// The socket of a connection must not be served any more.
func natsLinkDetached(_ data: UnsafeMutableRawPointer?) -> natsStatus {
    if let entry = unsafe entry(data) { entry.queue.detach(link: entry.number) }
    return NATS_OK
}

/// An answer has arrived. It belongs to the callback.
func natsLinkReceived(
    _ connection: OpaquePointer?, _ subscription: OpaquePointer?, _ message: OpaquePointer?,
    _ closure: UnsafeMutableRawPointer?
) {
    guard let message = unsafe message else { return }
    defer { unsafe natsMsg_Destroy(message) }
    guard let entry = unsafe entry(closure), let event = unsafe BusEvent(received: message)
    else { return }
    let count = Int(unsafe natsMsg_GetDataLength(message))
    entry.queue.report(received: event, count: count)
}

extension BusEvent {
    /// The event for a message of libnats.
    init?(received message: OpaquePointer) {
        guard let subject = unsafe natsMsg_GetSubject(message) else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
        let replySubject = unsafe natsMsg_GetReply(message).map { unsafe String(cString: $0) }
        self = unsafe .received(
            Array(bytes), subject: String(cString: subject), replySubject: replySubject)
    }
}

/// Returns the last error of the connection as a sentence. Only callbacks call this function: they
/// run when no other thread keeps the lock of the connection for long.
private func lastError(_ connection: OpaquePointer?) -> String {
    var text: UnsafePointer<CChar>?
    let status = unsafe natsConnection_GetLastError(connection, &text)
    return NATSFailure.text(status, unsafe text.map { unsafe String(cString: $0) } ?? "") + "."
}
