import RefreshProtocol
import WebSocketTransport

/// A session on its way to another connection: all of it, and nobody else has any of it.
///
/// `@unchecked Sendable`: what it refers to was its session's alone, on one loop's thread; it is
/// handed over through the mailbox of the next.
struct MovedSession: @unchecked Sendable {
    let conversation: Conversation
    let recorder: SessionRecorder?
    /// Whether its events go to the log.
    let isTraced: Bool
    /// Where its client was.
    let network: PeerNetwork?
    /// The last change of a feed that it knows of, with all before it.
    var toldChanges: UInt64 = 0
}
