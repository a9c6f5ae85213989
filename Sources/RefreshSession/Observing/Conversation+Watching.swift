import RefreshEngine
import RefreshProtocol

/// Reports the session's events to watchers (WebSocket connections of operators) and to the trace,
/// and counts them in the metrics. Messages of a session without an observer skip this code.
extension Conversation {
    /// Sets the session's observer, or removes it if `observer` is nil.
    mutating func setObserver(_ observer: SessionObserver?) {
        self.observer = observer
        guard let observer else {
            if phase.isOpen { updateFastPath() }
            return
        }
        if renderMode.isFast { renderMode.path = .general }
        for view in views { observer.observeEdges(of: view) }
    }

    /// Selects the code path for frequent messages.
    mutating func updateFastPath() {
        renderMode.choosePath(
            isInspected: observer != nil || credentials.previousResumeToken != nil
                || inbound.wantsDiagnostics)
    }

    /// Reports a received message that is not on the fast path.
    @inline(never)
    func reportReceived(_ message: ClientMessage) {
        guard let observer else { return }
        let view = message.header?.view
        observer.report(
            SessionEvent(
                .received(message.type, seq: message.header?.seq), session: name, view: view,
                feed: view.flatMap(viewIndex).flatMap { views[$0].feed?.name }))
    }

    /// If the message is a scroll sample, returns the index of its view. Returns -1 for any other
    /// message or an unknown view.
    @inline(never)
    func indexOfSampledView(in message: ClientMessage) -> Int {
        guard case .scroll(let header, _) = message else { return -1 }
        return viewIndex(header.view) ?? -1
    }

    /// Reports an edge's new state.
    @inline(never)
    func recordTransition(
        to state: EdgeState, at role: EdgeRole, ofViewAt index: Int, cause: Cause?
    ) {
        services.metrics.recordTransition(to: state, at: role)
        observer?.reportTransition(to: state, at: role, of: views[index], cause: cause)
    }

    /// Counts an event whose effects were merged into an unsent update of its view.
    @inline(never)
    func recordCoalescedUpdate(ofViewAt index: Int) {
        guard views[index].isQueued, effects.contains(where: \.isShown) else { return }
        services.metrics.recordCoalescedUpdate()
    }
}

extension Effect {
    /// Whether the effect is sent with an update.
    var isShown: Bool {
        switch self {
        case .showEdge, .showFloor, .showList, .showNewer, .showNewerCount, .showAway,
            .showRevealed, .play, .announce, .setInset, .moveContent:
            true
        case .showOperations, .startLoad, .endLoad, .endPage, .repeatLoad, .joinRefresh,
            .reportLateAnswer, .reportStall, .refuse, .ignore:
            false
        }
    }
}

extension ClientMessage {
    /// The type of the message.
    var type: MessageType {
        switch self {
        case .withRows(let message, _): message.type
        case .hello: .hello
        case .attach: .attach
        case .detach: .detach
        case .geometry: .geometry
        case .scroll: .scroll
        case .pan: .pan
        case .refresh: .refresh
        case .begin: .begin
        case .end: .end
        case .loadMore: .loadMore
        case .retry: .retry
        case .cancel: .cancel
        case .reset: .reset
        case .floor: .floor
        case .appear: .appear
        case .disappear: .disappear
        case .reveal: .reveal
        case .read: .read
        case .edit: .edit
        case .undo: .undo
        case .loadBegan: .loadBegan
        case .loadProgress: .loadProgress
        case .loadFinished: .loadFinished
        case .enable: .enable
        case .configure: .configure
        case .ping: .ping
        case .snapshot: .snapshot
        case .bye: .bye
        }
    }
}
