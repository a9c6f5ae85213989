/// The changes of one view that have not been sent yet. A later change of a value replaces the
/// earlier change, so the update remains one message, even if it waits for a long time. Haptic cues
/// and announcements are appended.
package struct ViewUpdate: Hashable, Sendable, Codable {
    package var refresh = EdgeUpdate()
    package var loadMore = EdgeUpdate()
    package private(set) var inset: InsetCommand?
    package var offset: OffsetCommand?
    package private(set) var haptics = HapticCues()
    /// Whether `infrequent` has content, or `markNonEmpty` was called.
    package private(set) var hasInfrequentUpdate = false
    package private(set) var infrequent = InfrequentUpdate()

    // The names of the properties in journals.
    private enum CodingKeys: String, CodingKey {
        case refresh, loadMore, inset, offset, haptics
        case hasInfrequentUpdate = "hasRareNews"
        case infrequent = "rare"
    }

    package init() {}

    package var isEmpty: Bool {
        refresh.isEmpty && loadMore.isEmpty && inset == nil && offset == nil && haptics.isEmpty
            && !hasInfrequentUpdate
    }

    // The same as `isEmpty`, but without a copy of the update. The copy would cost more than the
    // comparisons.
    @inline(__always)
    package mutating func isEmptyInPlace() -> Bool {
        refresh.isEmpty && loadMore.isEmpty && inset == nil && offset == nil && haptics.isEmpty
            && !hasInfrequentUpdate
    }

    /// Whether the update contains a command for the insets or the offset.
    @inline(__always)
    package mutating func hasCommandsInPlace() -> Bool { inset != nil || offset != nil }

    /// Merges `command` with the inset command that has not been sent yet. If `command` has an
    /// inset share for an edge, this share replaces the older share of that edge. Both edges get
    /// the timeline of `command`.
    package mutating func merge(_ command: InsetCommand) {
        inset = InsetCommand(
            refresh: command.refresh ?? inset?.refresh,
            loadMore: command.loadMore ?? inset?.loadMore, timeline: command.timeline)
    }

    /// Removes the commands for the insets and the offset. If the offset command belongs to a
    /// `reveal`, the update reports this `reveal` as cancelled.
    package mutating func removeCommands() {
        inset = nil
        removeOffset()
    }

    /// Removes the `offset` command. A reveal that the command would have completed is cancelled.
    package mutating func removeOffset() {
        if offset != nil, infrequent.unread?.revealed == .reached {
            changeUnread { $0.revealed = .cancelled }
        }
        offset = nil
    }

    /// Clears the update after it was sent.
    @inline(__always)
    package mutating func removeAll() {
        refresh.removeAll()
        loadMore.removeAll()
        inset = nil
        offset = nil
        haptics = HapticCues()
        if hasInfrequentUpdate {
            hasInfrequentUpdate = false
            infrequent = InfrequentUpdate()
        }
    }

    /// Adds both complete inset shares with immediate effect, even if the client already knows
    /// them.
    package mutating func setInsetsImmediately(refresh: Double, loadMore: Double, at now: Instant) {
        merge(
            InsetCommand(
                refresh: refresh, loadMore: loadMore,
                timeline: Timeline(start: now, duration: 0, curve: .linear)))
    }

    /// Marks the update as non-empty because of a change that is stored elsewhere.
    package mutating func markNonEmpty() { hasInfrequentUpdate = true }

    package mutating func append(_ haptic: Haptic) { haptics.append(haptic) }

    package mutating func append(_ cue: SpokenCue) {
        hasInfrequentUpdate = true
        infrequent.cues.append(cue)
    }

    package mutating func setFloor(_ state: FloorState, progress: Double) {
        hasInfrequentUpdate = true
        infrequent.floor = (state, progress)
    }

    package mutating func setList(count: Int, hasMore: Bool) {
        hasInfrequentUpdate = true
        infrequent.list = (count, hasMore)
    }

    /// Removes the number of items and the time of the last refresh, because they belong to a page
    /// that is not sent. The update stays non-empty, because a change that is stored elsewhere may
    /// be part of it.
    package mutating func removeList() {
        infrequent.list = nil
        infrequent.lastUpdated = nil
    }

    package mutating func setNewer(_ hasNewer: Bool) {
        hasInfrequentUpdate = true
        infrequent.hasNewer = hasNewer
    }

    /// Changes what a client with the feature `unread` receives.
    package mutating func changeUnread(_ change: (inout UnreadUpdate) -> Void) {
        hasInfrequentUpdate = true
        var unread = infrequent.unread ?? UnreadUpdate()
        change(&unread)
        infrequent.unread = unread
    }

    /// Removes everything that only a client with the feature `unread` receives.
    package mutating func removeUnread() { infrequent.unread = nil }

    /// If no refresh has succeeded, or if the time of the last one was reset, `instant` is nil.
    package mutating func setLastUpdated(_ instant: Instant?) {
        hasInfrequentUpdate = true
        infrequent.lastUpdated = instant ?? .never
    }
}
