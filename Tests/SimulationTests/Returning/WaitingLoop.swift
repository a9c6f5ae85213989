import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession

/// The loop of a host: what is posted waits until the search takes it.
///
/// A job cannot be looked at. What it is follows from what was done when it was posted, and from
/// the state in which that was done: so it is known by both.
///
/// `@unchecked Sendable`: a world lives on one thread.
final class WaitingLoop: SessionLoop, @unchecked Sendable {
    struct Job {
        let origin: StateFingerprint
        let postedAt: Instant
        fileprivate let deed: (Instant) -> Void
    }

    private(set) var jobs: [Job] = []
    private var wakeAt: Instant?
    private unowned let causes: PostingCauses

    init(_ causes: PostingCauses) { self.causes = causes }

    func run(_ job: @escaping @Sendable (Instant) -> Void) {
        jobs.append(Job(origin: causes.next(), postedAt: causes.now, deed: job))
    }

    func scheduleWakeup(at moment: Instant) { wakeAt = min(wakeAt ?? .never, moment) }

    /// Runs the job that was posted first.
    func runFirst() {
        guard !jobs.isEmpty else { return }
        jobs.removeFirst().deed(causes.now)
    }

    /// Whether it is time to wake, and forgets it.
    func takeWake() -> Bool {
        guard let wakeAt, wakeAt <= causes.now else { return false }
        self.wakeAt = nil
        return true
    }
}

/// Why jobs are posted just now, and the time.
final class PostingCauses {
    var now = Instant(milliseconds: 1000)
    private var cause = StateFingerprint()
    private var posted = 0

    /// What is posted from now on is because of this.
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
