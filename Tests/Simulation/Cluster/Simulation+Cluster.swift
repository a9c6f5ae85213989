import RefreshBroker
import RefreshCluster
import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession

// The faults and changes of a cluster, and its rules.
extension Simulation {
    /// The time before the quiet phase in which faults begin, in milliseconds.
    private static let faultsMs = 16_000.0
    /// The moments of the quiet phase in milliseconds: the first check of the changes, the last
    /// change of each feed, the refreshes of all clients at one time, and the last check.
    private static let lastChangesMs = 16_000.0
    private static let refreshesMs = [15_000.0, 26_000, 30_000]
    private static let lastCheckMs = 44_000.0

    // MARK: Before the quiet phase

    /// Plans the faults of the bus, the changes, and the upgrade.
    func planCluster() {
        guard let cluster else { return }
        for _ in 0..<cluster.plan.faults {
            agenda.after(cluster.generator.milliseconds(500, Self.faultsMs)) { [self] in
                guard !isQuiet else { return }
                let fault = cluster.bus.fail(places: plan.daemons)
                count("bus", fault)
                record("the bus has a fault: \(fault)")
            }
        }
        for _ in 0..<cluster.plan.changes {
            agenda.after(cluster.generator.milliseconds(500, Self.faultsMs)) { [self] in
                guard !isQuiet else { return }
                reportChange(of: cluster.generator.pick(SimulatedFeed.Kind.allCases))
            }
        }
        planStoreFaults()
        guard cluster.plan.isUpgraded else { return }
        agenda.after(cluster.generator.milliseconds(500, 6000)) { [self] in
            guard !isQuiet else { return }
            cluster.version = 3 - cluster.version
            count("bus", "upgrade")
            upgrade(placesFrom: 0)
        }
    }

    /// Replaces one daemon after another with a daemon of the newest version.
    private func upgrade(placesFrom place: Int) {
        guard let cluster, place < daemons.count else { return }
        restart(at: place)
        agenda.after(cluster.generator.milliseconds(200, 3000)) { [self] in
            if !isQuiet { upgrade(placesFrom: place + 1) }
        }
    }

    /// Drains a daemon of another version, and replaces it.
    private func restart(at place: Int) {
        let daemon = daemons[place]
        guard let cluster, daemon.node?.version != cluster.version else { return }
        record("the daemon at \(place) is upgraded")
        daemon.drain()
        agenda.after(cluster.generator.milliseconds(0, 2600)) { [self] in
            replace(daemon, at: place)
        }
    }

    /// A change is reported to one daemon. If it ends before the cluster has healed, the other
    /// nodes may never learn of the change.
    private func reportChange(of feed: SimulatedFeed.Kind) {
        guard let cluster else { return }
        let daemon = cluster.generator.pick(daemons)
        guard !daemon.isEnded else { return }
        if feed == .live { backends.grow(feed.rawValue, by: 1 + cluster.generator.below(5)) }
        count("cluster", "changes")
        record("a change of \(feed.rawValue) is reported at node \(daemon.node?.number ?? 0)")
        cluster.reports.append(.init(feed: feed.rawValue, at: agenda.now, daemon: daemon))
        cluster.monitor.recordChange(of: feed.rawValue)
        daemon.feedChanged(FeedChange(feed.rawValue))
    }

    // MARK: The quiet phase

    /// Ends all faults of the bus. Daemons of an old version are replaced.
    func healCluster() {
        guard let cluster else { return }
        cluster.bus.heal()
        for place in daemons.indices { restart(at: place) }
    }

    /// Plans the checks of the quiet phase, with further changes and refreshes.
    func planClusterRest() {
        guard let cluster else { return }
        for second in 1...Int(Self.lastCheckMs / 1000) {
            agenda.after(Double(second) * 1000) { [self] in
                checkChanges()
                checkHolders()
            }
        }
        planReplays()
        planMoves()
        agenda.after(Self.lastChangesMs) { [self] in
            for feed in SimulatedFeed.Kind.allCases { reportChange(of: feed) }
        }
        for moment in Self.refreshesMs {
            agenda.after(moment) { [self] in
                for client in clients {
                    client.after(cluster.generator.milliseconds(0, 40)) { $0.refreshAttached() }
                }
            }
        }
        agenda.after(Self.lastCheckMs) { [self] in
            checkConnections()
            countCluster()
        }
    }

    private func countCluster() {
        guard let cluster else { return }
        tally("bus", "messages", cluster.bus.messages)
        tally("compared", "calls", cluster.monitor.compared)
        for daemon in daemons {
            guard let node = daemon.node else { continue }
            countFencing(node.fenceCounters)
            let counters = node.counters
            tally("cluster", "asks", counters.asks)
            tally("cluster", "answered asks", counters.asksAnswered)
            tally("cluster", "missed changes", counters.changesMissed)
            tally("cluster", "changes of reconnections", counters.changesOfReconnections)
            for (reason, count) in counters.dropped {
                tally("cluster", "dropped as \(reason)", count)
            }
        }
    }

    // MARK: Changes

    /// Checks that each view shows each change of its feed that was reported early enough.
    private func checkChanges() {
        guard let cluster else { return }
        let early = agenda.now.advanced(byMilliseconds: -ClusterWorld.shownMs)
        guard cluster.bus.isCalm, cluster.bus.changedAt <= early else { return }
        for report in cluster.reports where report.at <= early && !report.daemon.isEnded {
            for client in clients { checkChange(report, before: early, at: client, cluster) }
        }
    }

    private func checkChange(
        _ report: ClusterWorld.Report, before early: Instant, at client: SimulatedClient,
        _ cluster: ClusterWorld
    ) {
        guard case .open(let connection) = client.link, connection.welcomedAt <= early,
            !connection.isBroken, let session = client.session,
            let holder = cluster.holders[session.name],
            holder.daemon === connection.daemon
        else { return }
        for view in client.views
        where view.feed == report.feed && view.isAttached && !view.hasNewer && !view.items.isEmpty {
            guard let answeredAt = view.answeredAt else { continue }
            count("compared", "changes")
            guard answeredAt < report.at else { continue }
            let node = connection.daemon.node?.number ?? 0
            fail(
                .changed,
                "client \(client.number), \(view.name) at node \(node)"
                    + " does not show the change of \(report.feed) that was reported at node "
                    + "\(report.daemon.node?.number ?? 0) at \(report.at.milliseconds) ms")
        }
    }

    // MARK: Connections

    /// Checks that a daemon closes a connection only for a reason other than the bus.
    func checkClose(
        of connection: SimulatedConnection, code: CloseCode, by client: SimulatedClient
    ) {
        guard cluster != nil else { return }
        switch code {
        case .draining where connection.daemon.isDraining, .sessionTaken, .slow, .normal: return
        default:
            fail(
                .session,
                "client \(client.number) was closed with \(code) by node "
                    + "\(connection.daemon.node?.number ?? 0)")
        }
    }
}

extension SimulatedClient {
    /// Refreshes all views.
    func refreshAttached() {
        for index in views.indices where views[index].isAttached && views[index].feed != nil {
            simulation.count("sent", "refresh")
            send(.object([.init("type", .string("refresh"))]), viewAt: index)
        }
    }
}
