import RefreshEngine
import RefreshProtocol

/// A session that outlives its connection. Source: docs/protocol.md, "Coming back".
extension Conversation {
    /// Whether the session should be kept without its connection.
    var canBeKept: Bool {
        guard hasOpened, token != nil, !views.isEmpty, services.limits.resumeWindowMs > 0
        else { return false }
        return switch stage {
        case .open, .detached: true
        case .closing(let code): code.keepsSession
        case .closed(let keeps): keeps
        case .silent, .greeting: false
        }
    }

    /// Whether the session has ended for good. Its connection may still exist.
    var isOver: Bool {
        switch stage {
        case .closing(let code): !code.keepsSession
        case .closed(let keeps): !keeps
        case .silent, .greeting, .open, .detached: false
        }
    }

    /// Detaches the session from its lost connection; it then waits for its client. `canBeKept`
    /// must be true.
    mutating func connectionLost(at now: Instant) {
        channelTakesFrames()
        stage = .detached(
            until: now.advanced(byMilliseconds: Double(services.limits.resumeWindowMs)))
        channel = AbsentChannel.shared
        // No client sees the frames that would be played.
        plays = false
        isPlain = false
        queue.removeAll { $0.isPassing }
        queuedBytes = queue.reduce(0) { $0 + $1.byteCount }
        isSnapshotQueued = false
        snapshotDue = nil
        sealBudget.forget()
        keepQueue(while: true)
        observer?.detached()
    }

    /// Whether messages can reach the client.
    var isConnected: Bool {
        switch stage {
        case .silent, .greeting, .open, .closing: true
        case .closed, .detached: false
        }
    }

    /// Whether `hello` was received and is not answered yet.
    var isGreeting: Bool {
        if case .greeting = stage { true } else { false }
    }

    /// When the session stops waiting for its client; nil while it has a connection.
    var waitsUntil: Instant? {
        if case .detached(let until) = stage { until } else { nil }
    }

    /// Why the client of this resume request may not resume the session; nil if it may.
    func refusal(of wish: ResumeAttempt, at now: Instant) -> ResumeRefusal? {
        let request = wish.request
        guard canBeKept else { return .unknownSession }
        guard isGood(request.token, from: wish.connectedAt, at: now) else { return .wrongToken }
        guard Bytewise(wrappedValue: self.subject) == Bytewise(wrappedValue: wish.subject) else {
            return .otherSubject
        }
        guard mayShow(wish) else { return .changedConfiguration }
        return isLost || hasLostItems(wish) ? .resultsLost : nil
    }

    /// Whether the token is valid for a client on a connection made at `connectedAt`. A client that
    /// has not received the newest token resumes with the previous one. That is rejected on a
    /// connection older than the one on which the newest token was sent: the client has given up
    /// the older connection, and its request is late.
    private func isGood(_ text: String, from connectedAt: Instant, at now: Instant) -> Bool {
        if token?.matches(text) == true { return true }
        return now < lastTokenEnds && lastToken?.matches(text) == true
            && connectedAt >= self.connectedAt
    }

    /// Whether a client with a snapshot of that history has continued this session elsewhere.
    ///
    /// While the client is disconnected, it is unknown whether it received the last `welcome`,
    /// however long ago that was sent.
    func isOutdone(by other: ResumeHistory, at now: Instant) -> Bool {
        let mayBeLost = lastToken != nil && (now < lastTokenEnds || !isConnected)
        return lineage.isOutdone(
            by: other, heard: mayBeLost ? lastTokenWelcomes : lineage.welcomes)
    }

    /// Whether the client may still use the feeds of the views that it shows.
    private func mayShow(_ wish: ResumeAttempt) -> Bool {
        views.allSatisfy { view in
            guard let feed = view.feed, wish.shown?.contains(view.id) ?? true else { return true }
            return wish.feeds.contain(feed.name)
        }
    }

    /// Whether the items of the client and those sent here differ. The client may have lost some,
    /// or have some from another daemon on which the session has continued. Views that the client
    /// no longer shows do not count.
    private func hasLostItems(_ wish: ResumeAttempt) -> Bool {
        views.contains { view in
            guard let delivered = view.feed?.delivered, wish.shown?.contains(view.id) ?? true
            else { return false }
            let received = wish.request.received
            guard delivered > 0 else {
                return received.contains { $0.generation == view.generation }
            }
            return !received.contains(LoadID(generation: view.generation, number: delivered))
        }
    }

    /// Resumes the session for its client: sends the whole current state, then the messages that
    /// waited.
    ///
    /// The session must have been detached. Its channel and services must be those of the new
    /// connection.
    mutating func comeBack(_ hello: Hello, token: ResumeToken?, at now: Instant) {
        services.metrics.resumeEnded(nil)
        observer?.tell(.resumed)
        heardAt = now
        welcomedAt = now
        stage = .open
        replaceToken(by: token, presented: hello.resume?.token, at: now)
        lineage.welcome()
        take(hello, at: now)
        renewViews(hello, at: now)
        let waiting = takeWaiting()
        enqueue(
            .passing(
                ServerText.welcome(
                    session: name, token: token, resuming: .success(ack), feeds: permittedFeeds,
                    services: services, now: now)))
        for index in views.indices { tellAll(ofViewAt: index, at: now) }
        for index in views.indices { tellLoads(ofViewAt: index) }
        for message in waiting { enqueue(message) }
        for attach in hello.views where viewIndex(attach.view) == nil {
            self.attach(attach, seq: nil, at: now)
        }
        diagnoseViews(of: hello, at: now)
        // Earlier snapshots are bound to the previous token.
        if wantsSnapshots { enqueueSnapshot() }
        // The fast path begins when the client has shown that it has the new token.
        isPlain = isPlain && lastToken == nil
    }

    /// Resumes from a snapshot, while the `hello` of the client waits for its answer. The client
    /// must know the token of the snapshot.
    ///
    /// - Throws: The reason why it cannot. Nothing has changed then.
    mutating func rebuild(
        from snapshot: SessionSnapshot, at desk: inout FrameScratch, _ now: Instant
    ) throws(ResumeRefusal) {
        guard isGreeting, let greeting, let request = greeting.hello.resume else {
            throw .unknownSession
        }
        let hello = greeting.hello
        var snapshot = try snapshot.asShown(hello.namedViews?.map(\.view), by: request)
        let (own, fresh) = (name, token)
        snapshot.frames = hello.frames
        snapshot.headers = hello.headers
        name = snapshot.name
        do throws(ResumeRefusal) { try restore(snapshot, at: now) } catch {
            name = own
            throw error
        }
        self.greeting = nil
        hasOpened = true
        services.reception?.opened(name, at: key)
        stage = .closed(keeps: true)
        wake(at: now)
        // The client may lose this answer, too: its token then counts as the previous one.
        token = ResumeToken(request.token)
        lineage = (snapshot.lineage ?? ResumeHistory([])).goingOn(as: own)
        let known = ack
        comeBack(hello, token: fresh, at: now)
        inspectHello(greeting.text, at: now)
        handleHeld(greeting.held, known: known, at: &desk, now)
    }

    /// Milliseconds after `welcome`. A message that comes later proves that the client received the
    /// `welcome`.
    static let welcomeLossMs = 10_000.0

    /// How long a client may resume without having received the last `welcome`, milliseconds. A
    /// `welcome` may be lost with its connection.
    private var lastTokenMs: Double {
        max(Self.welcomeLossMs, Double(services.limits.resumeWindowMs))
    }

    /// Replaces the token. The token that the client presented stays valid until the client is
    /// known to have received the new one; while the client is silent, that is unknown. If the
    /// client presents the previous token again, the validity of that token is not extended.
    private mutating func replaceToken(
        by fresh: ResumeToken?, presented: String?, at now: Instant
    ) {
        defer { token = fresh }
        if let presented, token?.matches(presented) != true,
            lastToken?.matches(presented) == true
        {
            return
        }
        lastToken = presented.flatMap { ResumeToken($0) } ?? token
        lastTokenEnds = now.advanced(byMilliseconds: lastTokenMs)
        lastTokenWelcomes = lineage.welcomes
    }

    /// Handles a message that comes while the previous token is still valid. If the last `welcome`
    /// is old enough, the message proves that the client received it: the previous token becomes
    /// void, and the fast path begins.
    @inline(never)
    mutating func takeUpWelcome(at now: Instant) {
        guard now >= welcomedAt.advanced(byMilliseconds: Self.welcomeLossMs) else { return }
        lastToken = nil
        choosePath()
    }

    /// Detaches the views that the client no longer shows, and adapts the others to how it draws
    /// now.
    private mutating func renewViews(_ hello: Hello, at now: Instant) {
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
            views[index].renewLook(look(of: view, attach, at: now))
            guard let attach else { continue }
            var change = attach.geometry
            change.offset = attach.offset ?? change.offset
            tellAny(.geometryChanged(change), toViewAt: index, because: .time, at: now)
        }
    }

    /// How the view is drawn from now on; nil for a client that needs no programme.
    private func look(of view: ViewSlot, _ attach: Attach?, at now: Instant) -> ViewPresentation? {
        guard hasLooks else { return nil }
        var choices: Choices = [:]
        if let known = view.look?.indicators {
            for role in EdgeRole.allCases where view.engine.options.has(role) {
                choices[role] =
                    known[role].map { IndicatorChoice.named($0.name) } ?? IndicatorChoice.none
            }
        } else if var edges = attach?.edges {
            // Only the client itself has kept the indicators that it chose while it was `plain`.
            let named = try? takeIndicators(from: &edges, in: view.engine.options.layout)
            choices = named ?? [:]
        }
        return ViewPresentation(
            of: view.engine, pans: view.look?.pans ?? attach?.pans ?? false,
            indicators: indicators(choices, view.profile, view.engine, at: now), at: now)
    }

    /// Removes from the queue, and returns, the messages that are not sent anew.
    private mutating func takeWaiting() -> [QueuedMessage] {
        let waiting = queue.filter { message in
            switch message {
            case .update, .passing, .snapshot: false
            case .began(let load, _):
                viewIndex(generation: load.generation).map {
                    views[$0].engine.kind(ofRunning: load) == nil
                } ?? true
            case .text, .progress, .items: true
            }
        }
        dropQueue()
        return waiting
    }

    private mutating func tellAll(ofViewAt index: Int, at now: Instant) {
        enqueue(.passing(ServerText.attached(views[index], isNew: false, ack: ack)))
        views[index].tellAll(at: now)
        views[index].isQueued = true
        enqueue(.update(generation: views[index].generation))
    }

    private mutating func tellLoads(ofViewAt index: Int) {
        let view = views[index]
        for order in view.engine.loadsInFlight {
            let text =
                view.feed == nil
                ? ServerText.load(order, view: view.id)
                : ServerText.loadingBegan(order, view: view.id)
            enqueue(.began(order.id, text))
        }
    }
}
