import RefreshProtocol

/// Something that has happened in a session, as watchers are told of it and a trace logs it: no
/// items, parameters, tokens or headers. Source: docs/operations.md, "Watching".
struct SessionEvent: Hashable, Sendable {
    enum Happening: Hashable, Sendable {
        /// A connection was accepted as a session.
        case opened(loop: UInt16, peer: String?)
        /// The client has said `hello`, and the session is open.
        case greeted(client: String?, frames: FramesMode, subject: String?)
        /// A view is there.
        case attached
        /// A message came.
        case received(MessageType, seq: UInt64?)
        /// An edge of a view is in another state; `from` is nil where nobody looked before.
        case transition(EdgeRole, from: EdgeState?, to: EdgeState, cause: Cause?)
        case loadBegan(LoadID, LoadKind)
        /// `ms`: from its begin; nil where nobody knows.
        case loadEnded(LoadID, LoadKind, LoadResult, ms: Double?)
        /// The client was told of a fault.
        case fault(FaultCode, seq: UInt64?)
        /// The connection is gone, and the session waits for its client; nil: it was not the daemon
        /// who closed it.
        case detached(CloseCode?)
        /// The client has come back.
        case resumed
        /// The session has ended; nil: the client just left.
        case closed(CloseCode?)
    }

    let session: String
    /// The view that it is about, if it is about one.
    var view: ViewID?
    /// The feed of that view.
    @Bytewise<String?> var feed: String?
    let happening: Happening

    init(
        _ happening: Happening, session: String, view: ViewID? = nil, feed: String? = nil
    ) {
        self.happening = happening
        self.session = session
        self.view = view
        _feed = Bytewise(wrappedValue: feed)
    }

    /// As in its JSON.
    var name: StaticString {
        switch happening {
        case .opened: "opened"
        case .greeted: "greeted"
        case .attached: "attached"
        case .received: "received"
        case .transition: "transition"
        case .loadBegan: "loadBegan"
        case .loadEnded: "loadEnded"
        case .fault: "fault"
        case .detached: "detached"
        case .resumed: "resumed"
        case .closed: "closed"
        }
    }
}
