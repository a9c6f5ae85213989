import RefreshEngine
import RefreshProtocol

/// A session that outlives its connection. Source: docs/protocol.md, "Coming back".
extension Conversation {
    /// Whether it is worth keeping without its connection.
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

    /// Whether it is over for good, though its connection may not be gone yet.
    var isOver: Bool {
        switch stage {
        case .closing(let code): !code.keepsSession
        case .closed(let keeps): !keeps
        case .silent, .greeting, .open, .detached: false
        }
    }

    /// The connection is gone, and the session waits for its client. It must be one that can be
    /// kept.
    mutating func connectionLost(at now: Instant) {
        channelTakesFrames()
        stage = .detached(
            until: now.advanced(byMilliseconds: Double(services.limits.resumeWindowMs)))
        channel = AbsentChannel.shared
        // Nobody sees what would be played.
        plays = false
        isPlain = false
        queue.removeAll { $0.isPassing }
        queuedBytes = queue.reduce(0) { $0 + $1.byteCount }
        isSnapshotQueued = false
        snapshotDue = nil
        sealBudget.forget()
        keepQueue(while: true)
        witness?.detached()
    }

    /// Whether the client hears what is said.
    var isConnected: Bool {
        switch stage {
        case .silent, .greeting, .open, .closing: true
        case .closed, .detached: false
        }
    }

    /// Whether `hello` was said and waits for its answer.
    var isGreeting: Bool {
        if case .greeting = stage { true } else { false }
    }

    /// When nobody waits for the client any more; nil while it has a connection.
    var waitsUntil: Instant? {
        if case .detached(let until) = stage { until } else { nil }
    }

    /// Whether a client may go on with the session that says this. Nil: it may.
    func refusal(of wish: ResumeWish, at now: Instant) -> ResumeRefusal? {
        let request = wish.request
        guard canBeKept else { return .unknownSession }
        guard isGood(request.token, from: wish.connectedAt, at: now) else { return .wrongToken }
        guard Bytewise(wrappedValue: self.subject) == Bytewise(wrappedValue: wish.subject) else {
            return .otherSubject
        }
        guard mayShow(wish) else { return .changedConfiguration }
        return isLost || hasLostItems(wish) ? .resultsLost : nil
    }

    /// Whether that token is good, of who comes on a connection that is there since `connectedAt`.
    /// With the one before comes who has not heard of a newer one: not on a connection from before
    /// the one on which that was told, for that was given up, and is late.
    private func isGood(_ text: String, from connectedAt: Instant, at now: Instant) -> Bool {
        if token?.matches(text) == true { return true }
        return now < lastTokenEnds && lastToken?.matches(text) == true
            && connectedAt >= self.connectedAt
    }

    /// Whether who has a snapshot of that lineage has gone on from this session's state elsewhere.
    ///
    /// Of a client that is away nobody knows what it has heard, however long that is ago.
    func isOutdone(by other: Lineage, at now: Instant) -> Bool {
        let mayBeLost = lastToken != nil && (now < lastTokenEnds || !isConnected)
        return lineage.isOutdone(
            by: other, heard: mayBeLost ? lastTokenWelcomes : lineage.welcomes)
    }

    /// Whether the client may still use the feeds of the views that it shows.
    private func mayShow(_ wish: ResumeWish) -> Bool {
        views.allSatisfy { view in
            guard let feed = view.feed, wish.shown?.contains(view.id) ?? true else { return true }
            return wish.feeds.contain(feed.name)
        }
    }

    /// Whether items were sent that the client does not have, or it has some that were not sent
    /// here: on another daemon the session has gone on since. Of views that it does not show any
    /// more it needs none.
    private func hasLostItems(_ wish: ResumeWish) -> Bool {
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

    /// Goes on with a client that has come back: tells all that holds, and what had to wait.
    ///
    /// Of one that was detached; its channel and services are those of the new connection.
    mutating func comeBack(_ hello: Hello, token: ResumeToken?, at now: Instant) {
        services.metrics.resumeEnded(nil)
        witness?.tell(.resumed)
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
        // Those before were for the last token.
        if wantsSnapshots { enqueueSnapshot() }
        // The paths that are quickest begin when the client has shown that it has the token.
        isPlain = isPlain && lastToken == nil
    }

    /// Goes on with the session of a snapshot whose token the client knows, and whose `hello`
    /// waits.
    ///
    /// - Throws: why it cannot; then nothing has changed.
    mutating func rebuild(
        from snapshot: SessionSnapshot, at desk: inout Desk, _ now: Instant
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
        // The client may lose the answer, too.
        token = ResumeToken(request.token)
        lineage = (snapshot.lineage ?? Lineage([])).goingOn(as: own)
        let known = ack
        comeBack(hello, token: fresh, at: now)
        inspectHello(greeting.text, at: now)
        handleHeld(greeting.held, known: known, at: &desk, now)
    }

    /// What comes so long after `welcome` was said by who has heard it.
    static let welcomeLossMs = 10_000.0

    /// So long a client may come back without having heard `welcome`, which may be lost with its
    /// connection.
    private var lastTokenMs: Double {
        max(Self.welcomeLossMs, Double(services.limits.resumeWindowMs))
    }

    /// The token that the client came with is good still until it has heard of another one: so long
    /// as it says nothing, nobody knows. One that was replaced before is not good for longer
    /// because somebody has come with it again.
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

    /// The client says something: long after the last `welcome` that proves that it has heard it.
    /// Then the token before is void, and the quickest paths begin.
    @inline(never)
    mutating func takeUpWelcome(at now: Instant) {
        guard now >= welcomedAt.advanced(byMilliseconds: Self.welcomeLossMs) else { return }
        lastToken = nil
        choosePath()
    }

    /// Views that the client does not show any more go; the others are drawn as it draws now.
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

    /// How the view is drawn from now on; nil: by a client that needs no programme.
    private func look(of view: ViewSlot, _ attach: Attach?, at now: Instant) -> ViewLook? {
        guard hasLooks else { return nil }
        var choices: Choices = [:]
        if let known = view.look?.indicators {
            for role in EdgeRole.allCases where view.engine.options.has(role) {
                choices[role] =
                    known[role].map { IndicatorChoice.named($0.name) } ?? IndicatorChoice.none
            }
        } else if var edges = attach?.edges {
            // A plain client's choice is kept by nobody but itself.
            let named = try? takeIndicators(from: &edges, in: view.engine.options.layout)
            choices = named ?? [:]
        }
        return ViewLook(
            of: view.engine, pans: view.look?.pans ?? attach?.pans ?? false,
            indicators: indicators(choices, view.profile, view.engine, at: now), at: now)
    }

    /// Takes out of the queue what waited for the client and is not told anew.
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
