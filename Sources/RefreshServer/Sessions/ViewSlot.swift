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

    subscript(edge: Edge) -> ShownEdge {
        @inline(__always) get { edge == .top ? top : bottom }
        @inline(__always) _modify {
            switch edge {
            case .top: yield &top
            case .bottom: yield &bottom
            }
        }
    }
}
