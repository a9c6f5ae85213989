import RefreshBroker
import RefreshClient
import RefreshProtocol
import RefreshSession

// The changes of a live list, and its rules at rest.
extension Simulation {
    /// The moments of the quiet phase, in milliseconds: the users scroll to the start, refresh
    /// lists whose refresh has failed, and show what is held back. Their lists are compared,
    /// refreshed, compared again, and loaded to their ends.
    private static let startMs = 12_000.0
    private static let revealMs = 22_000.0
    private static let restMs = 27_000.0
    private static let refreshMs = 27_500.0
    private static let refreshedMs = 33_000.0
    private static let loadsMs = 33_500.0
    private static let endMs = 44_000.0

    func planLiveChanges() {
        guard let live = plan.live, let board = backends.board else { return }
        let one = generator.below(plan.daemons)
        for _ in 0..<live.changes {
            agenda.after(generator.milliseconds(500, 20_000)) { [self] in
                guard !isQuiet, let change = board.change(&generator) else { return }
                let index = live.hasOneReporter ? one : generator.below(daemons.count)
                guard !daemons[index].isEnded else { return }
                count("live", "changes")
                cluster?.monitor.recordChange(of: LivePlan.feed)
                daemons[index].feedChanged(change)
            }
        }
    }

    func planLiveRest() {
        for client in liveClients { client.settle() }
        agenda.after(Self.startMs) { [self] in
            // A list is verified while its start is in sight.
            for client in liveClients { client.scrollToStart() }
            for client in liveClients where client.showsFailure {
                count("live", "refreshes after a failure")
                client.send("refresh")
            }
        }
        agenda.after(Self.revealMs) { [self] in
            for client in liveClients where client.shown.hasNewer { client.send("reveal") }
        }
        agenda.after(Self.restMs) { [self] in
            // A change whose node has ended may never be shown: the cluster promises no more.
            guard plan.ends == 0 else { return }
            for client in liveClients where !client.shown.hasNewer {
                compareList(of: client, "at rest")
            }
        }
        agenda.after(Self.refreshMs) { [self] in
            for client in liveClients { client.send("refresh") }
        }
        agenda.after(Self.refreshedMs) { [self] in
            for client in liveClients { compareList(of: client, "after a refresh") }
        }
        for moment in stride(from: Self.loadsMs, to: Self.endMs - 1000, by: 500) {
            agenda.after(moment) { [self] in
                for client in liveClients where client.shown.hasMore == true {
                    client.send("loadMore")
                }
            }
        }
        agenda.after(Self.endMs) { [self] in
            for client in liveClients {
                if client.shown.hasMore == true { client.broken(.list, "the list does not end") }
                compareList(of: client, "loaded to its end")
                checkEdits(of: client)
            }
            if let mistake = backends.board?.mistake { fail("[edits] \(mistake)") }
        }
    }

    /// Checks that the client shows the first items of the feed, or all of them if it knows that
    /// there are no more.
    private func compareList(of client: LiveClient, _ when: String) {
        guard failure == nil, let board = backends.board else { return }
        guard client.isOpen else { return client.broken(.list, "has no session \(when)") }
        count("live compared", when)
        let shown = client.shown.items.map(\.text)
        let all = board.texts
        let expected = client.shown.hasMore == false ? all[...] : all.prefix(shown.count)
        guard shown[...] != expected else { return }
        client.broken(
            .list,
            "\(when) shows \(shown.joined()), and the list is \(expected.joined())")
    }

    private func checkEdits(of client: LiveClient) {
        guard failure == nil else { return }
        for edit in client.edits {
            let answers = client.answers[edit] ?? []
            guard answers.count == 1 else {
                return client.broken(.edits, "edit \(edit) has \(answers.count) answers")
            }
            count("live answers", answers[0].code ?? answers[0].result.rawValue)
            let key = IdempotencyKey.text(edit: edit, of: LivePlan.feed, subject: nil)
            if answers[0].result != .rolledBack, backends.board?.outcomes[key] != true {
                client.broken(.edits, "edit \(edit) is confirmed and was not performed")
            }
        }
        if !client.shown.pendingEdits.isEmpty { client.broken(.edits, "has edits at rest") }
    }
}
