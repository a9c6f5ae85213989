internal import RefreshProtocol

/// Decides when free memory is returned to the system. Returning memory locks the heap. Memory is
/// therefore returned after many sessions have ended, and at a time when few sessions end.
struct MemoryTrimSchedule {
    /// Memory is returned if at least `endedMin` sessions have ended since it was last returned,
    /// and if fewer than `endedSinceCallMax` have ended since the last call of `isTrimDue`.
    /// `pauseMs` is the minimum time between two returns.
    static let endedMin = 256
    static let endedSinceCallMax = 16
    private static let pauseMs = 10_000.0

    private var lastTrimAt: Instant?
    /// The value of `ended` when memory was last returned.
    private var endedAtLastTrim = 0
    /// The value of `ended` at the last call of `isTrimDue`.
    private var endedAtLastCall = 0

    /// Whether free memory must be returned to the system now. `ended` is the number of sessions
    /// that have ended since the process began. The caller must call this method once a second.
    mutating func isTrimDue(ended: Int, at now: Instant) -> Bool {
        defer { endedAtLastCall = ended }
        guard ended - endedAtLastTrim >= Self.endedMin,
            ended - endedAtLastCall < Self.endedSinceCallMax,
            lastTrimAt.map({ now.milliseconds(since: $0) >= Self.pauseMs }) ?? true
        else { return false }
        lastTrimAt = now
        endedAtLastTrim = ended
        return true
    }
}
