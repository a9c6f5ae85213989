package import RefreshProtocol

/// Seals sessions for their clients as encrypted texts, and opens these texts again. Any thread may
/// use it.
package protocol SnapshotSealing: Sendable {
    /// Returns the text, sealed at `now`. Returns nil if the text would exceed `snapshotBytesMax`
    /// even without the item keys for deduplication.
    func seal(_ snapshot: SessionSnapshot, at now: Instant) -> SealedText?

    /// Returns the session in `text`. The instants of the session are converted to the clock of
    /// this process. Hashes of items that this process cannot compare are left out.
    ///
    /// - Throws: `snapshotInvalid`, `snapshotExpired`, `otherSubject` or `wrongToken`.
    func open(
        _ text: String, for claim: SnapshotClaim, at now: Instant
    ) throws(ResumeRefusal) -> SessionSnapshot
}
