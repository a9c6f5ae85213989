package import RefreshSession
package import WebSocketTransport

/// The counts of one event loop since the process began. Source: docs/operations.md, "Metrics".
package struct LoopMetrics: Sendable {
    /// The counts of the loop's sessions.
    package let sessions: SessionMetrics
    /// The counts of the connections and upgrades that the loop refused.
    package let connections = ConnectionMetrics()

    /// - Parameter feeds: The feeds whose loads are counted by name.
    package init(feeds: [MeasuredFeed] = []) { sessions = SessionMetrics(feeds: feeds) }

    package var snapshot: MetricsSnapshot {
        MetricsSnapshot(sessions: sessions.snapshot, connections: connections.snapshot)
    }
}

/// The counts of one loop, or the sum of several, at one moment.
package struct MetricsSnapshot: Equatable, Sendable {
    package var sessions: SessionCounts
    package var connections: ConnectionCounts

    package init(
        sessions: SessionCounts = SessionCounts(feeds: []),
        connections: ConnectionCounts = ConnectionCounts()
    ) {
        self.sessions = sessions
        self.connections = connections
    }

    /// Adds the counts of another loop with the same feeds.
    package static func += (sum: inout MetricsSnapshot, other: MetricsSnapshot) {
        sum.sessions += other.sessions
        sum.connections += other.connections
    }
}

/// The counts of what one event loop has refused or closed since the process began. Only the loop's
/// thread may call the record methods. Any thread may read `snapshot`.
package final class ConnectionMetrics: Sendable {
    private let upgrades = Counter.row(RefusalRow.all.count)
    private let refusals = Counter.row(ConnectionRefusal.allCases.count)
    private let acceptFailures = Counter.row(AcceptFailure.allCases.count)
    private let breaches = Counter.row(MessageBreach.allCases.count)

    /// Counts an upgrade that the gate refused.
    package func recordUpgradeRefused(_ refusal: GateRefusal) {
        upgrades[RefusalRow.index(of: refusal)].add(1)
    }

    /// Counts an upgrade that the transport refused with `status`.
    package func recordUpgradeRefused(status: Int) {
        upgrades[RefusalRow.index(ofTransportStatus: status)].add(1)
    }

    /// Counts a refused connection.
    package func recordConnectionRefused(_ refusal: ConnectionRefusal) {
        refusals[ConnectionCounts.row(of: refusal)].add(1)
    }

    /// Counts a connection that the transport closed because of a message.
    package func recordBreach(_ breach: MessageBreach) {
        breaches[ConnectionCounts.row(of: breach)].add(1)
    }

    /// Counts a connection that could not be accepted.
    package func recordAcceptFailure(_ shortage: AcceptFailure) {
        acceptFailures[ConnectionCounts.row(of: shortage)].add(1)
    }

    package var snapshot: ConnectionCounts {
        var result = ConnectionCounts()
        result.upgrades = upgrades.map(\.value)
        result.refusals = refusals.map(\.value)
        result.acceptFailures = acceptFailures.map(\.value)
        result.breaches = breaches.map(\.value)
        return result
    }
}

/// How many upgrades and connections one loop, or several loops together, have refused or closed.
package struct ConnectionCounts: Equatable, Sendable {
    /// Refused upgrades: one count per element of `RefusalRow.all`.
    package var upgrades = [Int](repeating: 0, count: RefusalRow.all.count)
    /// Refused connections: one count per case of `ConnectionRefusal`, in the order of the cases.
    package var refusals = [Int](repeating: 0, count: ConnectionRefusal.allCases.count)
    /// Connections that could not be accepted: one count per case of `AcceptFailure`, in the order
    /// of the cases.
    package var acceptFailures = [Int](repeating: 0, count: AcceptFailure.allCases.count)
    /// Connections closed because of a message: one count per case of `MessageBreach`, in the order
    /// of the cases.
    package var breaches = [Int](repeating: 0, count: MessageBreach.allCases.count)

    package init() {}

    /// Returns how many upgrades the gate refused for that reason.
    package func count(of refusal: GateRefusal) -> Int { upgrades[RefusalRow.index(of: refusal)] }

    /// Returns how many connections were refused for that reason.
    package func count(of refusal: ConnectionRefusal) -> Int { refusals[Self.row(of: refusal)] }

    /// Returns how many connections could not be accepted for lack of that resource.
    package func count(of shortage: AcceptFailure) -> Int { acceptFailures[Self.row(of: shortage)] }

    /// Returns how many connections the transport closed because of that breach.
    package func count(of breach: MessageBreach) -> Int { breaches[Self.row(of: breach)] }

    package static func += (sum: inout ConnectionCounts, other: ConnectionCounts) {
        for (rows, added) in [
            (\ConnectionCounts.upgrades, other.upgrades), (\.refusals, other.refusals),
            (\.acceptFailures, other.acceptFailures), (\.breaches, other.breaches),
        ] {
            for (row, value) in added.enumerated() { sum[keyPath: rows][row] += value }
        }
    }

    static func row(of refusal: ConnectionRefusal) -> Int { refusalRows[refusal] ?? 0 }
    static func row(of breach: MessageBreach) -> Int { breachRows[breach] ?? 0 }
    static func row(of shortage: AcceptFailure) -> Int { shortageRows[shortage] ?? 0 }

    private static let refusalRows = rows(ConnectionRefusal.allCases)
    private static let breachRows = rows(MessageBreach.allCases)
    private static let shortageRows = rows(AcceptFailure.allCases)

    private static func rows<Value: Hashable>(_ values: [Value]) -> [Value: Int] {
        Dictionary(uniqueKeysWithValues: values.enumerated().map { ($1, $0) })
    }
}
