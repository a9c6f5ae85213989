internal import RefreshProtocol

/// Decides when to give memory back to the system: many sessions have ended since the last time,
/// and the wave of departures is over. Giving back locks the heap, so it waits until few sessions
/// end.
struct CalmMoment {
    /// At least `leftMin` sessions must have ended since the last time, and fewer than `calmMax`
    /// within the last second.
    static let leftMin = 256
    static let calmMax = 16
    private static let pauseMs = 10_000.0

    private var givenBackAt: Instant?
    /// The sessions that had ended at the last time, and at the last call.
    private var leftThen = 0
    private var leftBefore = 0

    /// Returns whether to give memory back now. `left`: the sessions that have ended since the
    /// process began. The caller calls it once a second.
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
