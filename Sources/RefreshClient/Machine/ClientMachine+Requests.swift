package import RefreshProtocol

/// What the host of the client asks for.
extension ClientMachine {
    /// Sends messages about views, now or when there is a session, and passes them to the replicas.
    /// Messages about unknown views are ignored.
    package mutating func perform(_ messages: [JSONValue], at now: Double) -> [Effect] {
        var effects: [Effect] = []
        var bodies: [JSONValue] = []
        for message in messages {
            if let report = Self.report(message) {
                effects.append(report)
                continue
            }
            let (kept, kinds) = keep(message, at: now)
            bodies += kept
            effects += kinds
            recordAnnouncements(kinds)
        }
        return transmit(bodies, at: now) + effects
    }

    private mutating func transmit(_ bodies: [JSONValue], at now: Double) -> [Effect] {
        guard phase == .open, !bodies.isEmpty else { return [] }
        let effects = link.frames(bodies).flatMap { send($0.text, at: now) }
        guard link.shouldConfirm() else { return effects }
        return effects + (link.snapshot == nil ? ping(at: now) : send(Self.snapshot, at: now))
    }

    private static let snapshot = #"{"type":"snapshot"}"#

    /// Numbers and keeps a message, and passes it to the replica. Returns the messages to send, and
    /// the effects.
    @discardableResult
    mutating func keep(
        _ message: JSONValue, at now: Double
    ) -> (messages: [JSONValue], effects: [Effect]) {
        guard let index = viewIndex(message["view"]?.string) else { return ([], []) }
        if views[index].isRefused {
            // The message has the next number, but does not use it.
            var body = message
            body["seq"] = .number(Double(link.seq + 1))
            let reaction = views[index].record(body, seq: link.seq, at: now)
            return ([], reaction.events.map { .emit($0) })
        }
        let kept = link.keep(message)
        let reaction = views[index].record(kept.body, seq: kept.seq, at: now)
        if reaction.changesState { link.markLastAsKey() }
        link.compact()
        return ([kept.body], reaction.events.map { .emit($0) })
    }

    mutating func react(_ reaction: ViewMachine.Reaction) -> [Effect] {
        let effects = reaction.events.map { Effect.emit($0) }
        recordAnnouncements(effects)
        return effects
    }

    /// Requests the loads of gestures that the daemon has not begun, although it has handled all
    /// messages that it received.
    mutating func requestMissingLoads(at now: Double) -> [Effect] {
        var bodies: [JSONValue] = []
        for index in views.indices {
            let requests = views[index].takeRequests { [link, name = views[index].name] seq in
                link.isPending(name, upTo: seq)
            }
            for (kind, request) in requests {
                bodies.append(link.keep(request).body)
                views[index].recordRequest(kind, seq: link.seq)
                link.compact()
            }
        }
        return bodies.isEmpty ? [] : transmit(bodies, at: now) + ping(at: now)
    }

    /// Adds a view. If there is a session, it is attached at once; after `hello`, it is attached
    /// when the session is open.
    package mutating func attach(_ view: ViewDescription, at now: Double) -> [Effect] {
        guard viewIndex(view.name) == nil else { return [] }
        let effects = add(view.body)
        guard effects.isEmpty, phase == .open || phase == .greeting else { return effects }
        return announce(.attach, view.name, at: now)
    }

    /// Removes a view.
    package mutating func detach(_ name: String, at now: Double) -> [Effect] {
        guard let index = viewIndex(name) else { return [] }
        let isRefused = views[index].isRefused
        views.remove(at: index)
        queries[name] = nil
        link.removeView(name)
        lateChanges.removeAll { $0.view == name }
        let isSent = phase == .open || (phase == .greeting && greetedViews.contains(name))
        guard isSent, !isRefused else { return [] }
        return announce(.detach, name, at: now)
    }

    /// Sends an `attach` or `detach`, which is not kept, now or after `welcome`.
    private mutating func announce(
        _ kind: LateChange.Kind, _ view: String, at now: Double
    ) -> [Effect] {
        let change = LateChange(kind: kind, view: view, seq: link.reserveNumber())
        if kind == .attach, let index = viewIndex(view) {
            views[index].beginAttaching(.byMessage(seq: change.seq))
        }
        if phase == .greeting { lateChanges.append(change) }
        return transmit([message(for: change)].compactMap { $0 }, at: now)
    }

    /// Makes a new query of the view's feed. Nothing happens unless the feature `query` is in use.
    package mutating func query(
        _ name: String, parameters: [String: String], debounceMs: Double?, shown: ShownItems?,
        at now: Double
    ) -> [Effect] {
        guard let index = viewIndex(name), usedFeatures.contains("query") else { return [] }
        if let debounceMs, !debounceMs.isFinite {
            var message = Self.message("configure", name)
            message["debounceMs"] = .number(debounceMs)
            return perform([message], at: now)
        }
        let values = JSONValue.object(
            parameters.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
        queries[name] = (link.seq + 1, views[index].body)
        views[index].body["parameters"] = values
        var message = Self.message("configure", name)
        message["parameters"] = values
        message["debounceMs"] = debounceMs.map { .number($0) }
        message["shown"] = shown.map { .string($0.rawValue) }
        if shown == .clear { views[index].clearItems() }
        return perform([message], at: now)
    }

    /// The daemon has refused a query: the view keeps its earlier parameters.
    mutating func restoreQuery(after fault: JSONValue) {
        guard let name = fault["view"]?.string, let query = queries[name],
            fault["seq"]?.number == Double(query.seq), let index = viewIndex(name)
        else { return }
        views[index].body["parameters"] = query.body["parameters"]
    }

    /// The view is not visible any more, or visible again.
    package mutating func setVisible(
        _ isVisible: Bool, view name: String, at now: Double
    ) -> [Effect] {
        guard let index = viewIndex(name), views[index].isCovered == isVisible else { return [] }
        views[index].isCovered = !isVisible
        if !isVisible, configuration.features == nil || (link.wasWelcomed && !hasFeatures) {
            return []
        }
        return perform([Self.message(isVisible ? "appear" : "disappear", name)], at: now)
    }

    /// Ends a load that the app itself has performed.
    package mutating func finishLoad(_ message: JSONValue, at now: Double) -> [Effect] {
        if let index = viewIndex(message["view"]?.string), let load = message["load"]?.string {
            views[index].endLoad(load)
        }
        return perform([message], at: now)
    }

    /// The client cannot connect, for this reason.
    package mutating func refuse(_ reason: String) -> [Effect] {
        guard phase == .idle else { return [] }
        phase = .refused
        refusal = reason
        return [.emit(.connectionFailed(reason: reason))]
    }

    /// Ends the session for good.
    package mutating func close(at now: Double) -> [Effect] {
        let isOpen = phase == .open || phase == .greeting
        let isDialing = phase == .dialing
        phase = .closed
        if isOpen { return send(#"{"type":"bye"}"#, at: now) }
        return isDialing ? [.cut] : []
    }

    /// The app goes to the background: the connection is closed, and the session is kept.
    package mutating func suspend(at now: Double) -> [Effect] {
        guard phase != .closed, phase != .refused, phase != .suspended else { return [] }
        var effects: [Effect] = []
        for view in views.map(\.name) { effects += setVisible(false, view: view, at: now) }
        let isConnected = phase == .open || phase == .greeting || phase == .dialing
        for index in views.indices { views[index].takeOver(ack: link.ack, at: now) }
        if phase == .open { lostAt = now }
        phase = .suspended
        return effects + (isConnected ? [.close] : [])
    }

    /// The app is in the foreground again.
    package mutating func resume(at now: Double) -> [Effect] {
        guard phase == .suspended else { return [] }
        var effects: [Effect] = []
        for view in views.map(\.name) { effects += setVisible(true, view: view, at: now) }
        return effects + connect()
    }

    /// A network is available: a client that waits connects at once.
    package mutating func networkBecameAvailable() -> [Effect] {
        guard case .waiting = phase else { return [] }
        return connect()
    }
}
