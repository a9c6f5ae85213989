package import RefreshProtocol

/// How sessions are given to their clients, and taken back. May be used on any thread.
package protocol SnapshotSealing: Sendable {
    /// What the client is given, made at `now`; nil: even without the keys that tell duplicates it
    /// would be larger than `snapshotBytesMax` (`tooLarge`).
    func seal(_ snapshot: SessionSnapshot, at now: Instant) -> SealedText?

    /// The session that `text` holds, with instants as if it had lived on in this process until
    /// `now`. Hashes of items that this process could not compare are not in it.
    ///
    /// - Throws: `snapshotInvalid`, `snapshotExpired`, `otherSubject` or `wrongToken`.
    func open(
        _ text: String, for claim: SnapshotClaim, at now: Instant
    ) throws(ResumeRefusal) -> SessionSnapshot
}
