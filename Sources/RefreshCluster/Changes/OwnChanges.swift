internal import RefreshBroker
internal import RefreshProtocol

/// The changes that were reported at this node: their numbers, and the pace of their publication.
///
/// A change of a feed is published at once, then at most every 100 ms. Changes that wait for their
/// publication are merged into one, and have one number. If a `load` has named a waiting number to
/// another node, the next change gets a number of its own. Otherwise, the other node would regard
/// this change as known.
///
/// Numbers never restart while the process runs, even if the feed is removed and added again.
struct OwnChanges: Sendable {
    /// A change that must be published now.
    struct Publication: Equatable {
        var change: FeedChange
        var number: UInt64
    }

    private struct Counter {
        /// The number of the last change.
        var number: UInt64 = 0
        /// The last number that was published, or whose publication was impossible.
        var published: UInt64 = 0
        /// Whether a `load` has named `number` to another node.
        var isNamed = false
    }

    private var counters: [String: Counter] = [:]
    private var budget = ChangeBudget()

    /// Numbers a change. Returns what must be published now. Without a connection to the bus,
    /// nothing is published. The other nodes learn of the change from the next state.
    mutating func report(
        _ change: FeedChange, isConnected: Bool, at now: Instant
    ) -> Publication? {
        var counter = counters[change.feed] ?? Counter()
        if counter.number == counter.published || counter.isNamed {
            counter.number += 1
            counter.isNamed = false
        }
        let isDue = !isConnected || budget.record(change, at: now)
        if isDue { counter.published = counter.number }
        counters[change.feed] = counter
        return isConnected && isDue ? Publication(change: change, number: counter.number) : nil
    }

    /// Returns the changes that must be published now.
    mutating func removeDue(at now: Instant) -> [Publication] {
        budget.removeDue(at: now).map { change in
            let number = counters[change.feed]?.number ?? 0
            counters[change.feed]?.published = number
            return Publication(change: change, number: number)
        }
    }

    /// Returns all changes that wait, because there is no later time to publish them.
    mutating func removeAll(at now: Instant) -> [Publication] {
        removeDue(at: now.advanced(byMilliseconds: ChangeBudget.intervalMs))
    }

    /// The time at which the next waiting change must be published.
    var nextDeadline: Instant? { budget.nextDeadline }

    /// For each feed that has changed: the last published number.
    var published: [String: UInt64] {
        counters.compactMapValues { $0.published > 0 ? $0.published : nil }
    }

    /// Returns the number of the feed's last change, for a `load` that names it to another node.
    /// Returns nil if the feed has not changed.
    mutating func nameLast(of feed: String) -> UInt64? {
        guard let counter = counters[feed] else { return nil }
        counters[feed]?.isNamed = true
        return counter.number
    }
}
