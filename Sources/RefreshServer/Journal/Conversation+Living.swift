import RefreshBroker
import RefreshProtocol

/// Saves the state of a running conversation for a journal, and restores it in a replay.
extension Conversation {
    /// The state that determines all further output. Nil while a decision from elsewhere is pending
    /// or the session is closing, and if a view's feed no longer exists.
    var living: JournalCheckpoint? {
        let stage: JournalCheckpoint.Stage
        switch self.stage {
        case .silent(let until): stage = .silent(until: until)
        case .open: stage = .open
        case .detached(let until): stage = .detached(until: until)
        case .greeting, .closing, .closed: return nil
        }
        let hasFormerFeeds = views.contains { view in
            view.feed.map { services.feed(named: $0.name) == nil } ?? false
        }
        guard greeting == nil, !hasFormerFeeds else { return nil }
        return JournalCheckpoint(
            name: name, subject: subject, permittedFeeds: permittedFeeds,
            identityExpires: identityExpires, stage: stage, hasLastToken: lastToken != nil,
            lastTokenEnds: lastTokenEnds, lastTokenWelcomes: lastTokenWelcomes, lineage: lineage,
            welcomedAt: welcomedAt, hasOpened: hasOpened,
            isLost: isLost,
            wantsSnapshots: wantsSnapshots, wantsDiagnostics: wantsDiagnostics,
            diagnosticBudget: diagnosticBudget, snapshotAskedAt: snapshotAskedAt,
            snapshotDue: snapshotDue, sealBudget: sealBudget, headers: headers, frames: frames,
            playBudget: playBudget, framesHeldUntil: framesHeldUntil, ack: ack,
            allowance: allowance, heardAt: heardAt, waitsSince: waitsSince,
            halfSentBytes: halfSentBytes, isHeldBack: isHeldBack, patienceEnds: patienceEnds,
            budget: budget,
            lastGeneration: lastGeneration, views: views.map(\.memory),
            queue: queue.map { message in token.map { message.masking($0) } ?? message },
            loneUpdate: loneUpdate)
    }

    /// Continues from `living`. The conversation must be new, without any input or output. Returns
    /// false if the indicators differ from the recorded ones.
    mutating func goOn(as living: JournalCheckpoint) -> Bool {
        frames = living.frames
        hasLooks = frames.mode != .plain
        var slots: [ViewSlot] = []
        for memory in living.views {
            var look: ViewPresentation?
            if let known = memory.look {
                look = self.look(known)
                guard look != nil else { return false }
            }
            slots.append(ViewSlot(memory, look: look))
        }
        views = slots
        name = living.name
        subject = living.subject
        permittedFeeds = living.permittedFeeds
        identityExpires = living.identityExpires
        lastToken = living.hasLastToken ? .masked : nil
        welcomedAt = living.welcomedAt
        lastTokenEnds =
            living.lastTokenEnds
            ?? welcomedAt.advanced(byMilliseconds: Self.welcomeLossMs)
        lineage = living.lineage ?? ResumeHistory(openedAs: name)
        lastTokenWelcomes = living.lastTokenWelcomes ?? 0
        hasOpened = living.hasOpened
        isLost = living.isLost
        wantsSnapshots = living.wantsSnapshots
        wantsDiagnostics = living.wantsDiagnostics ?? false
        diagnosticBudget = living.diagnosticBudget ?? diagnosticBudget
        snapshotAskedAt = living.snapshotAskedAt
        snapshotDue = living.snapshotDue
        sealBudget = living.sealBudget ?? sealBudget
        headers = living.headers
        playBudget = living.playBudget ?? playBudget
        framesHeldUntil = living.framesHeldUntil ?? framesHeldUntil
        ack = living.ack
        allowance = living.allowance
        heardAt = living.heardAt
        waitsSince = living.waitsSince
        halfSentBytes = living.halfSentBytes ?? 0
        isHeldBack = living.isHeldBack
        budget = living.budget
        lastGeneration = living.lastGeneration
        queue = living.queue
        isSnapshotQueued = queue.contains { $0.isSnapshot }
        queuedBytes = queue.reduce(0) { $0 + $1.byteCount }
        loneUpdate = living.loneUpdate
        goOn(at: living.stage)
        isPlain = isPlain && lastToken == nil
        patienceEnds = living.patienceEnds
        return true
    }

    private mutating func goOn(at living: JournalCheckpoint.Stage) {
        switch living {
        case .silent(let until): stage = .silent(until: until)
        case .open:
            stage = .open
            choosePath()
            plays = frames.mode == .stream
        case .detached(let until):
            stage = .detached(until: until)
            channel = AbsentChannel.shared
        }
    }

    /// Returns the view's presentation; nil if the view cannot have had it.
    private func look(_ memory: ViewPresentation.Memory) -> ViewPresentation? {
        let indicators = ViewIndicators(frames, memory.indicators) { name in
            services.indicators.programme(named: name, language: frames.language)
        }
        return indicators.map { ViewPresentation(memory, indicators: $0) }
    }
}
