package import RefreshProtocol

/// Seals sessions for their clients as encrypted texts, and opens these texts again. Any thread may
/// use it.
package protocol SnapshotSealing: Sendable {
    /// Returns the text, sealed at `now`. Hashes of item keys are left out as far as they do not
    /// fit. Returns nil if the text would exceed `snapshotBytesMax` even without these hashes, or
    /// if it would be longer than 128 times `snapshotBytesMax` before compression.
    func seal(_ snapshot: SessionSnapshot, at now: Instant) -> SealedText?

    /// Returns the session in `text`. The instants of the session are converted to the clock of
    /// this process. Hashes of item keys are left out if the snapshot does not contain their hash
    /// function.
    ///
    /// - Throws: `snapshotInvalid`, `snapshotExpired`, `otherSubject` or `wrongToken`.
    func open(
        _ text: String, for claim: SnapshotClaim, at now: Instant
    ) throws(ResumeRefusal) -> SessionSnapshot
}
