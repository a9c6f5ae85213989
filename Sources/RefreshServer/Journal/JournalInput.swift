package import RefreshBroker
package import RefreshProtocol

/// Something that entered a session. Source: docs/journal.md, "Inputs".
package enum JournalInput: Hashable, Sendable {
    /// A text frame, byte for byte.
    case frame([UInt8])
    /// A binary frame, whose content never reaches a session.
    case binary
    /// The channel takes frames again.
    case writable
    /// What the channel answered, where it differs from its last answer (at first: true).
    case channel(isWritable: Bool)
    /// The broker told of a load.
    case load(LoadID, view: ViewID, LoadNews)
    /// A feed that the session has views of has newer data.
    case changed(feed: String)
    /// A deadline may have passed.
    case wake
    /// The daemon ends the session.
    case end(FaultCode)
    /// The connection is gone.
    case closed
}
