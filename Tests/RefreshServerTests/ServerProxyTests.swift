import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

/// A daemon behind proxies: who counts for the bounds by address.
@Suite("Behind a proxy")
struct ServerProxyTests {
    @Test("proxies are believed from the moment they are trusted, and no longer than that")
    func trust() throws {
        let trust = ProxyTrust(TrustedProxies())
        #expect(!trust.contains("10.0.0.1"))
        trust.update(TrustedProxies([try #require(AddressRange("10.0.0.0/8"))]))
        #expect(trust.contains("10.0.0.1"))
        #expect(!trust.contains("11.0.0.1"))
        trust.update(TrustedProxies())
        #expect(!trust.contains("10.0.0.1"))
    }

    @Test("the file's proxies are read, networks and addresses of both kinds")
    func read() throws {
        let file = try ConfigurationFile(
            text: "auth: { mode: none }\nproxies: [127.0.0.1, 10.0.0.0/8, \"::1\", \"fd00::/8\"]",
            path: "refreshd.yaml")
        #expect(
            file.proxies.ranges.map(\.description) == [
                "127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8",
            ])
        let configuration = try Configuration(file: file)
        #expect(configuration.proxies == file.proxies)
    }
}
