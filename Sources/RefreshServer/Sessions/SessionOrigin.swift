import RefreshProtocol

/// The snapshot that a session was rebuilt from.
struct SessionOrigin: Hashable, Sendable {
    /// Of the token that the snapshot was sealed for.
    var tokenHash: [UInt8]
    /// When it was sealed, by this process's clock.
    var sealedAt: Instant
    /// When the session went on from it.
    var rebuiltAt: Instant
}
