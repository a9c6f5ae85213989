internal import RefreshProtocol

/// Decides when free memory is returned to the system. Returning memory locks the heap. It
/// therefore happens after many sessions have ended, and at a time when few sessions end.
struct CalmMoment {
    /// At least `leftMin` sessions must have ended since memory was last returned, and fewer than
    /// `calmMax` since the last call.
    static let leftMin = 256
    static let calmMax = 16
    private static let pauseMs = 10_000.0

    private var givenBackAt: Instant?
    /// The value of `ended` when memory was last returned.
    private var leftThen = 0
    /// The value of `ended` at the last call.
    private var leftBefore = 0

    /// Whether free memory must be returned to the system now. `ended` is the number of sessions
    /// that have ended since the process began. The caller must call this method once a second.
    mutating func isTrimDue(ended: Int, at now: Instant) -> Bool {
        defer { leftBefore = ended }
        guard ended - leftThen >= Self.leftMin, ended - leftBefore < Self.calmMax,
            givenBackAt.map({ now.milliseconds(since: $0) >= Self.pauseMs }) ?? true
        else { return false }
        givenBackAt = now
        leftThen = ended
        return true
    }
}
