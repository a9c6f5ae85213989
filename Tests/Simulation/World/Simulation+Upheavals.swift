import RefreshProtocol
import RefreshServer

// What operators do to daemons that run, and what must hold of it.
extension Simulation {
    /// Another configuration, in all daemons, at moments that are not the same.
    func planReloads() {
        for _ in 0..<plan.reloads {
            agenda.after(generator.milliseconds(100, 8000)) { [self] in
                guard !isQuiet else { return }
                count("operator", "reloads")
                settings.turn()
                takeUpSettings()
            }
        }
    }

    func takeUpSettings() {
        // What is behind a feed may be another thing now.
        let remade: Set = generator.chance(30) ? ["pages"] : Set<String>()
        for daemon in daemons { daemon.reload(settings, plan, remade: remade) }
    }

    /// As docs/operations.md has it: first everybody can open with the new key, then it seals.
    func planKeys() {
        guard plan.turnsKeys else { return }
        let first = generator.milliseconds(100, 3000)
        agenda.after(first) { [self] in
            count("operator", "brings a key")
            take(keys.followed(by: laterKeys))
        }
        agenda.after(first + generator.milliseconds(50, 3000)) { [self] in
            count("operator", "turns the keys")
            take(laterKeys.followed(by: keys))
        }
    }

    private func take(_ ring: KeyRing) {
        self.ring = ring
        for daemon in daemons { daemon.take(ring) }
    }

    /// A full daemon lets nobody in whom it has no place for.
    func checkPlaces(of daemon: SimulatedDaemon) {
        guard plan.isFull, !isQuiet else { return }
        let taken = daemon.placesTaken
        if taken > plan.limits.sessionsMax {
            fail("\(taken) clients are let in, and there are \(plan.limits.sessionsMax) places")
        }
    }

    /// A journal for each so many sessions.
    func nextJournal() -> SimulatedJournal? {
        guard plan.recordedOneOf > 0 else { return nil }
        sessionsOpened += 1
        guard sessionsOpened % plan.recordedOneOf == 0 else { return nil }
        let journal = SimulatedJournal()
        journals.append(journal)
        return journal
    }

    /// Each session that was recorded says the same again.
    func replayJournals() {
        for journal in journals where failure == nil {
            count("journal", "replayed")
            if let difference = journal.difference() { fail("a replay differs: \(difference)") }
        }
    }

    /// Somebody else's session, for who would have it.
    func foreignSession(than client: SimulatedClient) -> SimulatedClient? {
        clients.first { $0 !== client && $0.session != nil }
    }
}
