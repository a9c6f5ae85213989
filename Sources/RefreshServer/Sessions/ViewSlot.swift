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
    private var sentTop = 0.0
    private var sentBottom = 0.0
    var top: ShownEdge
    var bottom: ShownEdge

    var generation: UInt32 { engine.generation }

    init(
        id: ViewID, profile: Profile, feed: String?, parameters: [Parameter], engine: Engine
    ) {
        self.id = id
        self.profile = profile
        self.feed = feed
        self.parameters = parameters
        self.engine = engine
        self.top = ShownEdge(state: engine.refresh.state)
        self.bottom = ShownEdge(state: engine.loadMore.state)
    }

    /// Takes up what an edge shows now; what differs from what it showed waits to be told.
    @inline(__always)
    mutating func show(
        _ edge: Edge, _ state: EdgeState, progress: Double, cause: Cause?, result: LoadResult?,
        metrics: LoopMetrics
    ) {
        let hasChanged: Bool
        switch edge {
        case .top: hasChanged = top.show(state, progress, cause, result, in: &update.top)
        case .bottom: hasChanged = bottom.show(state, progress, cause, result, in: &update.bottom)
        }
        if hasChanged { metrics.entered(state, edge: edge) }
    }

    /// A finger came down before commands were sent that would now move the list under it: the release
    /// tells the insets; where the list is, the finger says.
    mutating func withdrawCommands() {
        update.withdrawCommands()
        engine.withdrawInsets(clientHasTop: sentTop, bottom: sentBottom)
    }

    /// Appends the pending update; the client is taken to know it from then on.
    @inline(__always)
    mutating func writeUpdate(ack: UInt64, to frame: inout ByteBuffer) {
        UpdateEncoder.write(
            update, view: id, ack: ack, known: (top.indicator, bottom.indicator), to: &frame)
        if let inset = update.inset {
            sentTop = inset.top ?? sentTop
            sentBottom = inset.bottom ?? sentBottom
        }
        if let told = update.top.indicator { top.indicator = told }
        if let told = update.bottom.indicator { bottom.indicator = told }
        update.removeAll()
        isQueued = false
    }
}
