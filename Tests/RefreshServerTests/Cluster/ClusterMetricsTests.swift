import RefreshBroker
import RefreshCluster
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshServer

@Suite("The metrics of a cluster")
struct ClusterMetricsTests {
    private static func families(_ status: ClusterStatus?) throws -> [String] {
        let page = MetricsPage(
            loops: [LoopMetrics().snapshot], cluster: status, startSeconds: 0
        ).text
        return try MetricsFormTests.parse(page).map(\.name)
            .filter { $0.hasPrefix("refreshd_cluster_") }
    }

    @Test("cluster.md names each family exactly once, and no others")
    func documented() throws {
        var status = ClusterStatus()
        status.isFencing = true
        let families = try Self.families(status)
        let rows = try DocumentationPage.text(of: "cluster.md").split(separator: "\n")
            .filter { $0.hasPrefix("| `refreshd_cluster_") }
            .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        #expect(rows.sorted() == families.sorted())
        let operations = try DocumentationPage.text(of: "operations.md")
        for family in families { #expect(operations.contains("`\(family)`"), "\(family)") }
        #expect(try Self.families(nil) == [])
    }

    @Test("The nodes, the loads in flight and the refused lists are counted by their labels")
    func values() {
        var status = ClusterStatus()
        status.counters.nodesJoined = 5
        status.counters.nodesLost = 2
        status.counters.nodesLeft = 1
        status.counters.listsRefused = 7
        (status.openAsks, status.runningLoads) = (3, 4)
        let text = MetricsPage(
            loops: [LoopMetrics().snapshot], cluster: status, startSeconds: 0
        ).text
        for line in [
            #"refreshd_cluster_node_changes_total{event="joined"} 5"#,
            #"refreshd_cluster_node_changes_total{event="lost"} 2"#,
            #"refreshd_cluster_node_changes_total{event="left"} 1"#,
            #"refreshd_cluster_loads_in_flight{role="asked"} 3"#,
            #"refreshd_cluster_loads_in_flight{role="performed"} 4"#,
            #"refreshd_cluster_dropped_messages_total{reason="rate"} 7"#,
            "refreshd_cluster_state_age_seconds 0.0",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }
}
