/// What changed in one view and was not told yet. A later change of the same thing replaces the
/// earlier one, so it stays one message however long it waits; haptic cues append.
package struct ViewUpdate: Hashable, Sendable, Codable {
    package var refresh = EdgeUpdate()
    package var loadMore = EdgeUpdate()
    package private(set) var inset: InsetCommand?
    package var offset: OffsetCommand?
    package private(set) var haptics = HapticCues()
    /// Whether `rare` holds anything.
    package private(set) var hasRareNews = false
    package private(set) var rare = RareNews()

    package init() {}

    package var isEmpty: Bool {
        refresh.isEmpty && loadMore.isEmpty && inset == nil && offset == nil && haptics.isEmpty
            && !hasRareNews
    }

    // The same, asked of an update where it lies: a copy would cost more than the answer.
    @inline(__always)
    package mutating func isEmptyInPlace() -> Bool {
        refresh.isEmpty && loadMore.isEmpty && inset == nil && offset == nil && haptics.isEmpty
            && !hasRareNews
    }

    /// Whether something is to be moved.
    @inline(__always)
    package mutating func hasCommandsInPlace() -> Bool { inset != nil || offset != nil }

    /// The newer command wins, edge by edge; one timeline serves both.
    package mutating func merge(_ command: InsetCommand) {
        inset = InsetCommand(
            refresh: command.refresh ?? inset?.refresh,
            loadMore: command.loadMore ?? inset?.loadMore, timeline: command.timeline)
    }

    /// Nothing is to be moved.
    package mutating func withdrawCommands() {
        inset = nil
        offset = nil
    }

    /// Everything was told.
    @inline(__always)
    package mutating func removeAll() {
        refresh.removeAll()
        loadMore.removeAll()
        inset = nil
        offset = nil
        haptics = HapticCues()
        if hasRareNews {
            hasRareNews = false
            rare = RareNews()
        }
    }

    /// The inset shares are told whole, at once, also where the client knows them.
    package mutating func correctInsets(refresh: Double, loadMore: Double, at now: Instant) {
        merge(
            InsetCommand(
                refresh: refresh, loadMore: loadMore,
                timeline: Timeline(start: now, duration: 0, curve: .linear)))
    }

    /// There is something to tell that is kept elsewhere.
    package mutating func callForAttention() { hasRareNews = true }

    package mutating func append(_ haptic: Haptic) { haptics.append(haptic) }

    package mutating func append(_ cue: SpokenCue) {
        hasRareNews = true
        rare.cues.append(cue)
    }

    package mutating func showFloor(_ state: FloorState, progress: Double) {
        hasRareNews = true
        rare.floor = (state, progress)
    }

    package mutating func showList(count: Int, hasMore: Bool) {
        hasRareNews = true
        rare.list = (count, hasMore)
    }

    package mutating func showNewer(_ hasNewer: Bool) {
        hasRareNews = true
        rare.hasNewer = hasNewer
    }

    /// Nil: no refresh has succeeded, or that is forgotten.
    package mutating func showLastUpdated(_ instant: Instant?) {
        hasRareNews = true
        rare.lastUpdated = instant ?? .never
    }
}
