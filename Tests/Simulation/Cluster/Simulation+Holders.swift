import RefreshCluster
import RefreshProtocol

// The rules for the holders of sessions, and the faults of the store.
extension Simulation {
    /// The time before the quiet phase in which faults of the store begin, in milliseconds.
    private static let storeFaultsMs = 16_000.0
    /// The time in milliseconds in which a claim is answered, with the delay of the mailbox.
    private static let answerMs = SessionFence.claimMs + 50
    /// The time in milliseconds within which an earlier daemon has closed a session that another
    /// one has claimed, if the store works. It includes the second reading of the entry.
    private static let closedMs = 3000.0
    /// The time around a claim in milliseconds in which the daemon rebuilds the session.
    private static let handingOverMs = 1000.0
    /// The moment of the quiet phase at which superseded credentials are presented again, in
    /// milliseconds.
    private static let replayMs = 31_000.0
    /// The times in milliseconds in which a node writes that a client has received its `welcome`:
    /// after a message that shows it, and after `previousTokenMs` without such a message.
    private static let confirmedMs = 2000.0
    private static let elapsedMs = 12_000.0
    /// The moment of the quiet phase at which clients move to another daemon, in milliseconds.
    private static let moveMs = 35_000.0
    /// The time in milliseconds until such a client has resumed, and the daemon before has closed.
    private static let movedMs = 6000.0

    func planStoreFaults() {
        guard let cluster, plan.sealsSnapshots else { return }
        for _ in 0..<cluster.plan.store.faults {
            agenda.after(cluster.fenceGenerator.milliseconds(500, Self.storeFaultsMs)) {
                [self] in
                guard !isQuiet else { return }
                let fault = cluster.bus.failStore()
                count("store", fault)
                record("the store has a fault: \(fault)")
            }
        }
    }

    func countFencing(_ counters: FenceCounters) {
        tally("fence", "closed sessions", counters.closed)
        tally("fence", "revoked sessions", counters.revoked)
        tally("fence", "requests without an answer", counters.timeouts)
        tally("fence", "conflicts", counters.conflicts)
    }

    /// Checks that a claim does not wait for too long, whatever the bus does.
    func recordClaim(of session: String, _ verdict: ClaimVerdict, afterMs waited: Double) {
        count("claims", verdict.rawValue)
        record("the claim of \(session) is \(verdict) after \(waited) ms")
        if let cluster {
            cluster.claimedAt[session] = agenda.now
            let lossMs = agenda.now.milliseconds(since: cluster.storeLostAt)
            if verdict == .unfenced || lossMs < Self.handingOverMs {
                cluster.unfencedSessions.insert(session)
            }
        }
        if waited > Self.answerMs {
            fail(.session, "the claim of the session \(session) waited for \(waited) ms")
        }
    }

    /// The store has lost its entries.
    func recordStoreLoss() {
        guard let cluster else { return }
        cluster.storeLostAt = agenda.now
        for session in Set(cluster.holders.keys).union(cluster.claimedAt.keys) {
            let isJustClaimed = cluster.claimedAt[session].map {
                agenda.now.milliseconds(since: $0) < Self.handingOverMs
            }
            let holders = (daemons + replacedDaemons).count { $0.hasSession(session) }
            if holders > 1 || isJustClaimed == true { cluster.unfencedSessions.insert(session) }
        }
    }

    // MARK: One holder

    /// Records the daemon at which a session was welcomed. If the daemon before it has not ended,
    /// it still has the session too, until it learns of the claim.
    ///
    /// `isFromSnapshot`: whether the daemon may have rebuilt the session from a snapshot.
    func recordHolder(
        of session: String, _ daemon: SimulatedDaemon, isFromSnapshot: Bool,
        by client: SimulatedClient
    ) {
        guard let cluster else { return }
        record("client \(client.number) is at node \(daemon.node?.number ?? 0)")
        if let holder = cluster.holders[session] {
            if holder.daemon === daemon, !isFromSnapshot { return }
            if holder.daemon !== daemon, holder.daemon.hasSession(session) {
                count("cluster", "second complete session")
                planCheck(of: session, by: client)
            }
        }
        cluster.holders[session] = .init(daemon: daemon, since: agenda.now)
    }

    /// Checks later that only the daemon at which a client resumes now has the session. If the
    /// bus or the store changes until then, or the client connects again, nothing is checked.
    private func planCheck(of session: String, by client: SimulatedClient) {
        guard let cluster, plan.sealsSnapshots, cluster.bus.isFencing,
            let connection = client.connection
        else { return }
        agenda.after(Self.closedMs) { [self] in
            guard cluster.bus.isFencing, client.connection === connection else { return }
            count("compared", "claimed sessions")
            checkHolders(of: session, "\(Self.closedMs) ms after client \(client.number) resumed")
        }
    }

    /// Checks that no two daemons have the same session, if they have been able to use the store
    /// for some time.
    func checkHolders() {
        guard let cluster, plan.sealsSnapshots, cluster.bus.isFencing,
            agenda.now >= cluster.handoversEnd
        else { return }
        for session in cluster.holders.keys.sorted() {
            count("compared", "sessions")
            checkHolders(of: session, "after the healing")
        }
    }

    private func checkHolders(of session: String, _ when: String) {
        let holders = (daemons + replacedDaemons).filter { $0.hasSession(session) }
        guard holders.count > 1 else { return }
        let numbers = holders.compactMap { $0.node?.number }
        fail(.holder, "the nodes \(numbers) have the session \(session) \(when)")
    }

    /// Checks that no session has connections of its client at two daemons.
    func checkConnections() {
        for client in clients {
            guard let session = client.session?.name else { continue }
            let holders = daemons.filter { daemon in
                !daemon.isEnded
                    && daemon.standingConnections.contains { $0.welcomedSession == session }
            }
            count("compared", "holders")
            guard holders.count > 1 else { continue }
            let numbers = holders.compactMap { $0.node?.number }
            fail(
                .holder,
                "the nodes \(numbers) have connections of client \(client.number) with the same "
                    + "session")
        }
    }

    /// Lets clients move to another daemon while the cluster works, so that the daemons before them
    /// must close their sessions.
    func planMoves() {
        agenda.after(Self.moveMs) { [self] in
            guard let cluster, plan.sealsSnapshots, cluster.bus.isFencing else { return }
            cluster.handoversEnd = agenda.now.advanced(byMilliseconds: Self.movedMs)
            for client in clients
            where client.snapshot != nil && cluster.fenceGenerator.chance(70) {
                let others = daemons.indices.filter { $0 != client.daemonIndex }
                client.daemonIndex = cluster.fenceGenerator.pick(others)
                client.hangUp()
            }
        }
    }

    // MARK: Refusals

    /// Presents credentials again that a client has superseded, at another daemon or at its own
    /// one. They must be refused. If no node has ever claimed the session, the daemon that rebuilds
    /// it must close it soon.
    func planReplays() {
        guard plan.sealsSnapshots else { return }
        agenda.after(Self.replayMs) { [self] in
            guard let cluster, cluster.bus.isFencing else { return }
            cluster.handoversEnd = agenda.now.advanced(byMilliseconds: Self.closedMs)
            for client in clients {
                guard case .open(let connection) = client.link,
                    isConfirmationWritten(on: connection),
                    let credentials = client.supersededCredentials,
                    credentials.session == client.session?.name,
                    credentials.token != client.session?.token
                else { continue }
                let place = cluster.fenceGenerator.below(daemons.count)
                replay(credentials, of: client, at: place, "superseded")
            }
        }
    }

    /// Whether the node of the connection must have written that the client has received its last
    /// `welcome`.
    private func isConfirmationWritten(on connection: SimulatedConnection) -> Bool {
        if let confirmedAt = connection.confirmedAt,
            agenda.now.milliseconds(since: confirmedAt) >= Self.confirmedMs
        {
            return true
        }
        let connectedMs = agenda.now.milliseconds(since: connection.welcomedAt)
        return connectedMs >= plan.previousTokenMs + Self.elapsedMs
    }

    /// Presents the credentials of each client at each daemon after its `bye`.
    func planReplaysAfterBye() {
        guard let cluster, plan.sealsSnapshots, cluster.bus.isFencing else { return }
        var revoked: [(SimulatedClient, SessionCredentials)] = []
        for client in clients {
            guard case .open = client.link, let session = client.session,
                let snapshot = client.snapshot
            else { continue }
            revoked.append(
                (
                    client,
                    SessionCredentials(
                        session: session.name, token: session.token, snapshot: snapshot)
                ))
        }
        agenda.after(Self.closedMs) { [self] in
            for (client, credentials) in revoked {
                for place in daemons.indices {
                    replay(credentials, of: client, at: place, "revoked")
                }
            }
        }
    }

    private func replay(
        _ credentials: SessionCredentials, of client: SimulatedClient, at place: Int,
        _ kind: String
    ) {
        let thief = client.replay(credentials, at: place, number: place)
        agenda.after(Self.closedMs) { [self] in
            switch thief.replay {
            case .resumed?:
                fail(
                    .refusal,
                    "\(kind) credentials of client \(client.number) are accepted by node "
                        + "\(daemons[place].node?.number ?? 0)")
            case .refused(let reason)?: count(kind, "refused as \(reason)")
            case .closed?: count(kind, "closed")
            case .waiting?, nil: count(kind, "unanswered")
            }
        }
    }
}
