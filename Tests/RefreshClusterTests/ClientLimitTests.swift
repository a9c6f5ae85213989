import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Source: docs/cluster.md, "Limits of clients".
@Suite("The limits of clients at one node of a cluster")
struct ClientLimitTests {
    private let keys = CountKeys(cluster: "production")

    private func limits(sessions: Int = 3, connections: Int = 10) -> ClientLimits<Int> {
        var limits = Limits()
        limits.sessionsPerSubjectMax = sessions
        limits.connectionsPerAddressMax = connections
        limits.handshakesPerAddressMax = 5
        var clients = ClientLimits<Int>(limits)
        clients.keys = keys
        return clients
    }

    /// Counts a session, and returns whether it was accepted.
    private func add(
        _ session: Int, _ clients: inout ClientLimits<Int>, resumes: Bool = false,
        replaces: Bool = false
    ) -> Bool {
        clients.add(session, of: "anna", resumes: resumes, replaces: replaces)
    }

    @Test("The sessions of a subject at other nodes are subtracted from the limit")
    func sessions() {
        var clients = limits()
        clients.counts.others.sessions = [keys.key(ofSubject: "anna"): 2]
        let added = [1, 2].map { add($0, &clients) }
        #expect(added == [true, false])
        // More sessions at other nodes than the limit allows change nothing for existing ones.
        clients.counts.others.sessions = [keys.key(ofSubject: "anna"): 7]
        #expect(!clients.isWithinLimit(1))
        clients.remove(1)
        clients.counts.others.sessions = [:]
        let more = [1, 2, 3, 4].map { add($0, &clients) }
        #expect(more == [true, true, true, false])
        #expect(clients.isWithinLimit(1) && clients.isWithinLimit(99))
    }

    @Test("A client that resumes is compared with its own node and the whole limit")
    func resuming() {
        var clients = limits()
        clients.counts.divisor = 3
        clients.counts.others.sessions = [keys.key(ofSubject: "anna"): 3]
        let fresh = add(1, &clients)
        #expect(!fresh)
        let resumed = [1, 2, 3, 4].map { add($0, &clients, resumes: true) }
        #expect(resumed == [true, true, true, false])
        // It would not have been accepted with a new session.
        #expect(!clients.isWithinLimit(1))
        let replacing = add(4, &clients, resumes: true, replaces: true)
        #expect(replacing)
    }

    @Test("While the bus is lost, a node applies its share, and local addresses have no key")
    func share() {
        var clients = limits()
        clients.counts.divisor = 3
        let added = [1, 2].map { add($0, &clients) }
        #expect(added == [true, false])
        let key = CountKey(bits: 1)
        #expect(clients.connectionsMax(of: key) == 4 && clients.connectionsMax(of: nil) == 10)
        #expect(clients.handshakesMax == 2)
        clients.counts.divisor = 1
        clients.counts.others.connections = [key: 4]
        #expect(clients.connectionsMax(of: key) == 6 && clients.connectionsMax(of: nil) == 10)
        clients.counts.others.connections = [key: 400]
        #expect(clients.connectionsMax(of: key) == 0)
        #expect(clients.handshakesMax == 5)
    }

    @Test("Without the limit no session is counted, and without a cluster nothing is published")
    func off() {
        var clients = limits(sessions: 0)
        let added = (0..<100).map { add($0, &clients) }
        #expect(!added.contains(false))
        #expect(clients.removeCounts(connections: [1: 9]) { CountKey(bits: $0) }.sessions == [:])
        clients = limits()
        let one = add(1, &clients)
        #expect(one)
        clients.recordHandshake(of: CountKey(bits: 1))
        clients.keys = nil
        #expect(clients.removeCounts(connections: [1: 9]) { CountKey(bits: $0) }.isEmpty)
        // A reload without the limit ends the counting.
        clients.keys = keys
        clients.limits.sessionsPerSubjectMax = 0
        clients.limits.sessionsPerSubjectMax = 3
        let counts = clients.removeCounts(connections: [:] as [UInt64: Int]) { _ in nil }
        #expect(counts.sessions == [:])
    }

    @Test("The published counts have the keys of the cluster, and handshakes are returned once")
    func published() {
        var clients = limits()
        let added = add(1, &clients)
        #expect(added)
        for _ in 0..<4 { clients.recordHandshake(of: CountKey(bits: 5)) }
        var expected = NodeCounts()
        expected.sessions = [keys.key(ofSubject: "anna"): 1]
        expected.connections = [CountKey(bits: 7): 9]
        expected.handshakes = [CountKey(bits: 5): 4]
        let connections: [UInt64: Int] = [7: 9, 8: 9]
        for _ in 0..<2 {
            let counts = clients.removeCounts(connections: connections) {
                $0 == 8 ? nil : CountKey(bits: $0)
            }
            #expect(counts == expected)
            expected.handshakes = [:]
        }
    }
}
