import Testing

@testable import WebSocketTransport

@Suite struct TrustedProxiesTests {
    private func proxies(_ texts: String...) throws -> TrustedProxies {
        TrustedProxies(try texts.map { try #require(AddressRange($0)) })
    }

    @Test(
        "An address is in a network if its first bits equal those of the network",
        arguments: [
            ("10.0.0.7", "10.0.0.7", true), ("10.0.0.7", "10.0.0.8", false),
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("192.168.4.0/22", "192.168.7.255", true), ("192.168.4.0/22", "192.168.8.0", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false),
            ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false),
            ("2001:db8::/33", "2001:db8:7fff::", true), ("2001:db8::/33", "2001:db8:8000::", false),
            ("::1", "0:0:0:0:0:0:0:1", true), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("10.0.0.0/8", "", false), ("10.0.0.0/8", "10.0.0", false),
        ])
    func contains(range: String, address: String, isIn: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(address) == isIn)
    }

    @Test(
        "A text that is neither an address nor a network is refused",
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8",
            "10.0.0.1/8", "::/129", "fd00::1/8", "localhost", "10.0.0.*", "10.0.0", "[::1]",
            "10.0.0.0/٨",
        ])
    func malformed(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test("A range is written in its canonical form")
    func description() {
        #expect(AddressRange("10.0.0.0/8")?.description == "10.0.0.0/8")
        #expect(AddressRange("FD00:0::/8")?.description == "fd00::/8")
        #expect(AddressRange("10.0.0.7/32")?.description == "10.0.0.7")
        #expect(AddressRange("::1/128")?.description == "::1")
    }

    @Test(
        "The client is the last address that is not a proxy, and earlier addresses are ignored",
        arguments: [
            (nil, "10.0.0.1"), ("203.0.113.7", "203.0.113.7"),
            ("198.51.100.1, 203.0.113.7", "203.0.113.7"),
            ("203.0.113.7, 10.0.0.2", "203.0.113.7"),
            ("198.51.100.1,203.0.113.7,10.0.0.2\t, 10.0.0.3", "203.0.113.7"),
            ("10.0.0.3, 10.0.0.2", "10.0.0.3"), ("junk, 203.0.113.7", "203.0.113.7"),
            ("203.0.113.7, junk", "10.0.0.1"), ("203.0.113.7,", "10.0.0.1"), ("", "10.0.0.1"),
            ("203.0.113.7:4711", "10.0.0.1"), ("unknown", "10.0.0.1"),
            ("2001:DB8:0::7", "2001:db8::7"), ("::ffff:203.0.113.7", "203.0.113.7"),
            ("<script>", "10.0.0.1"),
        ] as [(String?, String)])
    func client(header: String?, client: String) throws {
        let proxies = try proxies("10.0.0.0/8")
        #expect(proxies.client(peer: "10.0.0.1", forwardedFor: header) == client)
    }

    @Test("The forwarding headers of a peer that is not a proxy are ignored")
    func untrustedPeer() throws {
        var head = RequestHead()
        head.forwardedFor = "198.51.100.1"
        head.forwardedScheme = "https"
        let proxies = try proxies("10.0.0.0/8")
        let untrusted = proxies.client(of: head, peer: "203.0.113.7")
        #expect(untrusted == .init(address: "203.0.113.7", isEncrypted: false))
        let proxy = proxies.client(of: head, peer: "10.0.0.1")
        #expect(proxy == .init(address: "198.51.100.1", isEncrypted: true))
        #expect(TrustedProxies().client(of: head, peer: "10.0.0.1").address == "10.0.0.1")
    }

    @Test("A proxy's scheme header overrides the scheme of its connection")
    func scheme() throws {
        let proxies = try proxies("10.0.0.1")
        var head = RequestHead()
        head.isEncrypted = true
        #expect(proxies.client(of: head, peer: "10.0.0.1").isEncrypted)
        head.forwardedScheme = "http"
        #expect(!proxies.client(of: head, peer: "10.0.0.1").isEncrypted)
        head.forwardedScheme = "HTTPS"
        #expect(proxies.client(of: head, peer: "10.0.0.1").isEncrypted)
    }
}
