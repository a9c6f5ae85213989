internal import RefreshProtocol

/// The reason why a waiter (a session's load that waits for an answer) does not need its page.
package enum LeaveReason: String, Hashable, Sendable {
    case unwanted
    /// The waiter's deadline has passed by the waiter's own clock. The outcome is the same as if
    /// the broker had detected the timeout.
    case outOfTime

    /// The outcome that the waiter receives.
    var outcome: LoadOutcome {
        switch self {
        case .unwanted: .cancelled
        case .outOfTime: .timedOut
        }
    }

    /// The result with which the call is counted if it has no other waiters.
    var result: LoadResult {
        switch self {
        case .unwanted: .cancelled
        case .outOfTime: .timedOut
        }
    }
}
