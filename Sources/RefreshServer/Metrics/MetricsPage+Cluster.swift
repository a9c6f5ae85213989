internal import RefreshBackends
internal import RefreshBroker
internal import RefreshCluster
internal import RefreshConfiguration
internal import RefreshProtocol

/// The metrics of a cluster. Source: docs/cluster.md, "Readiness, log and metrics".
extension MetricsPage {
    func addCluster(to page: inout MetricsText) {
        guard let cluster else { return }
        page.family(
            "refreshd_cluster_connected", .gauge,
            "Whether the daemon is connected to the bus: 0 or 1.")
        page.sample(cluster.isConnected ? 1 : 0)
        page.family("refreshd_cluster_nodes", .gauge, "Live nodes of the cluster, with this one.")
        page.sample(cluster.nodes)
        addNodes(cluster, to: &page)
        addMessages(cluster, to: &page)
        addLoads(cluster, to: &page)
        addFencing(cluster, to: &page)
        addBusWorkers(to: &page)
        addCounts(cluster.counts, to: &page)
        page.family(
            "refreshd_cluster_changes_total", .counter,
            "Changes of feeds, by the way in which this node learnt of them.")
        let counters = cluster.counters
        page.sample(counters.changesReported, [("source", "own")])
        page.sample(counters.changesApplied - counters.changesMissed, [("source", "message")])
        page.sample(counters.changesMissed, [("source", "gap")])
        page.sample(counters.changesOfReconnections, [("source", "reconnect")])
    }

    private func addNodes(_ cluster: ClusterStatus, to page: inout MetricsText) {
        page.family(
            "refreshd_cluster_node_changes_total", .counter,
            "Other nodes that became live, were lost or left.")
        let counters = cluster.counters
        page.sample(counters.nodesJoined, [("event", "joined")])
        page.sample(counters.nodesLost, [("event", "lost")])
        page.sample(counters.nodesLeft, [("event", "left")])
        page.family(
            "refreshd_cluster_state_age_seconds", .gauge,
            "The time since the last state of the live node that has been silent longest.")
        let ageMs = cluster.oldestStateAt.map { MonotonicTime.now.milliseconds(since: $0) } ?? 0
        page.sample(text: String(max(0, ageMs) / 1000))
        page.family(
            "refreshd_cluster_loads_in_flight", .gauge,
            "Loads that other nodes perform for this node (asked), and the reverse (performed).")
        page.sample(cluster.openAsks, [("role", "asked")])
        page.sample(cluster.runningLoads, [("role", "performed")])
    }

    private func addMessages(_ cluster: ClusterStatus, to page: inout MetricsText) {
        let directions = [
            ("sent", cluster.counters.published, cluster.bytesPublished),
            ("received", cluster.counters.received, cluster.bytesReceived),
        ]
        page.family(
            "refreshd_cluster_messages_total", .counter, "Messages on the bus, by type.")
        for (direction, counts, _) in directions {
            for type in BusMessageType.allCases {
                page.sample(
                    counts[type, default: 0], [("direction", direction), ("type", type.rawValue)])
            }
        }
        page.family("refreshd_cluster_bytes_total", .counter, "Bytes of the messages on the bus.")
        for (direction, _, bytes) in directions {
            page.sample(bytes, [("direction", direction)])
        }
        page.family(
            "refreshd_cluster_unsent_messages_total", .counter,
            "Messages that the bus did not accept.")
        page.sample(cluster.unsent)
        page.family(
            "refreshd_cluster_dropped_messages_total", .counter,
            "Messages of the bus that were dropped, by reason.")
        for reason in BusMessageDrop.allCases {
            page.sample(cluster.counters.dropped[reason, default: 0], [("reason", reason.rawValue)])
        }
        page.sample(cluster.counters.listsRefused, [("reason", "rate")])
    }

    private func addFencing(_ cluster: ClusterStatus, to page: inout MetricsText) {
        guard let isFencing = cluster.isFencing else { return }
        let counters = cluster.fenceCounters
        page.family(
            "refreshd_cluster_fencing", .gauge, "1 while a session is held by one node at a time.")
        page.sample(isFencing ? 1 : 0)
        page.family(
            "refreshd_cluster_claims_total", .counter,
            "Sessions that this node was to rebuild from a snapshot, by the answer of the store.")
        for verdict in ClaimVerdict.allCases {
            page.sample(counters.claims[verdict, default: 0], [("result", verdict.rawValue)])
        }
        page.family(
            "refreshd_cluster_sessions_lost_total", .counter,
            "Sessions of this node that had to close because another node holds them.")
        page.sample(counters.closed)
        page.family(
            "refreshd_cluster_store_failures_total", .counter,
            "Requests to the store that failed, by reason.")
        page.sample(counters.timeouts, [("reason", "silent")])
        page.sample(counters.conflicts, [("reason", "conflict")])
        page.sample(counters.dropped, [("reason", "malformed")])
    }

    private func addBusWorkers(to page: inout MetricsText) {
        let counters = workers.first { $0.kind == .worker }?.counters() ?? WorkerCounters()
        page.family(
            "refreshd_cluster_worker_offers_total", .counter,
            "Loads that were published for workers on the bus, by result.")
        for result in OfferResult.allCases {
            page.sample(counters.offers[result, default: 0], [("result", result.rawValue)])
        }
        page.family(
            "refreshd_cluster_worker_dropped_messages_total", .counter,
            "Messages of workers on the bus that were dropped.")
        page.sample(counters.droppedBusMessages)
    }

    private func addCounts(_ counts: ClusterCounts, to page: inout MetricsText) {
        page.family(
            "refreshd_cluster_limits_share", .gauge,
            "The share of the limits of clients that this node applies: 1 with the bus.")
        page.sample(text: String(1 / Double(counts.divisor)))
        page.family(
            "refreshd_cluster_refreshes_share", .gauge,
            "The share of perSecondMax that this node takes.")
        page.sample(text: String(counts.refreshShare))
        page.family(
            "refreshd_cluster_counted_keys", .gauge,
            "Subjects and addresses of which other nodes report counts.")
        page.sample(counts.others.sessions.count, [("kind", "sessions")])
        page.sample(counts.others.connections.count, [("kind", "connections")])
    }

    private func addLoads(_ cluster: ClusterStatus, to page: inout MetricsText) {
        page.family(
            "refreshd_cluster_remote_loads_total", .counter,
            "Loads that other nodes were asked to perform, by result.")
        for result in AskResult.allCases {
            let count = broker.feeds.values.reduce(0) { $0 + $1.asks.ended[result, default: 0] }
            page.sample(count, [("result", result.rawValue)])
        }
        page.family(
            "refreshd_cluster_loads_for_nodes_total", .counter,
            "Loads that this node performs for other nodes.")
        page.sample(cluster.counters.loads)
    }
}
