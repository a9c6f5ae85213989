import RefreshEngine
import RefreshProtocol

/// The session's events for watchers and the trace, and the metrics that are counted with them.
/// Messages of a session without an observer bypass all of it.
extension Conversation {
    /// Sets the session's observer; nil: none.
    mutating func take(_ observer: SessionObserver?) {
        self.observer = observer
        guard let observer else {
            if phase.isOpen { choosePath() }
            return
        }
        if renderMode.isFast { renderMode.path = .general }
        for view in views { observer.look(at: view) }
    }

    /// Selects the path of the messages that come at display rate.
    mutating func choosePath() {
        renderMode.choosePath(
            isInspected: observer != nil || credentials.previousToken != nil
                || inbound.wantsDiagnostics)
    }

    /// Reports a received message that is not on the fast path.
    @inline(never)
    func noteReceived(_ message: ClientMessage) {
        guard let observer else { return }
        let view = message.header?.view
        observer.tell(
            SessionEvent(
                .received(message.type, seq: message.header?.seq), session: name, view: view,
                feed: view.flatMap(viewIndex).flatMap { views[$0].feed?.name }))
    }

    /// Returns the index of the view that a scroll sample is for; -1 for any other message.
    @inline(never)
    func sampledView(_ message: ClientMessage) -> Int {
        guard case .scroll(let header, _) = message else { return -1 }
        return viewIndex(header.view) ?? -1
    }

    /// Reports an edge's new state.
    @inline(never)
    func entered(_ state: EdgeState, at role: EdgeRole, ofViewAt index: Int, cause: Cause?) {
        services.metrics.entered(state, at: role)
        observer?.entered(state, at: role, of: views[index], cause: cause)
    }

    /// Counts an event of a view that still has an unsent update: both are sent as one.
    @inline(never)
    func noteCoalesced(ofViewAt index: Int) {
        guard views[index].isQueued, effects.contains(where: \.isShown) else { return }
        services.metrics.coalescedUpdate()
    }

    mutating func noteBegin(of load: LoadID, _ kind: LoadKind, for view: ViewSlot, at now: Instant)
    {
        services.metrics.loadStarted(feed: view.feed?.name)
        loadClock.began(load, at: now)
        observer?.tell(.loadBegan(load, kind), view)
    }

    mutating func noteEnd(
        of load: LoadID, _ kind: LoadKind, _ result: LoadResult, for view: ViewSlot, at now: Instant
    ) {
        services.metrics.loadEnded(feed: view.feed?.name, result: result)
        let ms = loadClock.ended(load, at: now)
        if let ms, let feed = view.feed, result.isAccepted {
            services.metrics.timeToItems(microseconds: Int64(ms * 1000), feed: feed.name)
        }
        observer?.tell(.loadEnded(load, kind, result, ms: ms), view)
    }
}

extension Effect {
    /// Whether the effect is sent with an update.
    var isShown: Bool {
        switch self {
        case .showEdge, .showFloor, .showList, .showNewer, .play, .announce, .setInset,
            .moveContent:
            true
        case .startLoad, .endLoad, .dropLateAnswer, .noteStall, .refuse, .ignore: false
        }
    }
}

extension ClientMessage {
    /// The type's name on the wire.
    var type: MessageType {
        switch self {
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
