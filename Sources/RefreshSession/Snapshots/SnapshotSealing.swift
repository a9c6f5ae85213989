package import RefreshProtocol

/// Seals sessions for their clients, and opens them again. May be used on any thread.
package protocol SnapshotSealing: Sendable {
    /// Returns the sealed text, made at `now`. Nil (`tooLarge`) if it would exceed
    /// `snapshotBytesMax` even without the keys for deduplication.
    func seal(_ snapshot: SessionSnapshot, at now: Instant) -> SealedText?

    /// Returns the session that `text` holds. Its instants are as if it had lived in this process
    /// until `now`. Hashes of items that this process could not compare are left out.
    ///
    /// - Throws: `snapshotInvalid`, `snapshotExpired`, `otherSubject` or `wrongToken`.
    func open(
        _ text: String, for claim: SnapshotClaim, at now: Instant
    ) throws(ResumeRefusal) -> SessionSnapshot
}
