import RefreshEngine
import RefreshProtocol

/// Receives the events of observed sessions. Only the loop's thread uses it.
package protocol SessionWatching: AnyObject {
    /// Sends the event to all watchers whose filter it matches.
    func send(_ event: SessionEvent)
    /// Writes the event of a traced session to the log.
    func trace(_ event: SessionEvent)
}

/// Observes one session for its watchers and its trace. A session without watchers and without a
/// trace has no observer. Only the loop's thread uses an observer.
package final class SessionObserver {
    let session: String
    /// Whether the session's events are also written to the log.
    package var isTraced = false
    private let watch: any SessionWatching
    /// The last state of each edge, by the generation of the view and the role of the edge.
    private var states: [Edge: EdgeState] = [:]
    private var closeCode: CloseCode?

    private struct Edge: Hashable {
        let generation: UInt32
        let role: EdgeRole
    }

    package init(session: String, watch: any SessionWatching) {
        self.session = session
        self.watch = watch
    }

    /// Reports an event that does not concern a view.
    package func report(_ kind: SessionEvent.Kind) {
        report(SessionEvent(kind, session: session, view: nil, feed: nil))
    }

    func report(_ kind: SessionEvent.Kind, _ view: ViewSlot) {
        report(SessionEvent(kind, session: session, view: view.id, feed: view.feed?.name))
    }

    func report(_ event: SessionEvent) {
        if isTraced { watch.trace(event) }
        watch.send(event)
    }

    /// Starts to observe the edges of a view.
    func observeEdges(of view: ViewSlot) {
        for role in EdgeRole.allCases where view.engine.options.hasEdge(role) {
            let state =
                role == .refresh
                ? view.engine.refresh.phase.state : view.engine.loadMore.phase.state
            states[Edge(generation: view.generation, role: role)] = state
        }
    }

    /// Stops observing the edges of a detached view.
    func stopObservingEdges(of view: ViewSlot) {
        for role in EdgeRole.allCases {
            states[Edge(generation: view.generation, role: role)] = nil
        }
    }

    func reportTransition(to state: EdgeState, at role: EdgeRole, of view: ViewSlot, cause: Cause?)
    {
        let edge = Edge(generation: view.generation, role: role)
        let from = states.updateValue(state, forKey: edge)
        report(.transition(role, from: from, to: state, cause: cause), view)
    }

    /// Records the code with which the daemon is about to close the connection.
    func recordCloseCode(_ code: CloseCode) { closeCode = code }

    /// Reports that the connection closed and the session waits for its client.
    func reportDetached() {
        report(.detached(closeCode))
        closeCode = nil
    }

    /// Reports the end of the session.
    package func reportClosed() { report(.closed(closeCode)) }
}
