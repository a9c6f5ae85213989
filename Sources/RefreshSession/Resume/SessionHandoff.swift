import RefreshProtocol

/// A session that moves to another connection. A hand-over contains the whole session, and no other
/// object contains a part of the session.
///
/// The type is `@unchecked Sendable` for two reasons. Only the session has used the objects to
/// which the hand-over refers, on the thread of one loop. And the hand-over is passed through the
/// mailbox of the next loop.
package struct SessionHandoff: @unchecked Sendable {
    let conversation: Conversation
    let recorder: SessionRecorder?
    /// Whether the events of the session are logged.
    package let isTraced: Bool
    /// The network of the session's client.
    let network: PeerNetwork?
    /// The session was notified of all feed changes up to this number.
    package var knownFeedChange: UInt64 = 0

    /// The name of the session.
    package var name: String { conversation.name }
}
