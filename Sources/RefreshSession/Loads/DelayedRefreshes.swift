package import RefreshBroker
import RefreshEngine
package import RefreshProtocol

/// The delayed refreshes of a session's views. After a change of a feed, a session can delay the
/// refresh of the views that show the feed. Source: docs/backends.md, "Changes".
///
/// The engine of a view records that a change waits for its refresh. If another refresh delivers
/// the change earlier, the engine discards this record. `DelayedRefreshes` contains only the times.
/// When the time of a view is reached, its engine is notified, unless the record was discarded.
struct DelayedRefreshes: Hashable, Sendable {
    private struct Delay: Hashable, Sendable, Codable {
        /// The generation of the view.
        var view: UInt32
        var due: Instant
    }

    /// At most one delay for each view, in no particular order.
    private var delays: [Delay] = []

    /// When the next refresh begins; `never` if none is delayed.
    private(set) var due = Instant.never

    var isEmpty: Bool { delays.isEmpty }

    /// Delays the refresh of a view. An older delay of the view is replaced, because another
    /// refresh has already delivered the older change.
    mutating func insert(_ generation: UInt32, until due: Instant) {
        remove(generation)
        delays.append(Delay(view: generation, due: due))
        self.due = min(self.due, due)
    }

    /// Removes the delay of a view that is detached.
    mutating func remove(_ generation: UInt32) {
        guard !delays.isEmpty else { return }
        delays.removeAll { $0.view == generation }
        due = delays.map(\.due).min() ?? .never
    }

    /// Removes the delays that are due. Returns the generations of their views.
    mutating func removeDue(at now: Instant) -> [UInt32] {
        let views = delays.filter { $0.due <= now }.map(\.view).sorted()
        delays.removeAll { $0.due <= now }
        due = delays.map(\.due).min() ?? .never
        return views
    }
}

/// The member that is written to a journal's checkpoint if refreshes are delayed.
extension DelayedRefreshes: Codable {
    private enum CodingKeys: String, CodingKey { case delayedRefreshes }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        delays = try members.decodeIfPresent([Delay].self, forKey: .delayedRefreshes) ?? []
        due = delays.map(\.due).min() ?? .never
    }

    func encode(to encoder: any Encoder) throws {
        guard !isEmpty else { return }
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(delays, forKey: .delayedRefreshes)
    }
}

extension Session {
    /// Handles a change of a feed, which the input `changed` describes. If the session is not
    /// recorded, its output is sent by `finishChange`.
    package func handleChange(
        of feed: String, refreshAt: Instant?, count: NewerCount, items: [ItemChange]?,
        at now: Instant
    ) {
        if recorder != nil {
            handle(.changed(feed: feed, refreshAt: refreshAt, count: count, items: items), at: now)
        } else if conversation.value.hasViews(of: feed) {
            conversation.value.handleFeedChange(
                feed, count: count, items, refreshAt: refreshAt, at: now)
        }
    }

    package func finishChange(at now: Instant) {
        if recorder == nil { finishInput(at: now) }
    }
}

/// Handles the changes of the feeds that the views show. Source: docs/protocol.md, "Changes".
extension Conversation {
    func hasViews(of feed: String) -> Bool {
        // A closure that takes a view would copy the view.
        for index in views.indices where views[index].feed?.name == feed { return true }
        return false
    }

    /// Whether a change of the feed would cause a refresh in a view that has no delayed refresh.
    func hasUndelayedRefresh(of feed: String) -> Bool {
        for index in views.indices
        where views[index].feed?.name == feed && views[index].engine.refreshesOnChange
            && !views[index].engine.hasWaitingChange
        {
            return true
        }
        return false
    }

    /// Notifies the views that show the feed. If `start` is not nil, the views that refresh because
    /// of the change are notified at `start`. All other views are notified at once. A view that can
    /// take the operations of `items` is not notified.
    mutating func handleFeedChange(
        _ feed: String, count: NewerCount, _ items: [ItemChange]?, refreshAt start: Instant?,
        at now: Instant
    ) {
        var count = count
        if let items {
            let subject = principal.subject
            let concerned = items.count { $0.concerns(subject) }
            // A change may state what has changed in the lists of other subjects.
            guard concerned > 0 || items.isEmpty else { return }
            if items.allSatisfy({ $0.operations.isEmpty }) {
                return verifyLists(of: feed, at: now)
            }
            // Only the insertions into the lists of the session's own subject count.
            if concerned < items.count {
                count = NewerCount(
                    items.reduce(0) { $1.concerns(subject) ? $0 + $1.insertCount : $0 })
            }
        }
        for index in views.indices where views[index].feed?.name == feed {
            guard let discarded = takeOperations(of: items, toViewAt: index, at: now) else {
                continue
            }
            var count = count
            count.add(NewerCount(discarded))
            notify(ofChange: count, viewAt: index, refreshAt: start, at: now)
            if discarded > 0 { endHeldCount(ofViewAt: index, at: now) }
        }
    }

    /// Verifies the lists of the views that apply operations.
    private mutating func verifyLists(of feed: String, at now: Instant) {
        guard inbound.features?.uses(.live) == true else { return }
        for index in views.indices where views[index].feed?.name == feed {
            // Without a client, the verification waits for its return.
            guard phase.isOpen else {
                updateVerification(ofViewAt: index) { $0.schedule(at: now) }
                continue
            }
            updateVerification(ofViewAt: index) { $0.recordVerification(at: now) }
            applyEvent(.orderUncertain, toViewAt: index, because: .feed, at: now)
        }
    }

    private mutating func notify(
        ofChange count: NewerCount, viewAt index: Int, refreshAt start: Instant?, at now: Instant
    ) {
        guard let start, views[index].engine.refreshesOnChange else {
            return applyEvent(
                .feedChanged(count: count), toViewAt: index, because: .feed, at: now)
        }
        let isWaiting = views[index].engine.hasWaitingChange
        views[index].engine.delayChange(count: count)
        guard !isWaiting else { return }
        delayedRefreshes.insert(views[index].generation, until: start)
        phase.timeoutCheckDue = earliestTimeout
    }

    /// Notifies the views whose delayed refreshes are due.
    mutating func beginDelayedRefreshes(at now: Instant) {
        for generation in delayedRefreshes.removeDue(at: now) {
            guard let index = viewIndex(generation: generation),
                views[index].engine.hasDelayedChange
            else { continue }
            // The newer items were counted when the change was delayed.
            applyEvent(.feedChanged(count: .none), toViewAt: index, because: .feed, at: now)
        }
    }
}
