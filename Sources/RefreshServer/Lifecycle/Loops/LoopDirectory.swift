package import RefreshBroker
package import RefreshCluster
package import RefreshProtocol
package import RefreshSession
internal import Synchronization

/// The refreshes of all feeds that are planned because of changes.
private struct RefreshBudgets {
    var byFeed: [String: RefreshBudget] = [:]
    /// This node's share of `perSecondMax`, and the feeds to which it applies; nil without a
    /// cluster.
    var shares: (share: Double, feeds: Set<String>)?
}

/// Finds the hosts of the daemon's sessions by the index of their loop. The directory delivers load
/// events and feed changes to the hosts.
package final class LoopDirectory: Sendable {
    private let hosts = Mutex<[UInt16: SessionHost]>([:])
    private let changes = Mutex(FeedHistory())
    /// The policies that decide when sessions refresh after changes, by feed name. Only feeds whose
    /// sessions may have to wait are included.
    private let changePolicies = Mutex<[String: FeedPolicy.Changes]>([:])
    private let refreshBudgets = Mutex(RefreshBudgets())
    /// Makes the delays of the sessions unpredictable for clients.
    private let seed: UInt64
    /// The connected sessions, in the order in which their connections were opened. If memory is
    /// too short, the newest are closed first.
    let connectedSessions = ConnectedSessions()
    /// The number of sessions that `shedNewest` is closing.
    private let shedsInProgress = RunningCount()
    /// Limits the clock-driven frames of each network.
    let play = NetworkPlay()
    /// The places (loop and slot) of the sessions that clients may resume.
    let sessions = SessionDirectory()
    /// Asks the other nodes of a cluster for a session; nil if the sessions are this daemon's only.
    let fence: (any SessionFencing)?

    /// Whether feeds may have changed at other nodes, before a snapshot brings a session to this
    /// node.
    let isClustered: Bool

    /// `seed`: the daemon draws it at random.
    package convenience init(seed: UInt64 = 0, isClustered: Bool = false) {
        self.init(seed: seed, isClustered: isClustered, fence: nil)
    }

    /// `fence`: nil if no other node can read the snapshots of this one.
    package init(seed: UInt64, isClustered: Bool, fence: (any SessionFencing)?) {
        self.seed = seed
        self.isClustered = isClustered
        self.fence = fence
    }

    /// Registers the host of a loop, so that its sessions can be found.
    package func register(_ host: SessionHost, index: UInt16) {
        hosts.withLock { $0[index] = host }
    }

    /// Removes all hosts when the daemon has ended. This breaks the reference cycle with the hosts.
    /// Later events are dropped.
    package func close() {
        hosts.withLock { $0.removeAll() }
    }

    /// Delivers an event to the hosts of the sessions that wait for the load. May be called on any
    /// thread.
    package func deliver(_ event: LoadEvent, to tickets: [LoadTicket]) {
        if tickets.count == 1 {
            return deliver(event, to: tickets[...], ofLoop: tickets[0].session.loop)
        }
        for (loop, tickets) in Dictionary(grouping: tickets, by: \.session.loop) {
            deliver(event, to: tickets[...], ofLoop: loop)
        }
    }

    private func deliver(
        _ event: LoadEvent, to tickets: ArraySlice<LoadTicket>, ofLoop loop: UInt16
    ) {
        self[loop]?.post { $0.handleLoadEvent(event, for: tickets, at: $1) }
    }

    /// Delivers an input to the session with this initial key, wherever it is. May be called on any
    /// thread.
    package func deliver(_ input: SessionInput, to session: SessionKey) {
        self[session.loop]?.post { $0.handle(input, ofSession: session, at: $1) }
    }

    /// Records that a feed has newer data. Sessions are notified at once, or 100 ms after the last
    /// notification of this feed. May be called on any thread.
    package func scheduleNotification(of change: FeedChange) {
        self[0]?.post { $0.scheduleNotification(of: change, at: $1) }
    }

    /// Applies the configured policies for the changes of feeds, by feed name. May be called on any
    /// thread.
    package func applyChangePolicies(_ policies: [String: FeedPolicy.Changes]) {
        let delaying = policies.filter { $0.value.delaysRefreshes }
        changePolicies.withLock { $0 = delaying }
        refreshBudgets.withLock { budgets in
            budgets.byFeed = budgets.byFeed.filter { delaying[$0.key] != nil }
        }
    }

    /// Sets the share of `perSecondMax` that this node of a cluster takes, for the feeds that the
    /// nodes share. May be called on any thread.
    func applyRefreshShare(_ share: Double, of feeds: Set<String>) {
        refreshBudgets.withLock { $0.shares = (share, feeds) }
    }

    /// The delays of the sessions for a change of the feed; nil if the sessions refresh at once.
    func spread(ofChange number: UInt64, of feed: String) -> ChangeSpread? {
        changePolicies.withLock { $0[feed] }.map {
            ChangeSpread($0, number: number, seed: seed)
        }
    }

    /// Returns when the session may begin to refresh. If the number of refreshes per second is
    /// limited, reserves this time in the budget of the feed.
    func refreshStart(
        of session: Session, after spread: ChangeSpread, of feed: String, at now: Instant
    ) -> Instant {
        let due = now.advanced(byMilliseconds: spread.delayMs(of: session.initialKey))
        let most = spread.policy.perSecondMax
        guard most > 0 else { return due }
        return refreshBudgets.withLock {
            let share = $0.shares.flatMap { $0.feeds.contains(feed) ? $0.share : nil } ?? 1
            return $0.byFeed[feed, default: RefreshBudget()].takePlace(
                at: due, perSecondMax: most, share: share)
        }
    }

    /// Removes the past seconds from the budget of the feed.
    func forgetPastRefreshes(of feed: String, at now: Instant) {
        refreshBudgets.withLock { $0.byFeed[feed]?.forgetPast(at: now) }
    }

    /// Notifies all sessions that have a view of the feed. May be called on any thread.
    package func feedChanged(_ change: FeedChange) {
        // The jobs are posted under the lock, before the next change gets its number. All hosts
        // therefore handle changes in the same order.
        changes.withLock { changes in
            let number = changes.recordChange(of: change.feed)
            for host in all {
                host.post { $0.feedChanged(change, number: number, at: $1) }
            }
        }
    }

    /// The feeds that have changed after the change with that number.
    func changes(after number: UInt64) -> [String] {
        changes.withLock { $0.changed(after: number) }
    }

    /// Whether a session with this name is at this daemon, connected or not.
    package func hasSession(_ name: String) -> Bool { sessions.key(of: name) != nil }

    /// The hosts of all loops.
    var all: [SessionHost] { hosts.withLock { Array($0.values) } }

    /// Evicts detached sessions of the clients whose detached sessions use the most bytes, because
    /// memory is short. May be called on any thread. `then` is called on the thread of a loop when
    /// the sessions have ended. If there is nothing to evict, `then` is called at once.
    func evictDetachedSessions(then: @escaping @Sendable () -> Void) {
        let keys = sessions.removeHeaviest()
        guard !keys.isEmpty else { return then() }
        for key in keys { expire(key) }
        let loops = Set(keys.map(\.loop))
        let left = SharedCount(loops.count)
        for loop in loops {
            guard let host = self[loop] else {
                if left.countDown() { then() }
                continue
            }
            // This job runs after the evictions that were posted to the loop.
            host.post { _, _ in if left.countDown() { then() } }
        }
    }

    /// Closes the sessions with the newest connections, as many as must close to free enough
    /// memory. May be called on any thread. While sessions of an earlier call are still closing, a
    /// call has an effect only if memory exceeds the bound by more than 2 %.
    func shedNewest(for reading: MemoryReading) {
        let isFar = reading.used - reading.bound > reading.bound / 50
        guard isFar || shedsInProgress.value == 0 else { return }
        // The share is computed as if sessions used all memory. It is therefore too small rather
        // than too large. The next check closes more sessions if necessary.
        let share = Double(reading.excess) / Double(max(1, reading.used))
        for key in connectedSessions.removeNewest(share: share) {
            guard let host = self[key.loop] else { continue }
            shedsInProgress.add(1)
            host.shed(key) { [shedsInProgress] in shedsInProgress.add(-1) }
        }
    }

    /// Ends the session at `key`, if it still waits for its client. May be called on any thread.
    func expire(_ key: SessionKey) {
        self[key.loop]?.post { host, now in
            guard let session = host.session(at: key), session.resumeDeadline != nil else { return }
            host.expire(session, at: now)
        }
    }

    /// The host of a running loop.
    package subscript(index: UInt16) -> SessionHost? { hosts.withLock { $0[index] } }
}
