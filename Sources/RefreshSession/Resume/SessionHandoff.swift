import RefreshProtocol

/// A session that moves to another connection. It holds the whole session, and no other object
/// keeps a part of it.
///
/// It is `@unchecked Sendable`, because only the session, on one loop's thread, has used the
/// objects to which the handoff refers. The handoff is passed through the mailbox of the next loop.
package struct SessionHandoff: @unchecked Sendable {
    let conversation: Conversation
    let recorder: SessionRecorder?
    /// Whether the events of the session go to the log.
    package let isTraced: Bool
    /// The network of its client.
    let network: PeerNetwork?
    /// The session was notified of all feed changes up to this number.
    package var knownFeedChange: UInt64 = 0

    /// The name of the session.
    package var name: String { conversation.name }
}
