import RefreshBroker
import RefreshProtocol

/// Saves the state of a running conversation for a journal, and restores it in a replay.
extension Conversation {
    /// The state that determines all further output. Nil while a decision on `hello` is pending or
    /// the session is closing, and nil if the feed of a view is no longer configured.
    var checkpoint: JournalCheckpoint? {
        let hasFormerFeeds = views.contains { view in
            view.feed.map { services.feed(named: $0.name) == nil } ?? false
        }
        guard let phase = phase.savedState, !hasFormerFeeds else { return nil }
        return JournalCheckpoint(
            session: saved(hasDelivery: true), principal: principal, phase: phase,
            credentials: credentials.withoutTokens, snapshotPolicy: snapshotPolicy,
            outbox: credentials.token.map(outbox.masking) ?? outbox, inbound: inbound,
            renderMode: renderMode, delayedRefreshes: delayedRefreshes)
    }

    /// Continues from the checkpoint. The conversation must be new, without any input or output.
    /// Returns false if the indicators differ from the recorded ones.
    mutating func restore(from checkpoint: JournalCheckpoint) -> Bool {
        principal = checkpoint.principal
        phase = ConnectionPhase(checkpoint.phase)
        // A checkpoint does not contain the token, so the token from the journal's header is used.
        let token = credentials.token
        credentials = checkpoint.credentials
        credentials.token = token
        snapshotPolicy = checkpoint.snapshotPolicy
        outbox = checkpoint.outbox
        inbound = checkpoint.inbound
        renderMode = checkpoint.renderMode
        delayedRefreshes = checkpoint.delayedRefreshes
        restoreMembers(of: checkpoint.session)
        for view in checkpoint.session.views {
            guard let slot = restoredSlot(of: view) else { return false }
            views.append(slot)
        }
        switch phase.stage {
        case .open: updateFastPath()
        case .detached: channel = AbsentChannel.shared
        case .silent, .greeting, .closing, .closed: break
        }
        return true
    }

    /// Returns the view. Returns nil if the saved presentation does not fit its indicators.
    private func restoredSlot(of view: SavedView) -> ViewSlot? {
        guard let saved = view.delivery?.presentation else { return ViewSlot(view) }
        let settings = renderMode.settings
        let indicators = ViewIndicators(settings, saved.indicators) { name in
            services.indicators.programme(named: name, language: settings.language)
        }
        return indicators.map {
            ViewSlot(view, presentation: ViewPresentation(saved, indicators: $0))
        }
    }
}
