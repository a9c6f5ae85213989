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
    /// The daemon's shares of the insets as sent, points.
    private var sentRefresh = 0.0
    private var sentLoadMore = 0.0
    private var refresh: ShownEdge
    private var loadMore: ShownEdge

    var generation: UInt32 { engine.generation }

    init(
        id: ViewID, profile: Profile, feed: String?, parameters: [Parameter], engine: Engine
    ) {
        self.id = id
        self.profile = profile
        self.feed = feed
        self.parameters = parameters
        self.engine = engine
        self.refresh = ShownEdge(state: engine.refresh.state)
        self.loadMore = ShownEdge(state: engine.loadMore.state)
    }

    /// Takes up what an edge shows now; what differs from what it showed waits to be told.
    @inline(__always)
    mutating func show(
        _ role: EdgeRole, _ state: EdgeState, progress: Double, cause: Cause?, result: LoadResult?,
        metrics: LoopMetrics
    ) {
        let hasChanged: Bool
        switch role {
        case .refresh:
            hasChanged = refresh.show(state, progress, cause, result, in: &update.refresh)
        case .loadMore:
            hasChanged = loadMore.show(state, progress, cause, result, in: &update.loadMore)
        }
        if hasChanged { metrics.entered(state, at: role) }
    }

    /// Whether commands wait to be told. Mutating only in name, as the next: so it is asked in place.
    @inline(__always)
    mutating func hasCommands() -> Bool { update.hasCommandsInPlace() }

    /// Whether the update has nothing to tell.
    @inline(__always)
    mutating func hasNothingToTell() -> Bool { update.isEmptyInPlace() }

    /// Whether the update has something to tell and no place in the queue yet.
    @inline(__always)
    mutating func wantsPlace() -> Bool { !isQueued && !update.isEmptyInPlace() }

    /// A finger came down before commands were sent that would now move the list under it: the release
    /// tells the insets; where the list is, the finger says.
    mutating func withdrawCommands() {
        update.withdrawCommands()
        engine.withdrawInsets(clientHasRefresh: sentRefresh, loadMore: sentLoadMore)
    }

    /// Appends the pending update; the client is taken to know it from then on.
    @inline(__always)
    mutating func writeUpdate(ack: UInt64, to frame: inout ByteBuffer) {
        let refreshLook = refresh.look(after: update.refresh)
        let loadMoreLook = loadMore.look(after: update.loadMore)
        UpdateEncoder.write(
            &update, view: id, layout: engine.options.layout, ack: ack, refresh: refreshLook,
            loadMore: loadMoreLook, to: &frame)
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
