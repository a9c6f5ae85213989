import RefreshCluster
import RefreshProtocol
import Testing
import WebSocketTransport

@testable import RefreshServer
@testable import RefreshSession

/// `ConnectionLimiter` as a part of a cluster. Source: docs/cluster.md, "Limits of clients".
@Suite("Connection limiters of a cluster")
struct ClusterLimiterTests {
    private static let keys = CountKeys(cluster: "test")

    private static func limiter(_ change: (inout Limits) -> Void) -> ConnectionLimiter {
        let limiter = ConnectionLimiterTests.connectionLimiter(change)
        limiter.joinCluster(keys)
        return limiter
    }

    /// Attempts a handshake on a new connection. Returns whether it was accepted.
    private static func handshake(
        _ limiter: ConnectionLimiter, _ address: String, atMs ms: Double
    ) throws -> Bool {
        let place = try #require(ConnectionLimiterTests.place(limiter, address))
        defer { limiter.release(place) }
        return limiter.refusal(ofUpgradeAt: place, now: Instant(milliseconds: ms)) == nil
    }

    @Test("An address that floods three nodes gets as many handshakes as from one node")
    func handshakes() throws {
        let nodes = (0..<3).map { _ in Self.limiter { $0.handshakesPerAddressMax = 20 } }
        var accepted = 0
        for second in 0..<60 {
            for part in 0..<10 {
                let ms = Double(second * 1000 + part * 100)
                for node in nodes {
                    for _ in 0..<10 where try Self.handshake(node, "203.0.113.9", atMs: ms) {
                        accepted += 1
                    }
                }
            }
            let counts = nodes.map { $0.removeClusterCounts().handshakes }
            for (index, node) in nodes.enumerated() {
                var others = ClusterCounts()
                others.nodes = 3
                for (other, count) in counts.enumerated() where other != index {
                    others.others.handshakes.merge(count) { $0 + $1 }
                }
                node.apply(others, at: Instant(milliseconds: Double(second * 1000 + 999)))
            }
        }
        // 20 in each second, and in the first second the burst of each node.
        #expect((1000...1320).contains(accepted), "\(accepted)")
        // Another address, and one of the machine itself, are not affected.
        for node in nodes {
            #expect(try Self.handshake(node, "203.0.113.10", atMs: 60_000))
            #expect(try Self.handshake(node, "127.0.0.1", atMs: 60_000))
        }
    }

    /// A node that knows of a flood of handshakes of 203.0.113.9 at other nodes.
    private static func floodedNode() throws -> ConnectionLimiter {
        let node = limiter { $0.handshakesPerAddressMax = 10 }
        var counts = ClusterCounts()
        let network = try #require(PeerNetwork("203.0.113.9"))
        let key = keys.key(ofAddress: network.halves.high, network.halves.low)
        counts.others.handshakes = [key: 1_000_000]
        node.apply(counts, at: .origin)
        return node
    }

    @Test("After a flood elsewhere, an address waits for at most about ten seconds")
    func lack() throws {
        let node = try Self.floodedNode()
        #expect(try !Self.handshake(node, "203.0.113.9", atMs: 10_000))
        #expect(try Self.handshake(node, "203.0.113.9", atMs: 10_200))
    }

    @Test("When the share of a node changes, the used part of an allowance remains used")
    func changedShare() throws {
        let node = Self.limiter { $0.handshakesPerAddressMax = 12 }
        func accepted(_ address: String, atMs ms: Double) throws -> Int {
            try (0..<100).count { _ in try Self.handshake(node, address, atMs: ms) }
        }
        func setDivisor(_ divisor: Int, atMs ms: Double) {
            var counts = ClusterCounts()
            counts.divisor = divisor
            node.apply(counts, at: Instant(milliseconds: ms))
        }
        #expect(try accepted("203.0.113.9", atMs: 0) == 24)
        for divisor in [3, 1, 2, 3] { setDivisor(divisor, atMs: 0) }
        #expect(try accepted("203.0.113.9", atMs: 0) == 0)
        // An address without a handshake has the whole allowance of the new share.
        #expect(try accepted("203.0.113.10", atMs: 0) == 8)
        #expect(try accepted("203.0.113.9", atMs: 1000) == 4)
        // A part that is regained remains regained.
        setDivisor(1, atMs: 2000)
        #expect(try accepted("203.0.113.9", atMs: 2000) == 12)
    }

    @Test("A lack of handshakes lasts equally long after the share of a node has changed")
    func changedLack() throws {
        let node = try Self.floodedNode()
        var counts = ClusterCounts()
        counts.divisor = 2
        node.apply(counts, at: .origin)
        #expect(try !Self.handshake(node, "203.0.113.9", atMs: 10_000))
        #expect(try Self.handshake(node, "203.0.113.9", atMs: 10_300))
    }

    @Test("Connections at other nodes and the share of a node apply to addresses of other machines")
    func connections() throws {
        let node = Self.limiter { $0.connectionsPerAddressMax = 6 }
        func accepted(_ address: String) throws -> Int {
            let places = (0..<7).map { _ in ConnectionLimiterTests.place(node, address) }
            defer { for place in places { if let place { node.release(place) } } }
            return places.count { $0?.kind == .counted }
        }
        var counts = ClusterCounts()
        for address in ["203.0.113.9", "127.0.0.1"] {
            let network = try #require(PeerNetwork(address))
            let key = Self.keys.key(ofAddress: network.halves.high, network.halves.low)
            counts.others.connections[key] = 4
        }
        node.apply(counts, at: .origin)
        #expect(try accepted("203.0.113.9") == 2 && accepted("127.0.0.1") == 6)
        #expect(try accepted("203.0.113.10") == 6)
        counts = ClusterCounts()
        counts.divisor = 4
        node.apply(counts, at: .origin)
        #expect(try accepted("203.0.113.9") == 2 && accepted("169.254.1.1") == 6)
        #expect(try accepted("fe80::1") == 6 && accepted("fec0::1") == 2 && accepted("::1") == 6)
        #expect(try accepted("2001:db8::1") == 2)
    }
}
