import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("Certificates of http backends")
struct HTTPTrustTests {
    private let request = LoadRequest(feed: "h", kind: .refresh, page: 1, offset: 0, size: 20)

    @Test("A certificate of the configured authority is trusted, and HTTP/2 is used if enabled")
    func trusted() async throws {
        let servers = try TLSServers()
        for (http2, version) in [(true, #"["2.0"]"#), (false, #"["1.1"]"#)] {
            let options = HTTPOptions.patient {
                $0.ca = servers.authority
                $0.http2 = http2
            }
            let backend = try HTTPBackend(url: servers.url(.good), options: options)
            let page = try await backend.load(request)
            #expect(String(decoding: page.items, as: UTF8.self) == version)
        }
    }

    @Test("An expired certificate, or one of another name or authority, is not trusted")
    func untrusted() async throws {
        let servers = try TLSServers()
        let options = HTTPOptions.patient { $0.ca = servers.authority }
        for certificate in [TLSServers.Certificate.expired, .otherName, .unknownAuthority] {
            let backend = try HTTPBackend(url: servers.url(certificate), options: options)
            let failed = await backend.failure(request)
            #expect(failed?.code == .backendUntrusted, "\(certificate)")
            #expect(failed?.isTemporary == false)
            #expect(failed?.message.contains("127") == false)
        }
        let system = try HTTPBackend(url: servers.url(.good), options: .patient())
        #expect(await system.failure(request)?.code == .backendUntrusted)
    }

    @Test("If the server has no TLS or the proxy refuses, the call fails with backendUnavailable")
    func noTLS() async throws {
        let plain = try LocalServer { $0.reply(200, "[]") }
        let url = plain.url.replacingOccurrences(of: "http://", with: "https://")
        // The server waits for the end of a request head. A TLS handshake never contains such an
        // end.
        let options = HTTPOptions.patient { $0.connectTimeoutMs = 300 }
        let failed = try await HTTPBackend(url: url, options: options).failure(request)
        #expect(failed?.code == .backendUnavailable)
        let rude = try LocalServer { $0.reply(403, "no") }
        let proxied = HTTPOptions.patient { $0.proxy = rude.url }
        let backend = try HTTPBackend(url: "https://refresh.invalid/", options: proxied)
        #expect(
            await backend.failure(request)
                == LoadFailure(.backendUnavailable, "The proxy refuses the connection."))
        #expect(rude.received.first?.hasPrefix("CONNECT refresh.invalid:443 ") == true)
    }

    @Test("Certificates from the environment are not trusted")
    func environment() async {
        // The test needs its own process, because all tests share the environment.
        await #expect(processExitsWith: .success) {
            let servers = try TLSServers()
            for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"] {
                unsafe setenv(name, servers.authority, 1)
            }
            let request = LoadRequest(feed: "h", kind: .refresh, page: 1, offset: 0, size: 20)
            let backend = try HTTPBackend(url: servers.url(.good))
            exit(await backend.failure(request)?.code == .backendUntrusted ? 0 : 1)
        }
    }
}
