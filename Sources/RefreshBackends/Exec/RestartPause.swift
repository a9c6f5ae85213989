internal import RefreshProtocol

/// The pause before a process is restarted. The pause doubles each time a process ends on its own
/// within ten seconds.
struct RestartPause: Sendable {
    private static let shortRunMs = 10_000.0

    private let baseMs: Int
    private let capMs: Int
    private var nextMs: Int

    init(baseMs: Int, capMs: Int) {
        self.baseMs = baseMs
        self.capMs = capMs
        self.nextMs = baseMs
    }

    /// The pause in milliseconds after a process was killed because it did not end a load in time.
    /// Such a kill does not mean that the process cannot run, so it neither doubles the pause nor
    /// resets it.
    var pauseMsAfterDismissal: Int { baseMs }

    /// Returns the pause in milliseconds after the end of a process that has run for `uptimeMs`.
    mutating func pauseMs(afterMs uptimeMs: Double) -> Int {
        if uptimeMs >= Self.shortRunMs { nextMs = baseMs }
        let pause = nextMs
        nextMs = min(capMs, nextMs > capMs / 2 ? capMs : nextMs * 2)
        return pause
    }
}
