import RefreshProtocol
import RefreshServer

/// A loop without a thread. Posted jobs wait until the test runs them.
final class StillLoop: SessionLoop, @unchecked Sendable {
    private var jobs: [(Instant) -> Void] = []
    private(set) var wakeAt: Instant?

    func run(_ job: @escaping @Sendable (Instant) -> Void) { jobs.append(job) }

    func scheduleWakeup(at moment: Instant) { wakeAt = min(wakeAt ?? .never, moment) }

    var isIdle: Bool { jobs.isEmpty }

    /// Runs the job that was posted first.
    func runOne(at now: Instant) {
        guard !jobs.isEmpty else { return }
        jobs.removeFirst()(now)
    }

    /// Returns whether the wake-up is due. Removes a wake-up that is due.
    func consumeWakeup(at now: Instant) -> Bool {
        guard let wakeAt, wakeAt <= now else { return false }
        self.wakeAt = nil
        return true
    }
}
