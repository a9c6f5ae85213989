internal import RefreshProtocol
internal import RefreshServer
internal import Synchronization

/// The loop of sessions in process: its jobs and its wake-up wait until they are asked for.
final class InProcessLoop: SessionLoop {
    private struct State {
        var jobs: [@Sendable (Instant) -> Void] = []
        var wake: Instant?
    }

    private let state = Mutex(State())

    func run(_ job: @escaping @Sendable (_ now: Instant) -> Void) {
        state.withLock { $0.jobs.append(job) }
    }

    func wake(at moment: Instant) {
        guard moment != .never else { return }
        state.withLock { state in state.wake = min(state.wake ?? moment, moment) }
    }

    /// The job that was posted first, and is forgotten.
    func takeJob() -> (@Sendable (Instant) -> Void)? {
        state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    }

    /// When it was asked to wake its host.
    var nextWake: Instant? { state.withLock { $0.wake } }

    /// Whether that moment has come, and forgets it then.
    func takeWake(at now: Instant) -> Bool {
        state.withLock { state in
            guard let wake = state.wake, wake <= now else { return false }
            state.wake = nil
            return true
        }
    }
}
