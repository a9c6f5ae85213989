import RefreshBroker
import RefreshProtocol

/// Saves the state of a running conversation for a journal, and restores it in a replay.
extension Conversation {
    /// The state that determines all further output. Nil while a decision from elsewhere is pending
    /// or the session is closing, and if a view's feed no longer exists.
    var checkpoint: JournalCheckpoint? {
        let stage: JournalCheckpoint.Stage
        switch self.phase.stage {
        case .silent(let until): stage = .silent(until: until)
        case .open: stage = .open
        case .detached(let until): stage = .detached(until: until)
        case .greeting, .closing, .closed: return nil
        }
        let hasFormerFeeds = views.contains { view in
            view.feed.map { services.feed(named: $0.name) == nil } ?? false
        }
        guard phase.greeting == nil, !hasFormerFeeds else { return nil }
        return JournalCheckpoint(
            name: name, subject: principal.subject, permittedFeeds: principal.permittedFeeds,
            identityExpires: principal.expires, stage: stage,
            hasLastToken: credentials.previousToken != nil,
            lastTokenEnds: credentials.previousTokenEnds,
            lastTokenWelcomes: credentials.previousTokenWelcomes, lineage: credentials.history,
            welcomedAt: credentials.welcomedAt, hasOpened: phase.hasOpened,
            isLost: outbox.hasDropped,
            wantsSnapshots: snapshotPolicy.isWanted, wantsDiagnostics: inbound.wantsDiagnostics,
            diagnosticBudget: inbound.diagnosticBudget, snapshotAskedAt: snapshotPolicy.grantedAt,
            snapshotDue: snapshotPolicy.due, sealBudget: snapshotPolicy.budget, headers: headers,
            frames: renderMode.settings,
            playBudget: renderMode.budget, framesHeldUntil: renderMode.heldUntil, ack: inbound.ack,
            allowance: inbound.rateLimit, heardAt: inbound.lastReceivedAt,
            waitsSince: outbox.waitsSince,
            halfSentBytes: outbox.halfSentBytes, isHeldBack: outbox.hasPausedReading,
            patienceEnds: phase.timeoutCheckDue,
            budget: inbound.faultBudget,
            lastGeneration: lastGeneration, views: views.map(\.memory),
            queue: outbox.messages.map { message in
                credentials.token.map { message.masking($0) } ?? message
            },
            loneUpdate: outbox.loneUpdate)
    }

    /// Continues from `living`. The conversation must be new, without any input or output. Returns
    /// false if the indicators differ from the recorded ones.
    mutating func restore(from living: JournalCheckpoint) -> Bool {
        renderMode.settings = living.frames
        var slots: [ViewSlot] = []
        for memory in living.views {
            var look: ViewPresentation?
            if let known = memory.look {
                look = self.restoredPresentation(known)
                guard look != nil else { return false }
            }
            slots.append(ViewSlot(memory, look: look))
        }
        views = slots
        name = living.name
        principal.subject = living.subject
        principal.permittedFeeds = living.permittedFeeds
        principal.expires = living.identityExpires
        credentials.previousToken = living.hasLastToken ? .masked : nil
        credentials.welcomedAt = living.welcomedAt
        credentials.previousTokenEnds =
            living.lastTokenEnds
            ?? credentials.welcomedAt.advanced(byMilliseconds: ResumeCredentials.welcomeLossMs)
        credentials.history = living.lineage ?? ResumeHistory(openedAs: name)
        credentials.previousTokenWelcomes = living.lastTokenWelcomes ?? 0
        phase.hasOpened = living.hasOpened
        outbox.hasDropped = living.isLost
        snapshotPolicy.isWanted = living.wantsSnapshots
        inbound.wantsDiagnostics = living.wantsDiagnostics ?? false
        inbound.diagnosticBudget = living.diagnosticBudget ?? inbound.diagnosticBudget
        snapshotPolicy.grantedAt = living.snapshotAskedAt
        snapshotPolicy.due = living.snapshotDue
        snapshotPolicy.budget = living.sealBudget ?? snapshotPolicy.budget
        headers = living.headers
        renderMode.budget = living.playBudget ?? renderMode.budget
        renderMode.heldUntil = living.framesHeldUntil ?? renderMode.heldUntil
        inbound.ack = living.ack
        inbound.rateLimit = living.allowance
        inbound.lastReceivedAt = living.heardAt
        outbox.waitsSince = living.waitsSince
        outbox.halfSentBytes = living.halfSentBytes ?? 0
        outbox.hasPausedReading = living.isHeldBack
        inbound.faultBudget = living.budget
        lastGeneration = living.lastGeneration
        outbox.messages = living.queue
        outbox.holdsSnapshot = outbox.messages.contains { $0.isSnapshot }
        outbox.queuedBytes = outbox.messages.reduce(0) { $0 + $1.byteCount }
        outbox.loneUpdate = living.loneUpdate
        restoreStage(living.stage)
        phase.timeoutCheckDue = living.patienceEnds
        return true
    }

    private mutating func restoreStage(_ living: JournalCheckpoint.Stage) {
        switch living {
        case .silent(let until): enter(.silent(until: until))
        case .open:
            enter(.open)
            updateFastPath()
        case .detached(let until):
            enter(.detached(until: until))
            channel = AbsentChannel.shared
        }
    }

    /// Returns the view's presentation; nil if the view cannot have had it.
    private func restoredPresentation(_ memory: ViewPresentation.Memory) -> ViewPresentation? {
        let indicators = ViewIndicators(renderMode.settings, memory.indicators) { name in
            services.indicators.programme(named: name, language: renderMode.settings.language)
        }
        return indicators.map { ViewPresentation(memory, indicators: $0) }
    }
}
