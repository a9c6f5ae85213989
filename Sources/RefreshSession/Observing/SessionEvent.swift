package import RefreshProtocol

/// An event of a session for watchers (WebSocket connections of operators) and the trace. It
/// contains no items, parameters, tokens or headers. Source: docs/operations.md, "Watching".
package struct SessionEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A connection was accepted as a session.
        case opened(loop: UInt16, peer: String?)
        /// The client sent `hello`, and the session is open.
        case greeted(client: String?, frames: FramesMode, subject: String?)
        /// A view was attached.
        case attached
        /// A message was received.
        case received(MessageType, seq: UInt64?)
        /// An edge of a view changed its state. `from` is nil if the previous state was not
        /// observed.
        case transition(EdgeRole, from: EdgeState?, to: EdgeState, cause: Cause?)
        case loadBegan(LoadID, LoadKind)
        /// A load ended. `ms` is the time since the load began; nil if it is unknown.
        case loadEnded(LoadID, LoadKind, LoadResult, ms: Double?)
        /// A fault was sent to the client.
        case fault(FaultCode, seq: UInt64?)
        /// The connection closed, and the session waits for its client. The code is nil if the
        /// daemon did not close the connection.
        case detached(CloseCode?)
        /// The client resumed the session.
        case resumed
        /// The session ended. The code is nil if the client ended it.
        case closed(CloseCode?)
    }

    package let session: String
    /// The view that the event concerns, if there is one.
    package var view: ViewID?
    /// The feed of that view.
    @Bytewise<String?> package var feed: String?
    package let kind: Kind

    init(
        _ kind: Kind, session: String, view: ViewID? = nil, feed: String? = nil
    ) {
        self.kind = kind
        self.session = session
        self.view = view
        _feed = Bytewise(wrappedValue: feed)
    }

    /// The event's name in its JSON.
    var name: StaticString {
        switch kind {
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
