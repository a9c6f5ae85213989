internal import Synchronization

/// Says that the daemon lives, as long as each of its threads that serve answers when it is asked.
///
/// At every `beat` it asks all of them by a job in their mailboxes, if all have answered what they
/// were asked before; it tells of life when they have. One that hangs keeps the word back, and the
/// service manager ends the daemon then.
package final class Watchdog: Sendable {
    private struct State {
        var asked = 0
        var unanswered: Set<Int> = []
    }

    private let members: [@Sendable (_ answer: @escaping @Sendable () -> Void) -> Void]
    private let alive: @Sendable () -> Void
    private let state = Mutex(State())

    /// Each of `members` has its thread call `answer` soon; `alive` is called on the thread that
    /// answered last.
    package init(
        asking members: [@Sendable (_ answer: @escaping @Sendable () -> Void) -> Void],
        alive: @escaping @Sendable () -> Void
    ) {
        self.members = members
        self.alive = alive
    }

    /// Half of the time that the service manager allows has passed. Whether all had answered; if
    /// not, nothing is asked again.
    @discardableResult
    package func beat() -> Bool {
        let round = state.withLock { state -> Int? in
            guard state.unanswered.isEmpty else { return nil }
            state.asked += 1
            state.unanswered = Set(members.indices)
            return state.asked
        }
        guard let round else { return false }
        for (index, ask) in members.enumerated() { ask { self.answered(index, in: round) } }
        return true
    }

    private func answered(_ member: Int, in round: Int) {
        let isLast = state.withLock { state in
            guard state.asked == round, state.unanswered.remove(member) != nil else {
                return false
            }
            return state.unanswered.isEmpty
        }
        if isLast { alive() }
    }
}
