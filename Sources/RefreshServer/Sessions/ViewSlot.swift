import RefreshEngine
import RefreshProtocol

/// One attached view of a session: its engine, and what its client has and has not been told.
struct ViewSlot {
    let id: ViewID
    let profile: Profile
    /// Nil: the client is the backend.
    let feed: String?
    let parameters: [Parameter]
    var engine: Engine
    /// What changed and was not sent.
    var update = ViewUpdate()
    /// Whether `update` has its place in the session's queue.
    var isQueued = false
    /// Nil for a client that draws a spinner of its own.
    let indicators: ViewIndicators?
    /// The daemon's shares of the insets as sent, points.
    private var sentRefresh = 0.0
    private var sentLoadMore = 0.0
    private var refresh: ShownEdge
    private var loadMore: ShownEdge

    var generation: UInt32 { engine.generation }

    init(
        id: ViewID, profile: Profile, feed: String?, parameters: [Parameter], engine: Engine,
        indicators: ViewIndicators?
    ) {
        self.id = id
        self.profile = profile
        self.feed = feed
        self.parameters = parameters
        self.engine = engine
        self.indicators = indicators
        self.refresh = ShownEdge(state: engine.refresh.state)
        self.loadMore = ShownEdge(state: engine.loadMore.state)
    }

    /// Takes up what an edge shows now; what differs from what it showed waits to be told.
    @inline(__always)
    mutating func show(
        _ role: EdgeRole, _ state: EdgeState, progress: Double, cause: Cause?, result: LoadResult?,
        metrics: LoopMetrics, at now: Instant
    ) {
        indicators?.show(role, state, pull: progress, result: result, at: now)
        let hasChanged: Bool
        switch role {
        case .refresh:
            hasChanged = refresh.show(state, progress, cause, result, in: &update.refresh)
        case .loadMore:
            hasChanged = loadMore.show(state, progress, cause, result, in: &update.loadMore)
        }
        if hasChanged { metrics.entered(state, at: role) }
    }

    /// An update is to be told whose looks are those of `now`.
    @inline(__always)
    func look(at now: Instant) {
        guard let indicators else { return }
        indicators.followPull(engine.refresh.state, engine.pull, at: now)
        indicators.look(at: now)
    }

    /// Whether commands wait to be told. Mutating only in name, as the next: so it is asked in place.
    @inline(__always)
    mutating func hasCommands() -> Bool { update.hasCommandsInPlace() }

    /// Whether there is nothing to tell.
    @inline(__always)
    mutating func hasNothingToTell() -> Bool {
        update.isEmptyInPlace() && indicators?.hasNews() != true
    }

    /// Whether there is something to tell that has no place in the queue yet.
    @inline(__always)
    mutating func wantsPlace() -> Bool { !isQueued && !hasNothingToTell() }

    /// A finger came down before commands were sent that would now move the list under it: the release
    /// tells the insets; where the list is, the finger says.
    mutating func withdrawCommands() {
        update.withdrawCommands()
        engine.withdrawInsets(clientHasRefresh: sentRefresh, loadMore: sentLoadMore)
    }

    /// Appends the pending update; the client is taken to know it from then on.
    @inline(__always)
    mutating func writeUpdate(ack: UInt64, to frame: inout ByteBuffer) {
        if let indicators { return writeUpdate(with: indicators, ack: ack, to: &frame) }
        let refreshLook = refresh.look(after: update.refresh)
        let loadMoreLook = loadMore.look(after: update.loadMore)
        UpdateEncoder.write(
            &update, view: id, layout: engine.options.layout, ack: ack, refresh: refreshLook,
            loadMore: loadMoreLook, to: &frame)
        noteAsSent(refreshLook, loadMoreLook)
    }

    /// The same for a client that draws programmes.
    @inline(never)
    private mutating func writeUpdate(
        with indicators: ViewIndicators, ack: UInt64, to frame: inout ByteBuffer
    ) {
        indicators.writeFrames()
        UpdateEncoder.write(
            &update, view: id, layout: engine.options.layout, ack: ack, refresh: nil,
            loadMore: nil, frames: indicators.frames, to: &frame)
        noteAsSent(nil, nil)
    }

    @inline(__always)
    private mutating func noteAsSent(
        _ refreshLook: IndicatorChange?, _ loadMoreLook: IndicatorChange?
    ) {
        if let inset = update.inset {
            sentRefresh = inset.refresh ?? sentRefresh
            sentLoadMore = inset.loadMore ?? sentLoadMore
        }
        refresh.note(update.refresh, refreshLook)
        loadMore.note(update.loadMore, loadMoreLook)
        update.removeAll()
        isQueued = false
    }
}
