internal import RefreshBroker
internal import RefreshCluster

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
        addMessages(cluster, to: &page)
        addLoads(cluster, to: &page)
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
            "refreshd_cluster_dropped_messages_total", .counter,
            "Messages of the bus that were dropped, by reason.")
        for reason in BusMessageDrop.allCases {
            page.sample(cluster.counters.dropped[reason, default: 0], [("reason", reason.rawValue)])
        }
        page.sample(cluster.droppedFromQueue, [("reason", "queue")])
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
