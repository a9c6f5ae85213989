internal import RefreshProtocol

/// The reason why a waiter no longer needs its page.
package enum LeaveReason: String, Hashable, Sendable {
    case unwanted
    /// Its deadline is over by its own clock. This is a timeout like one that the broker detects.
    case outOfTime

    /// The outcome that the waiter receives.
    var outcome: LoadOutcome {
        switch self {
        case .unwanted: .cancelled
        case .outOfTime: .timedOut
        }
    }

    /// The result of a call that has no other waiters.
    var result: LoadResult {
        switch self {
        case .unwanted: .cancelled
        case .outOfTime: .timedOut
        }
    }
}
