import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// One attached view of a session: its engine, the state that was last sent to its client, and the
/// unsent changes.
package struct ViewSlot {
    let id: ViewID
    /// The feed of the view; nil if the client is the backend.
    let feed: FeedUse?
    var engine: Engine
    /// The changes that were not sent yet.
    var update = ViewUpdate()
    /// The daemon's shares of the insets that were last sent, in points.
    private var sentRefresh = 0.0
    private var sentLoadMore = 0.0
    private var refresh: LastSentEdge
    // The next three properties are stored in the free bytes of the last word of `refresh`.
    /// Whether `update` contains the whole state, for a client that has resumed.
    private var carriesWholeState = false
    /// Whether `update` is in the session's queue.
    var isQueued = false
    let profile: Profile
    private var loadMore: LastSentEdge
    /// The additional state for a `stream` or `local` client; nil for a `plain` one.
    private(set) var presentation: ViewPresentation?

    var generation: UInt32 { engine.generation }

    init(
        id: ViewID, profile: Profile, feed: FeedUse?, engine: Engine,
        presentation: ViewPresentation? = nil
    ) {
        self.id = id
        self.profile = profile
        self.feed = feed
        self.engine = engine
        self.refresh = LastSentEdge(state: engine.refresh.phase.state)
        self.loadMore = LastSentEdge(state: engine.loadMore.phase.state)
        self.presentation = presentation
    }

    /// Records the changes of an edge in `update`. Returns whether the state of the edge has
    /// changed.
    @inline(__always)
    mutating func recordEdge(
        _ role: EdgeRole, _ state: EdgeState, progress: Double, cause: Cause?, result: LoadResult?,
        at now: Instant
    ) -> Bool {
        if let presentation, presentation.playsIndicators {
            presentation.indicators.show(role, state, pull: progress, result: result, at: now)
        }
        switch role {
        case .refresh:
            return refresh.recordChange(state, progress, cause, result, in: &update.refresh)
        case .loadMore:
            return loadMore.recordChange(state, progress, cause, result, in: &update.loadMore)
        }
    }

    /// Whether commands wait to be sent. This function and the two below it are `mutating` only so
    /// that they read `update` in place, without a copy.
    @inline(__always)
    mutating func hasCommands() -> Bool { update.hasCommandsInPlace() }

    /// Whether the update is empty.
    @inline(__always)
    mutating func isUpdateEmpty() -> Bool { update.isEmptyInPlace() }

    /// Whether the update has content and is not in the queue yet.
    @inline(__always)
    mutating func needsEnqueueing() -> Bool { !isQueued && !update.isEmptyInPlace() }

    /// Withdraws unsent commands after a finger has touched the list, because they would move the
    /// list under the finger. The insets are sent when the finger is lifted. The offset is not
    /// sent, because the finger determines it.
    mutating func withdrawCommands() {
        update.removeCommands()
        engine.withdrawInsets(clientHasStart: sentRefresh, end: sentLoadMore)
        guard carriesWholeState else { return }
        // The insets of a resumed client are unknown, so the update must contain them.
        update.merge(
            InsetCommand(
                refresh: sentRefresh, loadMore: sentLoadMore,
                timeline: Timeline(start: .origin, duration: 0, curve: .linear)))
    }

    /// Appends the pending update, and records it as sent.
    @inline(__always)
    mutating func writeUpdate(ack: UInt64, to frame: inout ByteBuffer) {
        let refreshChange = refresh.indicatorChange(after: update.refresh)
        let loadMoreChange = loadMore.indicatorChange(after: update.loadMore)
        UpdateEncoder.write(
            &update, view: id, layout: engine.options.layout, ack: ack, refresh: refreshChange,
            loadMore: loadMoreChange, to: &frame)
        recordWritten(refreshChange, loadMoreChange)
    }

    @inline(__always)
    private mutating func recordWritten(
        _ refreshChange: IndicatorChange?, _ loadMoreChange: IndicatorChange?
    ) {
        if let inset = update.inset {
            sentRefresh = inset.refresh ?? sentRefresh
            sentLoadMore = inset.loadMore ?? sentLoadMore
        }
        refresh.recordSent(update.refresh, refreshChange)
        loadMore.recordSent(update.loadMore, loadMoreChange)
        update.removeAll()
        isQueued = false
        carriesWholeState = false
    }

    /// Appends the pending update of a `stream` or `local` client, and records it as sent. Returns
    /// whether the clock has caused the update.
    @inline(never)
    mutating func writePresentationUpdate(ack: UInt64, to frame: inout ByteBuffer) -> Bool {
        guard let presentation else { return false }
        let layout = engine.options.layout
        UpdateEncoder.writeUnclosed(
            &update, view: id, layout: layout, ack: ack,
            frames: &presentation.indicators.animators.value,
            to: &frame)
        presentation.writeChanges(layout, to: &frame)
        frame.append(0x7D as UInt8)
        recordWritten(nil, nil)
        return presentation.clearClockDriven()
    }

    /// Updates the presentation of a `stream` or `local` client after `event`. Returns whether
    /// there is a change to send.
    @inline(never)
    mutating func updatePresentation(after event: Event, at now: Instant) -> Bool {
        guard let presentation,
            presentation.update(after: event, in: &engine, pending: &update, at: now)
        else {
            return false
        }
        sendExactRest(after: event, presentation, at: now)
        update.markNonEmpty()
        return true
    }

    /// Sends the exact offset of a list after a `pan`, if the list stays beyond its resting range
    /// and no command moves it. The client has computed its offset from the resistance, so its
    /// offset is approximate, and a later movement would begin at this approximate offset.
    private mutating func sendExactRest(
        after event: Event, _ presentation: ViewPresentation, at now: Instant
    ) {
        guard case .panned(let sample) = event,
            sample.phase == .ended || sample.phase == .cancelled,
            update.offset == nil, engine.currentCommand(at: now) == nil,
            presentation.isOffsetApproximate(engine.physicalOffset)
        else { return }
        update.offset = OffsetCommand(
            target: engine.physicalOffset,
            timeline: Timeline(start: now, duration: 0, curve: .linear))
    }

    /// Advances the indicators of a `stream` client to `now`. Returns whether there is a frame to
    /// send.
    @discardableResult
    mutating func advanceIndicators(at now: Instant) -> Bool {
        guard let presentation, presentation.playsIndicators else { return false }
        presentation.indicators.advance(to: now)
        return presentation.indicators.hasChanges()
    }

    /// If an indicator has changed because time has passed, makes the next frame of the indicator
    /// pending (a clock-driven frame).
    mutating func prepareFrame(at now: Instant) {
        guard advanceIndicators(at: now) else { return }
        // If the update has other content, the clock is not the reason for sending it.
        if update.isEmptyInPlace() { presentation?.markClockDriven() }
        update.markNonEmpty()
    }

    /// Replaces the presentation, because the client's mode may have changed.
    mutating func replacePresentation(_ presentation: ViewPresentation?) {
        self.presentation = presentation
    }

    /// Prepares an update with the whole state, for a client that receives `attached` again.
    /// Pending changes are kept.
    mutating func prepareFullUpdate(at now: Instant) {
        if let edge = engine.edge(.refresh) { refresh.reset(to: edge, in: &update.refresh) }
        if let edge = engine.edge(.loadMore) { loadMore.reset(to: edge, in: &update.loadMore) }
        // A pending inset command keeps its timeline.
        let waiting = update.inset
        update.merge(
            InsetCommand(
                refresh: waiting?.refresh ?? engine.insets.sentStart,
                loadMore: waiting?.loadMore ?? engine.insets.sentEnd,
                timeline: waiting?.timeline ?? Timeline(start: now, duration: 0, curve: .linear)))
        carriesWholeState = true
        sentRefresh = engine.insets.sentStart
        sentLoadMore = engine.insets.sentEnd
        update.offset = update.offset ?? engine.currentCommand(at: now)
        if engine.options.refresh?.floor != nil {
            update.setFloor(engine.floor.state, progress: engine.floor.progress)
        }
        if engine.hasNewer { update.setNewer(true) }
        if let isAway = engine.isAway {
            update.changeUnread { unread in
                unread.newerCount = engine.newerCount
                unread.isAway = isAway
                unread.readMark = engine.readMark
            }
        }
        if engine.paging.hasPage {
            update.setList(
                count: engine.paging.itemCount, hasMore: engine.paging.hasMore,
                lastUpdated: engine.refresh.lastUpdated)
        }
    }

    /// Corrects a client that shows a wrong state of the refresh edge. The update contains the real
    /// state, even if it was sent before.
    mutating func prepareCorrection(at now: Instant) {
        presentation?.markMispredicted()
        update.markNonEmpty()
        update.refresh.state = engine.refresh.phase.state
        if update.refresh.progress == nil, engine.refresh.shownProgress > 0 {
            update.refresh.progress = engine.refresh.shownProgress
        }
        // A pending inset command is correct, and keeps its timeline.
        if update.inset?.refresh == nil {
            update.setInsetsImmediately(
                refresh: engine.insets.sentStart,
                loadMore: update.inset?.loadMore ?? engine.insets.sentEnd, at: now)
        }
        if update.offset == nil { update.offset = engine.currentCommand(at: now) }
    }
}

// MARK: Saved state
extension ViewSlot {
    /// The last sent state and the unsent changes of a view, in a journal's checkpoint.
    struct Delivery: Hashable, Codable {
        /// The client's headers that the feed forwards.
        var headers: [HeaderField]
        var update: ViewUpdate
        var sentRefresh: Double
        var sentLoadMore: Double
        var refresh: LastSentEdge
        var loadMore: LastSentEdge
        var carriesWholeState: Bool
        var isQueued: Bool
        var presentation: ViewPresentation.SavedState?
        /// What the client shows, for patches.
        var sentList: SentList?
        /// What waits for the view, for live items.
        var live: LiveItems?
        /// The edits of the user.
        var edits: EditLedger?
        /// The observation of pages and operations, for live items.
        var verification: ListVerification?

        private enum CodingKeys: String, CodingKey {
            case headers, update, sentRefresh, sentLoadMore, refresh, loadMore, isQueued
            case sentList, live, edits, verification
            case carriesWholeState = "isToldAnew"
            case presentation = "look"
        }
    }

    /// Returns the saved view. If `hasDelivery` is true, the view is saved for a checkpoint. If
    /// not, it is saved for a snapshot.
    func saved(hasDelivery: Bool) -> SavedView {
        var saved = SavedView(id: id, profile: profile, feed: feed?.saved, engine: engine)
        if hasDelivery {
            saved.delivery = Delivery(
                headers: feed?.headers ?? [], update: update, sentRefresh: sentRefresh,
                sentLoadMore: sentLoadMore, refresh: refresh, loadMore: loadMore,
                carriesWholeState: carriesWholeState, isQueued: isQueued,
                presentation: presentation?.savedState, sentList: feed?.sentList,
                live: feed?.live?.value, edits: feed?.edits?.value,
                verification: feed?.verification?.value)
        } else if let presentation {
            saved.pans = presentation.pans
            saved.indicators = EdgeRole.allCases.filter { engine.options.hasEdge($0) }.map {
                SavedView.Indicator(role: $0, name: presentation.indicators[$0]?.name)
            }
        }
        return saved
    }

    /// Restores the view. `headers` are the client's headers that the feed forwards. If the view
    /// has a delivery, which contains the headers, `headers` is ignored.
    init(_ saved: SavedView, headers: [HeaderField] = [], presentation: ViewPresentation? = nil) {
        self.init(
            id: saved.id, profile: saved.profile,
            feed: saved.feed.map { FeedUse($0, headers: saved.delivery?.headers ?? headers) },
            engine: saved.engine, presentation: presentation)
        guard let delivery = saved.delivery else { return }
        update = delivery.update
        sentRefresh = delivery.sentRefresh
        sentLoadMore = delivery.sentLoadMore
        refresh = delivery.refresh
        loadMore = delivery.loadMore
        carriesWholeState = delivery.carriesWholeState
        isQueued = delivery.isQueued
        feed?.sentList = delivery.sentList
        feed?.live = delivery.live.map { Boxed($0) }
        feed?.edits = delivery.edits.map { Boxed($0) }
        feed?.verification = delivery.verification.map { VerificationBox($0) }
    }
}
