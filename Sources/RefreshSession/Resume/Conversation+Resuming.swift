import RefreshEngine
import RefreshProtocol

/// A session that outlives its connection. Source: docs/protocol.md, "Coming back".
extension Conversation {
    /// Whether the session should be kept after the loss of its connection.
    var isResumable: Bool {
        phase.hasOpened && credentials.token != nil && !views.isEmpty
            && services.limits.resumeWindowMs > 0 && phase.keepsSession
    }

    /// Detaches the session from its lost connection. The session then waits for its client.
    /// `isResumable` must be true.
    mutating func detachFromConnection(at now: Instant) {
        stopWaiting()
        performEdits(dueAt: .never, at: now)
        enter(
            .detached(
                until: now.advanced(byMilliseconds: Double(services.limits.resumeWindowMs))))
        channel = AbsentChannel.shared
        reportConnection(false, at: now)
        // Indicators are not played, because no client receives the frames.
        renderMode.path = .general
        outbox.removePassing()
        snapshotPolicy.cancelPending()
        limitQueue(keeping: true)
        observer?.reportDetached()
    }

    /// The reason why the client of this resume request may not resume the session; nil if it may.
    func refusal(of attempt: ResumeAttempt, at now: Instant) -> ResumeRefusal? {
        let request = attempt.request
        guard isResumable else { return .unknownSession }
        guard credentials.acceptsResumeToken(request.token, from: attempt.connectedAt, at: now)
        else {
            return .wrongToken
        }
        guard Bytewise(wrappedValue: principal.subject) == Bytewise(wrappedValue: attempt.subject)
        else {
            return .otherSubject
        }
        guard permitsFeeds(of: attempt) else { return .changedConfiguration }
        return outbox.hasDropped || hasLostItems(attempt) ? .resultsLost : nil
    }

    /// Whether the client is permitted to use the feeds of the views that it shows.
    private func permitsFeeds(of attempt: ResumeAttempt) -> Bool {
        views.allSatisfy { view in
            guard let feed = view.feed, attempt.shown?.contains(view.id) ?? true else {
                return true
            }
            return attempt.feeds.contains(feed.name)
        }
    }

    /// Whether the client's items differ from the items that this session has sent. The client may
    /// have lost items. It may also have items from another daemon on which the session has
    /// continued. Only the views that the client still shows are compared.
    private func hasLostItems(_ attempt: ResumeAttempt) -> Bool {
        views.contains { view in
            guard let delivered = view.feed?.delivered, attempt.shown?.contains(view.id) ?? true
            else { return false }
            let received = attempt.request.received
            guard delivered > 0 else {
                return received.contains { $0.generation == view.generation }
            }
            return !received.contains(LoadID(generation: view.generation, number: delivered))
        }
    }

    /// Resumes the session for its client. The session sends its whole current state, and after it
    /// the messages that were queued.
    ///
    /// The session must be detached. Its channel and services must already be those of the new
    /// connection.
    mutating func resume(_ hello: Hello, token: ResumeToken?, at now: Instant) {
        services.metrics.recordResumeAttempt(nil)
        observer?.report(.resumed)
        inbound.lastReceivedAt = now
        enter(.open)
        credentials.replaceResumeToken(
            by: token, presentedToken: hello.resume?.token, validMs: previousResumeTokenMs, at: now)
        applySettings(of: hello, at: now)
        adaptEdits()
        updateViews(for: hello, at: now)
        adaptToFeatures(at: now)
        reportConnection(true, at: now)
        let waiting = removeWaitingMessages()
        outbox.append(
            .passing(
                ServerText.welcome(
                    session: name, token: token, resuming: .success(inbound.ack),
                    feeds: principal.permittedFeeds, hasFeatures: inbound.features != nil,
                    services: services, now: now)))
        for index in views.indices { enqueueFullState(ofViewAt: index, at: now) }
        for index in views.indices { enqueueRunningLoads(ofViewAt: index) }
        for message in waiting { outbox.append(message) }
        for attach in hello.views where viewIndex(attach.view) == nil {
            self.attach(attach, seq: nil, at: now)
        }
        resumeOperations(at: now)
        reportIgnoredOptions(of: hello, at: now)
        // Earlier snapshots are bound to the previous token, so the client needs a new snapshot.
        if snapshotPolicy.isEnabled { outbox.appendSnapshot() }
    }

    /// Resumes from a snapshot, while the `hello` of the client waits for its answer. The caller
    /// has checked that the client presented the token of the snapshot.
    ///
    /// - Throws: The reason why the session cannot be resumed. In that case nothing has changed.
    mutating func rebuild(
        from snapshot: SessionSnapshot, using scratch: inout FrameScratch, at now: Instant
    ) throws(ResumeRefusal) {
        guard phase.isGreeting, let greeting = phase.greeting,
            let request = greeting.hello.resume
        else {
            throw .unknownSession
        }
        let hello = greeting.hello
        var snapshot = try snapshot.reduced(to: hello.namedViews?.map(\.view), by: request)
        let (own, newToken) = (name, credentials.token)
        snapshot.session.frames = hello.frames
        snapshot.session.headers = hello.headers
        try restore(snapshot, at: now)
        phase.greeting = nil
        phase.hasOpened = true
        snapshotPolicy.wasEnabled = true
        services.sessionLocator?.registerSession(name, at: key)
        enter(.closed(keeps: true))
        handleDeadlines(at: now)
        // The answer to this `hello` can be lost too. Therefore the token that the client presented
        // stays valid as the previous token.
        credentials.token = ResumeToken(request.token)
        credentials.history = (snapshot.history ?? ResumeHistory([])).continued(as: own)
        let known = inbound.ack
        resume(hello, token: newToken, at: now)
        for index in views.indices {
            observePages(ofViewAt: index, rebuiltAt: now)
        }
        reportSkippedHelloFields(greeting.text, at: now)
        handleHeldFrames(greeting.held, known: known, resumed: hello, using: &scratch, at: now)
    }

    /// The number of milliseconds for which the previous token stays valid. A client needs the
    /// previous token if the last `welcome` was lost with its connection.
    private var previousResumeTokenMs: Double {
        max(ResumeCredentials.welcomeLossMs, Double(services.limits.resumeWindowMs))
    }

    /// Handles a message that arrives while the previous token is valid. If the last `welcome` is
    /// older than `welcomeLossMs`, the message proves that the client received this `welcome`. In
    /// that case the previous token becomes void, and the session may handle frequent messages on
    /// the fast path (`RenderMode.Path`).
    @inline(never)
    mutating func voidPreviousResumeToken(at now: Instant) {
        guard credentials.voidPreviousResumeToken(at: now) else { return }
        services.sessionLocator?.recordReceivedWelcome(of: name)
        updateFastPath()
    }

    /// Detaches the views that `hello` does not name. Updates the headers, the presentation and the
    /// geometry of the other views.
    private mutating func updateViews(for hello: Hello, at now: Instant) {
        if let shown = hello.namedViews {
            for index in views.indices.reversed()
            where !shown.contains(where: { $0.view == views[index].id }) {
                detach(viewAt: index, at: now)
            }
        }
        for index in views.indices {
            let view = views[index]
            let attach = hello.views.first { $0.view == view.id }
            if let feed = view.feed {
                let forwarded = services.feed(named: feed.name)?.forward ?? []
                feed.headers = headers.filter { forwarded.contains($0.name) }
            }
            views[index].replacePresentation(makePresentation(of: view, attach, at: now))
            guard let attach else { continue }
            var change = attach.geometry
            change.offset = attach.offset ?? change.offset
            // The list is at this offset, wherever the anchor was when the daemon last heard of it.
            if change.offset != nil { views[index].engine.forgetAnchor() }
            applyEvent(.geometryChanged(change), toViewAt: index, because: .time, at: now)
        }
    }

    /// Returns the new presentation of the view; nil for a `plain` client.
    private func makePresentation(of view: ViewSlot, _ attach: Attach?, at now: Instant)
        -> ViewPresentation?
    {
        guard renderMode.hasPresentations else { return nil }
        var choices: Choices = [:]
        if let known = view.presentation?.indicators {
            for role in EdgeRole.allCases where view.engine.options.hasEdge(role) {
                choices[role] =
                    known[role].map { IndicatorChoice.named($0.name) } ?? IndicatorChoice.none
            }
        } else if var edges = attach?.edges {
            // While the client was `plain`, the daemon did not keep the client's choice of
            // indicators. The choice is in `hello`.
            let named = try? removeIndicators(from: &edges, in: view.engine.options.layout)
            choices = named ?? [:]
        }
        return ViewPresentation(
            of: view.engine, pans: view.presentation?.pans ?? attach?.hasPan ?? false,
            indicators: makeIndicators(choices, view.profile, view.engine, at: now), at: now)
    }

    /// Removes all messages from the queue. Returns the messages that must be sent unchanged on the
    /// new connection.
    private mutating func removeWaitingMessages() -> [QueuedMessage] {
        let waiting = outbox.messages.filter { message in
            switch message {
            case .update, .passing, .snapshot: false
            case .began(let load, _):
                viewIndex(generation: load.generation).map {
                    views[$0].engine.kind(ofRunning: load) == nil
                } ?? true
            case .text, .progress, .items, .operations: true
            }
        }
        dropQueue()
        return waiting
    }

    private mutating func enqueueFullState(ofViewAt index: Int, at now: Instant) {
        enqueueAttached(ofViewAt: index, isNew: false)
        views[index].prepareFullUpdate(at: now)
        views[index].isQueued = true
        outbox.append(.update(generation: views[index].generation))
    }

    private mutating func enqueueRunningLoads(ofViewAt index: Int) {
        let view = views[index]
        for order in view.engine.loadsInFlight {
            outbox.append(.began(order.id, beginningText(of: order, for: view)))
        }
    }
}
