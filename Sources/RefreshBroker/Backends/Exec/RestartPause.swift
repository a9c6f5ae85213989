internal import RefreshProtocol

/// How long a process that ended stays away: doubled each time it ends by itself within ten
/// seconds.
struct RestartPause: Sendable {
    private static let soonMs = 10_000.0

    private let baseMs: Int
    private let capMs: Int
    private var nextMs: Int

    init(baseMs: Int, capMs: Int) {
        self.baseMs = baseMs
        self.capMs = capMs
        self.nextMs = baseMs
    }

    /// The pause, milliseconds, after a process that was killed for a load it did not end in time:
    /// that is no sign of one that cannot live, so it neither doubles nor ends the doubling.
    var pauseMsAfterDismissal: Int { baseMs }

    /// The pause, milliseconds, after a process that lived so long.
    mutating func pauseMs(afterMs livedMs: Double) -> Int {
        if livedMs >= Self.soonMs { nextMs = baseMs }
        let pause = nextMs
        nextMs = min(capMs, nextMs > capMs / 2 ? capMs : nextMs * 2)
        return pause
    }
}
