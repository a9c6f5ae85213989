import RefreshProtocol
import RefreshServer
import SealedSnapshots

// The actions of operators on running daemons, and checks of their results.
extension Simulation {
    /// Plans reloads in which all daemons change to the other configuration. Each loop applies the
    /// configuration at a different moment.
    func planReloads() {
        for _ in 0..<plan.reloads {
            agenda.after(generator.milliseconds(100, 8000)) { [self] in
                guard !isQuiet else { return }
                count("operator", "reloads")
                cluster?.bus.disturb()
                settings.toggle()
                applySettings()
            }
        }
    }

    func applySettings() {
        // Some reloads also replace the backend of a feed.
        let remade: Set = generator.chance(30) ? ["pages"] : Set<String>()
        for daemon in daemons { daemon.reload(settings, plan, remade: remade) }
    }

    /// Rotates the keys as docs/operations.md specifies. First, all daemons can open snapshots with
    /// the new key. Then, they seal snapshots with this key.
    func planKeys() {
        guard plan.rotatesKeys else { return }
        let first = generator.milliseconds(100, 3000)
        agenda.after(first) { [self] in
            count("operator", "adds a key")
            replaceKeys(keys.followed(by: laterKeys))
        }
        agenda.after(first + generator.milliseconds(50, 3000)) { [self] in
            count("operator", "rotates the keys")
            replaceKeys(laterKeys.followed(by: keys))
        }
    }

    private func replaceKeys(_ ring: KeyRing) {
        self.ring = ring
        for daemon in daemons { daemon.replaceKeys(ring) }
    }

    /// Checks that a daemon admits at most as many clients as its limit allows.
    func checkPlaces(of daemon: SimulatedDaemon) {
        guard plan.isFull, !isQuiet else { return }
        let taken = daemon.admittedClients
        if taken > plan.limits.sessionsMax {
            fail(
                "\(taken) clients are admitted, but the limit is \(plan.limits.sessionsMax)"
            )
        }
    }

    /// A journal for every n-th session, where n is `recordedOneOf`. Nil for the others.
    func nextJournal() -> SimulatedJournal? {
        guard plan.recordedOneOf > 0 else { return nil }
        sessionsOpened += 1
        guard sessionsOpened % plan.recordedOneOf == 0 else { return nil }
        let journal = SimulatedJournal()
        journals.append(journal)
        return journal
    }

    /// Checks that the replay of each recorded session gives the same output.
    func replayJournals() {
        for journal in journals where failure == nil {
            count("journal", "replayed")
            if let difference = journal.difference() { fail("a replay differs: \(difference)") }
        }
    }

    /// A client other than `client` that has a session.
    func foreignSession(than client: SimulatedClient) -> SimulatedClient? {
        clients.first { $0 !== client && $0.session != nil }
    }
}
