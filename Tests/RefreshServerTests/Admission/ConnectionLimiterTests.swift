import RefreshProtocol
import Synchronization
import Testing
import WebSocketTransport

@testable import RefreshServer
@testable import RefreshSession

@Suite("Connection limiter")
struct ConnectionLimiterTests {
    static let noMemoryBounds = MemoryGauge(
        process: "/nowhere", groups: [], addressSpace: nil)

    static func connectionLimiter(
        _ change: (inout Limits) -> Void,
        isProxy: @escaping @Sendable (String) -> Bool = { _ in false }
    ) -> ConnectionLimiter {
        var limits = Limits()
        change(&limits)
        return ConnectionLimiter(
            limits: limits, memory: noMemoryBounds, now: .origin, isProxy: isProxy)
    }

    /// Returns the place that a connection from this address gets, or nil if the connection is
    /// closed at once.
    static func place(_ connectionLimiter: ConnectionLimiter, _ address: String) -> ConnectionPlace?
    {
        switch connectionLimiter.admitConnection(from: address) {
        case .accept(let place), .acceptToRefuse(let place): place as? ConnectionPlace
        case .closeImmediately: nil
        }
    }

    @Test(
        "connectionsMax: a connection above the limit is refused, until another one is released"
    )
    func connections() throws {
        let connectionLimiter = Self.connectionLimiter { $0.connectionsMax = 3 }
        let places = (1...3).map { Self.place(connectionLimiter, "192.0.2.\($0)") }
        #expect(places.allSatisfy { $0?.kind == .counted })
        #expect(connectionLimiter.refusal(ofUpgradeAt: places[2], now: .origin) == nil)
        let surplus = try #require(Self.place(connectionLimiter, "192.0.2.4"))
        #expect(surplus.kind == .surplus)
        #expect(
            connectionLimiter.refusal(ofUpgradeAt: surplus, now: .origin) == .tooManyConnections)
        #expect(connectionLimiter.refusal(ofRequestAt: surplus) == .tooManyConnections)
        #expect(connectionLimiter.census == .init(connections: 3, networks: 3, busiestNetwork: 1))
        connectionLimiter.release(try #require(places[0]))
        #expect(Self.place(connectionLimiter, "192.0.2.4")?.kind == .counted)
        connectionLimiter.release(surplus)
        #expect(connectionLimiter.census.connections == 3)
    }

    @Test("Operators have a limit of their own, which the other limits do not affect")
    func admin() throws {
        func place(_ connectionLimiter: ConnectionLimiter) -> ConnectionPlace? {
            switch connectionLimiter.admitAdminConnection() {
            case .accept(let place), .acceptToRefuse(let place): place as? ConnectionPlace
            case .closeImmediately: nil
            }
        }
        let connectionLimiter = Self.connectionLimiter {
            $0.connectionsMax = 1
            $0.adminConnectionsMax = 2
        }
        let first = try #require(place(connectionLimiter))
        #expect(first.kind == .admin && place(connectionLimiter)?.kind == .admin)
        let surplus = (0..<ConnectionLimiter.surplusMax).compactMap { _ in place(connectionLimiter)
        }
        #expect(surplus.count == ConnectionLimiter.surplusMax)
        #expect(surplus.allSatisfy { $0.kind == .adminSurplus })
        #expect(connectionLimiter.refusal(ofRequestAt: surplus[0]) == .tooManyConnections)
        #expect(connectionLimiter.refusal(ofRequestAt: first) == nil)
        #expect(place(connectionLimiter) == nil)
        #expect(Self.place(connectionLimiter, "192.0.2.1")?.kind == .counted)
        #expect(connectionLimiter.census.admin == 2 && connectionLimiter.census.connections == 1)
        // A client address that a proxy reports on an operators' connection does not count.
        #expect(
            connectionLimiter.assign(first, toClient: "192.0.2.7")
                && connectionLimiter.census.networks == 1)
        connectionLimiter.release(surplus[0])
        #expect(place(connectionLimiter)?.kind == .adminSurplus)
        connectionLimiter.release(first)
        #expect(place(connectionLimiter)?.kind == .admin)
        var limits = Limits()
        limits.adminConnectionsMax = 3
        connectionLimiter.apply(limits, at: .origin)
        #expect(place(connectionLimiter)?.kind == .admin && connectionLimiter.census.admin == 3)
    }

    @Test("connectionsPerAddressMax: one address cannot take the places of other addresses")
    func perAddress() throws {
        let connectionLimiter = Self.connectionLimiter { $0.connectionsPerAddressMax = 2 }
        let mine = (0..<2).map { _ in Self.place(connectionLimiter, "2001:db8::1") }
        #expect(mine.allSatisfy { $0?.kind == .counted })
        #expect(Self.place(connectionLimiter, "2001:db8::2")?.kind == .surplus)
        #expect(Self.place(connectionLimiter, "2001:db8:0:1::1")?.kind == .counted)
        #expect(Self.place(connectionLimiter, "192.0.2.1")?.kind == .counted)
        #expect(connectionLimiter.census == .init(connections: 4, networks: 3, busiestNetwork: 2))
        connectionLimiter.release(try #require(mine[0]))
        #expect(Self.place(connectionLimiter, "2001:db8::2")?.kind == .counted)
    }

    @Test("Above the limit, some connections get a refusal, and further ones are closed at once")
    func surplus() throws {
        let connectionLimiter = Self.connectionLimiter { $0.connectionsMax = 1 }
        let first = try #require(Self.place(connectionLimiter, "192.0.2.1"))
        let surplus = (0..<ConnectionLimiter.surplusMax).compactMap {
            Self.place(connectionLimiter, "192.0.2.\($0)")
        }
        #expect(
            surplus.count == ConnectionLimiter.surplusMax
                && surplus.allSatisfy { $0.kind == .surplus })
        #expect(Self.place(connectionLimiter, "192.0.2.200") == nil)
        connectionLimiter.release(surplus[0])
        #expect(Self.place(connectionLimiter, "192.0.2.200")?.kind == .surplus)
        connectionLimiter.release(first)
        #expect(Self.place(connectionLimiter, "192.0.2.1")?.kind == .counted)
    }

    @Test("One address cannot take all places for refusals, so other addresses still get an answer")
    func surplusPerAddress() throws {
        let connectionLimiter = Self.connectionLimiter { $0.connectionsPerAddressMax = 1 }
        let mine = (0..<100).compactMap { _ in Self.place(connectionLimiter, "2001:db8::1") }
        #expect(mine.count == 1 + ConnectionLimiter.surplusPerAddressMax)
        let other = (0..<2).compactMap { _ in Self.place(connectionLimiter, "192.0.2.1") }
        #expect(other.map(\.kind) == [.counted, .surplus])
        connectionLimiter.release(mine[1])
        #expect(Self.place(connectionLimiter, "2001:db8::1")?.kind == .surplus)
        #expect(Self.place(connectionLimiter, "2001:db8::1") == nil)
    }

    @Test(
        "A trusted proxy's connection counts for the client address that its last request reports"
    )
    func proxies() throws {
        let connectionLimiter = Self.connectionLimiter(
            { $0.connectionsPerAddressMax = 1 }, isProxy: { $0 == "192.0.2.1" })
        let places = try (0..<3).map { _ in try #require(Self.place(connectionLimiter, "192.0.2.1"))
        }
        #expect(places.allSatisfy { $0.kind == .counted })
        #expect(connectionLimiter.assign(places[0], toClient: "198.51.100.1"))
        // A proxy keeps this connection open. Repeated requests on the connection count once.
        for _ in 0..<3 { #expect(!connectionLimiter.assign(places[1], toClient: "198.51.100.1")) }
        #expect(connectionLimiter.assign(places[0], toClient: "198.51.100.1"))
        #expect(connectionLimiter.assign(places[2], toClient: "198.51.100.2"))
        // The first connection now serves another client, so the second one can serve 198.51.100.1.
        // After the release of the second one, a new connection from this address is counted.
        #expect(connectionLimiter.assign(places[0], toClient: "198.51.100.3"))
        #expect(connectionLimiter.assign(places[1], toClient: "198.51.100.1"))
        connectionLimiter.release(places[1])
        #expect(Self.place(connectionLimiter, "198.51.100.1")?.kind == .counted)
        #expect(connectionLimiter.census == .init(connections: 3, networks: 3, busiestNetwork: 1))
        for place in [places[0], places[2]] { connectionLimiter.release(place) }
        #expect(connectionLimiter.census == .init(connections: 1, networks: 1, busiestNetwork: 1))
    }

    @Test("handshakesPerSecondMax: a burst is twice the limit, then the limit applies each second")
    func handshakes() {
        let connectionLimiter = Self.connectionLimiter { $0.handshakesPerSecondMax = 10 }
        func admitted(_ count: Int, atMs ms: Double) -> Int {
            (0..<count).count { _ in
                connectionLimiter.refusal(ofUpgradeAt: nil, now: Instant(milliseconds: ms)) == nil
            }
        }
        #expect(admitted(20, atMs: 0) == 20)
        #expect(connectionLimiter.refusal(ofUpgradeAt: nil, now: .origin) == .tooManyHandshakes)
        #expect(admitted(20, atMs: 1000) == 10)
        #expect(admitted(5, atMs: 1100) == 1)
        #expect(admitted(50, atMs: 60_000) == 20)
    }

    @Test(
        "handshakesPerAddressMax: an address above its limit is refused, and uses up no handshakes of others"
    )
    func handshakesPerAddress() throws {
        let connectionLimiter = Self.connectionLimiter {
            $0.handshakesPerAddressMax = 2
            $0.handshakesPerSecondMax = 4
        }
        func admitted(_ address: String, _ count: Int, atMs ms: Double) -> Int {
            (0..<count).count { _ in
                guard let place = Self.place(connectionLimiter, address) else { return false }
                // The handshake of a released connection counts too.
                defer { connectionLimiter.release(place) }
                let now = Instant(milliseconds: ms)
                return connectionLimiter.refusal(ofUpgradeAt: place, now: now) == nil
            }
        }
        #expect(admitted("2001:db8::1", 4, atMs: 0) == 4)
        #expect(admitted("2001:db8::2", 100, atMs: 0) == 0)
        // All addresses together have a burst of eight handshakes. Four of them are left.
        #expect(admitted("192.0.2.1", 100, atMs: 0) == 4)
        #expect(admitted("192.0.2.2", 1, atMs: 0) == 0)
        #expect(admitted("192.0.2.2", 9, atMs: 1000) == 4)
        #expect(admitted("2001:db8::3", 100, atMs: 1000) == 0)
        #expect(admitted("2001:db8::3", 100, atMs: 9000) == 4)
        #expect(admitted("2001:db8::3", 100, atMs: 9500) == 1)
    }

    @Test("After an address has been quiet, its entry is removed")
    func quietNetworks() throws {
        var allowances = NetworkAllowances<PeerNetwork>(perSecond: 1)
        for number in 0..<20_000 {
            let address = "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"
            let now = Instant(milliseconds: Double(number) * 10)
            let network = try #require(PeerNetwork(address))
            let isAllowed = allowances.hasToken(for: network, at: now)
            #expect(isAllowed)
            allowances.consumeToken(of: network, at: now)
            // Each address regains its whole allowance within a second. At most a hundred of them
            // have not regained it yet.
            #expect(allowances.count <= 1024)
        }
    }

    @Test("New limits apply to later connections")
    func newLimits() throws {
        let connectionLimiter = Self.connectionLimiter { $0.connectionsMax = 2 }
        let first = try #require(Self.place(connectionLimiter, "192.0.2.1"))
        let second = try #require(Self.place(connectionLimiter, "192.0.2.1"))
        var limits = Limits()
        limits.connectionsMax = 1
        limits.handshakesPerSecondMax = 1
        connectionLimiter.apply(limits, at: .origin)
        #expect(first.kind == .counted && second.kind == .counted)
        connectionLimiter.release(first)
        #expect(Self.place(connectionLimiter, "192.0.2.1")?.kind == .surplus)
        #expect(connectionLimiter.refusal(ofUpgradeAt: nil, now: .origin) == nil)
        #expect(connectionLimiter.refusal(ofUpgradeAt: nil, now: .origin) == nil)
        #expect(connectionLimiter.refusal(ofUpgradeAt: nil, now: .origin) == .tooManyHandshakes)
    }

    @Test("If many threads open and close connections, the counts stay correct")
    func threads() async {
        let connectionLimiter = Self.connectionLimiter { limits in
            limits.connectionsMax = 40
            limits.connectionsPerAddressMax = 7
        }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for turn in 0..<2000 {
                        let address = "192.0.2.\((task + turn) % 9)"
                        guard let place = Self.place(connectionLimiter, address) else { continue }
                        let census = connectionLimiter.census
                        #expect(census.connections <= 40 && census.busiestNetwork <= 7)
                        connectionLimiter.release(place)
                    }
                }
            }
        }
        #expect(connectionLimiter.census == .init())
    }
}
