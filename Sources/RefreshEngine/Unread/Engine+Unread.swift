package import RefreshProtocol

/// What a client with the feature `unread` learns of its list: the number of newer items, and
/// whether the newest end is in sight. Source: docs/protocol.md, "Unread items".
extension Engine {
    /// Beyond `awayDistance`, in points from the resting offset, the newest end counts as out of
    /// sight. Within `backDistance`, it counts as in sight again. Between the two distances, the
    /// state does not change, so that small movements do not make it alternate.
    private static let awayDistance = 48.0
    private static let backDistance = 24.0

    /// The state for a client with the feature `unread`; nil for any other client.
    var unread: Unread? {
        get { unreadBox?.value }
        set {
            unreadBox = newValue.map { Boxed($0) }
            changes.hasUnread = newValue != nil
        }
    }

    /// Sets whether the client has the feature `unread`.
    package mutating func setUnread(_ isUsed: Bool) {
        guard isUsed != (unreadBox != nil) else { return }
        guard isUsed else {
            if let revealLayoutEnd { endLayoutDeadline(revealLayoutEnd) }
            return unread = nil
        }
        var unread = Unread()
        if changes.isNotified || hasWaitingChange { unread.newerCount = .unknown }
        unread.isAway = isNewestEndAway(wasAway: false)
        self.unread = unread
    }

    /// The number of newer items, as the client shows it; nil if the client has no feature
    /// `unread`.
    package var newerCount: NewerCount? {
        guard let unread = unreadBox?.value else { return nil }
        var count = changes.isNotified ? unread.newerCount : .none
        count.add(NewerCount(Int(changes.heldCount)))
        return count
    }

    /// Whether the newest end of the list is out of sight; nil if the client has no feature
    /// `unread`.
    package var isAway: Bool? { unreadBox?.value.isAway }

    /// The name of the item up to which the user has read.
    package var readMark: String? { unreadBox?.value.readMark }

    func isNewestEndAway(wasAway: Bool) -> Bool {
        if paging.skippedPages > 0 { return true }
        let distance = (flight?.rest ?? offset) - geometry.restingOffset
        return distance > (wasAway ? Self.backDistance : Self.awayDistance)
    }

    /// Does the work that is due at the end of each event. It handles a change of the feed and
    /// operations on items, and updates the state for a client with the feature `unread`.
    @inline(never)
    mutating func handleAttention(at now: Instant, into effects: inout [Effect]) {
        if changes.isPending { handlePendingChange(at: now, into: &effects) }
        handleUnread(at: now, into: &effects)
        if changes.hasOperations || changes.heldCount > 0 {
            considerOperations(into: &effects)
        }
    }

    private mutating func handleUnread(at now: Instant, into effects: inout [Effect]) {
        guard let unread = unreadBox?.value else { return }
        if unread.reveal != nil {
            continueReveal(at: now, into: &effects)
            // A change of the feed can have waited for the end of the reveal.
            if changes.isPending { handlePendingChange(at: now, into: &effects) }
        }
        guard !floor.ownsList else { return }
        let isAway = isNewestEndAway(wasAway: unread.isAway)
        guard isAway != unread.isAway else { return }
        self.unread?.isAway = isAway
        effects.append(.showAway(isAway))
    }

    // MARK: The number of newer items

    /// Counts the newer items that a change of the feed reports.
    mutating func countNewer(_ count: NewerCount) {
        guard var unread else { return }
        unread.newerCount.add(count)
        unread.countSinceLoad.add(count)
        self.unread = unread
    }

    /// Records that a refresh has begun.
    mutating func beginCountSinceLoad() {
        if unreadBox != nil { unread?.countSinceLoad = .none }
    }

    /// Records that a refresh has ended and its items were accepted.
    mutating func endCountOfLoad() {
        guard let unread else { return }
        self.unread?.newerCount = unread.countSinceLoad
    }

    mutating func discardCount() {
        guard unreadBox != nil else { return }
        unread?.newerCount = .none
        unread?.countSinceLoad = .none
    }
}
