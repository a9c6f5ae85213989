import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Converts a conversation to a value that outlives its process, and back.
extension Conversation {
    /// Returns the state that holds when nothing waits to be sent: the snapshot is the last message
    /// of the current frame.
    ///
    /// `tokenHash` is the hash of the token that the client was given last.
    func snapshot(tokenHash: [UInt8], wantsSnapshots: Bool = true) -> SessionSnapshot {
        var snapshot = SessionSnapshot(
            name: name, tokenHash: tokenHash, subject: principal.subject, ack: inbound.ack,
            frames: renderMode.settings,
            headers: headers, wantsSnapshots: wantsSnapshots, lastGeneration: lastGeneration)
        snapshot.views = views.map(ViewSnapshot.init)
        snapshot.lineage = credentials.history
        return snapshot
    }

    /// Handles the client's request for a snapshot.
    mutating func requestSnapshot(at now: Instant) {
        if snapshotPolicy.request(at: now) { return grantSnapshot(at: now) }
        phase.timeoutCheckDue = min(phase.timeoutCheckDue, snapshotPolicy.due ?? .never)
    }

    mutating func grantSnapshot(at now: Instant) {
        snapshotPolicy.due = nil
        guard phase.isOpen else { return }
        snapshotPolicy.grantedAt = now
        outbox.appendSnapshot()
    }

    /// Whether the daemon has something to seal with, and sessions can be resumed at all.
    var canSeal: Bool { services.seal != nil && services.limits.resumeWindowMs > 0 }

    /// Continues as the session of `snapshot`, which was opened at `now`. Its views exist, and
    /// their loads are started again under the same identities; no message is sent. Changes caused
    /// by elapsed time appear at the next `wake`.
    ///
    /// The conversation must be new: without views, and with the name of the session in the
    /// snapshot.
    ///
    /// - Throws: `changedConfiguration`. Nothing has changed then.
    mutating func restore(
        _ snapshot: SessionSnapshot, at now: Instant
    ) throws(ResumeRefusal) {
        guard isPermittedByConfiguration(snapshot) else { throw .changedConfiguration }
        renderMode.settings = snapshot.frames
        headers = snapshot.headers
        updateFastPath()
        inbound.ack = snapshot.ack
        lastGeneration = snapshot.lastGeneration
        views = snapshot.views.map { makeSlot(for: $0, at: now) }
        for index in views.indices {
            services.metrics.recordViewAttached()
            restartLoads(ofViewAt: index, at: now)
        }
    }

    private func isPermittedByConfiguration(_ snapshot: SessionSnapshot) -> Bool {
        let limits = services.limits
        return snapshot.views.count <= limits.viewsPerSessionMax
            && snapshot.headers.count <= limits.headersMax
            && snapshot.views.allSatisfy { view in
                view.engine.paging.options.size <= limits.pageSizeMax
                    && view.indicators.allSatisfy { indicator in
                        indicator.name.map(services.indicators.contains) ?? true
                    }
                    && (view.feed.map { isServedByConfiguration($0, view.engine.paging.options) }
                        ?? true)
            }
    }

    /// Whether the feed exists, has these parameters, and is paged as before.
    private func isServedByConfiguration(_ feed: ViewSnapshot.Feed, _ paging: PagingOptions) -> Bool
    {
        guard let today = services.feed(named: feed.name),
            principal.permittedFeeds.contains(feed.name),
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

    private func makeSlot(for view: ViewSnapshot, at now: Instant) -> ViewSlot {
        var engine = view.engine
        engine.restartLoadDeadlines(at: now)
        let forwarded = view.feed.flatMap { services.feed(ofView: $0.name)?.forward } ?? []
        let most = services.limits.itemKeysPerViewMax
        return ViewSlot(
            id: view.id, profile: view.profile,
            feed: view.feed.map { feed in
                FeedUse(
                    name: feed.name, parameters: feed.parameters,
                    headers: headers.filter { forwarded.contains($0.name) },
                    shownItems: ItemDeduplicator(
                        Array(feed.shownItems.suffix(most)), foreignHash: feed.itemHash),
                    delivered: feed.delivered)
            },
            engine: engine,
            look: renderMode.hasPresentations
                ? ViewPresentation(
                    of: engine, pans: view.pans,
                    indicators: makeIndicators(view.choices, view.profile, engine, at: now), at: now
                )
                : nil)
    }

    /// Starts the view's loads again under the same identities, with the same idempotency keys for
    /// the backend. A client that is its own backend is sent its loads by the code that sends its
    /// views.
    private mutating func restartLoads(ofViewAt index: Int, at now: Instant) {
        let slot = views[index]
        for order in slot.engine.loadsInFlight {
            services.metrics.recordLoadStarted(feed: slot.feed?.name)
            // How long the load ran before, by another clock, is unknown.
            loadClock.recordStart(of: order.id, at: now)
            if let feed = slot.feed { requestPage(from: feed, for: order, of: slot.id, at: now) }
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
            engine: slot.engine, pans: slot.presentation?.pans ?? false)
        guard let shown = slot.presentation?.indicators else { return }
        indicators = EdgeRole.allCases.filter { slot.engine.options.hasEdge($0) }.map {
            Indicator(role: $0, name: shown[$0]?.name)
        }
    }

    fileprivate var choices: Conversation.Choices {
        Dictionary(
            indicators.map { ($0.role, $0.name.map(IndicatorChoice.named) ?? .none) },
            uniquingKeysWith: { first, _ in first })
    }
}
