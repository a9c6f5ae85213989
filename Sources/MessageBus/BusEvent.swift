/// What happens on a connection to the bus. `connected` and `disconnected` alternate, and the first
/// of them is `connected`.
package enum BusEvent: Hashable, Sendable {
    /// Messages can be published and are received. `server` is the URL of the server, as it is
    /// given in the options. All subscriptions are in place.
    case connected(server: String)
    /// The connection was lost, and is being replaced. A message that was published just before may
    /// be lost.
    case disconnected(reason: String)
    /// A message of a subject that `BusConnection.subscribe` was called with. The connection's own
    /// messages are not among them. `replySubject` is the subject to which the sender expects an
    /// answer, as the sender states it.
    case received([UInt8], subject: String, replySubject: String? = nil)
    /// No server can be reached, a server refuses the connection or a message, or messages were
    /// dropped. The reason is a sentence. If attempts to connect fail one after another for the
    /// same reason, only the first of them is reported.
    case failed(reason: String)
}

/// Options of a connection, or a subject, that cannot be used.
package struct BusError: Error, Hashable, Sendable {
    /// The reason, as a sentence.
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}
