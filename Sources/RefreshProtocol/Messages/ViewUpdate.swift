/// The changes of one view that have not been sent yet. A later change of a value replaces the
/// earlier change, so the update remains one message, even if it waits for a long time. Haptic cues
/// and announcements are appended.
package struct ViewUpdate: Hashable, Sendable {
    package var refresh = EdgeUpdate()
    package var loadMore = EdgeUpdate()
    package private(set) var inset: InsetCommand?
    package private(set) var haptics = HapticCues()
    private var contents: Contents = []
    /// Nil if it has its default values. Most views have no infrequent changes to send.
    private var infrequentBox: Boxed<InfrequentUpdate>?

    /// The parts of the update that `isEmpty` tests together.
    private struct Contents: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        /// `infrequent` has content other than the offset, or `markNonEmpty` was called.
        static let infrequent = Contents(rawValue: 1)
        static let offset = Contents(rawValue: 2)
    }

    package init() {}

    /// Whether `infrequent` has content, or `markNonEmpty` was called.
    package var hasInfrequentUpdate: Bool { contents.contains(.infrequent) }

    package var infrequent: InfrequentUpdate { infrequentBox?.value ?? InfrequentUpdate() }

    package var offset: OffsetCommand? {
        get { contents.contains(.offset) ? infrequentBox?.value.offset : nil }
        set {
            if newValue == nil, !contents.contains(.offset) { return }
            if newValue == nil { contents.remove(.offset) } else { contents.insert(.offset) }
            changeInfrequent { $0.offset = newValue }
        }
    }

    package var isEmpty: Bool {
        refresh.isEmpty && loadMore.isEmpty && inset == nil && haptics.isEmpty && contents.isEmpty
    }

    // The same as `isEmpty`, but without a copy of the update. The copy would cost more than the
    // comparisons.
    @inline(__always)
    package mutating func isEmptyInPlace() -> Bool {
        refresh.isEmpty && loadMore.isEmpty && inset == nil && haptics.isEmpty && contents.isEmpty
    }

    /// Whether the update contains a command for the insets or the offset.
    @inline(__always)
    package mutating func hasCommandsInPlace() -> Bool {
        inset != nil || contents.contains(.offset)
    }

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
        haptics = HapticCues()
        if !contents.isEmpty {
            contents = []
            infrequentBox = nil
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
    package mutating func markNonEmpty() { contents.insert(.infrequent) }

    package mutating func append(_ haptic: Haptic) { haptics.append(haptic) }

    package mutating func append(_ cue: SpokenCue) {
        markNonEmpty()
        changeInfrequent { $0.cues.append(cue) }
    }

    package mutating func setFloor(_ state: FloorState, progress: Double) {
        markNonEmpty()
        changeInfrequent { $0.floor = (state, progress) }
    }

    package mutating func setList(count: Int, hasMore: Bool, lastUpdated: Instant?) {
        markNonEmpty()
        changeInfrequent {
            $0.list = (count, hasMore)
            $0.lastUpdated = lastUpdated ?? .never
        }
    }

    /// Removes the number of items and the time of the last refresh, because they belong to a page
    /// that is not sent. The update stays non-empty, because a change that is stored elsewhere may
    /// be part of it.
    package mutating func removeList() {
        changeInfrequent {
            $0.list = nil
            $0.lastUpdated = nil
        }
    }

    package mutating func setNewer(_ hasNewer: Bool) {
        markNonEmpty()
        changeInfrequent { $0.hasNewer = hasNewer }
    }

    /// Changes what a client with the feature `unread` receives.
    package mutating func changeUnread(_ change: (inout UnreadUpdate) -> Void) {
        markNonEmpty()
        changeInfrequent {
            var unread = $0.unread ?? UnreadUpdate()
            change(&unread)
            $0.unread = unread
        }
    }

    /// Removes everything that only a client with the feature `unread` receives.
    package mutating func removeUnread() { changeInfrequent { $0.unread = nil } }

    /// If no refresh has succeeded, or if the time of the last one was reset, `instant` is nil.
    private mutating func changeInfrequent(_ change: (inout InfrequentUpdate) -> Void) {
        var infrequent = infrequent
        change(&infrequent)
        infrequentBox = infrequent == InfrequentUpdate() ? nil : Boxed(infrequent)
    }
}

/// The form in journals. The offset is a member of its own there.
extension ViewUpdate: Codable {
    private enum CodingKeys: String, CodingKey {
        case refresh, loadMore, inset, offset, haptics
        case hasInfrequentUpdate = "hasRareNews"
        case infrequent = "rare"
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        refresh = try members.decode(EdgeUpdate.self, forKey: .refresh)
        loadMore = try members.decode(EdgeUpdate.self, forKey: .loadMore)
        inset = try members.decodeIfPresent(InsetCommand.self, forKey: .inset)
        haptics = try members.decode(HapticCues.self, forKey: .haptics)
        let infrequent = try members.decode(InfrequentUpdate.self, forKey: .infrequent)
        changeInfrequent { $0 = infrequent }
        if try members.decode(Bool.self, forKey: .hasInfrequentUpdate) { markNonEmpty() }
        offset = try members.decodeIfPresent(OffsetCommand.self, forKey: .offset)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(refresh, forKey: .refresh)
        try members.encode(loadMore, forKey: .loadMore)
        try members.encodeIfPresent(inset, forKey: .inset)
        try members.encodeIfPresent(offset, forKey: .offset)
        try members.encode(haptics, forKey: .haptics)
        try members.encode(hasInfrequentUpdate, forKey: .hasInfrequentUpdate)
        try members.encode(infrequent, forKey: .infrequent)
    }
}
