package import RefreshProtocol

/// What the host of the client asks for.
extension ClientMachine {
    /// Sends messages about views, now or when there is a session, and passes them to the replicas.
    /// Messages about unknown views are ignored.
    package mutating func perform(_ messages: [JSONValue], at now: Double) -> [Effect] {
        var effects: [Effect] = []
        var bodies: [JSONValue] = []
        for message in messages.map(withRows) {
            if let report = report(message) {
                effects.append(report)
                continue
            }
            let (kept, kinds) = keep(message, at: now)
            bodies += kept.map { body in
                viewIndex(body["view"]?.string).map { views[$0].sent(body) } ?? body
            }
            effects += kinds
            recordAnnouncements(kinds)
        }
        return transmit(bodies, at: now) + effects
    }

    mutating func transmit(_ bodies: [JSONValue], at now: Double) -> [Effect] {
        guard phase == .open, !bodies.isEmpty else { return [] }
        let effects = link.frames(bodies).flatMap { send($0.text, at: now) }
        guard link.shouldConfirm() else { return effects }
        let isSealed = link.snapshot != nil
        return effects + (isSealed ? send(Self.snapshotRequest, at: now) : ping(at: now))
    }

    static let snapshotRequest = #"{"type":"snapshot"}"#

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

    /// Requests the whole list of each view whose patch could not be applied.
    mutating func requestLists(at now: Double) -> [Effect] {
        var effects: [Effect] = []
        for index in views.indices {
            if let messages = views[index].takeListRequest() {
                effects += perform(messages, at: now)
            }
        }
        return effects
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

    /// The view is not visible any more, or visible again. In the background, no view is visible:
    /// the change has its effect when the app is in the foreground again.
    package mutating func setVisible(
        _ isVisible: Bool, view name: String, at now: Double
    ) -> [Effect] {
        guard let index = viewIndex(name) else { return [] }
        let isDeferred = phase == .suspended && views[index].isCovered
        views[index].isHidden = isDeferred && isVisible
        return isDeferred ? [] : changeVisibility(isVisible, view: name, at: now)
    }

    private mutating func changeVisibility(
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
        if report(message) == nil, let index = viewIndex(message["view"]?.string),
            let load = message["load"]?.string
        {
            views[index].endLoad(load)
        }
        return perform([message], at: now)
    }

    /// The client cannot connect, for this reason.
    package mutating func refuse(_ reason: String) -> [Effect] {
        guard phase == .idle || phase == .dialing else { return [] }
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
        for index in views.indices where !views[index].isCovered {
            views[index].isHidden = true
            effects += changeVisibility(false, view: views[index].name, at: now)
        }
        let isConnected = phase == .open || phase == .greeting || phase == .dialing
        for index in views.indices { views[index].takeOver(ack: link.ack, at: now) }
        if phase == .open { lostAt = now }
        phase = .suspended
        return effects + (isConnected ? [.close] : [])
    }

    /// The app is in the foreground again.
    package mutating func resume(at now: Double) -> [Effect] {
        guard phase == .suspended else { return [] }
        phase = .idle
        var effects: [Effect] = []
        for index in views.indices where views[index].isHidden {
            views[index].isHidden = false
            effects += changeVisibility(true, view: views[index].name, at: now)
        }
        return effects + connect()
    }

    /// A network is available: a client that waits connects at once. A client with a session checks
    /// whether its connection still works on this network.
    package mutating func networkBecameAvailable(at now: Double) -> [Effect] {
        switch phase {
        case .waiting: connect()
        case .open: ping(at: now)
        case .idle, .dialing, .greeting, .suspended, .refused, .closed: []
        }
    }
}
