import RefreshSession
import Testing

@Suite("The network of a peer")
struct PeerNetworkTests {
    @Test(
        "Each IPv4 address is its own network, and IPv6 addresses of one /64 share a network",
        arguments: [
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
            ("::1", "::2", true), ("::1", "0.0.0.1", false),
            ("fe80::1%lo", "fe80::1", true),
        ])
    func networks(_ one: String, _ other: String, _ isSame: Bool) throws {
        let left = try #require(PeerNetwork(one))
        let right = try #require(PeerNetwork(other))
        #expect((left == right) == isSame)
    }

    @Test(
        "A text that is not a numeric address identifies no network",
        arguments: ["", "localhost", "1.2.3", "[::1]"])
    func noNetwork(_ text: String) {
        #expect(PeerNetwork(text) == nil)
    }
}
