import RefreshEngine
import RefreshProtocol

/// Sees what happens in one session, for those who watch it and for its trace. A session that
/// nobody looks at has none. On the loop's thread only.
final class SessionWitness {
    let session: String
    /// Whether the session's events go to the log too.
    var isTraced = false
    private let watch: LoopWatch
    /// What edges were in last, by the generation of their view and their role.
    private var states: [Edge: EdgeState] = [:]
    private var closeCode: CloseCode?

    private struct Edge: Hashable {
        let generation: UInt32
        let role: EdgeRole
    }

    init(session: String, watch: LoopWatch) {
        self.session = session
        self.watch = watch
    }

    /// Something has happened, in the view where one is named.
    func tell(_ happening: SessionEvent.Happening, _ view: ViewSlot? = nil) {
        tell(SessionEvent(happening, session: session, view: view?.id, feed: view?.feed?.name))
    }

    func tell(_ event: SessionEvent) {
        if isTraced { event.write(to: watch.log) }
        watch.tell(event)
    }

    /// From now on changes of the view's edges are told.
    func look(at view: ViewSlot) {
        for role in EdgeRole.allCases where view.engine.options.has(role) {
            let state = role == .refresh ? view.engine.refresh.state : view.engine.loadMore.state
            states[Edge(generation: view.generation, role: role)] = state
        }
    }

    /// The view is gone.
    func forget(_ view: ViewSlot) {
        for role in EdgeRole.allCases {
            states[Edge(generation: view.generation, role: role)] = nil
        }
    }

    func entered(_ state: EdgeState, at role: EdgeRole, of view: ViewSlot, cause: Cause?) {
        let edge = Edge(generation: view.generation, role: role)
        let from = states.updateValue(state, forKey: edge)
        tell(.transition(role, from: from, to: state, cause: cause), view)
    }

    /// The daemon is about to close the connection.
    func closes(with code: CloseCode) { closeCode = code }

    /// The connection is gone, and the session waits for its client.
    func detached() {
        tell(.detached(closeCode))
        closeCode = nil
    }

    /// The session is gone.
    func closed() { tell(.closed(closeCode)) }
}
