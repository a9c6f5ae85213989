internal import CNATS

// The callbacks that libnats calls on threads of its own. `closure` is a number in `NATSLinkTable`.

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
    entry.queue.post(.fail(reason: reason))
}

/// A message has arrived. It belongs to the callback.
func natsLinkReceived(
    _ connection: OpaquePointer?, _ subscription: OpaquePointer?, _ message: OpaquePointer?,
    _ closure: UnsafeMutableRawPointer?
) {
    guard let message = unsafe message else { return }
    defer { unsafe natsMsg_Destroy(message) }
    guard let entry = unsafe entry(closure), let subject = unsafe natsMsg_GetSubject(message)
    else { return }
    let bytes = unsafe UnsafeRawBufferPointer(
        start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
    let replySubject = unsafe natsMsg_GetReply(message).map { unsafe String(cString: $0) }
    let event = unsafe BusEvent.received(
        Array(bytes), subject: String(cString: subject), replySubject: replySubject)
    entry.reporter.report(event)
}

/// Returns the last error of the connection as a sentence. Only callbacks call this function: they
/// run when no other thread keeps the lock of the connection for long.
private func lastError(_ connection: OpaquePointer?) -> String {
    var text: UnsafePointer<CChar>?
    let status = unsafe natsConnection_GetLastError(connection, &text)
    return NATSFailure.text(status, unsafe text.map { unsafe String(cString: $0) } ?? "") + "."
}
