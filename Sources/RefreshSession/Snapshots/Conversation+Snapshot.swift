import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Converts a conversation to a value that outlives its process, and back.
extension Conversation {
    /// Returns the state after all messages of the current frame. This is the state of the
    /// snapshot, because the snapshot is the last message of its frame.
    ///
    /// `tokenHash` is the hash of the token that was last sent to the client.
    func snapshot(tokenHash: [UInt8], wantsSnapshots: Bool = true) -> SessionSnapshot {
        SessionSnapshot(
            saved(hasDelivery: false), tokenHash: tokenHash, subject: principal.subject,
            wantsSnapshots: wantsSnapshots, history: credentials.history)
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

    /// Whether the daemon can seal snapshots, and sessions can be resumed.
    var canSeal: Bool { services.seal != nil && services.limits.resumeWindowMs > 0 }

    /// Continues the session of `snapshot`, which was unsealed at `now`. This method restores the
    /// views and starts their loads again with the same identifiers. It sends no message. Changes
    /// caused by elapsed time appear at the next `wake`.
    ///
    /// The conversation must be new, without views.
    ///
    /// - Throws: `changedConfiguration`. In that case nothing has changed.
    mutating func restore(
        _ snapshot: SessionSnapshot, at now: Instant
    ) throws(ResumeRefusal) {
        let saved = snapshot.session
        guard isPermittedByConfiguration(saved) else { throw .changedConfiguration }
        restoreMembers(of: saved)
        updateFastPath()
        views = saved.views.map { makeSlot(for: $0, at: now) }
        for index in views.indices {
            services.metrics.recordViewAttached()
            restartLoads(ofViewAt: index, at: now)
            // The snapshot does not contain the operations on items that waited.
            views[index].engine.replaceOperations()
            // The view delays its refresh for a change of the feed. Only the daemon that sealed the
            // snapshot knew the end of this delay, so the delay ends now.
            if views[index].engine.hasDelayedChange {
                delayedRefreshes.insert(views[index].generation, until: now)
            }
        }
    }

    private func isPermittedByConfiguration(_ session: SavedSession) -> Bool {
        let limits = services.limits
        return session.views.count <= limits.viewsPerSessionMax
            && session.headers.count <= limits.headersMax
            && session.views.allSatisfy { view in
                view.engine.paging.options.size <= limits.pageSizeMax
                    && view.indicators.allSatisfy { indicator in
                        indicator.name.map(services.indicators.contains) ?? true
                    }
                    && (view.feed.map { isServedByConfiguration($0, view.engine.paging.options) }
                        ?? true)
            }
    }

    /// Whether the feed exists and is permitted, has these parameters, and has the same paging.
    private func isServedByConfiguration(_ feed: SavedView.Feed, _ paging: PagingOptions) -> Bool {
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

    private func makeSlot(for saved: SavedView, at now: Instant) -> ViewSlot {
        var view = saved
        view.engine.restartLoadDeadlines(at: now)
        let most = services.limits.itemKeysPerViewMax
        if let excess = view.feed.map({ $0.shownItems.count - most }), excess > 0 {
            view.feed?.shownItems.removeFirst(excess)
        }
        let forwarded = view.feed.flatMap { services.feed(ofView: $0.name)?.forward } ?? []
        return ViewSlot(
            view, headers: headers.filter { forwarded.contains($0.name) },
            presentation: renderMode.hasPresentations
                ? ViewPresentation(
                    of: view.engine, pans: view.pans,
                    indicators: makeIndicators(view.choices, view.profile, view.engine, at: now),
                    at: now)
                : nil)
    }

    /// Starts the view's loads again with the same identifiers, and with the same idempotency keys
    /// for the backend. If the client is its own backend, `resume` sends the loads to the client.
    private mutating func restartLoads(ofViewAt index: Int, at now: Instant) {
        let slot = views[index]
        for order in slot.engine.loadsInFlight {
            services.metrics.loads.recordStart(feed: slot.feed?.name)
            // The time for which the load has already run is unknown, because another clock
            // measured it.
            loadStartTimes.recordStart(of: order.id, at: now)
            if let feed = slot.feed { requestPage(from: feed, for: order, of: slot.id, at: now) }
        }
    }
}

extension SavedView {
    fileprivate var choices: Conversation.Choices {
        Dictionary(
            indicators.map { ($0.role, $0.name.map(IndicatorChoice.named) ?? .none) },
            uniquingKeysWith: { first, _ in first })
    }
}
