import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// A conversation as a value that outlives its process, and back.
extension Conversation {
    /// All that holds when nothing waits to be told: in the frame at hand, behind all else.
    ///
    /// `tokenHash`: of the token that the client was given last.
    func snapshot(tokenHash: [UInt8], wantsSnapshots: Bool = true) -> SessionSnapshot {
        var snapshot = SessionSnapshot(
            name: name, tokenHash: tokenHash, subject: subject, ack: ack, frames: frames,
            headers: headers, wantsSnapshots: wantsSnapshots, lastGeneration: lastGeneration)
        snapshot.views = views.map(ViewSnapshot.init)
        snapshot.lineage = lineage
        return snapshot
    }

    /// The client asks for one. It is given its way at once, and again after `askedSnapshotsMs` at
    /// the earliest: what it asks for until then is one wish, for sealing takes time that others'
    /// sessions need.
    mutating func askForSnapshot(at now: Instant) {
        let due = snapshotAskedAt?.advanced(byMilliseconds: Self.askedSnapshotsMs) ?? now
        guard due > now else { return giveAskedSnapshot(at: now) }
        snapshotDue = due
        patienceEnds = min(patienceEnds, due)
    }

    mutating func giveAskedSnapshot(at now: Instant) {
        snapshotDue = nil
        guard isOpen else { return }
        snapshotAskedAt = now
        enqueueSnapshot()
    }

    /// Between two snapshots that a client asks for. Source: docs/protocol.md, "Sealed snapshots".
    private static let askedSnapshotsMs = 250.0

    /// Whether there is something to seal with, and sessions come back at all.
    var canSeal: Bool { services.seal != nil && services.limits.resumeWindowMs > 0 }

    /// Goes on as the session of `snapshot`, which was opened at `now`: its views are there, their
    /// loads are begun again under the identities that they had, and nobody was told anything. What
    /// time has brought is seen at the next `wake`.
    ///
    /// Of a session that is new: without views, with the name of that in the snapshot.
    ///
    /// - Throws: `changedConfiguration`; then nothing has changed.
    mutating func restore(
        _ snapshot: SessionSnapshot, at now: Instant
    ) throws(ResumeRefusal) {
        guard isAllowedToday(snapshot) else { throw .changedConfiguration }
        frames = snapshot.frames
        headers = snapshot.headers
        choosePath()
        hasLooks = frames.mode != .plain
        plays = frames.mode == .stream
        ack = snapshot.ack
        lastGeneration = snapshot.lastGeneration
        views = snapshot.views.map { slot(for: $0, at: now) }
        for index in views.indices {
            services.metrics.viewAttached()
            beginLoadsAgain(ofViewAt: index, at: now)
        }
    }

    private func isAllowedToday(_ snapshot: SessionSnapshot) -> Bool {
        let limits = services.limits
        return snapshot.views.count <= limits.viewsPerSessionMax
            && snapshot.headers.count <= limits.headersMax
            && snapshot.views.allSatisfy { view in
                view.engine.paging.options.size <= limits.pageSizeMax
                    && view.indicators.allSatisfy { indicator in
                        indicator.name.map(services.indicators.has) ?? true
                    }
                    && (view.feed.map { isServedToday($0, view.engine.paging.options) } ?? true)
            }
    }

    /// Whether the feed is there, has these parameters, and is paged as it was.
    private func isServedToday(_ feed: ViewSnapshot.Feed, _ paging: PagingOptions) -> Bool {
        guard let today = services.feed(named: feed.name), permittedFeeds.contain(feed.name),
            feed.parameters.count <= services.limits.parametersMax
        else { return false }
        return today.style ?? paging.style == paging.style
            && today.first ?? paging.first == paging.first
            && today.size ?? paging.size == paging.size
            && feed.parameters.allSatisfy { given in
                today.parameters.contains {
                    $0.name.hasBytes(of: given.name) && $0.type == given.value.type
                }
            }
    }

    private func slot(for view: ViewSnapshot, at now: Instant) -> ViewSlot {
        var engine = view.engine
        engine.loadsBeginAgain(at: now)
        let forwarded = view.feed.flatMap { services.feed(ofView: $0.name)?.forward } ?? []
        let most = services.limits.itemKeysPerViewMax
        return ViewSlot(
            id: view.id, profile: view.profile,
            feed: view.feed.map { feed in
                FeedUse(
                    name: feed.name, parameters: feed.parameters,
                    headers: headers.filter { forwarded.contains($0.name) },
                    shownItems: ShownItems(
                        Array(feed.shownItems.suffix(most)), foreignHash: feed.itemHash),
                    delivered: feed.delivered)
            },
            engine: engine,
            look: hasLooks
                ? ViewLook(
                    of: engine, pans: view.pans,
                    indicators: indicators(view.choices, view.profile, engine, at: now), at: now)
                : nil)
    }

    /// Under the same identities, and for the backend with the same keys. A client that is its own
    /// backend is told by who tells it of its views.
    private mutating func beginLoadsAgain(ofViewAt index: Int, at now: Instant) {
        let slot = views[index]
        for order in slot.engine.loadsInFlight {
            services.metrics.loadStarted(feed: slot.feed?.name)
            // How long it ran before, by another clock, nobody knows.
            loadClock.began(order.id, at: now)
            if let feed = slot.feed { ask(feed, for: order, of: slot.id, at: now) }
        }
    }
}

extension ViewSnapshot {
    fileprivate init(_ slot: ViewSlot) {
        self.init(
            id: slot.id, profile: slot.profile,
            feed: slot.feed.map { feed in
                Feed(
                    name: feed.name, parameters: feed.parameters, delivered: feed.delivered,
                    shownItems: feed.shownItems.hashes, itemHash: feed.shownItems.foreignHash)
            },
            engine: slot.engine, pans: slot.look?.pans ?? false)
        guard let shown = slot.look?.indicators else { return }
        indicators = EdgeRole.allCases.filter { slot.engine.options.has($0) }.map {
            Indicator(role: $0, name: shown[$0]?.name)
        }
    }

    fileprivate var choices: Conversation.Choices {
        Dictionary(
            indicators.map { ($0.role, $0.name.map(IndicatorChoice.named) ?? .none) },
            uniquingKeysWith: { first, _ in first })
    }
}
