import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession

/// The loop of a host. A posted job waits until the search runs it.
///
/// The search cannot inspect a job. The act that posted a job and the state before that act
/// determine what the job does, so this act and this state identify the job.
///
/// `@unchecked Sendable`: a world runs on one thread.
final class WaitingLoop: SessionLoop, @unchecked Sendable {
    struct Job {
        let origin: StateFingerprint
        let postedAt: Instant
        fileprivate let action: (Instant) -> Void
    }

    private(set) var jobs: [Job] = []
    private var wakeAt: Instant?
    private unowned let causes: PostingCauses

    init(_ causes: PostingCauses) { self.causes = causes }

    func run(_ job: @escaping @Sendable (Instant) -> Void) {
        jobs.append(Job(origin: causes.next(), postedAt: causes.now, action: job))
    }

    func scheduleWakeup(at moment: Instant) { wakeAt = min(wakeAt ?? .never, moment) }

    /// Runs the job that was posted first.
    func runFirst() {
        guard !jobs.isEmpty else { return }
        jobs.removeFirst().action(causes.now)
    }

    /// Returns whether the wake-up is due. Removes a wake-up that is due.
    func takeWake() -> Bool {
        guard let wakeAt, wakeAt <= causes.now else { return false }
        self.wakeAt = nil
        return true
    }
}

/// The current time, and the cause of the jobs that are being posted. A cause is the fingerprint of
/// the act that posts a job and of the state before that act.
final class PostingCauses {
    var now = Instant(milliseconds: 1000)
    private var cause = StateFingerprint()
    private var posted = 0

    /// Sets the cause of the jobs that are posted from now on.
    func begin(_ cause: StateFingerprint) {
        self.cause = cause
        posted = 0
    }

    func next() -> StateFingerprint {
        posted += 1
        var origin = cause
        origin.mix(posted)
        return origin
    }
}
