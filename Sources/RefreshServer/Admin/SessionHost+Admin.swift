internal import RefreshProtocol
import RefreshSession
internal import WebSocketTransport

// Admin requests to the sessions of one loop, and the watchers of these sessions.
extension SessionHost {
    // MARK: Watching

    /// Adds a watcher. When each watched session of this loop has a `SessionObserver`, the host
    /// calls `recordLoopJoined` of the watcher.
    func addWatcher(_ watcher: Watcher) {
        watch.add(watcher)
        updateObservers(of: keys) { watcher.recordLoopJoined() }
    }

    /// Removes a watcher.
    func removeWatcher(_ watcher: Watcher) {
        watch.remove(watcher)
        updateObservers(of: keys) {}
    }

    /// Reports a new session to the watchers whose filter it matches.
    func reportOpened(_ session: Session) {
        guard watch.hasWatcher(forSession: session.name) else { return }
        observer(of: session).report(
            .opened(loop: session.key.loop, peer: session.channel.peer))
    }

    /// Gives each watched session an observer, and removes observers that are not needed. Each job
    /// handles one batch of sessions.
    private func updateObservers(
        of keys: ArraySlice<SessionKey>, then done: @escaping @Sendable () -> Void
    ) {
        for key in keys.prefix(Self.batchSize) {
            guard let session = session(at: key) else { continue }
            if watch.hasWatcher(forSession: session.name) {
                observer(of: session)
            } else if session.observer?.isTraced == false {
                session.observer = nil
            }
        }
        let rest = keys.dropFirst(Self.batchSize)
        guard !rest.isEmpty else { return done() }
        post { host, _ in host.updateObservers(of: rest, then: done) }
    }

    /// Returns the observer for a session that arrives from another loop; nil if the session needs
    /// none.
    func observer(for moved: SessionHandoff) -> SessionObserver? {
        observer(for: moved.name, isTraced: moved.isTraced)
    }

    func observer(for name: String, isTraced: Bool = false) -> SessionObserver? {
        guard isTraced || watch.hasWatcher(forSession: name) else { return nil }
        let observer = SessionObserver(session: name, watch: watch)
        observer.isTraced = isTraced
        return observer
    }

    @discardableResult
    private func observer(of session: Session) -> SessionObserver {
        if let observer = session.observer { return observer }
        let observer = SessionObserver(session: session.name, watch: watch)
        session.observer = observer
        return observer
    }

    // MARK: Requests

    /// Runs an operator's request; `answer` is called once, on the loop's thread.
    func perform(
        _ order: AdminOrder, at now: Instant, answer: @escaping @Sendable (AdminPart) -> Void
    ) {
        guard let name = order.session else {
            guard case .list(let after, _) = order else { return answer(.nothing) }
            return list(keys, in: SessionList(after: after), at: now, answer: answer)
        }
        guard let session = session(named: name) else { return answer(.nothing) }
        switch order {
        case .list, .cluster: answer(.nothing)
        case .describe: answer(.answer(.json(session.detailsJSON(at: now))))
        case .trace(_, let isOn):
            setTraced(session, isOn)
            answer(.answer(HTTPResponse(status: 204)))
        case .journal(_, let isOn):
            answer(
                .answer(
                    isOn ? beginJournal(of: session, at: now) : endJournal(of: session, at: now))
            )
        }
    }

    private func list(
        _ keys: ArraySlice<SessionKey>, in known: SessionList, at now: Instant,
        answer: @escaping @Sendable (AdminPart) -> Void
    ) {
        var known = known
        for key in keys.prefix(Self.batchSize) {
            guard let session = session(at: key) else { continue }
            known.insert(session.name) { session.row(at: now) }
        }
        let rest = keys.dropFirst(Self.batchSize)
        guard !rest.isEmpty else { return answer(.rows(known.rows)) }
        let list = known
        post { host, now in host.list(rest, in: list, at: now, answer: answer) }
    }

    private func session(named name: String) -> Session? {
        for key in keys {
            if let session = session(at: key), session.name.hasBytes(of: name) { return session }
        }
        return nil
    }

    private func setTraced(_ session: Session, _ isOn: Bool) {
        if isOn {
            let observer = observer(of: session)
            guard !observer.isTraced else { return }
            observer.isTraced = true
            log(.traceBegun, [.session: session.name])
        } else if let observer = session.observer, observer.isTraced {
            observer.isTraced = false
            log(.traceEnded, [.session: session.name])
            if !watch.hasWatcher(forSession: session.name) { session.observer = nil }
        }
    }
}
