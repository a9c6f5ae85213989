internal import RefreshProtocol

/// Why a waiter does not want its page any more.
package enum LeaveReason: String, Hashable, Sendable {
    case unwanted
    /// Its own clock says that its deadline is over: as much a time-out as one that the broker
    /// found.
    case outOfTime

    /// What is told of it.
    var outcome: LoadOutcome {
        switch self {
        case .unwanted: .cancelled
        case .outOfTime: .timedOut
        }
    }

    /// How a call ends that nobody else waits for.
    var result: LoadResult {
        switch self {
        case .unwanted: .cancelled
        case .outOfTime: .timedOut
        }
    }
}
