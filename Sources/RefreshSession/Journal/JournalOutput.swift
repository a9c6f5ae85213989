package import RefreshBroker
package import RefreshProtocol

/// An output of a session. Source: docs/journal.md, "Outputs".
package enum JournalOutput: Hashable, Sendable {
    /// A text frame, byte for byte.
    case frame([UInt8])
    /// The session requests to be notified when the channel accepts frames again.
    case wait
    case close(code: UInt16, reason: String)
    /// The session requests the authentication of its client, and waits for the result.
    case identify
    /// The client asks to resume the session with this name.
    case resume(session: String)
    /// The session requests a load from the broker, with a deadline in milliseconds.
    case start(LoadID, view: ViewID, BrokerRequest, deadlineMs: Int)
    /// The session asks the broker for an edit, with a deadline in milliseconds. `view` is the
    /// generation of the view, and `operation` is the JSON text of the operation.
    case edit(view: UInt32, edit: String, key: String, operation: [UInt8], deadlineMs: Int)
    /// The session cancels a load.
    case cancel(LoadID, view: ViewID, because: LeaveReason)

    /// The request for the edit with this ticket.
    package static func edit(
        _ ticket: EditTicket, _ request: EditRequest, deadlineMs: Int
    ) -> JournalOutput {
        var operation = ByteBuffer(capacity: 256)
        request.operation.append(to: &operation)
        return .edit(
            view: ticket.view, edit: ticket.edit, key: request.idempotencyKey,
            operation: operation.bytes, deadlineMs: deadlineMs)
    }
}
