import RefreshProtocol

/// From an open connection to the session. Source: docs/coming-back.md.
extension ClientMachine {
    /// The connection is open.
    package mutating func opened(at now: Double) -> [Effect] {
        guard phase == .dialing else { return [.cut] }
        phase = .greeting
        openedAt = now
        welcomedAt = nil
        beginSilence()
        isFlushed = false
        let present = Set(views.filter { $0.flaw == nil }.map(\.name))
        if link.resume == nil { goneViews = [:] }
        greetedViews = present.subtracting(goneViews.keys)
        lateChanges = []
        link.removeMessages { message in !present.contains(message["view"]?.string ?? "") }
        attachViewsAgain(at: now)
        let hello = self.hello
        helloSeq = link.seq
        if let lostAt, lostAt + link.gestureSilence <= now { settleGestures(at: now) }
        let kept = isHelloAlone ? [] : link.thinned().filter { greetedViews.contains($0.view) }
        isHelloAlone = false
        for name in present.subtracting(greetedViews).sorted() { attachLate(name) }
        let frames = link.frames([hello] + kept.map(\.body))
        let count = frames[0].count - 1
        greetedSeq = count > 0 ? kept[count - 1].seq : 0
        return send(frames[0].text, at: now)
    }

    /// Drops the samples of gestures that the daemon has ended, because they would begin new ones.
    /// The requests that follow from them are sent, and where the list rests.
    private mutating func settleGestures(at now: Double) {
        for index in views.indices where views[index].touchedAt == nil {
            let name = views[index].name
            var dropsScroll = false
            link.removeMessages { message in
                let type = message["type"]?.string
                guard message["view"]?.string == name, type == "scroll" || type == "pan" else {
                    return false
                }
                if type == "scroll" { dropsScroll = true }
                return true
            }
            for sample in views[index].rest { _ = keep(sample, at: now) }
            // The daemon handles the kept messages after the offset in `hello`. An earlier one can
            // report another offset.
            if dropsScroll, !views[index].pans {
                var geometry = Self.message("geometry", name)
                geometry["offset"] = .number(views[index].shown.offset.target)
                _ = keep(geometry, at: now)
            }
        }
    }

    private var hello: JSONValue {
        var hello = JSONValue.object([
            .init("type", .string("hello")),
            .init("protocol", .number(Double(ProtocolVersion.current))),
            .init("client", .string(configuration.client)), .init("snapshots", .bool(true)),
        ])
        var resume = link.resume
        // Without its snapshot, a session that the daemon has lost is not rebuilt with that view.
        if link.isSnapshotOutdated(for: greetedViews) { resume?["snapshot"] = nil }
        hello["views"] = .array(
            views.filter { greetedViews.contains($0.name) }
                .map { $0.description(resumes: resume != nil) })
        if configuration.diagnostics { hello["diagnostics"] = .bool(true) }
        hello["features"] = configuration.features.map { features in
            .array(features.map { .string($0) })
        }
        if !configuration.headers.isEmpty {
            hello["headers"] = .object(
                configuration.headers.sorted { $0.key < $1.key }
                    .map { .init($0.key, .string($0.value)) })
        }
        hello["token"] = token.map { .string($0) }
        hello["resume"] = resume
        return hello
    }

    // MARK: The answer

    mutating func welcome(
        _ message: JSONValue, wasWelcomed: Bool, lost: [[LoadKind: ViewMachine.Intent]],
        at now: Double
    ) -> [Effect] {
        phase = .open
        welcomedAt = now
        lostAt = nil
        isBack = message["resumed"]?.bool == true
        // The session has the views of `hello`, and no others.
        if isBack {
            for name in goneViews.keys where !greetedViews.contains(name) {
                // A snapshot with the same `ack` may be older than `hello`.
                link.detachments.record(name, seq: link.ack + 1)
            }
        }
        let detached = Set(lateChanges.filter { $0.kind == .detach }.map(\.view))
        goneViews = goneViews.filter { detached.contains($0.key) }
        var effects = link.takeFlawed().map { message, flaw in
            Self.report(
                "The client has dropped", message.body, because: flaw.text, field: flaw.field)
        }
        if wasWelcomed, !isBack {
            effects.append(.emit(.sessionLost(reason: message["reason"]?.string)))
            beginAnew(lost)
            reportRows(at: now)
            for message in firstMessages where !isPullPending(message) {
                _ = keep(message, at: now)
            }
        }
        let usesQueries = usedFeatures.contains("query")
        let isKnown = hasFeatures
        link.removeMessages { message in
            switch message["type"]?.string {
            case "disappear": !isKnown
            case "configure": message["parameters"] != nil && !usesQueries
            default: false
            }
        }
        if !isBack, hasFeatures {
            // In a fresh session, each view counts as in sight.
            for index in views.indices where views[index].isCovered {
                _ = keep(Self.message("disappear", views[index].name), at: now)
            }
        }
        return effects
    }

    /// The session is lost: all views of `hello` begin anew. `lost`: the intents of each view.
    private mutating func beginAnew(_ lost: [[LoadKind: ViewMachine.Intent]]) {
        let late = lateViews
        for (index, intents) in zip(views.indices, lost)
        where !late.contains(views[index].name) {
            views[index].beginAnew()
            // The pull of a user is answered, although the list is a new one. The daemon may have
            // begun the load because of the samples that followed `hello`.
            guard var refresh = intents[.refresh] else { continue }
            refresh.isOffline = true
            refresh.isSent = false
            refresh.isAnswered = false
            refresh.seq = greetedSeq
            views[index].intents[.refresh] = refresh
        }
    }

    /// Whether a message requests the refresh that the pull of a user requests too.
    private func isPullPending(_ message: JSONValue) -> Bool {
        guard message["type"]?.string == "refresh",
            let index = viewIndex(message["view"]?.string)
        else { return false }
        return views[index].intents[.refresh]?.isOffline == true
    }

    /// Sends the messages that were not in the frame of `hello`.
    mutating func flush(at now: Double) -> [Effect] {
        isFlushed = true
        var effects: [Effect] = []
        let rest = link.thinned(after: max(greetedSeq, isBack ? link.ack : 0))
        // The daemon drops a message whose number is smaller than an earlier one.
        let late = lateChanges.compactMap { message(for: $0) }
        let messages = (late + rest.map(\.body)).sorted { one, other in
            (one["seq"]?.number ?? 0) < (other["seq"]?.number ?? 0)
        }
        lateChanges = []
        for frame in link.frames(messages) { effects += send(frame.text, at: now) }
        let isAnswered = link.ack >= greetedSeq
        adoptionSeq = rest.last.map { max($0.seq, greetedSeq) } ?? max(link.ack, greetedSeq)
        if !rest.isEmpty || !isAnswered { effects += ping(at: now) }
        return effects
    }
}
