internal import Synchronization

/// Reports that the daemon is alive, as long as each of its serving threads answers.
///
/// If all threads have answered the previous `ping`, the next `ping` posts a job to the mailbox of
/// each thread. When all threads have answered, the watchdog calls `alive`. A thread that hangs
/// prevents this call, and the service manager then ends the daemon.
package final class Watchdog: Sendable {
    private struct State {
        var lastRound = 0
        var unanswered: Set<Int> = []
    }

    private let members: [@Sendable (_ answer: @escaping @Sendable () -> Void) -> Void]
    private let alive: @Sendable () -> Void
    private let state = Mutex(State())

    /// Each of `members` must make its thread call `answer` soon. `alive` is called on the thread
    /// that answers last.
    package init(
        probing members: [@Sendable (_ answer: @escaping @Sendable () -> Void) -> Void],
        alive: @escaping @Sendable () -> Void
    ) {
        self.members = members
        self.alive = alive
    }

    /// Call this method at half of the interval that the service manager permits between two
    /// keep-alive notifications. If a thread has not answered the previous ping, returns false and
    /// pings no thread.
    @discardableResult
    package func ping() -> Bool {
        let round = state.withLock { state -> Int? in
            guard state.unanswered.isEmpty else { return nil }
            state.lastRound += 1
            state.unanswered = Set(members.indices)
            return state.lastRound
        }
        guard let round else { return false }
        for (index, probe) in members.enumerated() {
            probe { self.recordAnswer(of: index, in: round) }
        }
        return true
    }

    private func recordAnswer(of member: Int, in round: Int) {
        let isLast = state.withLock { state in
            guard state.lastRound == round, state.unanswered.remove(member) != nil else {
                return false
            }
            return state.unanswered.isEmpty
        }
        if isLast { alive() }
    }
}
