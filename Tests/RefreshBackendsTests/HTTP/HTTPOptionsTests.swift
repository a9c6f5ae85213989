import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("Options of the http backend")
struct HTTPOptionsTests {
    private func key(of change: (inout HTTPOptions) -> Void) -> String? {
        var options = HTTPOptions()
        change(&options)
        do throws(BackendConfigurationError) {
            try options.check()
            return nil
        } catch {
            return error.key
        }
    }

    @Test("The default options are valid")
    func defaults() {
        #expect(key { _ in } == nil)
    }

    @Test("A number outside its range is refused with the option's key, but the bounds are valid")
    func ranges() {
        let cases: [(String, WritableKeyPath<HTTPOptions, Int>, ClosedRange<Int>)] = [
            ("connectTimeoutMs", \.connectTimeoutMs, 1...600_000),
            ("totalTimeoutMs", \.totalTimeoutMs, 1...600_000),
            ("responseBytesMax", \.responseBytesMax, 1024...1_073_741_824),
            ("redirects", \.redirects, 0...5),
        ]
        for (name, path, range) in cases {
            #expect(key { $0[keyPath: path] = range.lowerBound } == nil)
            #expect(key { $0[keyPath: path] = range.upperBound } == nil)
            #expect(key { $0[keyPath: path] = range.lowerBound - 1 } == name)
            #expect(key { $0[keyPath: path] = range.upperBound + 1 } == name)
        }
    }

    @Test(
        "A header name that is reserved or is not a token is refused",
        arguments: [
            "", "a b", "a:b", "a\r\nb", "é", "Content-Length", "transfer-encoding", "Connection",
            "Upgrade", "TE", "Trailer", "Expect", "Keep-Alive", "Proxy-Authorization",
            "Accept-Encoding", "Idempotency-Key", "If-None-Match", "a\u{0}",
        ])
    func headerNames(name: String) {
        #expect(key { $0.headers = [HeaderField(name: name, value: "x")] } == "headers")
        #expect(key { $0.forward = [name.lowercased()] } == "forward")
    }

    @Test("Headers for the target or the content can be configured, but not forwarded")
    func forwarding() {
        let names = ["Authorization", "Host", "X-Api-Key", "Accept", "User-Agent"]
        #expect(key { $0.headers = names.map { HeaderField(name: $0, value: "x y") } } == nil)
        #expect(key { $0.forward = ["authorization", "accept-language", "x-tenant"] } == nil)
        for name in ["host", "content-type", "range", "Accept-Language", "accept"] {
            #expect(key { $0.forward = [name] } == "forward")
        }
        #expect(key { $0.forward = ["x", "x"] } == "forward")
        #expect(
            key {
                $0.headers = [HeaderField(name: "X-Tenant", value: "1")]
                $0.forward = ["x-tenant"]
            } == "forward")
        #expect(
            key {
                $0.headers = ["X", "x"].map { HeaderField(name: $0, value: "1") }
            } == "headers")
    }

    @Test(
        "A configured header value with a control character is refused",
        arguments: ["a\r\nb", "\u{0}", "\u{7f}", "a\tb"])
    func headerValues(value: String) {
        #expect(key { $0.headers = [HeaderField(name: "X", value: value)] } == "headers")
    }

    @Test(
        "A proxy needs a permitted scheme, a host and a port, and nothing else",
        arguments: [
            ("http://127.0.0.1:3128", true), ("socks5h://proxy.example:1080", true),
            ("http://[::1]:3128", true), ("http://", false), ("http://host", false),
            ("https://host:1", false), ("socks5://host:1", false), ("http://host:0", false),
            ("http://host:65536", false), ("http://u:p@host:1", false), ("http://host:1/", false),
            ("http://host:1?x", false), ("host:1", false), ("", false), ("http://ho st:1", false),
        ])
    func proxies(proxy: String, isGood: Bool) {
        #expect(key { $0.proxy = proxy } == (isGood ? nil : "proxy"))
    }

    @Test("The file of `ca` must exist and contain a certificate")
    func certificates() throws {
        let file = try TemporaryFile("ca.pem")
        #expect(key { $0.ca = file.path } == "ca")
        try file.write("hello\n")
        #expect(key { $0.ca = file.path } == "ca")
        try file.write("# mine\n-----BEGIN CERTIFICATE-----\nAA==\n")
        #expect(key { $0.ca = file.path } == nil)
        #expect(key { $0.ca = "/tmp" } == "ca")
    }

    @Test("The option `body` without POST and an empty `nextParameter` are refused")
    func others() {
        #expect(key { $0.body = Array("{}".utf8) } == "body")
        #expect(
            key {
                $0.body = Array("{}".utf8)
                $0.method = .post
            } == nil)
        #expect(key { $0.nextParameter = "" } == "nextParameter")
    }
}
