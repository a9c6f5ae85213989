import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

/// Tests the address to which the limits per address apply if a proxy is in front of the
/// daemon.
@Suite("A daemon behind a proxy")
struct ServerProxyTests {
    @Test("The addresses that a proxy reports are used only if the configuration lists this proxy")
    func trust() throws {
        let trust = ProxyTrust(TrustedProxies())
        #expect(!trust.contains("10.0.0.1"))
        trust.update(TrustedProxies([try #require(AddressRange("10.0.0.0/8"))]))
        #expect(trust.contains("10.0.0.1"))
        #expect(!trust.contains("11.0.0.1"))
        trust.update(TrustedProxies())
        #expect(!trust.contains("10.0.0.1"))
    }

    @Test("A proxy in the configuration file may be an address or a network")
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
