package import RefreshBroker
package import RefreshProtocol
internal import RefreshSession

/// Notifies the sessions of a loop of the changes of feeds. Source: docs/protocol.md, "Changes".
extension SessionHost {
    /// How many sessions are notified of a change in one job. The memory of more sessions would
    /// leave the processor's caches before their frames are sent.
    private static let changeBatchSize = 32

    /// Records that a feed has newer data. All hosts are notified at once, or 100 ms after their
    /// last notification about this feed.
    package func scheduleNotification(of change: FeedChange, at now: Instant) {
        if changes.record(change, at: now) { directory.feedChanged(change) }
        scheduleChangeDeadline()
    }

    /// Notifies the sessions that the feed has newer data, at most `changeBatchSize` in each job.
    /// `number`: the number of the change in the directory.
    func feedChanged(_ change: FeedChange, number: UInt64, at now: Instant) {
        notifiedChanges.beginNotifying(number)
        let spread = directory.spread(ofChange: number, of: change.feed)
        if spread != nil { directory.forgetPastRefreshes(of: change.feed, at: now) }
        notifySessions(keys, of: change, number: number, spread, at: now)
    }

    private func notifySessions(
        _ keys: ArraySlice<SessionKey>, of change: FeedChange, number: UInt64,
        _ spread: ChangeSpread?, at now: Instant
    ) {
        let batch = keys.prefix(Self.changeBatchSize).compactMap {
            sessions[$0.slot, $0.generation]
        }
        for session in batch { notify(session, of: change, spread, at: now) }
        // The kernel's code evicts that of the sessions from the processor's caches. Their frames
        // are therefore sent together.
        for session in batch {
            session.finishChange(at: now)
            updateWeight(of: session)
            arm(session)
        }
        let rest = keys.dropFirst(Self.changeBatchSize)
        guard !rest.isEmpty else { return notifiedChanges.endNotifying(number) }
        post { $0.notifySessions(rest, of: change, number: number, spread, at: $1) }
    }

    /// Notifies the session of a change of the feed, before `finishChange`. If `spread` is not nil,
    /// the refreshes of the session begin after a delay. A delayed refresh keeps its time.
    func notify(
        _ session: Session, of change: FeedChange, _ spread: ChangeSpread?, at now: Instant
    ) {
        let feed = change.feed
        let start = spread.map { spread in
            session.hasUndelayedRefresh(of: feed)
                ? directory.refreshStart(of: session, after: spread, of: feed, at: now) : now
        }
        session.handleChange(
            of: feed, refreshAt: start, count: change.count, items: change.items, at: now)
    }

    func scheduleChangeDeadline() {
        if let due = changes.nextDeadline { loop.scheduleWakeup(at: due) }
    }
}
