internal import RefreshProtocol
internal import RefreshServer
internal import Synchronization

/// The event loop of sessions in process. It stores the posted jobs and the wake-up time until a
/// caller removes them.
final class InProcessLoop: SessionLoop {
    private struct State {
        var jobs: [@Sendable (Instant) -> Void] = []
        var wakeTime: Instant?
    }

    private let state = Mutex(State())

    func run(_ job: @escaping @Sendable (_ now: Instant) -> Void) {
        state.withLock { $0.jobs.append(job) }
    }

    func scheduleWakeup(at moment: Instant) {
        guard moment != .never else { return }
        state.withLock { state in state.wakeTime = min(state.wakeTime ?? moment, moment) }
    }

    /// Removes and returns the job that was posted first.
    func dequeueJob() -> (@Sendable (Instant) -> Void)? {
        state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    }

    /// The time of the next wake-up; nil if no wake-up is requested.
    var nextWake: Instant? { state.withLock { $0.wakeTime } }

    /// Returns whether the wake-up is due. A due wake-up is cleared.
    func consumeDueWakeup(at now: Instant) -> Bool {
        state.withLock { state in
            guard let wake = state.wakeTime, wake <= now else { return false }
            state.wakeTime = nil
            return true
        }
    }
}
