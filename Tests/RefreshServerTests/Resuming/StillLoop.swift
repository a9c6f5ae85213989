import RefreshProtocol
import RefreshServer

/// A loop without a thread: what is posted waits until the test runs it.
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

    /// Whether it is time to wake, and forgets it.
    func takeWake(at now: Instant) -> Bool {
        guard let wakeAt, wakeAt <= now else { return false }
        self.wakeAt = nil
        return true
    }
}
